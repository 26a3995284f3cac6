/** How seats are told apart: by colour, and by a letter and a shape for whoever sees no colours. */

import { html, pure } from "./html.js";

/** Okabe and Ito's colours for colour-blind people, dark enough to stand on white: by seat. @type {readonly string[]} */
export const COLOURS = ["#0b6aa8", "#b34a00", "#00785a", "#a3397c", "#7a6200", "#333333"];

/** @type {readonly string[]} */
export const MARKS = ["A", "B", "C", "D", "E", "F"];

/** Corners of the shapes about 0,0 within a radius of 10. @type {readonly string[]} */
const SHAPES = [
  "M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0Z",
  "M-9 -9H9V9H-9Z",
  "M0 -11L11 8H-11Z",
  "M0 -11L11 0L0 11L-11 0Z",
  "M-5 -10H5L10 -2V2L5 10H-5L-10 2V-2Z",
  "M0 -11L10 -3L6 9H-6L-10 -3Z",
];

/**
 * A seat's sign inside an <svg>, about x, y; `size` is its radius.
 * @type {(props: {seat: number, x?: number, y?: number, size?: number, label?: string}) => import("./types.js").Shown}
 */
export const Mark = pure(
  ({ seat, x = 0, y = 0, size = 10, label = "" }) => html`<g
    class="mark"
    transform="translate(${x} ${y}) scale(${size / 10})"
    aria-label=${label || null}
  >
    <path d=${SHAPES[seat]} fill=${COLOURS[seat]} stroke="#fff" stroke-width="1.5" />
    <text y="4" text-anchor="middle" font-size="11" font-weight="700" fill="#fff">${MARKS[seat]}</text>
  </g>`,
);
