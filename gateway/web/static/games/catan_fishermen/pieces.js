/** What is drawn in more than one place: goods, buildings, fish, dice. Each is about 0,0 within a radius of 12. */

import { html, pure } from "../../core/html.js";
import { COLOURS, MARKS } from "../../core/marks.js";

/** @typedef {import("../../core/types.js").Shown} Shown */

const sheep = html`<g><path d="M-4 5v4M4 5v4" stroke="#333" stroke-width="1.8" />
  <path d="M-7 5a4 4 0 0 1-1-7 5 5 0 0 1 8-4 5 5 0 0 1 8 4 4 4 0 0 1-1 7z" fill="#fff" stroke="#7b8794" />
  <ellipse cx="-9" cy="-1" rx="2.8" ry="3.6" fill="#3b3b3b" /></g>`;
const ear =
  "M0 11V-5M0 9q-6-1-6-6 5 0 6 6M0 9q6-1 6-6-5 0-6 6M0 3q-6-1-6-6 5 0 6 6M0 3q6-1 6-6-5 0-6 6M0-3q-4-4 0-8 4 4 0 8";

/** Goods and cards. @type {Record<string, Shown>} */
const ICONS = {
  brick: html`<path d="M-10-7h9v6h-9zM1-7h9v6H1zM-4.5 1h9v6h-9zM-10 1h4v6h-4zM6 1h4v6H6z" fill="#b5482f" stroke="#7a2a18" />`,
  lumber: html`<g stroke="#5b3716"><path d="M-6-5H7q4 1 4 5t-4 5H-6z" fill="#94602f" /><ellipse cx="-6" rx="4" ry="5" fill="#e2b985" />
    <ellipse cx="-6" rx="1.6" ry="2.2" fill="none" /><path d="M1-2h5M0 2h6" stroke-width=".8" /></g>`,
  wool: sheep,
  grain: html`<path d=${ear} fill="#e0a912" stroke="#8a6100" stroke-width=".9" stroke-linejoin="round" />`,
  ore: html`<g stroke="#3d4451" stroke-width=".8" stroke-linejoin="round"><path d="M-10 7-7-3-1-8 6-5 10 7z" fill="#707a8b" />
    <path d="M-7-3-1-8 0 1-4 7z" fill="#98a2b2" /><path d="M-1-8 6-5 0 1z" fill="#c3cad4" /></g>`,
  any: html`<g fill="none" stroke="#36516b" stroke-width="2" stroke-linecap="round"><circle cy="-7" r="2.4" />
    <path d="M0-4.5V9M-5-1H5M-8 3q1 6 8 6 7 0 8-6" /></g>`,
  fish: html`<g><path d="M-9 0Q-3-7 5-1L10-5V5L5 1Q-3 7-9 0z" fill="#2f86a8" stroke="#134a60" /><circle cx="-5" cy="-1" r="1" fill="#fff" /></g>`,
  boot: html`<path d="M-6-10H3V1q1 2 5 3 3 1 3 5H-6z" fill="#7a4a21" stroke="#3f240c" stroke-linejoin="round" />`,
  knight: html`<path d="M-7 9V-1q0-9 7-9t7 9V9H2V2h3V-1H-5V2h3V9z" fill="#5d6b7d" stroke="#2c3541" stroke-linejoin="round" />`,
  road_building: html`<g fill="none" stroke="#7a4a21" stroke-width="3.4" stroke-linecap="round"><path d="M-8 7-2-5M4 7 8-7" /></g>`,
  year_of_plenty: html`<g><circle r="9" fill="#e9b72a" stroke="#8a6100" /><path d="M-4 0H4M0-4V4" stroke="#5c4100" stroke-width="2.4" /></g>`,
  monopoly: html`<g><path d="M-9 7-9-5-4 0 0-8 4 0 9-5 9 7z" fill="#b48a19" stroke="#5c4100" stroke-linejoin="round" /></g>`,
  victory_point: html`<path d="M0-10 3-3 10-3 4.5 1.5 6.5 9 0 4.5-6.5 9-4.5 1.5-10-3-3-3z" fill="#d9a514" stroke="#6d5000" stroke-linejoin="round" />`,
  road: html`<path d="M-9 5 9-5" stroke="currentColor" stroke-width="4.5" stroke-linecap="round" />`,
  settlement: html`<path d="M-8 8V-1L0-9 8-1V8z" fill="currentColor" />`,
  city: html`<path d="M-10 8V0H-1V-4L4-9 9-4V8z" fill="currentColor" />`,
  cards: html`<g stroke="currentColor" fill="none" stroke-width="1.6"><rect x="-8" y="-7" width="10" height="14" rx="2" /><path d="M4-6l4 1-2 12-4-1" /></g>`,
  development: html`<g><rect x="-7" y="-9" width="14" height="18" rx="2" fill="#6b5a8e" stroke="#3b2f55" /><path d="M-4 3 0-5 4 3z" fill="#e7dcf7" /></g>`,
  lock: html`<g><rect x="-6" y="-1" width="12" height="9" rx="1.5" fill="currentColor" /><path d="M-3.5 0V-4a3.5 3.5 0 0 1 7 0V0" fill="none" stroke="currentColor" stroke-width="2" /></g>`,
  robber: html`<g fill="#23262d" stroke="#fff" stroke-width="1.2"><path d="M-9 11q0-13 9-13t9 13z" /><circle cy="-5" r="5" /><path d="M-4-6H4" stroke-width="2" /></g>`,
  bank: html`<g fill="none" stroke="currentColor" stroke-width="1.8"><path d="M-9-3 0-9 9-3zM-6-2V6M0-2V6M6-2V6M-9 8H9" /></g>`,
};

/** Decorative: what it means is said in words beside it. @type {(props: {name: string, look?: string}) => Shown} */
export const Icon = pure(
  ({ name, look = "" }) =>
    html`<svg class="icon ${look}" viewBox="-12 -12 24 24" aria-hidden="true">${ICONS[name]}</svg>`,
);

/** The same inside a larger <svg>. @param {{name: string, x: number, y: number, size?: number}} props */
export function Sign({ name, x, y, size = 12 }) {
  return html`<g transform="translate(${x} ${y}) scale(${size / 12})">${ICONS[name]}</g>`;
}

const tree = (/** @type {number} */ x, /** @type {number} */ y) =>
  html`<path d="M${x} ${y - 25}l8 13h-4l7 12h-22l7-12h-4zM${x - 2} ${y}h4v5h-4z" />`;
const brick = (/** @type {number} */ x, /** @type {number} */ y) =>
  html`<rect x=${x} y=${y} width="14" height="7" rx="1" />`;

/** What grows on a land hex, above its number. @type {Record<string, Shown>} */
export const LANDSCAPES = {
  forest: html`<g fill="#1f5a35" stroke="#123f23">${tree(-17, -8)}${tree(17, -8)}${tree(0, -11)}</g>`,
  hills: html`<g fill="#a33c22" stroke="#6b2312">${brick(-23, -18)}${brick(-7, -18)}${brick(9, -18)}${brick(-15, -26)}${brick(1, -26)}${brick(-7, -34)}</g>`,
  pasture: html`<g><g transform="translate(-14 -17)">${sheep}</g><g transform="translate(13 -23) scale(-1 1)">${sheep}</g></g>`,
  fields: html`<g fill="#f7d755" stroke="#8a6100" stroke-width="1.2" stroke-linejoin="round">
    <path transform="translate(-16 -18) rotate(-12)" d=${ear} /><path transform="translate(0 -22)" d=${ear} /><path transform="translate(16 -18) rotate(12)" d=${ear} /></g>`,
  mountains: html`<g stroke="#444b58" stroke-linejoin="round"><path d="M-28-8-10-36 4-14 12-26 27-8z" fill="#6f7888" />
    <path d="M-10-36-17-25-11-28-7-24-3-26z M12-26 7-19 12-21 17-20z" fill="#fff" stroke="none" /></g>`,
  desert: html`<g fill="none" stroke="#9a7b35" stroke-width="2.2" stroke-linecap="round"><path d="M-26 16q13-10 26 0t26 0M-24 28q12-8 24 0t24 0" />
    <path d="M0-6V-32M0-14h8v-9M0-18h-8v-8" stroke="#4f7a3a" stroke-width="5" stroke-linejoin="round" /></g>`,
  lake: html`<g><g transform="translate(0 0) scale(1.5)">${ICONS.fish}</g><path d="M-24-16q6-5 12 0t12 0 12 0 12 0M-24 18q6-5 12 0t12 0 12 0 12 0" fill="none" stroke="#fff" stroke-width="1.6" opacity=".8" /></g>`,
};

/** How the roads of a seat are lined, for whoever sees no colours; by seat. */
const LINES = [null, "1 7", "7 5", "26 99"];

/** A road between two points. @param {{seat: number, from: Point, to: Point, look?: string}} props */
export function Road({ seat, from, to, look = "" }) {
  const end = (/** @type {Point} */ a, /** @type {Point} */ b) => [a.x + (b.x - a.x) * 0.22, a.y + (b.y - a.y) * 0.22];
  const [x1, y1] = end(from, to);
  const [x2, y2] = end(to, from);
  const d = `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`;
  return html`<g class="road ${look}"><path d=${d} stroke="#fff" stroke-width="12" stroke-linecap="round" />
    <path d=${d} stroke=${COLOURS[seat]} stroke-width="8.5" stroke-linecap="round" />
    ${LINES[seat] && html`<path d=${d} stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-dasharray=${LINES[seat]} />`}</g>`;
}
/** @typedef {{x: number, y: number}} Point */

/** A settlement or city with its seat's letter. @param {{seat: number, at: Point, city: boolean, look?: string}} props */
export function Building({ seat, at, city, look = "" }) {
  const d = city ? "M-17 13V-3H-4V-9L5-18 14-9V13z" : "M-11 11V-4L0-14 11-4V11z";
  return html`<g class="building ${look}" transform="translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})">
    <path d=${d} fill=${COLOURS[seat]} stroke="#fff" stroke-width="2.5" stroke-linejoin="round" />
    <text y="8" font-size=${city ? 15 : 13}>${MARKS[seat]}</text></g>`;
}

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** @param {{face: number}} props */
export function Die({ face }) {
  return html`<svg class="die" viewBox="0 0 40 40" aria-hidden="true"><rect x="1.5" y="1.5" width="37" height="37" rx="8" />
    ${PIPS[face].map((at) => html`<circle cx=${9 + (at % 3) * 11} cy=${9 + Math.floor(at / 3) * 11} r="3.8" />`)}</svg>`;
}

/** A fish token with so many fish. @param {{fish: number}} props */
export function Token({ fish }) {
  const rows = [[], [0], [-4, 4], [-7, 0, 7]][fish];
  return html`<svg class="icon token" viewBox="-16 -16 32 32" aria-hidden="true"><circle r="15" fill="#d7eef5" stroke="#134a60" />
    ${rows.map((y) => html`<g transform="translate(0 ${y * 1.1}) scale(${fish > 1 ? 0.75 : 1})">${ICONS.fish}</g>`)}</svg>`;
}
