/** The games that are served here, as the server describes them. */

import { PICTURED } from "../games/games.js";
import { call } from "./api.js";
import { loadGame, sayOf } from "./words.js";

/**
 * @typedef {object} Listed
 * @property {string} name
 * @property {string} title
 * @property {number} leastSeats
 * @property {number} mostSeats
 * @property {number[]} [unofficialSeats]
 */

/**
 * @typedef {object} Described
 * @property {Listed} game
 * @property {{name: string, hash: string}[]} [editions]
 * @property {string} defaultEdition
 * @property {string[]} [policies]
 * @property {string} optionsSchema
 */

/** @type {Promise<Listed[]> | null} */
let listed = null;

/** @type {Map<string, Listed>} */
const byName = new Map();

/** By name; their words are loaded too. @returns {Promise<Listed[]>} */
export function games() {
  listed ??= all().catch((error) => {
    listed = null;
    throw error;
  });
  return listed;
}

async function all() {
  /** @type {Listed[]} */
  const found = [];
  for (let pageToken = ""; ; ) {
    const page = await call("GameService", "ListGames", pageToken ? { pageToken } : {});
    found.push(...(page.games ?? []));
    pageToken = page.nextPageToken ?? "";
    if (!pageToken) break;
  }
  await Promise.all(PICTURED.filter((name) => found.some((game) => game.name === name)).map(loadGame));
  for (const game of found) byName.set(game.name, game);
  return found;
}

/** @type {Map<string, Promise<Described>>} */
const described = new Map();

/** @param {string} game @returns {Promise<Described>} */
export function describe(game) {
  const known = described.get(game);
  if (known) return known;
  const asked = call("GameService", "DescribeGame", { game });
  described.set(game, asked);
  asked.catch(() => described.delete(game));
  return asked;
}

/** Loads a game's words from the client's own files alone; none where it has no pictures here. @param {string} name */
export async function loadTitle(name) {
  if (PICTURED.includes(name)) await loadGame(name);
}

/** What people call a game, in their language where its words are there. @param {string} game */
export function titleOf(game) {
  const title = sayOf(game)("title");
  return title === "title" ? (byName.get(game)?.title ?? game) : title;
}
