/**
 * A tile as a grid of places: which feature lies where, and where there is room on it. What shapes alone don't tell, how
 * far each sea reaches, is found by letting it spread from its half-edges.
 *
 * @typedef {import("./tiles.js").Point} Point
 * @typedef {import("./moves.js").Feature} Feature
 */

const HALF = 50;
const GRID = 20;
const STEP = (2 * HALF) / GRID;
export const MARKET = 16;
const STONE = 9;
/** Half a bridge, with its rails. */
const WIDE = 7;
const WATER = -2;
export const HALVES = ["n0", "n1", "e0", "e1", "s0", "s1", "w0", "w1"];

/** Which of the tile's places a point of it is in. @param {Point} point */
export function placeAt([x, y]) {
  const [column, row] = [x, y].map((value) => Math.max(0, Math.min(GRID - 1, Math.floor((value + HALF) / STEP))));
  return row * GRID + column;
}

/**
 * What lies at each place of the tile, and which sea would if all land were gone: seas spread from their half-edges.
 * @param {Feature[]} features @param {{feature: number, outline: Point[]}[]} islands
 * @param {{feature: number, points: Point[]}[]} bridges @param {number} market @param {boolean} junction
 */
export function mapped(features, islands, bridges, market, junction) {
  const grid = new Int8Array(GRID * GRID).fill(WATER);
  for (const { feature, points } of bridges) {
    for (const [from, to] of points.slice(1).map((to, i) => [points[i], to])) stamp(grid, feature, from, to);
  }
  for (let place = 0; place < grid.length; place++) {
    const [x, y] = pointOf(place);
    const centre = Math.sqrt(x * x + y * y);
    const land = islands.find(({ outline }) => inside(outline, x, y));
    if (land) grid[place] = land.feature;
    if (market >= 0 && centre < MARKET) grid[place] = market;
    else if (junction && centre < STONE) grid[place] = -1;
  }
  const seeds = /** @type {number[]} */ ([]);
  const under = new Int8Array(GRID * GRID).fill(WATER);
  for (let place = 0; place < grid.length; place++) {
    const [x, y] = pointOf(place);
    const [far, wide] = [Math.abs(x), Math.abs(y)];
    if (Math.max(far, wide) < HALF - STEP || grid[place] !== WATER) continue;
    const half = far > wide ? (x > 0 ? (y < 0 ? 2 : 3) : y > 0 ? 6 : 7) : y < 0 ? (x < 0 ? 0 : 1) : x > 0 ? 4 : 5;
    const sea = features.findIndex((one) => one.terrain === "sea" && one.half_edges.includes(HALVES[half]));
    if (sea < 0) continue;
    grid[place] = under[place] = sea;
    seeds.push(place);
  }
  const wet = flood(seeds, (from, place) => {
    if (grid[place] !== WATER) return false;
    under[place] = under[from];
    grid[place] = under[from];
    return true;
  });
  flood(wet, (from, place) => {
    if (under[place] !== WATER) return false;
    under[place] = under[from];
    return true;
  });
  // A pool that no half-edge reaches belongs to the sea behind the land.
  for (let place = 0; place < grid.length; place++) if (grid[place] === WATER) grid[place] = under[place];
  return { grid, under };
}

/** All places near a stretch of a bridge. @type {(grid: Int8Array, feature: number, from: Point, to: Point) => void} */
function stamp(grid, feature, [ax, ay], [bx, by]) {
  const index = (/** @type {number} */ value) => Math.max(0, Math.min(GRID - 1, Math.floor((value + HALF) / STEP)));
  for (let row = index(Math.min(ay, by) - WIDE); row <= index(Math.max(ay, by) + WIDE); row++) {
    for (let column = index(Math.min(ax, bx) - WIDE); column <= index(Math.max(ax, bx) + WIDE); column++) {
      const [x, y] = pointOf(row * GRID + column);
      const [dx, dy] = [bx - ax, by - ay];
      const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
      if ((ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2 < WIDE * WIDE) grid[row * GRID + column] = feature;
    }
  }
}

/** All places that are taken, one after the other from a neighbour. @param {number[]} from @param {(from: number, place: number) => boolean} takes */
function flood(from, takes) {
  const queue = [...from];
  for (const place of queue) {
    const column = place % GRID;
    if (column > 0 && takes(place, place - 1)) queue.push(place - 1);
    if (column < GRID - 1 && takes(place, place + 1)) queue.push(place + 1);
    if (place >= GRID && takes(place, place - GRID)) queue.push(place - GRID);
    if (place < GRID * (GRID - 1) && takes(place, place + GRID)) queue.push(place + GRID);
  }
  return queue;
}

/** How far each place is from another feature or the tile's edge, roughly. @param {Int8Array} grid */
export function depths(grid) {
  const depth = new Float32Array(grid.length);
  /** @type {(place: number, column: number, row: number, far: number) => number} */
  const beyond = (place, column, row, far) => {
    if (column < 0 || row < 0 || column >= GRID || row >= GRID) return STEP / 2;
    const other = row * GRID + column;
    return grid[other] === grid[place] ? depth[other] + far : STEP / 2;
  };
  for (const back of [1, -1]) {
    for (let step = 0; step < grid.length; step++) {
      const place = back > 0 ? step : grid.length - 1 - step;
      const [column, row] = [place % GRID, Math.floor(place / GRID)];
      const least = Math.min(
        beyond(place, column - back, row, STEP),
        beyond(place, column, row - back, STEP),
        beyond(place, column - back, row - back, STEP * Math.SQRT2),
        beyond(place, column + back, row - back, STEP * Math.SQRT2),
      );
      depth[place] = back > 0 ? least : Math.min(depth[place], least);
    }
  }
  return depth;
}

/**
 * So many places of a feature, the best first: away from its borders and from each other.
 * @type {(grid: Int8Array, depth: Float32Array, feature: number, count: number) => Point[]}
 */
export function spread(grid, depth, feature, count) {
  const own = /** @type {number[]} */ ([]);
  for (let place = 0; place < grid.length; place++) if (grid[place] === feature) own.push(place);
  // Of equals the one nearest to the middle.
  const worth = own.map((place) => Math.min(depth[place], 15) - distance(pointOf(place), [0, 0]) / 100);
  const chosen = /** @type {Point[]} */ ([]);
  while (own.length && chosen.length < count) {
    const at = pointOf(own[worth.reduce((best, value, place) => (value > worth[best] ? place : best), 0)]);
    chosen.push(at);
    for (let i = 0; i < own.length; i++) worth[i] = Math.min(worth[i], 0.6 * distance(pointOf(own[i]), at));
  }
  return chosen;
}

/** The places of a sea as an area, row by row. @param {Int8Array} under @param {number} sea */
export function runs(under, sea) {
  let path = "";
  for (let row = 0; row < GRID; row++) {
    for (let column = 0; column < GRID; column++) {
      const start = column;
      while (column < GRID && under[row * GRID + column] === sea) column++;
      const wide = (column - start) * STEP;
      if (wide) path += `M${start * STEP - HALF} ${row * STEP - HALF}h${wide}v${STEP}h${-wide}z`;
    }
  }
  return path;
}

/** @param {number} place @returns {Point} */
function pointOf(place) {
  return [((place % GRID) + 0.5) * STEP - HALF, (Math.floor(place / GRID) + 0.5) * STEP - HALF];
}

/** @param {Point[]} outline @param {number} x @param {number} y */
function inside(outline, x, y) {
  let within = false;
  let before = outline[outline.length - 1];
  for (const at of outline) {
    if (at[1] > y !== before[1] > y && x < ((before[0] - at[0]) * (y - at[1])) / (before[1] - at[1]) + at[0])
      within = !within;
    before = at;
  }
  return within;
}

/** @type {(a: Point, b: Point) => number} */
export function distance([ax, ay], [bx, by]) {
  return Math.sqrt((ax - bx) ** 2 + (ay - by) ** 2);
}
