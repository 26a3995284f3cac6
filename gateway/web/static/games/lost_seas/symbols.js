/** The elements of the sea, drawn: each has a colour, an outline, a picture and a letter of its own. */

import { html, pure } from "../../core/html.js";

/** @typedef {import("./outlook.js").Element} Element */
/** @typedef {import("./outlook.js").Tile} Tile */
/** @typedef {import("../../core/types.js").Say} Say */
/** @typedef {import("../../core/types.js").Shown} Shown */

/** Outlines within a radius of 10 about 0,0. @type {Record<Element, string>} */
const OUTLINES = {
  kraken: "M0 -11L11 0L0 11L-11 0Z",
  leviathan: "M-5.5 -9.5H5.5L11 0L5.5 9.5H-5.5L-11 0Z",
  maelstrom: "M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0Z",
  rock: "M0 -11.5L11.5 9H-11.5Z",
  sandbank: "M-11 6A11 12 0 0 1 11 6Q11 9 8 9H-8Q-11 9 -11 6Z",
  shipwreck: "M-9 -9H9V9H-9Z",
};

/** Pictures in strokes: what is filled ends in Z. @type {Record<Element, {line?: string, fill?: string}>} */
const PICTURES = {
  kraken: {
    fill: "M-3.6 0V-2.2A3.6 4.2 0 0 1 3.6 -2.2V0Z",
    line: "M-3 0Q-3 3 -6 2M-1 0Q-1 4 -3 5.5M1 0Q1 4 3 5.5M3 0Q3 3 6 2",
  },
  leviathan: { line: "M-7.5 3.5Q-5.4 -3 -3.3 3.5M-1.8 3.5Q0.3 -4 2.4 3.5M4 3.5V-1.5Q4 -5 6.8 -4.6M6.8 -4.6L4.6 -3.4" },
  maelstrom: { line: "M1 0A1.6 1.6 0 0 0 -2 0A3.2 3.2 0 0 0 4.2 0.4A4.8 4.8 0 0 0 -5 0A6.2 6.2 0 0 0 6.6 2.6" },
  rock: { fill: "M-6.8 6L-3.4 0.6L-1.8 2.4L0.6 -4.6L3.4 1.4L4.4 0.4L7 6Z" },
  sandbank: {
    line: "M-8 4.5Q-4.5 -1.5 -0.5 3Q3.5 -1 8 4.5",
    fill: "M-1 -3.4h1.6v1.6h-1.6ZM-4.6 -1.4h1.6v1.6h-1.6ZM2.8 -1.4h1.6v1.6h-1.6Z",
  },
  shipwreck: { fill: "M-6.8 1.6L5.8 -0.2L3.4 5.4H-4Z", line: "M-1.4 1L-3.2 -6.4M-2.9 -5.4L3.4 -3L-1.8 -1" },
};

/** An element about x, y. @param {{element: Element, x?: number, y?: number, size?: number, crossed?: boolean}} props */
export function Drawing({ element, x = 0, y = 0, size = 10, crossed = false }) {
  const { line, fill } = PICTURES[element];
  return html`<g class="element ${element}" transform="translate(${x} ${y}) scale(${size / 10})">
    <path class="outline" d=${OUTLINES[element]} />
    ${fill && html`<path class="filled" d=${fill} />`}
    ${line && html`<path class="stroke" d=${line} />`}
    ${crossed && html`<path class="cross" d="M11.5 0A11.5 11.5 0 1 1 -11.5 0A11.5 11.5 0 1 1 11.5 0M-8 -8L8 8" />`}
  </g>`;
}

/** Its letter, at its lower right. @param {{element: Element, say: Say, x?: number, y?: number, size?: number}} props */
export const Letter = ({ element, say, x = 0, y = 0, size = 10 }) =>
  html`<g class="letter ${element}" transform="translate(${x + size * 0.8} ${y + size * 0.78}) scale(${size / 10})"><circle r="4.4" /><text y="2.6">${say(`letter.${element}`)}</text></g>`;

/** Where one, two or three elements lie on a tile of 100, and how large. @type {readonly [number, number][][]} */
const PLACES = [
  [],
  [[50, 49]],
  [
    [30, 32],
    [68, 66],
  ],
  [
    [50, 27],
    [26, 68],
    [71, 68],
  ],
];
const SIZES = [0, 30, 22, 18.5];

/**
 * A sea tile of 100 by 100 at x, y.
 * @type {(props: {tile: Tile, say: Say, x?: number, y?: number, scale?: number, ghost?: boolean, fresh?: boolean}) => Shown}
 */
export const SeaTile = pure(({ tile, say, x = 0, y = 0, scale = 1, ghost = false, fresh = false }) => {
  const count = Math.min(tile.elements.length, 3);
  return html`<g class="tile${ghost ? " ghost" : ""}${fresh ? " fresh" : ""}" transform="translate(${x} ${y}) scale(${scale})">
    <rect class="sea" x="2" y="2" width="96" height="96" rx="10" />
    <path class="wave" d="M10 18q6 -6 12 0t12 0M66 18q6 -6 12 0t12 0M10 90q6 -6 12 0t12 0M66 90q6 -6 12 0t12 0" />
    ${[Drawing, Letter].map((part) =>
      tile.elements
        .slice(0, 3)
        .map(
          (element, index) =>
            html`<${part} element=${element} say=${say} x=${PLACES[count][index][0]} y=${PLACES[count][index][1]} size=${SIZES[count]} />`,
        ),
    )}
  </g>`;
});

/** Signs of how a line stands, within a radius of 10. @type {Record<"sure" | "met" | "open" | "lost", string>} */
const SIGNS = {
  sure: "M-5 0L-1.5 4L5.5 -4.5",
  met: "M-5 0L-1.5 4L5.5 -4.5",
  open: "M-5 0h.1M0 0h.1M5 0h.1",
  lost: "M-4.5 -4.5L4.5 4.5M4.5 -4.5L-4.5 4.5",
};

/** @param {{state: "sure" | "met" | "open" | "lost", x?: number, y?: number, size?: number}} props */
export const Sign = ({ state, x = 0, y = 0, size = 10 }) =>
  html`<g class="stand ${state}" transform="translate(${x} ${y}) scale(${size / 10})"><circle r="10" /><path d=${SIGNS[state]} /></g>`;

/** A closed lock: what only its owner sees. @param {{x?: number, y?: number, size?: number}} props */
export const Lock = ({ x = 0, y = 0, size = 10 }) =>
  html`<g class="lock" transform="translate(${x} ${y}) scale(${size / 10})">
    <path class="shackle" d="M-4.5 -1V-4.5A4.5 4.5 0 0 1 4.5 -4.5V-1" /><rect x="-7.5" y="-2" width="15" height="11" rx="2" /><path class="hole" d="M0 2v3.4" />
  </g>`;

/** Any kind, all kinds, and the sum: what stands for elements that a demand does not name. @type {Record<string, unknown>} */
export const GENERIC = {
  exact_any: html`<g class="generic"><path class="outline" d=${OUTLINES.maelstrom} /><text y="5" font-size="15">?</text></g>`,
  total: html`<g class="generic"><path class="outline" d=${OUTLINES.shipwreck} /><text y="5" font-size="15">Σ</text></g>`,
  different: html`<g class="kinds">
    ${
      /** @type {Element[]} */ (Object.keys(OUTLINES)).map(
        (element, index) =>
          html`<g class="element ${element}" transform="translate(${[-14, 0, 14][index % 3]} ${index < 3 ? -6.5 : 6.5}) scale(.5)"><path class="outline" d=${OUTLINES[element]} /></g>`,
      )
    }
  </g>`,
};
