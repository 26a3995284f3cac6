/** The steps of a move, what is weighty, and what a click on something unlit means. */

import { outlook, withTile } from "./outlook.js";
import { demandText, tileName } from "./texts.js";

/** @typedef {import("./outlook.js").View} View */
/** @typedef {import("./outlook.js").Side} Side */
/** @typedef {import("../../core/types.js").Say} Say */
/** @typedef {{kind: "choose_sides", sides: Side[], order: string[]} | {kind: "take_tile", tile: string, cell: number} | {kind: "return_tile", tile: string}} Move */
/** @typedef {import("../../core/types.js").Scene<View, Move>} Scene */

/**
 * Sides are chosen one after the other, in the order in which the expeditions come to lie.
 * @param {Move} move @param {View} view @param {Say} say
 */
export function steps(move, view, say) {
  switch (move.kind) {
    case "choose_sides":
      return laidBy(move, view).map(({ id, side }, index) => ({
        target: `side:${id}:${side}`,
        label: sideText(id, side, index, view, say),
      }));
    case "take_tile":
      return [tileStep(move.tile, view, say, "step.take"), cellStep(move.cell, say)];
    case "return_tile":
      return [tileStep(move.tile, view, say, "step.return")];
  }
}

/** The four expeditions as the move lays them. @param {Extract<Move, {kind: "choose_sides"}>} move @param {View} view */
export function laidBy({ sides, order }, view) {
  const dealt = view.players[/** @type {number} */ (view.viewer)].choosing.map(({ id }) => id);
  return (order.length ? order : dealt).map((id) => ({ id, side: sides[dealt.indexOf(id)] }));
}

/** @param {string} id @param {Side} side @param {number} index @param {View} view @param {Say} say */
function sideText(id, side, index, view, say) {
  const expedition = view.players[/** @type {number} */ (view.viewer)].choosing.find((each) => each.id === id);
  const what = expedition ? demandText(expedition[side], view.options.majority_ties, say) : id;
  return say("step.side", { number: index + 1, side: say(`side.${side}`), what });
}

/** @param {string} id @param {View} view @param {Say} say @param {string} key */
function tileStep(id, view, say, key) {
  const tile = view.face_up.find((each) => each.id === id);
  return { target: `tile:${id}`, label: say(key, { tile: tile ? tileName(tile, say) : id }) };
}

/** @param {number} cell @param {Say} say */
const cellStep = (cell, say) => ({
  target: `cell:${cell}`,
  label: say("step.cell", { row: Math.floor(cell / 4) + 1, column: (cell % 4) + 1 }),
});

/**
 * Whether more than the plain course of a turn hangs on the last click: an expedition is lost by it, or it is the only one.
 * @param {Move} move @param {View} view
 */
export function weighty(move, view) {
  if (move.kind !== "take_tile") return true;
  const tile = view.face_up.find(({ id }) => id === move.tile);
  const own = view.viewer === null ? undefined : view.players[view.viewer];
  if (!tile || !own) return false;
  const after = withTile(own, move.cell, tile);
  return own.lines.some((line) => {
    const now = outlook(own, line, view.options);
    return now !== null && now.state !== "lost" && outlook(after, line, view.options)?.state === "lost";
  });
}

/**
 * @param {string} target @param {readonly string[]} picked @param {Scene} scene
 * @returns {Move | null}
 */
export function attempt(target, picked, { view, own }) {
  if (own === null) return null;
  const duty = view.owed.find(({ seat }) => seat === own)?.duty;
  const [family, name, side] = target.split(":");
  const player = view.players[own];
  const free = [...Array(16).keys()].find((cell) => !player.placed.some((placed) => placed.cell === cell)) ?? 0;
  switch (family) {
    case "side":
      if (duty) return null;
      return {
        kind: "choose_sides",
        sides: player.choosing.map(({ id }) => (id === name ? /** @type {Side} */ (side) : "easy")),
        order: view.options.arrange_expeditions ? player.choosing.map(({ id }) => id) : [],
      };
    case "tile":
      return duty === "take_tile" ? null : { kind: "take_tile", tile: name, cell: free };
    case "cell": {
      const tile =
        picked.find((each) => each.startsWith("tile:"))?.slice(5) ??
        (duty === "take_tile" ? null : view.face_up[0]?.id);
      return tile ? { kind: "take_tile", tile, cell: Number(name) } : null;
    }
    default:
      return null;
  }
}
