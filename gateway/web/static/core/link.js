/** Whether the server answers: told to the person, and waited for by whoever asks again. */

import { store } from "./store.js";

/** Whether calls get no answer at the moment. */
export const lost = store(false);

/**
 * Ends after a while that grows with `tries`, at once when the machine says that it is back in a network.
 * @param {number} tries
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(tries, signal) {
  const most = Math.min(250 * 2 ** tries, 5000);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, most / 2 + (Math.random() * most) / 2);
    addEventListener("online", done);
    signal?.addEventListener("abort", done);
  });
}
