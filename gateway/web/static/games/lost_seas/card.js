/** An expedition's card, 100 by 100: what its line has to meet, what it earns, and how it stands. */

import { html, pure } from "../../core/html.js";
import { ELEMENTS, mostOf, sum, tally } from "./outlook.js";
import { Drawing, GENERIC, Lock, Sign } from "./symbols.js";
import { demandText, worthText } from "./texts.js";

/** @typedef {import("./outlook.js").Demand} Demand */
/** @typedef {import("./outlook.js").Outlook} Outlook */
/** @typedef {import("./outlook.js").Counts} Counts */
/** @typedef {import("../../core/types.js").Say} Say */
/** @typedef {import("../../core/types.js").Shown} Shown */

/**
 * What stands on the card: a picture, what is asked of it, and how many there are.
 * @param {Demand} demand @param {Counts} counts @param {Say} say @param {boolean} ties @param {boolean} small
 * @returns {{icon: (x: number, y: number, size: number) => unknown, asks: string, has: number}[]}
 */
function items({ pattern, elements, number }, counts, say, ties, small) {
  const drawn = GENERIC[pattern];
  if (drawn) {
    const has =
      { exact_any: mostOf(counts), total: sum(counts), different: Object.keys(counts).length }[
        /** @type {string} */ (pattern)
      ] ?? 0;
    /** @param {number} x @param {number} y @param {number} size */
    const icon = (x, y, size) => html`<g transform="translate(${x} ${y}) scale(${size / 10})">${drawn}</g>`;
    return [{ icon, asks: `=${number}`, has }];
  }
  const needs = tally(elements);
  return ELEMENTS.filter((element) => needs[element]).map((element) => ({
    /** @param {number} x @param {number} y @param {number} size */
    icon: (x, y, size) =>
      html`<${Drawing} element=${element} x=${x} y=${y} size=${size} crossed=${pattern === "absent"} />`,
    asks: `${small ? "" : say(`letter.${element}`)}${
      {
        exact: `=${needs[element]}`,
        per_set: `×${needs[element]}`,
        absent: "=0",
        majority: `${ties ? "≥" : ">"}${mostOf(counts, element)}`,
      }[/** @type {string} */ (pattern)]
    }`,
    has: counts[element] ?? 0,
  }));
}

/**
 * @typedef {object} CardProps
 * @property {Demand} demand
 * @property {boolean} ties
 * @property {Say} say
 * @property {number} x
 * @property {number} y
 * @property {Outlook | null} [stands]   how its line stands; absent while its side is to be chosen
 * @property {string} [caption]          which side it is, while that matters
 * @property {boolean} [secret]
 * @property {boolean} [ghost]           it stands so if the move is made
 * @property {boolean} [small]
 */

/** @type {(props: CardProps) => Shown} */
export const Card = pure(
  ({ demand, ties, say, x, y, stands = null, caption = "", secret = false, ghost = false, small = false }) => {
    const shown = items(demand, stands?.counts ?? {}, say, ties, small);
    const step = 92 / shown.length;
    const size = small ? ([0, 19, 17, 13][shown.length] ?? 11) : ([0, 16, 15, 13][shown.length] ?? 9);
    const state = stands?.state ?? "open";
    const worth = demand.pattern === "per_set" ? `${demand.points}×${stands ? stands.times : ""}` : `${demand.points}`;
    const title = `${caption && `${caption}: `}${demandText(demand, ties, say)} · ${worthText(demand, say)}${stands ? ` · ${say(`state.${state}`)}` : ""}`;
    return html`<g class="expedition ${state}${ghost ? " ghost" : ""}${secret ? " private" : ""}" transform="translate(${x} ${y})">
    <title>${title}</title>
    <rect class="paper" x="3" y="3" width="94" height="94" rx="9" />
    <path class="coin" d="M${small ? 52 : 60} 3H88A9 9 0 0 1 97 12V29H${small ? 61 : 69}A9 9 0 0 1 ${small ? 52 : 60} 20Z" />
    <text class="worth" x=${small ? 75 : 79} y="23" font-size=${[24, 24, small ? 24 : 21, small ? 19 : 17, 14][worth.length] ?? 11}>${worth}</text>
    ${stands && html`<${Sign} state=${state} x=${small ? 22 : 19} y=${small ? 22 : 19} size=${small ? 14 : 11} />`}
    ${caption && html`<text class="caption" x="10" y="21">${caption}</text>`}
    ${state === "lost" && html`<path class="struck" d="M8 92L92 34" />`}
    ${shown.map(({ icon, asks, has }, index) => {
      const middle = 4 + step * (index + 0.5);
      return html`${icon(middle, small ? 52 : 44, size)}
        <text class="asks" x=${middle} y=${small ? 92 : 77} font-size=${(small ? [0, 24, 24, 19] : [0, 19, 18, 13.5])[shown.length] ?? 11}>${asks}</text>
        ${!small && stands && html`<text class="has" x=${middle} y="93">${shown.length > 2 ? has : say("has", { count: has })}</text>`}`;
    })}
    ${secret && html`<${Lock} x=${86} y=${86} size="9" />`}
  </g>`;
  },
);
