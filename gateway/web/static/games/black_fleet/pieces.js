/** Ships, goods and signs, drawn about 0,0 of an <svg>. Whatever has a colour has a shape too. */

import { html, pure } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { kindOf, seatOf } from "./moves.js";

/** @typedef {import("./view.js").Colour} Colour */
/** @typedef {import("../../core/types.js").Shown} Shown */

/** What is painted on the crates of each colour. @type {Record<Colour, string>} */
const CRATES = {
  yellow: "M0 -3.4A3.4 3.4 0 1 1 0 3.4A3.4 3.4 0 1 1 0 -3.4Z",
  red: "M0 -3.6L3.9 3.2H-3.9Z",
  green: "M-1.3 -3.8H1.3V-1.3H3.8V1.3H1.3V3.8H-1.3V1.3H-3.8V-1.3H-1.3Z",
  blue: "M0 -4.2L4.2 0L0 4.2L-4.2 0Z",
  purple: "M-3.6 -3.4H-1V3.4H-3.6ZM1 -3.4H3.6V3.4H1Z",
};

/** @type {Record<"yellow" | "purple", string>} */
const ENSIGNS = {
  yellow: "M0 -6L1.7 -2L6 -1.8L2.7 0.9L3.8 5.2L0 2.8L-3.8 5.2L-2.7 0.9L-6 -1.8L-1.7 -2Z",
  purple: "M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",
};

/** Signs for what a card does, by the kind of its effect. @type {Record<string, string>} */
const SIGNS = {
  wind: "M-8 -3H3A3 3 0 1 0 0 -6M-8 1H6A3 3 0 1 1 3 4M-8 5H-2",
  swap: "M-7 -3H6L2 -7M7 3H-6L-2 7",
  attack: "M-7 7L7 -7M-7 -7L7 7M-8 3L-3 8M8 3L3 8",
  coins: "M0 -7A7 7 0 1 1 0 7A7 7 0 1 1 0 -7ZM0 -3.5A3.5 3.5 0 1 1 0 3.5A3.5 3.5 0 1 1 0 -3.5Z",
  chest: "M-7 -1V-3Q-7 -6 -4 -6H4Q7 -6 7 -3V-1ZM-7 -1V6H7V-1ZM-1.5 -1V2H1.5V-1",
  action: "M-5 7V-6M-5 -6H6L3 -2.5L6 1H-5",
  island: "M-8 6Q0 -1 8 6ZM0 2V-6M0 -6Q-5 -7 -6 -3M0 -6Q5 -7 6 -3",
  ghost: "M-6 7V-1A6 6 0 0 1 6 -1V7L3 5L0 7L-3 5ZM-2 -1V0M2 -1V0",
  lair: "M-7 7V0A7 7 0 0 1 7 0V7H2V2A2 2 0 0 0 -2 2V7Z",
  cards: "M-7 -4H2V7H-7ZM-3 -7H6V4",
  navy: "M0 -4V6M-6 1Q-5 6 0 6Q5 6 6 1M-3 -2H3M0 -8A2 2 0 1 1 0 -4A2 2 0 1 1 0 -8",
};

/** @type {Record<string, string>} */
const SIGN_OF = {
  move_bonus: "wind",
  cross_islands: "island",
  pass_enemies: "ghost",
  extra_action: "action",
  bury_bonus: "chest",
  control_second_navy: "navy",
  use_lairs: "lair",
  draw_fortune: "cards",
  swap_values: "swap",
  shift_value: "swap",
  swap_adjacent_ships: "swap",
  swap_own_ships: "swap",
  move_enemy: "wind",
};

/** @param {string} effect */
export const signOf = (effect) => SIGN_OF[effect] ?? (effect.includes("attack") ? "attack" : "coins");

/** @param {{x?: number, y?: number, size?: number}} at */
const placed = ({ x = 0, y = 0, size = 10 }) => `translate(${x} ${y}) scale(${size / 10})`;

/** @param {{sign: string, x?: number, y?: number, size?: number}} props */
export function Sign({ sign, ...at }) {
  return html`<path class="sign" transform=${placed(at)} d=${SIGNS[sign]} />`;
}

/** @type {(props: {colour: Colour, x?: number, y?: number, size?: number}) => Shown} */
export const Cube = pure(
  ({ colour, ...at }) => html`<g class="cube ${colour}" transform=${placed(at)}>
    <rect x="-6" y="-6" width="12" height="12" rx="2" />
    <path d=${CRATES[colour]} />
  </g>`,
);

/** @param {{x?: number, y?: number, size?: number, text: string | number}} props */
export function Coin({ text, ...at }) {
  return html`<g class="coin" transform=${placed(at)}>
    <circle r="9" />
    <circle r="6.8" class="rim" />
    <text y="4">${text}</text>
  </g>`;
}

/**
 * A ship's drawing, which tells its kind, whose it is and what is aboard.
 * @type {(props: {ship: string, cubes?: number, colour?: Colour | null}) => Shown}
 */
export const Vessel = pure(({ ship, cubes = 0, colour = null }) => {
  const kind = kindOf(ship);
  const aboard = colour
    ? Array.from(
        { length: cubes },
        (_, at) => html`<${Cube} colour=${colour} x=${11 * (at - (cubes - 1) / 2)} y=${10} size=${8.5} />`,
      )
    : null;
  if (kind === "navy") return html`<${NavyShip} navy=${ship.split("_")[1]} />`;
  const sails =
    kind === "merchant"
      ? html`<path class="sail" d="M-13 -15Q0 -19 13 -15L12 3Q0 -1 -12 3Z" />`
      : html`<path class="flag" d="M0 -22L10 -20L0 -17Z" /><path class="sail" d="M1 -19Q17 -8 15 4L-15 4Q-10 -8 1 -19Z" />`;
  return html`<g class="vessel ${kind}">
    <path class="wake" d="M-20 14Q-10 10 0 14T20 14Q14 20 0 20T-20 14Z" />
    <path class="mast" d="M0 8V-22" />
    ${sails}
    <${Mark} seat=${seatOf(ship)} y=${kind === "merchant" ? -7 : -5} size=${kind === "merchant" ? 8 : 7} />
    <path class="hull" d="M-18 5H18L12 16Q0 18 -11 16Z" />
    ${aboard}
  </g>`;
});

/** @param {{navy: string}} props */
function NavyShip({ navy }) {
  return html`<g class="vessel navy ${navy}">
    <path class="wake" d="M-20 14Q-10 10 0 14T20 14Q14 20 0 20T-20 14Z" />
    <path class="mast" d="M-11 6V-16M0 6V-22M11 6V-16" />
    <path class="sail" d="M-18 -14Q-11 -16 -5 -14V2Q-11 0 -18 2ZM18 -14Q11 -16 5 -14V2Q11 0 18 2Z" />
    <path class="sail" d="M-9 -19Q0 -22 9 -19L10 3Q0 0 -10 3Z" />
    <path class="ensign" transform="translate(0 -8) scale(1.25)" d=${ENSIGNS[/** @type {"yellow" | "purple"} */ (navy)]} />
    <path class="hull" d="M-19 5H19L14 16Q0 18 -13 16Z" />
    <path class="band" d="M-17 9H17" />
  </g>`;
}

/** @param {{navy: "yellow" | "purple", x?: number, y?: number, size?: number}} props */
export function Ensign({ navy, ...at }) {
  return html`<path class="ensign ${navy}" transform=${placed(at)} d=${ENSIGNS[navy]} />`;
}

/** A row of a movement card: what kind of ship it is for. @param {{row: string}} props */
export function RowIcon({ row }) {
  const hulls = {
    navy: "M-10 3H10L7 9H-7ZM-6 1V-5M0 1V-9M6 1V-5",
    pirate: "M-9 3H9L6 9H-6ZM0 3V-9L8 1H0",
    merchant: "M-9 3H9L6 9H-6ZM0 3V-9M-6 -7H6V0H-6Z",
  };
  return html`<svg class="icon" viewBox="-11 -11 22 22" aria-hidden="true"><path class="sign" d=${hulls[/** @type {"navy"} */ (row)]} /></svg>`;
}
