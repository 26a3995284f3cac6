/** The table seen from above: the tiles on offer, the own map large, the maps of the others small beside it. */

import { html, pure, useEffect, useRef, useState } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { intended, marked, SeaMap, SIDE } from "./map.js";
import { SeaTile } from "./symbols.js";
import { tileName } from "./texts.js";

/** @typedef {import("./moves.js").Scene} Scene */
/** @typedef {import("./outlook.js").Player} Player */
/** @typedef {import("../../core/types.js").Shown} Shown */
/** @typedef {{player: Player, x: number, y: number, width: number, small: boolean}} Placed */

const TITLE = 34;
const NARROW = 560;

/** @param {Scene} scene */
export const Board = (scene) => html`<${Sea} scene=${scene} />`;

/** @param {{scene: Scene}} props */
function Sea({ scene }) {
  const frame = /** @type {{current: SVGSVGElement | null}} */ (useRef(null));
  const [narrow, setNarrow] = useState(innerWidth < 700);
  const [enlarged, enlarge] = useState(/** @type {number | null} */ (null));
  const [hovered, hover] = useState(/** @type {number | null} */ (null));
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setNarrow(entry.contentRect.width < NARROW));
    watch.observe(/** @type {SVGSVGElement} */ (frame.current));
    return () => watch.disconnect();
  }, []);
  const asked = scene.lit.size > 0;
  useEffect(() => {
    if (asked) enlarge(null);
  }, [asked]);
  return html`<${Table} ...${{ scene, frame, narrow, enlarged, enlarge, hovered, hover }} />`;
}

/**
 * The table as it looks: `narrow` on a small screen, `enlarged` the seat whose map a player looks at closely, `hovered`
 * the cell that is pointed at.
 * @typedef {object} Look
 * @property {Scene} scene
 * @property {{current: SVGSVGElement | null}} [frame]
 * @property {boolean} narrow
 * @property {number | null} enlarged
 * @property {(seat: number | null) => void} enlarge
 * @property {number | null} hovered
 * @property {(cell: number | null) => void} hover
 */

/** @param {Look} look */
export function Table({ scene, frame, narrow, enlarged, enlarge, hovered, hover }) {
  const { own, say } = scene;
  const top = offerHeight(narrow);
  const maps = arranged(scene, narrow, top, enlarged);
  const wide = narrow ? 420 : Math.max(...maps.map(({ x, width }) => x + width));
  const bottom = Math.max(top, ...maps.map(({ y, width }) => y + TITLE + width));
  return html`<svg ref=${frame} class="lost_seas chart${narrow || own === null ? " tall" : ""}" viewBox="0 0 ${Math.ceil(wide)} ${Math.ceil(bottom) + 4}" role="group" aria-label=${say("board")}>
    <${Offer} scene=${scene} narrow=${narrow} moving=${intended(scene, hovered) !== null} />
    ${maps.map(
      ({ player, x, y, width, small }) => html`<g key=${player.seat} class="place" transform="translate(${x} ${y})">
        <${Title} scene=${scene} player=${player} width=${width} enlarge=${small && own !== null ? () => enlarge(player.seat === own ? null : player.seat) : null} />
        <g transform="translate(0 ${TITLE}) scale(${width / SIDE})">
          <${SeaMap} ...${{ scene, player, small, hover }} hovered=${player.seat === own ? hovered : null} />
        </g>
      </g>`,
    )}
  </svg>`;
}

/** @param {boolean} narrow */
const offerHeight = (narrow) => (narrow ? 118 : 142);

/**
 * Where each map lies: for a player the own one first and large, for onlookers all alike.
 * @param {Scene} scene @param {boolean} narrow @param {number} top @param {number | null} enlarged @returns {Placed[]}
 */
function arranged({ view, own }, narrow, top, enlarged) {
  const { players } = view;
  if (own === null) {
    const width = narrow ? 420 : 490;
    return players.map((player, index) => {
      const [x, y] = narrow ? [0, index] : [(index % 2) * 510, Math.floor(index / 2)];
      return { player, x, y: top + y * (width + TITLE + 20), width, small: false };
    });
  }
  const large = enlarged ?? own;
  const others = players.map((_, step) => players[(own + step) % players.length]).filter(({ seat }) => seat !== large);
  const main = { player: players[large], x: 0, y: top, width: narrow ? 420 : 610, small: false };
  if (narrow) {
    const below = top + TITLE + main.width + 16;
    const width = others.length === 1 ? 300 : 205;
    return [
      main,
      ...others.map((player, index) => ({
        player,
        x: (index % 2) * 215,
        y: below + Math.floor(index / 2) * (width + TITLE + 12),
        width,
        small: true,
      })),
    ];
  }
  const height = top + TITLE + main.width;
  const width = Math.min(350, height / others.length - TITLE - 8);
  return [
    main,
    ...others.map((player, index) => ({ player, x: 640, y: 4 + (index * height) / others.length, width, small: true })),
  ];
}

/** @param {{scene: Scene, player: Player, width: number, enlarge: (() => void) | null}} props */
function Title({ scene: { seats, view, own, say }, player, width, enlarge }) {
  const { name } = seats[player.seat];
  const owes = view.owed.some(({ seat }) => seat === player.seat);
  const mine = player.seat === own && !enlarge ? ` · ${say("own")}` : "";
  const room = Math.floor((width - (enlarge ? 76 : 42)) / 11.2) - mine.length;
  const text = name.length > room ? `${name.slice(0, room - 1)}…` : name;
  return html`<g class="plate${owes ? " owes" : ""}">
    <rect x="0" y="1" width=${width} height=${TITLE - 5} rx="8" />
    <${Mark} seat=${player.seat} x=${17} y=${15} size=${10} />
    <text x="36" y="21">${text}${mine}</text>
    ${
      enlarge &&
      html`<g class="enlarge" role="button" tabindex="0" aria-label=${say("enlarge", { name })} onClick=${enlarge}
          onKeyDown=${byKey(enlarge)}>
        <title>${say("enlarge", { name })}</title>
        <rect x=${width - 34} y="1" width="34" height=${TITLE - 5} rx="8" />
        <path d="M${width - 25} 12v-4h4M${width - 9} 18v4h-4M${width - 13} 8h4v4M${width - 21} 22h-4v-4" />
      </g>`
    }
  </g>`;
}

/** @param {() => void} action */
const byKey = (action) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  action();
};

/**
 * The tiles that lie face up, the pile, and what is to be done.
 * @type {(props: {scene: Scene, narrow: boolean, moving: boolean}) => Shown}
 */
const Offer = pure(({ scene, narrow, moving }) => {
  const { view, say } = scene;
  const text = dutyText(scene);
  const scale = narrow ? 0.66 : 0.93;
  const step = narrow ? 70 : 102;
  const top = narrow ? 44 : 42;
  const places = view.options.young_explorers ? 3 : 5;
  const ids = view.face_up.map(({ id }) => id);
  return html`<g class="offer${moving ? " moving" : ""}">
    <text class="duty" x="2" y="26" font-size=${Math.min(21, (narrow ? 690 : 1000) / text.length)}>${text}</text>
    ${[...Array(places).keys()].map((place) => {
      const tile = view.face_up[place];
      const at = `translate(${place * step} ${top}) scale(${scale})`;
      if (!tile) return html`<rect class="gap" transform=${at} x="4" y="4" width="92" height="92" rx="10" />`;
      const target = `tile:${tile.id}`;
      const twin = ids.indexOf(tile.id) < place;
      const marks = {
        ...marked(scene, target),
        ...(twin ? { "data-target": null, "data-lit": null, "data-picked": null } : {}),
      };
      return html`<g key=${place} ...${marks}><g transform=${at}><title>${tileName(tile, say)}</title><${SeaTile} tile=${tile} say=${say} /></g></g>`;
    })}
    <g class="pile" transform="translate(${places * step} ${top}) scale(${scale})">
      <title>${say("pile", { count: view.pile })}</title>
      ${[8, 4, 0].map((shift) => view.pile > shift && html`<rect x=${2 + shift} y=${2 + shift} width="88" height="88" rx="10" />`)}
      <text x="46" y="52">${view.pile}</text><text class="unit" x="46" y="74">${say("pile.short")}</text>
    </g>
  </g>`;
});

/** What the seat has to decide; empty: nothing. @param {Scene["view"]} view @param {number} own @param {Scene["say"]} say */
export function duty(view, own, say) {
  const owed = view.owed.find(({ seat }) => seat === own);
  if (!owed) return "";
  return say(`duty.${owed.duty === "choose_sides" ? view.phase : owed.duty}`);
}

/** @param {Scene} scene */
function dutyText({ view, own, seats, say }) {
  const asked = own === null ? "" : duty(view, own, say);
  if (asked) return asked;
  const [first] = view.owed;
  if (!first) return say(view.phase === "over" ? "over" : "empty");
  if (first.duty === "choose_sides")
    return say("wait.choose_sides", { names: view.owed.map(({ seat }) => seats[seat].name).join(", ") });
  return say(`wait.${first.duty}`, { name: seats[first.seat].name });
}
