/** The game's things in words. */

import { ELEMENTS, tally } from "./outlook.js";

/** @typedef {import("./outlook.js").Element} Element */
/** @typedef {import("./outlook.js").Demand} Demand */
/** @typedef {import("../../core/types.js").Say} Say */

/** Elements, each with how often. @param {readonly Element[]} elements @param {Say} say */
function counted(elements, say) {
  const counts = tally(elements);
  return ELEMENTS.filter((element) => counts[element])
    .map((element) => say("counted", { count: counts[element] ?? 0, element: say(`element.${element}`) }))
    .join(", ");
}

/** @param {{elements: Element[]}} tile @param {Say} say */
export const tileName = ({ elements }, say) => counted(elements, say);

/** What a demand asks for. @param {Demand} demand @param {boolean} ties @param {Say} say */
export function demandText({ pattern, elements, number }, ties, say) {
  switch (pattern) {
    case "exact":
    case "per_set":
      return say(`demand.${pattern}`, { what: counted(elements, say) });
    case "absent":
      return say("demand.absent", {
        what: [...new Set(elements)].map((element) => say(`element.${element}`)).join(", "),
      });
    case "majority":
      return say(ties ? "demand.majority_ties" : "demand.majority", { what: say(`element.${elements[0]}`) });
    case "different":
      return say(number === ELEMENTS.length ? "demand.all_kinds" : "demand.different", { number });
    default:
      return say(`demand.${pattern}`, { number });
  }
}

/** What it is worth. @param {Demand} demand @param {Say} say */
export const worthText = ({ pattern, points }, say) =>
  say(pattern === "per_set" ? "worth.set" : "worth.once", { points });

/** Which line. @param {{line: "columns" | "rows", index: number}} line @param {Say} say */
export const lineText = ({ line, index }, say) => say(`line.${line}`, { number: index + 1 });
