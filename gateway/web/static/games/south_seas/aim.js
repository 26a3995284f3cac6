/** What the pointer or the keyboard is at: the board and the panel show the same, and no match knows of it. */

import { useEffect, useReducer } from "../../core/html.js";

/**
 * `region`: the one that is lit, by number. `spot`: the cell over which the tile drawn hovers. `rotation`: how it is
 * turned, if it fits so.
 * @type {{region: number | null, spot: {x: number, y: number} | null, rotation: number}}
 */
export const aim = { region: null, spot: null, rotation: 0 };

/** @type {Set<(change: undefined) => void>} */
const watchers = new Set();

/** @param {Partial<typeof aim>} change */
export function take(change) {
  const keys = /** @type {(keyof typeof aim)[]} */ (Object.keys(change));
  if (keys.every((key) => JSON.stringify(aim[key]) === JSON.stringify(change[key]))) return;
  Object.assign(aim, change);
  for (const wake of watchers) wake(undefined);
}

/** Shown anew whenever the aim changes. */
export function useAim() {
  const [, wake] = useReducer((/** @type {number} */ times) => times + 1, 0);
  useEffect(() => {
    watchers.add(wake);
    return () => watchers.delete(wake);
  }, []);
  return aim;
}

/** The rotation shown where only some fit: the one wished for, else the next of them. @param {readonly number[]} fitting */
export function shownRotation(fitting) {
  return [0, 1, 2, 3].map((on) => (aim.rotation + on) % 4).find((rotation) => fitting.includes(rotation)) ?? 0;
}

/** Turns on to the next rotation that fits. @param {readonly number[]} fitting */
export function turnOn(fitting) {
  const from = shownRotation(fitting);
  take({ rotation: [1, 2, 3, 4].map((on) => (from + on) % 4).find((rotation) => fitting.includes(rotation)) ?? from });
}
