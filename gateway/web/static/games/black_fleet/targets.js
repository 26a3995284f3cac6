/** What marks an element as something to choose. */

/** @typedef {import("../../core/types.js").Scene<any, any>} Scene */

/** @param {Scene} scene @param {string} target */
export const shown = ({ lit, picked }, target) => ({
  "data-target": target,
  "data-lit": lit.has(target) || null,
  "data-picked": picked.includes(target) || null,
});

/**
 * A target as it stands now, as props of a component that is drawn anew only where that has changed.
 * @typedef {{target: string, lit: boolean, picked: boolean}} Place
 */

/** @param {Scene} scene @param {string} target @returns {Place} */
export const placeOf = ({ lit, picked }, target) => ({
  target,
  lit: lit.has(target),
  picked: picked.includes(target),
});

/** What marks it, and its classes. @param {string} name @param {Place} place */
export const marked = (name, { target, lit, picked }) => ({
  "data-target": target,
  "data-lit": lit || null,
  "data-picked": picked || null,
  class: `${name}${lit ? " lit" : ""}${picked ? " picked" : ""}`,
});

/** Its classes. @param {Scene} scene @param {string} target */
export const look = ({ lit, picked }, target) =>
  `${lit.has(target) ? " lit" : ""}${picked.includes(target) ? " picked" : ""}`;

/**
 * A click. On what is picked already it takes that back; on another card, or a ship under command, it begins anew.
 * @param {Scene} scene @param {string} target
 */
export function chosen(scene, target) {
  const { lit, picked, pick, back, view } = scene;
  const mine =
    target.startsWith("card:") || view.commands.some((/** @type {any} */ one) => target === `ship:${one.ship}`);
  const undone = picked.includes(target) ? picked.length - picked.indexOf(target) : picked.length;
  if (lit.has(target) || !(picked.includes(target) || (picked.length && mine))) return pick(target);
  // What waits to be confirmed is one step back too.
  for (let step = lit.size ? 1 : 0; step <= undone; step++) back();
  if (!picked.includes(target)) pick(target);
}
