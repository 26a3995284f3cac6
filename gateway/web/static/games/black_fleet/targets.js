/** What marks an element as something to choose. */

/** @typedef {import("../../core/types.js").Scene<any, any>} Scene */

/** @param {Scene} scene @param {string} target */
export const shown = ({ lit, picked }, target) => ({
  "data-target": target,
  "data-lit": lit.has(target) || null,
  "data-picked": picked.includes(target) || null,
});

/** Its classes. @param {Scene} scene @param {string} target */
export const look = ({ lit, picked }, target) =>
  `${lit.has(target) ? " lit" : ""}${picked.includes(target) ? " picked" : ""}`;
