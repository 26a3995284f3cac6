/** The module of a game, with its look and its words; for a game that has none, what every game can do with. */

import { announced, styled } from "../core/looks.js";
import { loadGame, loadTold } from "../core/words.js";
import { PICTURED } from "../games/games.js";
import { plainGame } from "./plain.js";

/** What each game's folder holds. */
const PARTS = ["index", "board", "panel", "moves", "forms"];

/** @param {string} name @returns {Promise<import("../core/types.js").Game<any, any>>} */
export async function loadedGame(name) {
  const words = loadTold(name);
  if (!PICTURED.includes(name)) {
    await words;
    return plainGame(name);
  }
  announced(PARTS.map((part) => `/static/games/${name}/${part}.js`));
  const [game] = await Promise.all([pictured(name), words, loadGame(name), styled(`/static/games/${name}/game.css`)]);
  return game;
}

/** @param {string} name */
async function pictured(name) {
  const path = `../games/${name}/index.js`;
  try {
    return (await import(path)).GAME;
  } catch (error) {
    // A line that is cut now is no reason to do without pictures for good: that much must be there.
    await fetch(new URL(path, import.meta.url));
    console.error(error);
    return plainGame(name);
  }
}
