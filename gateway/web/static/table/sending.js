/** A move on its way: kept by the tab until there is an answer, so that neither a break nor a reload plays it twice. */

import { call, isAway, Refusal } from "../core/api.js";
import { pause } from "../core/link.js";

/** @param {string} matchId */
const keyOf = (matchId) => `tidelog.sending.${matchId}`;

/**
 * The move that has no answer yet, as it was sent.
 * @param {string} matchId
 * @returns {any}
 */
export function unanswered(matchId) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(matchId)) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} matchId @param {object | null} message */
function keep(matchId, message) {
  try {
    if (message) sessionStorage.setItem(keyOf(matchId), JSON.stringify(message));
    else sessionStorage.removeItem(keyOf(matchId));
  } catch {
    // Without a store a reload forgets what it sent; the decision that the move names still stops it from counting twice.
  }
}

/**
 * Sends a move, the same one again until the server says what became of it; answers the receipt.
 * @param {any} message a SubmitMoveRequest
 * @param {AbortSignal} signal leaves it unanswered
 * @returns {Promise<any>} rejects with the refusal
 */
export async function deliver(message, signal) {
  keep(message.matchId, message);
  for (let tries = 0; ; tries += 1) {
    try {
      const { receipt } = await call("MatchService", "SubmitMove", message, { signal });
      keep(message.matchId, null);
      return receipt;
    } catch (error) {
      signal.throwIfAborted();
      if (isOpen(error)) {
        await pause(tries, signal);
        signal.throwIfAborted();
      } else {
        keep(message.matchId, null);
        throw error;
      }
    }
  }
}

/** Whether the move may have been played all the same, or will be if it is sent again. @param {unknown} error */
function isOpen(error) {
  const passing = error instanceof Refusal && ["TOO_MUCH", "STORE_READ_ONLY", "UNKNOWN"].includes(error.reason);
  return passing || isAway(error);
}
