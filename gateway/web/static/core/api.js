/** Calls in the player's name. */

import { lost, pause } from "./link.js";
import { renewed, token } from "./session.js";
import { ask, Refusal, stream } from "./wire.js";

export { Refusal };

/** How often a call that gets no answer is sent again: for about half a minute. */
const PATIENCE = 9;

/** Unlike any other: for `requestId`, the same when a command is sent again. */
export function requestId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * One call. An answer that does not come is asked for again with the same message, so commands carry a `requestId`.
 * @param {string} service
 * @param {string} rpc
 * @param {object} [message]
 * @param {{signal?: AbortSignal}} [how]
 * @returns {Promise<any>} rejects with a `Refusal`
 */
export async function call(service, rpc, message = {}, { signal } = {}) {
  for (let tries = 0, renewals = 0; ; ) {
    const mine = await token();
    try {
      const answer = await ask(service, rpc, message, { token: mine, signal });
      lost.set(false);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.reason === "UNAUTHENTICATED" && renewals++ === 0) {
        await renewed(mine);
      } else if (isAway(error) && tries < PATIENCE) {
        lost.set(true);
        await pause(tries++, signal);
        signal?.throwIfAborted();
      } else {
        lost.set(error.reason === "LOST");
        throw error;
      }
    }
  }
}

/**
 * The answers of a stream as they come; ends when the server ends it well. Rejects with a `Refusal`, `LOST` where the
 * connection broke: whoever follows asks again from where they are. `after` stands for the message's own field.
 * @param {string} service
 * @param {string} rpc
 * @param {object} [message]
 * @param {{signal?: AbortSignal, after?: string}} [how]
 * @returns {AsyncGenerator<any, void, void>}
 */
export async function* follow(service, rpc, message = {}, { signal, after } = {}) {
  const mine = await token();
  try {
    yield* stream(service, rpc, message, { token: mine, signal, after, opened: () => lost.set(false) });
  } catch (error) {
    if (error instanceof Refusal && error.reason === "UNAUTHENTICATED") await renewed(mine);
    throw error;
  }
}

/**
 * Whether it is worth asking again soon.
 * @param {unknown} error
 * @returns {boolean}
 */
export function isAway(error) {
  if (!(error instanceof Refusal)) return false;
  return ["LOST", "DRAINING", "STORE_AWAY", "ENGINE_AWAY", "OUTCOME_UNKNOWN"].includes(error.reason);
}
