/** The module of a game, with its look and its words; for a game that has none, what every game can do with. */

import { loadGame, loadTold } from "../core/words.js";
import { PICTURED } from "../games/games.js";
import { plainGame } from "./plain.js";

/** @param {string} name @returns {Promise<import("../core/types.js").Game<any, any>>} */
export async function loadedGame(name) {
  const words = loadTold(name);
  if (!PICTURED.includes(name)) {
    await words;
    return plainGame(name);
  }
  const module = import(`../games/${name}/index.js`);
  const [{ GAME }] = await Promise.all([module, words, loadGame(name), styled(`/static/games/${name}/game.css`)]);
  return GAME;
}

/** A style sheet stands on the page from then on. @param {string} href @returns {Promise<void>} */
export function styled(href) {
  const there = document.querySelector(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`);
  if (there) return Promise.resolve();
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    // A page without its look is still a page.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
