/** One player's map, 508 by 508: sixteen cells, and before each column and row what it asks. */

import { html, pure } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { Card } from "./card.js";
import { laidBy } from "./moves.js";
import { mostAlike, outlook, withTile } from "./outlook.js";
import { Drawing, Lock, SeaTile } from "./symbols.js";
import { lineText, tileName } from "./texts.js";

/** @typedef {import("./moves.js").Scene} Scene */
/** @typedef {import("./outlook.js").Player} Player */
/** @typedef {import("./outlook.js").LineView} LineView */
/** @typedef {import("../../core/types.js").Shown} Shown */

export const SIDE = 508;
const EDGE = 108;
/** @param {number} index */
const along = (index) => EDGE + index * 100;

/** @param {LineView} line @returns {[number, number]} */
const slot = ({ line, index }) => (line === "columns" ? [along(index), 2] : [2, along(index)]);

/**
 * A target's marks: what is lit, what is picked, and what a click on it does.
 * @param {Scene} scene @param {string} target
 */
export function marked(scene, target) {
  const { lit, picked } = scene;
  const chosen = picked.includes(target);
  return {
    "data-target": target,
    "data-lit": lit.has(target) ? "" : null,
    "data-picked": chosen ? "" : null,
    class: `target${lit.has(target) ? " lit" : ""}${chosen ? " picked" : ""}`,
    onClick: () => click(scene, target),
  };
}

/**
 * What stands in the place of an earlier choice replaces it; a picked tile is put back.
 * @param {Scene} scene @param {string} target
 */
function click({ view, lit, picked, pick, back }, target) {
  const [family, id] = target.split(":");
  const alike = family === "side" ? `side:${id}:` : `${family}:`;
  const place = lit.has(target) ? -1 : picked.findIndex((each) => each.startsWith(alike));
  if (place < 0) {
    pick(target);
    return;
  }
  const chosen = picked.includes(target);
  if (chosen && family !== "tile") return;
  for (const _ of picked.slice(place)) back();
  if (chosen) return;
  pick(target);
  if (family === "side" && !view.options.arrange_expeditions) for (const later of picked.slice(place + 1)) pick(later);
}

/** The one move that is left once all is chosen. @param {Scene} scene */
const decided = ({ lit, full }) => (lit.size === 0 && full.length === 1 ? full[0] : null);

/** The tile and the cell of the move that is being made: a cell hovered counts as picked. @param {Scene} scene @param {number | null} hovered */
export function intended(scene, hovered) {
  const { view, picked, lit } = scene;
  const move = decided(scene);
  const id = move?.kind === "take_tile" ? move.tile : picked[0]?.replace("tile:", "");
  const cell = move?.kind === "take_tile" ? move.cell : lit.has(`cell:${hovered}`) ? hovered : null;
  const tile = view.face_up.find((each) => each.id === id);
  return tile && cell !== null ? { tile, cell } : null;
}

/** The sides that are chosen so far, in the order of the lines. @param {Scene} scene @returns {{id: string, side: string}[]} */
function laying(scene) {
  const move = decided(scene);
  if (move?.kind === "choose_sides") return laidBy(move, scene.view);
  return scene.picked.map((target) => target.split(":")).map(([, id, side]) => ({ id, side }));
}

/**
 * @typedef {object} MapProps
 * @property {Scene} scene
 * @property {Player} player
 * @property {boolean} small
 * @property {number | null} hovered
 * @property {(cell: number | null) => void} hover
 */

/** @type {(props: MapProps) => Shown} */
export const SeaMap = pure(({ scene, player, small, hovered, hover }) => {
  const { view, own, say } = scene;
  const mine = player.seat === own;
  const ghost = mine ? intended(scene, hovered) : null;
  const shown = ghost ? withTile(player, ghost.cell, ghost.tile) : player;
  const choosing = player.choosing.length > 0 && !(mine && player.chosen);
  return html`<g class="map">
    <rect class="water" x="102" y="102" width="404" height="404" rx="14" />
    <${Corner} scene=${scene} player=${player} />
    ${shown.lines.map((line) => html`<${Slot} scene=${scene} player=${shown} line=${line} ghost=${ghost} small=${small} />`)}
    ${
      choosing
        ? html`<${Sides} scene=${scene} player=${player} small=${small} />`
        : [...Array(16).keys()].map(
            (cell) =>
              html`<${Cell} key=${cell} scene=${scene} player=${player} cell=${cell} ghost=${ghost} hover=${hover} />`,
          )
    }
    ${mine && player.chosen && html`<${Words} text=${say("chosen.own")} x=${310} y=${290} most=${28} />`}
    ${view.phase === "setting_up" && html`<${Words} text=${say("empty")} x=${310} y=${290} most=${28} />`}
  </g>`;
});

/** The seat's sign and points, where columns and rows meet. @param {{scene: Scene, player: Player}} props */
function Corner({ scene: { say }, player }) {
  return html`<g class="corner">
    <${Mark} seat=${player.seat} x=${50} y=${28} size=${22} />
    <text class="total" x="50" y="84">${player.points}</text><text class="unit" x="50" y="100">${say("points")}</text>
  </g>`;
}

/**
 * An expedition on its way, with how it stands.
 * @type {(props: {player: Player, line: LineView, options: Scene["view"]["options"], say: Scene["say"], secret: boolean, ghost: boolean, small: boolean}) => Shown}
 */
const Laid = pure(({ player, line, options, ...rest }) => {
  const [x, y] = slot(line);
  const stands = outlook(player, line, options);
  return html`<${Card} ...${rest} demand=${line.laid?.demand} ties=${options.majority_ties} x=${x} y=${y} stands=${stands} />`;
});

/** @param {{scene: Scene, player: Player, line: LineView, ghost: {cell: number} | null, small: boolean}} props */
function Slot({ scene, player, line, ghost, small }) {
  const { view, own, say } = scene;
  const [x, y] = slot(line);
  const touched =
    ghost !== null && (line.line === "columns" ? ghost.cell % 4 : Math.floor(ghost.cell / 4)) === line.index;
  const ties = view.options.majority_ties;
  const secret = player.chosen && player.seat === own && view.phase === `choosing_${line.line}`;
  if (line.laid) {
    return html`<${Laid} ...${{ player, line, say, small }} options=${view.options} secret=${secret} ghost=${touched} />`;
  }
  if (view.options.young_explorers) {
    const { most, kinds } = mostAlike(player, line);
    return html`<g class="young${touched ? " ghost" : ""}" transform="translate(${x} ${y})"><title>${lineText(line, say)}: ${say("young")}</title>
      <rect class="paper" x="3" y="3" width="94" height="94" rx="9" /><text x="50" y=${kinds.length ? 52 : 65}>${most}</text>
      ${kinds.map((element, place) => html`<${Drawing} element=${element} x=${50 + (place - (kinds.length - 1) / 2) * (kinds.length > 3 ? 15 : 26)} y=${76} size=${kinds.length > 3 ? 7 : 12} />`)}</g>`;
  }
  const mine = view.phase === `choosing_${line.line}` && player.seat === own && !player.chosen;
  const picks = mine ? laying(scene) : [];
  const chosen = player.choosing.find(({ id }) => id === picks[line.index]?.id);
  if (chosen) {
    const demand = picks[line.index].side === "easy" ? chosen.easy : chosen.hard;
    return html`<${Card} demand=${demand} ties=${ties} say=${say} x=${x} y=${y} secret=${true} ghost=${true} small=${small} />`;
  }
  const next = mine && picks.length === line.index;
  return html`<g class="slot${next ? " next" : ""}" transform="translate(${x} ${y})"><rect x="5" y="5" width="90" height="90" rx="9" />
    <text x="50" y="60">${line.index + 1}</text></g>`;
}

/** @param {{scene: Scene, player: Player, cell: number, ghost: {cell: number, tile: import("./outlook.js").Tile} | null, hover: (cell: number | null) => void}} props */
function Cell({ scene, player, cell, ghost, hover }) {
  const { own, before, say } = scene;
  const x = along(cell % 4);
  const y = along(Math.floor(cell / 4));
  const placed = player.placed.find((each) => each.cell === cell);
  const fresh =
    placed !== undefined && before !== null && !before.players[player.seat]?.placed.some((each) => each.cell === cell);
  const drawn = placed
    ? html`<${SeaTile} tile=${placed.tile} say=${say} x=${x} y=${y} fresh=${fresh} /><title>${tileName(placed.tile, say)}</title>`
    : html`<rect class="cell" x=${x + 3} y=${y + 3} width="94" height="94" rx="9" />`;
  if (player.seat !== own) return html`<g>${drawn}</g>`;
  return html`<g ...${marked(scene, `cell:${cell}`)} onPointerEnter=${() => hover(cell)} onPointerLeave=${() => hover(null)}>
    ${drawn}
    ${ghost?.cell === cell && html`<${SeaTile} tile=${ghost.tile} say=${say} x=${x} y=${y} ghost=${true} />`}
  </g>`;
}

/**
 * The expeditions dealt, both sides of each beside the line that they are for.
 * @param {{scene: Scene, player: Player, small: boolean}} props
 */
function Sides({ scene, player, small }) {
  const { view, own, say } = scene;
  const mine = player.seat === own;
  const columns = view.phase === "choosing_columns";
  const picks = mine ? laying(scene) : [];
  const cards = player.choosing.flatMap((expedition, index) =>
    /** @type {const} */ (["easy", "hard"]).map((side, turn) => {
      const [x, y] = columns ? [along(index), along(turn)] : [along(turn), along(index)];
      const target = `side:${expedition.id}:${side}`;
      const pick = picks.find(({ id }) => id === expedition.id);
      const dim = pick && pick.side !== side;
      const card = html`<${Card} demand=${expedition[side]} ties=${view.options.majority_ties} say=${say} x=${x} y=${y} caption=${small ? "" : say(`side.${side}`)} small=${small} />`;
      return mine
        ? html`<g key=${target} ...${marked(scene, target)} data-dim=${dim ? "" : null}>${card}</g>`
        : html`<g key=${target}>${card}</g>`;
    }),
  );
  const key = mine
    ? picks.length === 4
      ? "sides.done"
      : view.options.arrange_expeditions
        ? "sides.arrange"
        : "sides.choose"
    : player.chosen
      ? "sides.chosen"
      : "sides.choosing";
  const [x, y] = columns ? [310, 340] : [410, 190];
  return html`${cards}
    ${!mine && player.chosen && html`<${Lock} x=${x} y=${y - 12} size=${22} />`}
    <${Words} text=${say(`${key}`, { line: say(`lines.${columns ? "columns" : "rows"}`), number: picks.length + 1 })} x=${x} y=${y + (!mine && player.chosen ? 46 : 30)} most=${columns ? 30 : 15} size=${small ? 30 : 22} />`;
}

/** Lines of at most so many letters, centred. @param {{text: string, x: number, y: number, most: number, size?: number}} props */
function Words({ text, x, y, most, size = 22 }) {
  const room = Math.floor((most * 22) / size);
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return html`<text class="said" font-size=${size}>${lines.map((line, index) => html`<tspan x=${x} y=${y + index * size * 1.25}>${line}</tspan>`)}</text>`;
}
