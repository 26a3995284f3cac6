/** What lies on the tiles or may come to lie there. */

import { html } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { shownRotation, useAim } from "./aim.js";
import { layers } from "./art.js";
import { standing, tileAt } from "./moves.js";
import { SIZE, shapeOf, turned } from "./tiles.js";

/**
 * @typedef {import("./moves.js").Scene} Scene
 * @typedef {import("./moves.js").View} View
 */

/** @param {{x: number, y: number}} cell */
export const shift = ({ x, y }) => `translate(${x * SIZE} ${y * SIZE})`;

/** Where a feature's islander stands on the whole board. @type {(view: View, at: {x: number, y: number, feature: string}) => [number, number]} */
function standOf(view, { x, y, feature }) {
  const placed = tileAt(view, x, y);
  const number = placed?.tile.features.findIndex((one) => one.id === feature) ?? -1;
  const [dx, dy] = placed && number >= 0 ? turned(shapeOf(placed.tile).stands[number], placed.rotation) : [0, 0];
  return [x * SIZE + dx, y * SIZE + dy];
}

/** @param {string | null} target */
export function cellOf(target) {
  if (target === null) return null;
  const [x, y] = target.slice("cell:".length).split(",").map(Number);
  return { x, y };
}

/** The rotations that fit on a cell; without one, those that fit anywhere. @type {(view: View, cell: {x: number, y: number} | null) => number[]} */
export function fittingAt(view, cell) {
  if (!cell) return [...new Set(view.spots.flatMap((spot) => spot.rotations))].sort();
  return view.spots.find((spot) => spot.x === cell.x && spot.y === cell.y)?.rotations ?? [];
}

/** Where the fish lie that a boat covers: those of a feature one after the other. @type {(view: View, place: number) => [number, number]} */
export function fishOf(view, place) {
  const { x, y, feature, double } = view.covered[place];
  const before = view.covered
    .slice(0, place)
    .filter((one) => one.x === x && one.y === y && one.feature === feature && one.double === double);
  const placed = tileAt(view, x, y);
  const number = placed?.tile.features.findIndex((one) => one.id === feature) ?? -1;
  const groups = placed
    ? shapeOf(placed.tile).things.filter(
        (thing) => thing.feature === number && thing.kind === (double ? "fishes" : "fish"),
      )
    : [];
  const [dx, dy] = turned(groups[before.length]?.at ?? [0, 0], placed?.rotation ?? 0);
  return [x * SIZE + dx, y * SIZE + dy];
}

/** The region that is lit, all over the board: seas glow under the land, all else upon it. @param {{view: View, below: boolean}} props */
export function Glow({ view, below }) {
  const { region } = useAim();
  const terrain = view.regions.find((one) => one.number === region)?.terrain;
  if (!terrain || (terrain === "sea") !== below) return null;
  return html`<g class="glow ${terrain}">
    ${view.tiles.flatMap((placed) =>
      placed.regions.map(
        (number, feature) =>
          number === region &&
          html`<path d=${shapeOf(placed.tile).areas[feature]} transform="${shift(placed)} rotate(${90 * placed.rotation})" />`,
      ),
    )}
  </g>`;
}

/** A cell where the tile may lie. @param {{spot: {x: number, y: number}, scene: Scene, cell: string | null}} props */
export function Spot({ spot, scene, cell }) {
  const target = `cell:${spot.x},${spot.y}`;
  const on = scene.lit.has(target);
  return html`<rect
    class="spot ${on ? "lit" : ""}" data-target=${target} data-lit=${on || null} data-picked=${target === cell || null}
    transform=${shift(spot)} x="-44" y="-44" width="88" height="88" rx="10"
  />`;
}

/** The tile drawn as it would lie where it hovers, or as it was picked to. @param {{view: View, cell: string | null, turnPicked?: string}} props */
export function Ghost({ view, cell, turnPicked }) {
  const { spot } = useAim();
  const at = cellOf(cell) ?? spot;
  if (!at || !view.drawn) return null;
  const fitting = fittingAt(view, at);
  if (!fitting.length) return null;
  const { shallows, land, things } = layers(
    view.drawn,
    turnPicked ? Number(turnPicked.slice("turn:".length)) : shownRotation(fitting),
  );
  return html`<g class="ghost ${cell ? "chosen" : ""}" transform=${shift(at)}>
    <rect class="water" x="-50" y="-50" width="100" height="100" />
    ${shallows}${land}${things}
    <rect class="frame" x="-50" y="-50" width="100" height="100" />
  </g>`;
}

/** The region of a feature, by number. @type {(view: View, at: {x: number, y: number, feature: string}) => number | null} */
function reached(view, { x, y, feature }) {
  const placed = tileAt(view, x, y);
  return placed?.regions[placed.tile.features.findIndex((one) => one.id === feature)] ?? null;
}

/** @param {{at: {seat: number, x: number, y: number, feature: string}, scene: Scene}} props */
export function Islander({ at, scene }) {
  const target = `islander:${standing(at)}`;
  const lit = scene.lit.has(target);
  const [x, y] = standOf(scene.view, at);
  const chosen = scene.picked.includes(target);
  return html`<g
    class="islander ${lit ? "lit" : ""}" transform="translate(${x} ${y})" data-target=${target} data-lit=${lit || null} data-picked=${chosen || null} data-region=${reached(scene.view, at)}
  >
    <title>${scene.seats[at.seat]?.name ?? ""}</title>
    <ellipse class="shadow" cx="1" cy="12" rx="14" ry="6" />
    ${(lit || chosen) && html`<circle class="halo" r="21" />`}
    <${Mark} seat=${at.seat} size=${15} />
  </g>`;
}

/** A feature of the tile just placed on which an islander may stand. @param {{at: {x: number, y: number, feature: string}, scene: Scene}} props */
export function Stand({ at, scene }) {
  const target = `feature:${standing(at)}`;
  const lit = scene.lit.get(target);
  if (!lit && !scene.picked.includes(target)) return null;
  const [x, y] = standOf(scene.view, at);
  return html`<g
    class="stand ${lit ? "lit" : ""}" transform="translate(${x} ${y})" data-target=${target} data-lit=${lit ? true : null} data-picked=${lit ? null : true} data-region=${reached(scene.view, at)}
  >
    ${lit && html`<title>${lit.label}</title>`}
    <circle class="halo" r="16" />
    <g class="ask"><${Mark} seat=${scene.view.active} size=${10} /></g>
  </g>`;
}
