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
 * @param {HTMLElement} room
 * @param {ReadonlyMap<string, unknown>} lit
 * @param {string | null} aimed
 * @param {string} key
 */
export function nextTowards(room, lit, aimed, key) {
  /** @type {{target: string, x: number, y: number}[]} */
  const places = [];
  for (const each of room.querySelectorAll("[data-target]")) {
    const target = each.getAttribute("data-target") ?? "";
    if (!lit.has(target) || places.some((place) => place.target === target)) continue;
    const box = each.getBoundingClientRect();
    places.push({ target, x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }
  const from = places.find((place) => place.target === aimed);
  if (from) return towards(places, from, key);
  const first = places.toSorted((one, other) => one.y - other.y || one.x - other.x)[0];
  return first?.target ?? null;
}
