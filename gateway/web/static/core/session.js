/**
 * Who one is: a guest from the first need on, the same one in all tabs of the browser, with a token that is renewed before
 * it ends.
 */

import { lost, pause } from "./link.js";
import { store } from "./store.js";
import { ask, Refusal } from "./wire.js";

/** @typedef {{token: string, player: string, name: string, expiresAtMs: number, sinceMs: number}} Session */

const KEY = "tidelog.session";
const FRESH_MS = 60_000;

/** Null before the first sign-in. @type {import("./store.js").Store<Session | null>} */
export const session = store(kept());

addEventListener("storage", (event) => {
  if (event.key === KEY || event.key === null) session.set(kept());
});

/** @returns {Session | null} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null");
    const { token, player, name, expiresAtMs, sinceMs } = found ?? {};
    const texts = [token, player, name].every((each) => typeof each === "string");
    return texts && Number.isFinite(expiresAtMs) && Number.isFinite(sinceMs) ? found : null;
  } catch {
    return null;
  }
}

/** @param {Session} found */
function keep(found) {
  try {
    localStorage.setItem(KEY, JSON.stringify(found));
  } catch {
    // Without a store the session lasts as long as the page.
  }
  session.set(found);
  return found;
}

/**
 * One tab at a time signs in; where the browser has no locks, whoever comes second finds what the first kept.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
function alone(act) {
  if (!navigator.locks) return act();
  return /** @type {Promise<T>} */ (/** @type {unknown} */ (navigator.locks.request(KEY, act)));
}

/** @type {Promise<Session> | null} */
let under_way = null;

/**
 * @param {() => Promise<Session>} act
 * @returns {Promise<Session>}
 */
function once(act) {
  under_way ??= alone(act).finally(() => {
    under_way = null;
  });
  return under_way;
}

/** The token, made or renewed if need be. */
export async function token() {
  const now = session.get() ?? (await once(async () => kept() ?? keep(await signedIn(""))));
  const half = now.sinceMs + (now.expiresAtMs - now.sinceMs) / 2;
  // By a clock that is far ahead of the server's every token would be old: one that is new here is taken as it is.
  if (Date.now() < Math.max(half, now.sinceMs + FRESH_MS)) return now.token;
  return (await renewed(now.token)).token;
}

/**
 * Another token for the same player in place of one that the server takes no more, or soon won't.
 * @param {string} old
 * @returns {Promise<Session>}
 */
export function renewed(old) {
  return once(async () => {
    const now = kept() ?? session.get();
    if (now && now.token !== old) return keep(now);
    return keep(await renewal(now?.name ?? "", old));
  });
}

/**
 * What other players are shown from now on; who one is stays.
 * @param {string} name
 */
export async function rename(name) {
  const old = await token();
  await once(async () => keep(await renewal(name, old)));
}

/** @param {string} name @param {string} old @returns {Promise<Session>} */
async function renewal(name, old) {
  try {
    return await asked("RenewToken", { name }, name, old);
  } catch (error) {
    if (error instanceof Refusal && error.reason === "UNAUTHENTICATED") return signedIn(name);
    throw error;
  }
}

/** @param {string} name */
function signedIn(name) {
  return asked("SignInAsGuest", { name }, name, null);
}

/**
 * @param {string} rpc
 * @param {object} message
 * @param {string} name
 * @param {string | null} old
 * @returns {Promise<Session>}
 */
async function asked(rpc, message, name, old) {
  for (let tries = 0; ; ) {
    try {
      const { token, player, expiresAtMs } = await ask("IdentityService", rpc, message, { token: old });
      lost.set(false);
      return { token, player, name, expiresAtMs: Number(expiresAtMs), sinceMs: Date.now() };
    } catch (error) {
      const again = error instanceof Refusal && ["LOST", "DRAINING", "TOO_MUCH"].includes(error.reason);
      if (!again || tries > 20) throw error;
      lost.set(error.reason !== "TOO_MUCH");
      await pause(tries++);
    }
  }
}

/** Who one is. @returns {Promise<{player: string, name: string}>} */
export async function me() {
  await token();
  const { player, name } = /** @type {Session} */ (session.get());
  return { player, name };
}
