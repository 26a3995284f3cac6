/** Where everything of a chart is drawn: upright on a wide screen, turned by a quarter on a narrow one. */

/** @typedef {import("./view.js").Chart} Chart */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {id: string, terrain: string, hexes: Point[], shape: string}} Spot */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * @typedef {object} Layout
 * @property {Map<string, Spot>} spots
 * @property {Box} box
 * @property {string} lands       the coasts of all land, one path
 * @property {Map<string, Box>} plates   where each port says what it has and what it buys
 */

const SIZE = 26;
const WIDTH = Math.sqrt(3) * SIZE;
const MARGIN = 6;
export const PLATE = { width: 106, height: 34 };
const AROUND = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

/** @type {Map<boolean, {text: string, layout: Layout}>} */
const drawn = new Map();

/**
 * The same object for the same chart.
 * @param {Chart} chart
 * @param {boolean} turned
 * @returns {Layout}
 */
export function layoutOf(chart, turned) {
  const text = JSON.stringify(chart);
  const last = drawn.get(turned);
  if (last?.text === text) return last.layout;
  const layout = laidOut(chart, turned);
  drawn.set(turned, { text, layout });
  return layout;
}

/** @param {Chart} chart @param {boolean} turned @returns {Layout} */
function laidOut(chart, turned) {
  /** @type {(x: number, y: number) => Point} */
  const turn = (x, y) => (turned ? { x: -y, y: x } : { x, y });
  /** @type {(q: number, r: number) => Point} */
  const centre = (q, r) => turn(WIDTH * (q + r / 2), 1.5 * SIZE * r);
  const corners = AROUND.map((_, k) => {
    const angle = ((60 * k - 30) * Math.PI) / 180;
    return turn(SIZE * Math.cos(angle), SIZE * Math.sin(angle));
  });
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  for (const { id, terrain, hexes } of chart.places) {
    const points = hexes.map(({ q, r }) => centre(q, r));
    const shape = points.map((point) => outline(point, corners)).join("");
    spots.set(id, { ...mean(points), id, terrain, hexes: points, shape });
  }
  const box = around(
    [...spots.values()].flatMap((spot) => spot.hexes),
    turned,
  );
  const plates = placed(chart, spots, box);
  return { spots, box: widened(box, [...plates.values()]), lands: coasts(chart, centre, corners), plates };
}

/** @param {Point} at @param {Point[]} corners */
function outline({ x, y }, corners) {
  return `M${corners.map((corner) => `${round(x + corner.x)} ${round(y + corner.y)}`).join("L")}Z`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Point[]} points @returns {Point} */
export function mean(points) {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }));
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** @param {Point[]} points @param {boolean} turned @returns {Box} */
function around(points, turned) {
  const [across, down] = turned ? [SIZE, WIDTH / 2] : [WIDTH / 2, SIZE];
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const x = Math.min(...xs) - across - MARGIN;
  const y = Math.min(...ys) - down - MARGIN;
  return { x, y, width: Math.max(...xs) + across + MARGIN - x, height: Math.max(...ys) + down + MARGIN - y };
}

/** @param {Box} box @param {Box[]} others @returns {Box} */
function widened(box, others) {
  const all = [box, ...others.map((one) => ({ ...grown(one, 3) }))];
  const x = Math.min(...all.map((one) => one.x));
  const y = Math.min(...all.map((one) => one.y));
  const right = Math.max(...all.map((one) => one.x + one.width));
  const bottom = Math.max(...all.map((one) => one.y + one.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** @param {Box} box @param {number} by @returns {Box} */
const grown = (box, by) => ({ x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by });

/** @param {Box} one @param {Box} other */
function shared(one, other) {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, across) * Math.max(0, down);
}

/**
 * Near each port, on land or beyond the edge rather than on water, and on no other plate.
 * @param {Chart} chart @param {Map<string, Spot>} spots @param {Box} box
 */
function placed(chart, spots, box) {
  const inset = WIDTH / 2 - 5;
  const tiles = [...spots.values()].flatMap((spot) =>
    spot.hexes.map(({ x, y }) => ({
      x: x - inset,
      y: y - inset,
      width: 2 * inset,
      height: 2 * inset,
      cost: spot.terrain === "port" ? 1 : spot.terrain === "continent" ? 0 : 6,
    })),
  );
  /** @type {Map<string, Box>} */
  const plates = new Map();
  for (const port of chart.ports) {
    const home = /** @type {Spot} */ (spots.get(port.land));
    const near = tiles.filter((tile) => tile.cost && Math.hypot(tile.x - home.x, tile.y - home.y) < 4 * WIDTH);
    let least = Number.POSITIVE_INFINITY;
    for (let dx = -88; dx <= 88; dx += 8) {
      for (let dy = -64; dy <= 64; dy += 8) {
        const plate = { x: home.x + dx - PLATE.width / 2, y: home.y + dy - PLATE.height / 2, ...PLATE };
        const area = PLATE.width * PLATE.height;
        const covered = near.reduce((sum, tile) => sum + tile.cost * shared(plate, tile), 0);
        const others = [...plates.values()].reduce((sum, other) => sum + shared(grown(plate, 2), other), 0);
        const cost = covered + 50 * others + 2 * (area - shared(plate, box)) + 8 * Math.hypot(dx, dy);
        if (cost < least) {
          least = cost;
          plates.set(port.id, plate);
        }
      }
    }
  }
  return plates;
}

/**
 * Smooth loops about all land. Land at the edge of the chart goes on beyond it.
 * @param {Chart} chart @param {(q: number, r: number) => Point} centre @param {Point[]} corners
 */
function coasts(chart, centre, corners) {
  const terrain = new Map(chart.places.flatMap((place) => place.hexes.map(({ q, r }) => [`${q},${r}`, place.terrain])));
  const land = new Set([...terrain].filter(([, kind]) => !kind.endsWith("sea")).map(([key]) => key));
  for (let ring = 0; ring < 2; ring++) for (const key of beyond(terrain, land)) land.add(key);
  /** @type {Map<string, {from: Point, to: string}>} */
  const edges = new Map();
  for (const key of land) {
    const [q, r] = key.split(",").map(Number);
    const { x, y } = centre(q, r);
    AROUND.forEach(([dq, dr], k) => {
      if (land.has(`${q + dq},${r + dr}`)) return;
      const [from, to] = [corners[k], corners[(k + 1) % 6]].map((corner) => ({ x: x + corner.x, y: y + corner.y }));
      edges.set(named(from), { from, to: named(to) });
    });
  }
  let path = "";
  while (edges.size) {
    const loop = [];
    for (let [at] = edges.keys(); edges.has(at); ) {
      const { from, to } = /** @type {{from: Point, to: string}} */ (edges.get(at));
      loop.push(from);
      edges.delete(at);
      at = to;
    }
    path += smooth(loop);
  }
  return path;
}

/**
 * Places off the chart that adjoin more land than water.
 * @param {Map<string, string>} terrain @param {Set<string>} land
 */
function beyond(terrain, land) {
  const count = new Map();
  for (const key of [...terrain.keys(), ...land]) {
    const [q, r] = key.split(",").map(Number);
    for (const [dq, dr] of AROUND) {
      const other = `${q + dq},${r + dr}`;
      if (!terrain.has(other) && !land.has(other)) count.set(other, (count.get(other) ?? 0) + (land.has(key) ? 1 : -1));
    }
  }
  return [...count].filter(([, more]) => more > 0).map(([key]) => key);
}

/** @param {Point} point */
const named = ({ x, y }) => `${Math.round(x)},${Math.round(y)}`;

/** @param {Point[]} loop */
function smooth(loop) {
  const points = loop.map(wavering);
  const middles = points.map((point, at) => mean([point, points[(at + 1) % points.length]]));
  const text = (/** @type {Point} */ { x, y }) => `${round(x)} ${round(y)}`;
  return `M${text(middles[0])}${points
    .map((_, at) => (at + 1) % points.length)
    .map((next) => `Q${text(points[next])} ${text(middles[next])}`)
    .join("")}Z`;
}

/** A point a little aside, always by the same. @param {Point} point @returns {Point} */
function wavering({ x, y }) {
  const by = Math.sin(x * 12.9898 + y * 78.233) * 43758.5453;
  const share = by - Math.floor(by);
  return { x: x + 4 * (share - 0.5), y: y + 4 * (((share * 7) % 1) - 0.5) };
}
