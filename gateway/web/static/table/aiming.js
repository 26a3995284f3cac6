/** Which of several places on a board an arrow key leads to. */

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest place in that direction: what lies aside counts double, and what lies further aside than ahead not at all.
 * Where there is none, the one farthest the other way, so that the keys lead around.
 * @template T
 * @param {readonly {target: T, x: number, y: number}[]} places
 * @param {{x: number, y: number}} from
 * @param {string} key
 * @returns {T | null}
 */
export function towards(places, from, key) {
  const [dx, dy] = WAYS[key];
  /** @type {{target: T, cost: number} | null} */
  let best = null;
  /** @type {{target: T, cost: number} | null} */
  let around = null;
  for (const { target, x, y } of places) {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    if (ahead > 0.5 && aside <= ahead * 1.01) {
      const cost = ahead + 2 * aside;
      if (!best || cost < best.cost) best = { target, cost };
    } else if (ahead < -0.5) {
      const cost = ahead + 2 * aside;
      if (!around || cost < around.cost) around = { target, cost };
    }
  }
  return best?.target ?? around?.target ?? null;
}

/**
 * Among what is lit and drawn: from what is aimed at, or was last, else what one reads first.
 * @param {HTMLElement} room
 * @param {ReadonlyMap<string, unknown>} lit
 * @param {{x: number, y: number} | null} from
 * @param {string} key
 * @returns {{target: string, x: number, y: number} | null}
 */
export function nextTowards(room, lit, from, key) {
  /** @type {Map<string, {target: string, x: number, y: number}>} */
  const places = new Map();
  const ground = room.getBoundingClientRect();
  for (const each of room.querySelectorAll("[data-target]")) {
    const target = each.getAttribute("data-target") ?? "";
    if (!lit.has(target) || places.has(target)) continue;
    const box = each.getBoundingClientRect();
    places.set(target, { target, x: box.x - ground.x + box.width / 2, y: box.y - ground.y + box.height / 2 });
  }
  const found = from && towards([...places.values()], from, key);
  if (found) return places.get(found) ?? null;
  return [...places.values()].sort((one, other) => one.y - other.y || one.x - other.x)[0] ?? null;
}
