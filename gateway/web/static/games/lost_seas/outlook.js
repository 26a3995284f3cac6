/** What a line is worth as it lies, and what it may yet come to, told by the public rules alone (LS-2, LS-15 to LS-22). */

/** @typedef {"kraken" | "leviathan" | "maelstrom" | "rock" | "sandbank" | "shipwreck"} Element */
/** @typedef {"exact" | "exact_any" | "total" | "different" | "per_set" | "absent" | "majority"} Pattern */
/** @typedef {{id: string, elements: Element[], copies: number}} Tile */
/** @typedef {{pattern: Pattern, points: number, elements: Element[], number: number}} Demand */
/** @typedef {"easy" | "hard"} Side */
/** @typedef {{id: string, easy: Demand, hard: Demand}} Expedition */
/** @typedef {{expedition: string, side: Side, demand: Demand}} Laid */
/** @typedef {{line: "columns" | "rows", index: number, points: number, laid: Laid | null}} LineView */
/** @typedef {{seat: number, points: number, choosing: Expedition[], chosen: boolean, placed: {cell: number, tile: Tile}[], lines: LineView[]}} Player */
/** @typedef {{young_explorers: boolean, arrange_expeditions: boolean, majority_ties: boolean, first_player: string}} Options */
/** @typedef {{seat: number, place: number, points: number, scores: {category: string, points: number}[]}} Standing */
/**
 * @typedef {object} View
 * @property {Options} options
 * @property {"setting_up" | "choosing_columns" | "choosing_rows" | "playing" | "over"} phase
 * @property {number} round
 * @property {number[]} turn_order
 * @property {{seat: number, duty: "choose_sides" | "take_tile" | "return_tile"}[]} owed
 * @property {Tile[]} face_up
 * @property {number} pile
 * @property {number} box
 * @property {Tile[]} discards
 * @property {Player[]} players
 * @property {number | null} viewer
 * @property {{ranking: Standing[], tie_breaks: string[]} | null} outcome
 */
/** @typedef {Partial<Record<Element, number>>} Counts */

/**
 * `counts` is of the line as it lies, `room` its empty cells. `state`: met whatever comes (`sure`), met as it lies
 * (`met`), not met but possible (`open`), or never once every cell is full (`lost`). `times`: how often its points are earned, now and at
 * the most; only sets are earned more than once.
 * @typedef {{counts: Counts, room: number, state: "sure" | "met" | "open" | "lost", times: number, most: number, points: number}} Outlook
 */

/** @type {readonly Element[]} */
export const ELEMENTS = ["kraken", "leviathan", "maelstrom", "rock", "sandbank", "shipwreck"];
export const SIZE = 4;
/** LS-2: a tile carries 1 to 3 elements, alike or not. */
const MOST_ON_A_TILE = 3;

/** How often each element stands in a list. @param {readonly Element[]} elements @returns {Counts} */
export function tally(elements) {
  /** @type {Counts} */
  const counts = {};
  for (const element of elements) counts[element] = (counts[element] ?? 0) + 1;
  return counts;
}

/** @param {Counts} counts */
export const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

/** The most of any element but this one. @param {Counts} counts @param {Element | null} but */
export const mostOf = (counts, but = null) =>
  Math.max(...ELEMENTS.map((element) => (element === but ? 0 : (counts[element] ?? 0))));

/** The cells of a line. @param {"columns" | "rows"} line @param {number} index */
export const cellsOf = (line, index) =>
  [0, 1, 2, 3].map((step) => (line === "columns" ? step * SIZE + index : index * SIZE + step));

/**
 * How often a demand is met: now, at the best and at the worst that `room` tiles of 1 to 3 elements may bring.
 * @typedef {{now: number, most: number, least: number}} Reach
 */

/** @param {boolean} now @param {boolean} most @param {boolean} least @returns {Reach} */
const once = (now, most, least) => ({ now: Number(now), most: Number(most), least: Number(least) });

/** @type {Record<Pattern, (demand: Demand, counts: Counts, room: number, ties: boolean) => Reach>} */
const REACH = {
  exact({ elements }, counts, room) {
    const needs = Object.entries(tally(elements));
    const gaps = needs.map(([element, times]) => times - (counts[/** @type {Element} */ (element)] ?? 0));
    const missing = gaps.reduce((total, gap) => total + gap, 0);
    const met = gaps.every((gap) => gap === 0);
    const others = needs.length < ELEMENTS.length;
    const most = gaps.every((gap) => gap >= 0) && missing <= room * MOST_ON_A_TILE && (others || missing >= room);
    return once(met, most, met && room === 0);
  },
  exact_any({ number }, counts, room) {
    const gaps = ELEMENTS.map((element) => number - (counts[element] ?? 0));
    const met = gaps.filter((gap) => gap === 0).length;
    const most = gaps.some((gap) => gap >= 0 && gap <= room * MOST_ON_A_TILE);
    return once(met > 0, most, met > room * MOST_ON_A_TILE);
  },
  total({ number }, counts, room) {
    const gap = number - sum(counts);
    return once(gap === 0, gap >= room && gap <= room * MOST_ON_A_TILE, gap === 0 && room === 0);
  },
  different({ number }, counts, room) {
    const gap = number - Object.keys(counts).length;
    return once(
      gap === 0,
      gap >= 0 && gap <= room * MOST_ON_A_TILE,
      gap === 0 && (room === 0 || number === ELEMENTS.length),
    );
  },
  per_set({ elements }, counts, room) {
    const needs = /** @type {[Element, number][]} */ (Object.entries(tally(elements)));
    const now = Math.min(...needs.map(([element, times]) => Math.floor((counts[element] ?? 0) / times)));
    /** @param {number} sets */
    const missing = (sets) =>
      needs.reduce((total, [element, times]) => total + Math.max(0, times * sets - (counts[element] ?? 0)), 0);
    let most = now;
    while (missing(most + 1) <= room * MOST_ON_A_TILE) most += 1;
    return { now, most, least: now };
  },
  absent({ elements }, counts, room) {
    const none = elements.every((element) => !counts[element]);
    return once(none, none && (room === 0 || new Set(elements).size < ELEMENTS.length), none && room === 0);
  },
  majority({ elements: [element] }, counts, room, ties) {
    const lead = (counts[element] ?? 0) - mostOf(counts, element) - (ties ? 0 : 1);
    const spare = room * MOST_ON_A_TILE;
    /** @param {number} gained */
    const any = (gained) => (counts[element] ?? 0) + gained > 0;
    return once(lead >= 0 && any(0), lead + spare >= 0 && any(spare), lead - spare >= 0 && any(0));
  },
};

/** @param {Player} player @param {"columns" | "rows"} line @param {number} index */
function lying(player, line, index) {
  const cells = cellsOf(line, index);
  return player.placed.filter(({ cell }) => cells.includes(cell)).map(({ tile }) => tile);
}

/**
 * What a line whose demand is known may come to.
 * @param {Demand} demand @param {Counts} counts @param {number} room @param {boolean} ties
 * @returns {Outlook}
 */
export function judged(demand, counts, room, ties) {
  const { now, most, least } = REACH[demand.pattern](demand, counts, room, ties);
  const state = least ? "sure" : !most ? "lost" : now ? "met" : "open";
  return { counts, room, state, times: now, most, points: now * demand.points };
}

/**
 * What a line of the player's may come to; null where it asks for nothing that the viewer knows.
 * @param {Player} player @param {LineView} line @param {Options} options
 * @returns {Outlook | null}
 */
export function outlook(player, { line, index, laid }, options) {
  if (!laid) return null;
  const tiles = lying(player, line, index);
  return judged(laid.demand, tally(tiles.flatMap((tile) => tile.elements)), SIZE - tiles.length, options.majority_ties);
}

/** What a line gives to young explorers, and the kinds that are as many there (LS-26). @param {Player} player @param {LineView} line */
export function mostAlike(player, { line, index }) {
  const counts = tally(lying(player, line, index).flatMap((tile) => tile.elements));
  const most = mostOf(counts);
  return { most, kinds: ELEMENTS.filter((element) => most > 0 && counts[element] === most) };
}

/** The player with one tile more. @param {Player} player @param {number} cell @param {Tile} tile @returns {Player} */
export const withTile = (player, cell, tile) => ({ ...player, placed: [...player.placed, { cell, tile }] });
