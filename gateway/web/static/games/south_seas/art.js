/** What tiles and wares look like. All drawings are our own. */

import { html, pure } from "../../core/html.js";
import { SIZE, shapeOf, turned } from "./tiles.js";

/** @typedef {import("./moves.js").Tile} Tile */
/** @typedef {import("../../core/types.js").Shown} Shown */

/** The small things, about 0,0 and some 20 wide; drawn once, used everywhere. */
export const DEFS = html`<defs>
  <g id="ss-fish">
    <path d="M-5 0L-11 -5V5Z" fill="#d9481c" stroke="#fff" stroke-width="1" stroke-linejoin="round" />
    <path d="M-7 0C-4 -7 5 -7 10 0C5 7 -4 7 -7 0Z" fill="#f4733d" stroke="#fff" stroke-width="1" />
    <path d="M0 -4C2 -2 2 2 0 4" fill="none" stroke="#b93a12" stroke-width="1.2" />
    <circle cx="5.6" cy="-1.2" r="1.2" fill="#2b1206" />
  </g>
  <g id="ss-fishes">
    <use href="#ss-fish" transform="translate(-2 -5)" />
    <use href="#ss-fish" transform="translate(2 5.5)" />
  </g>
  <g id="ss-shell">
    <path d="M-3 7L-9 -1C-9 -9 9 -9 9 -1L3 7Z" fill="#fbd9e4" stroke="#8c3a63" stroke-width="1.4" stroke-linejoin="round" />
    <path d="M0 6V-6.5M-1.6 6L-5 -5.5M1.6 6L5 -5.5" fill="none" stroke="#b9668c" stroke-width="1.2" />
    <path d="M-4 7H4" stroke="#8c3a63" stroke-width="2.4" stroke-linecap="round" />
  </g>
  <g id="ss-banana">
    <path d="M-9 -5C-8 5 3 9 9 3C10 2 9 0 8 .5C3 3 -3 1 -6 -6C-6.6 -7.5 -9 -7 -9 -5Z" fill="#ffd83b" stroke="#6e5200" stroke-width="1.3" stroke-linejoin="round" />
    <path d="M-6 -3C-3 3 2 5 7 3.5" fill="none" stroke="#c79a00" stroke-width="1" />
  </g>
  <g id="ss-any">
    <use href="#ss-shell" transform="translate(-5 -5) scale(.62)" />
    <use href="#ss-banana" transform="translate(5.5 -4) scale(.62)" />
    <use href="#ss-fish" transform="translate(0 6) scale(.7)" />
  </g>
  <g id="ss-same">
    <circle r="9.5" fill="none" stroke="#3c4d55" stroke-width="1.4" />
    <path d="M-5 -2.5H5M-5 2.5H5" stroke="#3c4d55" stroke-width="2.4" stroke-linecap="round" />
  </g>
  <g id="ss-boat">
    <path d="M-1 3V-10L8 2Z" fill="#fff" stroke="#5b4630" stroke-width="1" stroke-linejoin="round" />
    <path d="M-3 3V-7L-8 2Z" fill="#ffd9a8" stroke="#5b4630" stroke-width="1" stroke-linejoin="round" />
    <path d="M-11 4H11L7 10H-7Z" fill="#7a4a24" stroke="#43270f" stroke-width="1" stroke-linejoin="round" />
  </g>
  <g id="ss-token">
    <circle r="13" fill="#123c56" stroke="#fff" stroke-width="1.5" />
    <use href="#ss-boat" transform="translate(0 -1) scale(.8)" />
    <path d="M-8.5 8.5L8.5 -8.5" stroke="#ff6b4a" stroke-width="2.2" stroke-linecap="round" />
  </g>
  <g id="ss-palm">
    <path d="M-.5 6C.5 2 .5 -1 0 -3" fill="none" stroke="#7d5427" stroke-width="1.6" stroke-linecap="round" />
    <path d="M0 -3C-3 -6 -6 -5 -7 -2C-4 -3.5 -2 -3 0 -3C-2 -2 -4 0 -4 3C-2 0 -.5 -1.5 0 -3C1 -1.5 2.5 0 4.5 3C4.5 0 3 -2 0 -3C2 -3.5 4 -3.5 7 -1.5C6 -5 3 -6 0 -3Z" fill="#2f7a3c" stroke="#1f5a2b" stroke-width=".5" />
  </g>
  <g id="ss-market">
    <path d="M-17 7H17V13H-17Z" fill="#8a5a2e" stroke="#4c2e12" stroke-width="1" />
    <path d="M-13 7V-4M13 7V-4" stroke="#4c2e12" stroke-width="2" />
    <path d="M-11 7V1H11V7Z" fill="#c98f4e" stroke="#4c2e12" stroke-width=".8" />
    <path d="M-17 -3L-12 -13H12L17 -3Z" fill="#fff4dc" stroke="#4c2e12" stroke-width="1" stroke-linejoin="round" />
    <path d="M-10.2 -3L-7.2 -13H-2.4L-3.4 -3ZM3.4 -3L2.4 -13H7.2L10.2 -3Z" fill="#c8352b" />
    <path d="M-17 -3A3.4 3.4 0 0 0 -10.2 -3A3.4 3.4 0 0 0 -3.4 -3A3.4 3.4 0 0 0 3.4 -3A3.4 3.4 0 0 0 10.2 -3A3.4 3.4 0 0 0 17 -3Z" fill="#fff4dc" stroke="#4c2e12" stroke-width=".8" />
    <circle cx="-5" cy="3" r="2" fill="#ffd83b" /><circle cx="0" cy="3" r="2" fill="#f4733d" /><circle cx="5" cy="3" r="2" fill="#fbd9e4" />
  </g>
</defs>`;

/**
 * A tile's drawings by layer, from the water up: coasts of neighbours run into each other, so all shallows lie below
 * all land. Things stand upright however the tile is turned.
 * @param {Tile} tile @param {number} rotation
 */
export function layers(tile, rotation) {
  const { islands, bridges, junction, market, things } = shapeOf(tile);
  const coast = islands.map((one) => one.coast).join("");
  const land = islands.map((one) => one.land).join("");
  const ways = bridges.map((one) => one.line).join("");
  const turn = rotation ? `rotate(${90 * rotation})` : null;
  return {
    shallows: coast && html`<path class="shallow" d=${coast} transform=${turn} />`,
    land: html`<g transform=${turn}>
      ${ways && html`<path class="shade" d=${ways} /><path class="rail" d=${ways} /><path class="deck" d=${ways} /><path class="plank" d=${ways} />`}
      ${land && html`<path class="land" d=${land} />`}
      ${coast && html`<path class="beach" d=${coast} /><path class="grass" d=${coast} />`}
      ${junction && html`<circle class="stone" r="8" />`}
    </g>`,
    things: html`<g>
      ${market >= 0 && html`<use href="#ss-market" />`}
      ${things.map(({ kind, at }) => html`<use href="#ss-${kind}" transform="translate(${turned(at, rotation)})" />`)}
    </g>`,
  };
}

/** A tile by itself. @type {(props: {tile: Tile, rotation: number}) => Shown} */
export const TilePicture = pure(({ tile, rotation }) => {
  const { shallows, land, things } = layers(tile, rotation);
  return html`<svg class="tile-picture" viewBox="-51 -51 102 102" aria-hidden="true">
    <rect class="water" x=${-SIZE / 2} y=${-SIZE / 2} width=${SIZE} height=${SIZE} />
    ${shallows}${land}${things}
    <rect class="rim" x=${-SIZE / 2} y=${-SIZE / 2} width=${SIZE} height=${SIZE} />
  </svg>`;
});

/** A small thing amid text. @type {(props: {kind: string}) => Shown} */
export const Icon = pure(({ kind }) => {
  const view = kind === "market" ? "-18 -18 36 36" : "-12 -12 24 24";
  return html`<svg class="thing" viewBox=${view} aria-hidden="true"><use href="#ss-${kind}" /></svg>`;
});
