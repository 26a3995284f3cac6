/**
 * The steps of a move, and what the view is made of.
 *
 * @typedef {"bridge" | "island" | "sea" | "market"} Terrain
 * @typedef {{id: string, terrain: Terrain, half_edges: string[], ends: string[], symbols: number, doubles: number, boat: boolean}} Feature
 * @typedef {{id: string, sides: string[], features: Feature[]}} Tile
 * @typedef {{x: number, y: number, rotation: number, tile: Tile, regions: number[]}} PlacedTile
 * @typedef {{number: number, terrain: Terrain, complete: boolean, gaps: number, pays: number, crews: {seat: number, islanders: number}[], owners: number[]}} Region
 * @typedef {{seat: number, x: number, y: number, feature: string}} Standpoint
 * @typedef {{shell: number, banana: number, fish: number}} Wares
 * @typedef {{id: string, points: number, sail: "specific" | "any_same" | "any", wares: Wares, number: number}} Ship
 * @typedef {{seat: number, islanders_left: number, wares: Wares, loaded: number, ships: Ship[], points: number | null}} Player
 * @typedef {object} View
 * @property {{hidden_scores: boolean}} options
 * @property {"setting_up" | "drawing" | "placing_tile" | "moving_islander" | "choosing_ship" | "delivering" | "over"} phase
 * @property {number} turn
 * @property {number} active
 * @property {number[]} owed
 * @property {PlacedTile[]} tiles
 * @property {Region[]} regions
 * @property {Standpoint[]} islanders
 * @property {{x: number, y: number, feature: string, double: boolean}[]} covered
 * @property {{x: number, y: number, rotations: number[]}[]} spots
 * @property {string[]} free
 * @property {number} pile
 * @property {Tile[]} discards
 * @property {Ship[]} ships
 * @property {number} supply
 * @property {Player[]} players
 * @property {string[]} offered
 * @property {Tile | null} drawn
 * @property {number | null} viewer
 * @property {{ranking: {seat: number, place: number, points: number, scores: {category: string, points: number}[]}[]} | null} outcome
 * @typedef {{kind: "place_tile", x: number, y: number, rotation: number} | {kind: "place_islander", feature: string}
 *   | {kind: "retrieve_islander", x: number, y: number, feature: string} | {kind: "choose_ship", ship: string}
 *   | {kind: "deliver", ship: string, payment: Wares} | {kind: "skip"}} Move
 * @typedef {import("../../core/types.js").Scene<View, Move>} Scene
 * @typedef {import("../../core/types.js").Say} Say
 */

import { shapeOf, turned } from "./tiles.js";

/** @type {readonly (keyof Wares)[]} */
export const WARES = ["shell", "banana", "fish"];

/** @param {Wares} wares */
export const total = (wares) => WARES.reduce((sum, ware) => sum + wares[ware], 0);

/** Wares in words. @type {(wares: Wares, say: Say) => string} */
export function inWords(wares, say) {
  const told = WARES.filter((ware) => wares[ware]).map((ware) => say(`count.${ware}`, { count: wares[ware] }));
  return told.join(", ");
}

/** What a sail asks for, in words. @type {(ship: Ship, say: Say) => string} */
export function asked(ship, say) {
  return ship.sail === "specific" ? inWords(ship.wares, say) : say(`sail.${ship.sail}`, { count: ship.number });
}

/** The tile at a cell, none where the sea is unknown. @type {(view: View, x: number, y: number) => PlacedTile | undefined} */
export function tileAt(view, x, y) {
  return view.tiles.find((one) => one.x === x && one.y === y);
}

/** The region of a feature of a tile. @type {(view: View, placed: PlacedTile, feature: number) => Region | undefined} */
export function regionOf(view, placed, feature) {
  return view.regions.find((region) => region.number === placed.regions[feature]);
}

/** @param {Standpoint | {x: number, y: number, feature: string}} at */
export const standing = ({ x, y, feature }) => `${x},${y},${feature}`;

/** A feature in words: where on its tile, what it would pay, what it lacks. @type {(view: View, at: {x: number, y: number, feature: string}, say: Say) => string} */
function featureInWords(view, { x, y, feature }, say) {
  const placed = tileAt(view, x, y);
  const number = placed?.tile.features.findIndex((one) => one.id === feature) ?? -1;
  if (!placed || number < 0) return feature;
  const [east, south] = turned(shapeOf(placed.tile).stands[number], placed.rotation);
  const [far, side] = [Math.abs(east), Math.abs(south)];
  const row = side > 8 && side > far / 2 ? (south < 0 ? "n" : "s") : "";
  const column = far > 8 && far > side / 2 ? (east < 0 ? "w" : "e") : "";
  const region = regionOf(view, placed, number);
  const terrain = placed.tile.features[number].terrain;
  const told = region ? regionInWords(region, say) : "";
  return `${say(`terrain.${terrain}`)} ${say(`at.${row}${column || (row ? "" : "middle")}`)} · ${told}`;
}

/** What a region pays and lacks. @type {(region: Region, say: Say) => string} */
export function regionInWords({ terrain, complete, gaps, pays }, say) {
  const lacks = complete ? say("complete") : say(`gaps.${terrain}`, { count: gaps });
  return terrain === "market" ? lacks : `${say(`pays.${terrain}`, { count: pays })}, ${lacks}`;
}

/** @type {(move: Move, view: View, say: Say) => import("../../core/types.js").Step[]} */
export function steps(move, view, say) {
  if (move.kind === "place_tile") {
    const { x, y, rotation } = move;
    return [
      { target: `cell:${x},${y}`, label: say("step.cell", { x, y }) },
      { target: `turn:${rotation}`, label: say(`step.turn.${rotation}`) },
    ];
  }
  if (move.kind === "place_islander") {
    const { x, y } = view.tiles[view.tiles.length - 1];
    const at = { x, y, feature: move.feature };
    return [{ target: `feature:${standing(at)}`, label: say("step.place", { where: featureInWords(view, at, say) }) }];
  }
  if (move.kind === "retrieve_islander") {
    const where = featureInWords(view, move, say);
    const label = say("step.retrieve", { x: move.x, y: move.y, where });
    return [{ target: `islander:${standing(move)}`, label }];
  }
  if (move.kind === "skip") {
    return [{ target: "do:skip", label: say(view.phase === "delivering" ? "step.keep" : "step.leave") }];
  }
  const ship = view.ships.find((one) => one.id === move.ship);
  if (!ship) return [{ target: `ship:${move.ship}`, label: move.ship }];
  const step = { target: `ship:${ship.id}`, label: say("ship", { points: ship.points, asked: asked(ship, say) }) };
  if (move.kind === "choose_ship" || ship.sail === "specific") return [step];
  const { shell, banana, fish } = move.payment;
  return [step, { target: `pay:${shell},${banana},${fish}`, label: inWords(move.payment, say) }];
}

/** What takes away wares or an islander at a single click. @type {(move: Move, view: View) => boolean} */
export function weighty(move, view) {
  if (move.kind !== "deliver") return move.kind === "retrieve_islander";
  return view.ships.find((ship) => ship.id === move.ship)?.sail === "specific";
}

/** @type {(target: string, picked: readonly string[], scene: Scene) => Move | null} */
export function attempt(target, picked, { view }) {
  const [kind, rest] = target.split(":");
  const [x, y, feature] = rest.split(",");
  if (kind === "cell") return { kind: "place_tile", x: Number(x), y: Number(y), rotation: 0 };
  if (kind === "turn" && picked.length) {
    const [column, row] = picked[0].slice("cell:".length).split(",").map(Number);
    return { kind: "place_tile", x: column, y: row, rotation: Number(rest) };
  }
  if (kind === "feature") {
    const last = view.tiles[view.tiles.length - 1];
    return last.x === Number(x) && last.y === Number(y) ? { kind: "place_islander", feature } : null;
  }
  if (kind === "islander") return { kind: "retrieve_islander", x: Number(x), y: Number(y), feature };
  if (kind !== "ship") return null;
  if (view.phase === "choosing_ship") return { kind: "choose_ship", ship: rest };
  const ship = view.ships.find((one) => one.id === rest);
  if (!ship) return null;
  const payment = ship.sail === "specific" ? ship.wares : { shell: ship.number, banana: 0, fish: 0 };
  return { kind: "deliver", ship: rest, payment };
}
