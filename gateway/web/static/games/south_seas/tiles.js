/**
 * A tile's features as shapes, made from its row alone, whatever edition that is of. A tile is 100 wide about 0,0, not
 * turned. Land reaches the very corners and bridges the middles of sides, so that neighbours join without a seam.
 *
 * @typedef {[number, number]} Point
 * @typedef {import("./moves.js").Tile} Tile
 * @typedef {import("./moves.js").Feature} Feature
 * @typedef {{kind: "fish" | "fishes" | "boat" | "shell" | "banana" | "palm", feature: number, at: Point}} Thing
 * @typedef {object} Shape
 * @property {{feature: number, land: string, coast: string}[]} islands
 * @property {{feature: number, line: string}[]} bridges
 * @property {boolean} junction
 * @property {number} market             the feature, or -1
 * @property {string[]} areas            by feature: what lights up (a sea's reaches under land)
 * @property {Thing[]} things            symbols, boats and trees
 * @property {Point[]} stands            by feature: where its islander stands
 * @property {Int8Array} grid            the feature at each place of grid.js, -1 at a junction
 */

import { depths, distance, HALVES, MARKET, mapped, placeAt, runs, spread } from "./grid.js";

export const SIZE = 100;
const HALF = SIZE / 2;
const SIDES = ["north", "east", "south", "west"];
/** Where each side begins, clockwise. @type {Point[]} */
const CORNERS = [[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]]; // biome-ignore format: one row
/** @type {Point[]} */
const MIDDLES = [[0, -HALF], [HALF, 0], [0, HALF], [-HALF, 0]]; // biome-ignore format: one row

/** A point of a tile turned clockwise so many times. @type {(point: Point, rotation: number) => Point} */
export function turned([x, y], rotation) {
  /** @type {Point[]} */
  const ways = [[x, y], [-y, x], [-x, -y], [y, -x]]; // biome-ignore format: one row
  return ways[rotation % 4];
}

/** @type {Map<string, Shape>} */
const known = new Map();

/** @param {Tile} tile @returns {Shape} */
export function shapeOf(tile) {
  const key = JSON.stringify(tile.features);
  let shape = known.get(key);
  if (!shape) {
    shape = drawn(tile.features, key);
    known.set(key, shape);
  }
  return shape;
}

/** Which of the tile's features lies at a point of it, -1 where none does. @type {(tile: Tile, point: Point) => number} */
export function featureAt(tile, point) {
  return shapeOf(tile).grid[placeAt(point)];
}

/** @type {(features: Feature[], key: string) => Shape} */
function drawn(features, key) {
  const chance = seeded(key);
  const numbered = features.map((one, feature) => ({ ...one, feature }));
  const islands = numbered.filter((one) => one.terrain === "island").map((one) => island(one, chance));
  const bridges = numbered
    .filter((one) => one.terrain === "bridge")
    .map((one) => ({ feature: one.feature, points: bridge(one, islands, chance) }));
  const market = features.findIndex((one) => one.terrain === "market");
  const junction = features.some((one) => one.ends.includes("junction"));
  const { grid, under } = mapped(features, islands, bridges, market, junction);
  const areas = features.map((one, feature) => {
    if (one.terrain === "sea") return runs(under, feature);
    if (one.terrain === "island") return islands.find((land) => land.feature === feature)?.land ?? "";
    if (one.terrain === "bridge") return smooth(bridges.find((way) => way.feature === feature)?.points ?? []);
    return `M${MARKET + 2} 0A${MARKET + 2} ${MARKET + 2} 0 1 1 0 ${-MARKET - 2}A${MARKET + 2} ${MARKET + 2} 0 0 1 ${MARKET + 2} 0Z`;
  });
  const things = /** @type {Thing[]} */ ([]);
  const stands = /** @type {Point[]} */ ([]);
  const depth = depths(grid);
  for (const [feature, one] of features.entries()) {
    const ware = { sea: "fish", bridge: "shell", island: "banana", market: "fish" }[one.terrain];
    const kinds = [
      ...Array(one.doubles).fill("fishes"),
      ...(one.boat ? ["boat"] : []),
      ...Array(one.symbols).fill(ware),
    ];
    const palms = one.terrain === "island" ? 2 : 0;
    const places = spread(grid, depth, feature, kinds.length + 1 + palms);
    stands.push(one.terrain === "market" ? [0, 0] : (places[kinds.length] ?? [0, 0]));
    things.push(...kinds.map((kind, place) => ({ kind, feature, at: places[place] ?? stands[feature] })));
    things.push(...places.slice(kinds.length + 1).map((at) => ({ kind: /** @type {const} */ ("palm"), feature, at })));
  }
  return {
    islands: islands.map(({ feature, land, coast }) => ({ feature, land, coast })),
    bridges: bridges.map(({ feature, points }) => ({ feature, line: smooth(points) })),
    junction, market, areas, things, stands, grid,
  }; // biome-ignore format: names only
}

/** @param {Feature & {feature: number}} one @param {() => number} chance */
function island(one, chance) {
  const own = SIDES.map((_, side) => one.half_edges.includes(HALVES[2 * side]));
  const middles = MIDDLES.filter((_, side) => own[side]);
  const target = /** @type {Point} */ (
    [0, 1].map((axis) => (0.8 * sum(middles.map((at) => at[axis]))) / middles.length)
  );
  const starts = [0, 1, 2, 3].filter((side) => own[side] && !own[(side + 3) % 4]);
  if (!starts.length) {
    const land = `M${-HALF} ${-HALF}H${HALF}V${HALF}H${-HALF}Z`;
    return { feature: one.feature, land, coast: "", outline: CORNERS, target };
  }
  const outline = /** @type {Point[]} */ ([]);
  let land = "";
  let coast = "";
  for (let [side, round] = [starts[0], 0]; round < 4; ) {
    land += `${land ? "L" : "M"}${CORNERS[side]}`;
    outline.push(CORNERS[side]);
    for (; own[side] && round < 4; round++) {
      side = (side + 1) % 4;
      land += `L${CORNERS[side]}`;
      outline.push(CORNERS[side]);
    }
    const from = side;
    let across = 0;
    for (; !own[side] && round < 4; round++) {
      side = (side + 1) % 4;
      across += 1;
    }
    const points = shore(CORNERS[from], CORNERS[side], across, chance);
    outline.push(...points);
    land += curve(points);
    coast += smooth(points);
  }
  return { feature: one.feature, land: `${land}Z`, coast, outline, target };
}

/**
 * A coast from corner to corner, clockwise, that leaves so many sides outside: one is a bay, two are cut off towards
 * the island's corner, and where three are outside the island is a cap on its own side.
 * @type {(from: Point, to: Point, across: number, chance: () => number) => Point[]}
 */
function shore(from, to, across, chance) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [reach, bend] = across === 2 ? [0.3, 22] : [0.38, across === 3 ? -34 : 34];
  const off = bend / distance(from, to);
  const points = [from];
  for (const t of [0.16, 0.33, 0.5, 0.67, 0.84]) {
    const k = 3 * t * (1 - t);
    const along = k * ((1 - t) * reach + t * (1 - reach)) + t * t * t;
    const aside = k * off;
    const [x, y] = [from[0] + dx * along - dy * aside, from[1] + dy * along + dx * aside];
    points.push([x + (chance() - 0.5) * 5, y + (chance() - 0.5) * 5]);
  }
  return [...points, to];
}

/** The points of a bridge's way, those under an island too. @returns {Point[]}
 * @param {Feature} one @param {{target: Point}[]} islands @param {() => number} chance
 */
function bridge(one, islands, chance) {
  const [first, second] = [...one.ends].sort((a, b) => Number(SIDES.includes(b)) - Number(SIDES.includes(a)));
  const from = MIDDLES[SIDES.indexOf(first)];
  let to = /** @type {Point} */ ([0, 0]);
  let bent = 0;
  if (SIDES.includes(second)) {
    to = MIDDLES[SIDES.indexOf(second)];
    bent = (from[0] * to[0] || from[1] * to[1]) === 0 ? 0.34 : 1;
  } else if (second === "island") {
    const far = /** @param {Point} at */ (at) => distance(at, from);
    to = islands.map(({ target }) => target).reduce((best, at) => (far(at) < far(best) ? at : best));
  }
  const sway = bent === 1 ? (chance() - 0.5) * 10 : 0;
  return Array.from({ length: 9 }, (_, step) => {
    const t = step / 8;
    if (bent !== 0.34) {
      const aside = (sway * Math.sin(2 * Math.PI * t)) / SIZE;
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      return [from[0] + dx * t - dy * aside, from[1] + dy * t + dx * aside];
    }
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2 * bent, 3 * t * t * (1 - t) * bent, t ** 3];
    return [from[0] * (a + b) + to[0] * (c + d), from[1] * (a + b) + to[1] * (c + d)];
  });
}

/** @param {Point[]} points */
function smooth(points) {
  return points.length ? `M${points[0]}${curve(points)}` : "";
}

/** On through the points from the first, without a kink. @param {Point[]} points */
function curve(points) {
  let path = "";
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = [points[i], points[i + 1]];
    const [before, after] = [points[i - 1] ?? a, points[i + 2] ?? b];
    path += `C${near(a, before, b)} ${near(b, after, a)} ${b.map(rounded)}`;
  }
  return path;
}

/** @type {(at: Point, one: Point, other: Point) => string} */
function near(at, one, other) {
  return `${[0, 1].map((axis) => rounded(at[axis] + (other[axis] - one[axis]) / 6))}`;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 10) / 10;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** The same numbers for the same text: a coast looks the same to everyone. @param {string} text */
function seeded(text) {
  let state = 0;
  for (let i = 0; i < text.length; i++) state = (Math.imul(state, 31) + text.charCodeAt(i)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
