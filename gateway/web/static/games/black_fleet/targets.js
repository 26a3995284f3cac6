/** What marks an element as something to choose. */

/** @typedef {import("../../core/types.js").Scene<any, any>} Scene */

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

/** @param {Place} place */
const attributes = ({ target, lit, picked }) => ({
  "data-target": target,
  "data-lit": lit || null,
  "data-picked": picked || null,
});

/** @param {Place} place */
const classes = ({ lit, picked }) => `${lit ? " lit" : ""}${picked ? " picked" : ""}`;

/** What marks it, and its classes. @param {string} name @param {Place} place */
export const marked = (name, place) => ({ ...attributes(place), class: `${name}${classes(place)}` });

/** What marks it. @param {Scene} scene @param {string} target */
export const shown = (scene, target) => attributes(placeOf(scene, target));

/** Its classes. @param {Scene} scene @param {string} target */
export const look = (scene, target) => classes(placeOf(scene, target));

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
