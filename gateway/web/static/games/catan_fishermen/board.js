/** The island: hexes, harbours and fishing grounds, what is built, and what may be chosen. */

import { html, pure } from "../../core/html.js";
import { COLOURS, Mark } from "../../core/marks.js";
import { about, along, hexName } from "./moves.js";
import { Building, LANDSCAPES, Road, Sign } from "./pieces.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./pieces.js").Point} Point */
/** @typedef {import("../../core/types.js").Shown} Shown */

/** The radius of a hex. */
const SIZE = 50;
const TALL = Math.sqrt(3) / 2;
const CORNERS = Array.from({ length: 6 }, (_, at) => {
  const angle = ((at * 60 - 90) * Math.PI) / 180;
  return { x: SIZE * Math.cos(angle), y: SIZE * Math.sin(angle) };
});
const HEX = CORNERS.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const CHANCES = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];

/** @param {Point[]} points @returns {Point} */
const middle = (points) => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** The point so far beyond `to`, seen from `from`. @param {Point} from @param {Point} to @param {number} far */
function beyond(from, to, far) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return { x: to.x + ((to.x - from.x) / length) * far, y: to.y + ((to.y - from.y) / length) * far };
}

/** Where hexes and intersections lie; `printed` has all that never changes in a match. @param {View} view */
function survey(view) {
  const hexes = view.hexes.map(({ q, r }) => ({ x: SIZE * TALL * (2 * q + r), y: SIZE * 1.5 * r }));
  /** @type {Point[]} */
  const vertices = [];
  view.hexes.forEach((hex, at) => {
    hex.vertices.forEach((vertex, corner) => {
      vertices[vertex] = { x: hexes[at].x + CORNERS[corner].x, y: hexes[at].y + CORNERS[corner].y };
    });
  });
  const edges = view.edges.map(({ ends }) => ends.map((end) => vertices[end]));
  return { hexes, vertices, edges, printed: view };
}
/** @typedef {ReturnType<typeof survey>} Map */

/** @type {WeakMap<View["hexes"], Map>} */
const surveyed = new WeakMap();

/** The same object for views of one match. @param {View} view */
function mapOf(view) {
  const map = surveyed.get(view.hexes) ?? survey(view);
  surveyed.set(view.hexes, map);
  return map;
}

/** @param {number} number */
const often = (number) => number === 6 || number === 8;

/** A number with a pip for each of its chances in 36. @param {{number: number, at: Point, size?: number}} props */
function Chance({ number, at, size = 16 }) {
  const chances = CHANCES[number];
  return html`<g class="number ${often(number) ? "often" : ""}" transform="translate(${at.x} ${at.y}) scale(${size / 16})">
    <circle r="16.5" />
    <text y="4.5" font-size=${often(number) ? 19 : 16.5}>${number}</text>
    ${Array.from({ length: chances }, (_, pip) => html`<circle class="pip" cx=${(pip - (chances - 1) / 2) * 4.2} cy="10" r="1.5" />`)}
  </g>`;
}

/** The number that pays now; 0: none. @param {View} view */
const sumOf = ({ rolled, dice }) => (rolled ? (dice[0] ?? 0) + (dice[1] ?? 0) : 0);

/** `sum`: of the dice. @type {(props: {map: Map, at: number, robbed: boolean, fresh: boolean, sum: number}) => Shown} */
const Land = pure(({ map, at, robbed, fresh, sum }) => {
  const hex = map.printed.hexes[at];
  const lake = hex.terrain === "lake" ? map.printed.waters.find((water) => water.numbers.length > 1) : null;
  const pays = !robbed && (hex.number === sum || !!lake?.numbers.includes(sum)) && sum > 0;
  const { x, y } = map.hexes[at];
  return html`<g class="land ${hex.terrain} ${robbed ? "robbed" : ""} ${pays ? "pays" : ""}" transform="translate(${x} ${y})">
    <polygon points=${HEX} />
    ${LANDSCAPES[hex.terrain]}
    ${hex.number > 0 && html`<${Chance} number=${hex.number} at=${{ x: 0, y: 18 }} />`}
    ${lake?.numbers.map(
      (number, place) =>
        html`<${Chance} number=${number} at=${{ x: place % 2 ? 21 : -21, y: place < 2 ? -17 : 17 }} size=${10.5} />`,
    )}
    ${robbed && html`<g class=${`robber ${fresh ? "fresh" : ""}`}><${Sign} name="robber" x=${hex.number || lake ? -24 : 0} y="10" size="19" /></g>`}
  </g>`;
});

/** @type {(props: {map: Map, place: number}) => Shown} */
const Harbour = pure(({ map, place }) => {
  const { harbours, hexes, edges } = map.printed;
  const { edge, trades } = harbours[place];
  const ends = map.edges[edge];
  const inland = hexes.findIndex((hex) => edges[edge].ends.every((end) => hex.vertices.includes(end)));
  const at = beyond(map.hexes[inland], middle(ends), 29);
  return html`<g class="harbour">
    ${ends.map((end) => html`<path class="pier" d="M${at.x} ${at.y}L${end.x} ${end.y}" />`)}
    <g transform="translate(${at.x} ${at.y})"><rect x="-17" y="-18" width="34" height="37" rx="9" />
      <${Sign} name=${trades} x="0" y="-6" size="10.5" /><text y="15">${trades === "any" ? "3:1" : "2:1"}</text></g>
  </g>`;
});

/**
 * A fishing ground; its signs are drawn apart, above the land.
 * @type {(props: {map: Map, place: number, signs: boolean, sum: number}) => Shown}
 */
const Ground = pure(({ map, place, signs, sum }) => {
  const { numbers, vertices, catches } = map.printed.waters[place];
  const touched = (/** @type {number} */ vertex) =>
    map.printed.hexes.flatMap((hex, at) => (hex.vertices.includes(vertex) ? [map.hexes[at]] : []));
  const inner = vertices.find((vertex) => touched(vertex).length > 1) ?? vertices[1];
  const [one, other] = vertices.filter((vertex) => vertex !== inner).map((vertex) => map.vertices[vertex]);
  const from = map.vertices[inner];
  const shore = middle(touched(inner));
  const pays = numbers[0] === sum;
  if (!signs) {
    const rim = beyond(shore, from, 80);
    return html`<g class="ground ${pays ? "pays" : ""}">
      <path d="M${one.x} ${one.y}L${from.x} ${from.y}L${other.x} ${other.y}Q${rim.x} ${rim.y} ${one.x} ${one.y}z" /></g>`;
  }
  const at = beyond(shore, from, 28);
  // The fish swims beside the number, along the coast.
  const along = { x: (other.x - one.x) / 86.6, y: (other.y - one.y) / 86.6 };
  const side = along.x < 0 ? -1 : 1;
  return html`<g class="ground ${pays ? "pays" : ""}">
    <${Sign} name="fish" x=${at.x - along.x * side * 16} y=${at.y - along.y * side * 16} size="13" />
    <${Chance} number=${numbers[0]} at=${{ x: at.x + along.x * side * 13, y: at.y + along.y * side * 13 }} size=${12.5} />
    ${
      catches.some((count) => count > 1) &&
      vertices.map((vertex, corner) => {
        const end = beyond(shore, map.vertices[vertex], vertex === inner ? 10 : 13);
        return html`<text class="catch" x=${end.x} y=${end.y + 4}>${catches[corner]}</text>`;
      })
    }
  </g>`;
});

/** What stands on the board, one word a piece. @param {View} view */
const standing = (view) =>
  view.players.flatMap(({ roads, settlements, cities }) => [
    ...roads.map((edge) => `edge:${edge}`),
    ...settlements.map((vertex) => `vertex:${vertex}`),
    ...cities.map((vertex) => `city:${vertex}`),
  ]);

/** @type {(props: {view: View, before: View | null, map: Map}) => Shown} */
const Pieces = pure(({ view, before, map }) => {
  const known = new Set(before ? standing(before) : standing(view));
  const look = (/** @type {string} */ piece) => (known.has(piece) ? "" : "fresh");
  return html`<g class="pieces">
    ${view.players.flatMap(({ seat, roads }) =>
      roads.map((edge) => {
        const [from, to] = map.edges[edge];
        return html`<${Road} seat=${seat} from=${from} to=${to} look=${look(`edge:${edge}`)} />`;
      }),
    )}
    ${view.players.flatMap(({ seat, settlements, cities }) =>
      [
        ...settlements.map((vertex) => [vertex, false, look(`vertex:${vertex}`)]),
        ...cities.map((vertex) => [vertex, true, look(`city:${vertex}`)]),
      ].map(
        ([vertex, city, fresh]) =>
          html`<${Building} seat=${seat} at=${map.vertices[Number(vertex)]} city=${city} look=${fresh} />`,
      ),
    )}
  </g>`;
});

/** The piece that the choice would build. @param {{scene: Scene, map: Map}} props */
function Ghost({ scene: { full, picked, own }, map }) {
  const [move] = full;
  if (own === null || !move || !picked.length) return null;
  if (move.kind === "move_robber") {
    const { x, y } = map.hexes[move.hex];
    return html`<g class="ghost"><${Sign} name="robber" x=${x} y=${y - 12} size="22" /></g>`;
  }
  if (move.edge !== undefined) {
    const [from, to] = map.edges[move.edge];
    return html`<${Road} seat=${own} from=${from} to=${to} look="ghost" />`;
  }
  if (move.vertex === undefined) return null;
  return html`<${Building} seat=${own} at=${map.vertices[move.vertex]} city=${move.kind === "build_city"} look="ghost" />`;
}

/**
 * A place: `lit` says what it is lit for, null where it is not, and a click on it is explained.
 * @typedef {{map: Map, at: number, lit: string | null, picked: boolean, pick: Scene["pick"], say: Scene["say"]}} Place
 */

/** @param {Scene} scene @param {string} target */
const placeOf = ({ lit, picked, pick, say }, target) => ({
  lit: lit.get(target)?.label ?? null,
  picked: picked.includes(target),
  pick,
  say,
});

/** @param {Place & {target: string, label: string, children?: any}} props */
function Spot({ target, label, lit, picked, pick, children }) {
  return html`<g class="spot ${lit === null ? "" : "lit"}" data-target=${target} data-lit=${lit === null ? null : ""}
    data-picked=${picked ? "" : null} onClick=${() => pick(target)}><title>${lit ?? label}</title>${children}</g>`;
}

/** @type {(props: Place) => Shown} */
const HexSpot = pure((place) => {
  const { map, at, say } = place;
  const { x, y } = map.hexes[at];
  return html`<${Spot} ...${place} target=${`hex:${at}`} label=${hexName(map.printed, at, say)}>
    <polygon points=${HEX} transform="translate(${x} ${y})" /><//>`;
});

/** @type {(props: Place) => Shown} */
const EdgeSpot = pure((place) => {
  const { map, at, lit, say } = place;
  const [from, to] = map.edges[at];
  const { x, y } = middle([from, to]);
  const turned = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const wide = lit === null ? 14 : 34;
  const label = say("place.edge", { at, along: along(map.printed, at, say) });
  return html`<${Spot} ...${place} target=${`edge:${at}`} label=${label}>
    <g transform="translate(${x} ${y}) rotate(${turned})"><rect class="reach" x="-12" y=${-wide / 2} width="24" height=${wide} rx="7" /><path class="glow" d="M-13 0H13" /></g><//>`;
});

/** @type {(props: Place & {town: boolean, reach: number}) => Shown} */
const VertexSpot = pure((place) => {
  const { map, at, lit, say, town, reach } = place;
  const { x, y } = map.vertices[at];
  const label = say("place.vertex", { at, about: about(map.printed, at, say) });
  return html`<${Spot} ...${place} target=${`vertex:${at}`} label=${label}>
    <circle class="reach" cx=${x} cy=${y} r=${lit === null ? 10 : reach} /><circle class=${town ? "glow around" : "glow"} cx=${x} cy=${y} r=${town ? 19 : 10.5} /><//>`;
});

/** The hexes as places: below what stands on them. @param {{scene: Scene, map: Map}} props */
function Hexes({ scene, map }) {
  return html`<g>${map.hexes.map((_, at) => html`<${HexSpot} ...${{ map, at, ...placeOf(scene, `hex:${at}`) }} />`)}</g>`;
}

/** Paths and intersections as places; they step back while a hex is asked for. @param {{scene: Scene, map: Map}} props */
function Sites({ scene, map }) {
  const { view, own, lit } = scene;
  const kinds = new Set([...lit.keys()].map((target) => target.split(":")[0]));
  const reach = kinds.has("edge") ? 17 : 24;
  const towns = own === null ? [] : view.players[own].settlements;
  return html`<g class=${kinds.has("hex") ? "aside" : ""}>
    ${map.edges.map((_, at) => html`<${EdgeSpot} ...${{ map, at, ...placeOf(scene, `edge:${at}`) }} />`)}
    ${map.vertices.map((_, at) => html`<${VertexSpot} ...${{ map, at, ...placeOf(scene, `vertex:${at}`) }} town=${towns.includes(at)} reach=${reach} />`)}
  </g>`;
}

/** Whom the robber may rob where he is to go. @param {{scene: Scene, map: Map}} props */
function Victims({ scene: { view, lit, full, pick, picked }, map }) {
  const victims = [...lit.values()].filter(({ target }) => target.startsWith("victim:"));
  if (!victims.length || full[0]?.hex === undefined) return null;
  const { x, y } = map.hexes[full[0].hex];
  const left = Math.min(Math.max(x, -190), 190) - (victims.length - 1) * 28;
  return html`<g class="victims">${victims.map(({ target, label }, place) => {
    const seat = Number(target.split(":")[1]);
    return html`<g class="spot lit" data-target=${target} data-lit="" data-picked=${picked.includes(target) ? "" : null}
      transform="translate(${left + place * 56} ${y + 30})" onClick=${() => pick(target)}><title>${label}</title>
      <circle r="26" /><${Mark} seat=${seat} y=${-6} size=${12} /><text y="19">× ${view.players[seat].cards}</text></g>`;
  })}</g>`;
}

/** @param {Scene} scene */
export function Board(scene) {
  const { view, before, own, say } = scene;
  const map = mapOf(view);
  const fishing = view.waters.flatMap(({ numbers }, place) => (numbers.length === 1 ? [place] : []));
  const moved = before !== null && before.robber !== view.robber;
  const sum = sumOf(view);
  const robberOff = view.robber == null && view.turn > 0;
  return html`<svg class="catan_fishermen island" viewBox="-264 -236 528 472" role="img" aria-label=${say("board")}
    style=${{ "--seat": COLOURS[own ?? view.active] }}>
    <rect class="sea" x="-264" y="-236" width="528" height="472" rx="22" />
    <g class="coast">${map.hexes.map(({ x, y }) => html`<polygon points=${HEX} transform="translate(${x} ${y})" />`)}</g>
    ${fishing.map((place) => html`<${Ground} ...${{ map, place, sum }} signs=${false} />`)}
    ${view.harbours.map((_, place) => html`<${Harbour} ...${{ map, place }} />`)}
    ${view.hexes.map((_, at) => html`<${Land} ...${{ map, at, sum }} robbed=${view.robber === at} fresh=${moved} />`)}
    ${fishing.map((place) => html`<${Ground} ...${{ map, place, sum }} signs=${true} />`)}
    ${robberOff && html`<g class="robber"><${Sign} name="robber" x="-238" y="208" size="19" /></g>`}
    <${Hexes} scene=${scene} map=${map} />
    <${Pieces} ...${{ view, before, map }} />
    <${Sites} scene=${scene} map=${map} />
    <${Ghost} scene=${scene} map=${map} />
    <${Victims} scene=${scene} map=${map} />
  </svg>`;
}
