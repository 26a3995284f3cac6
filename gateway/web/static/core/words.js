/** What is said, in the language chosen: pages' and games' texts by key, and the sentences of the log. */

import { call } from "./api.js";
import { pause } from "./link.js";
import { filled, phrased } from "./phrases.js";
import { store, useStore } from "./store.js";

/** @typedef {import("./phrases.js").Catalogue} Catalogue */
/** @typedef {import("./phrases.js").Sentence} Sentence */

const KEY = "tidelog.language";
const FALLBACK = "en";

/** The language of the page; its catalogues have been loaded. */
export const language = store(FALLBACK);

/** @type {{tag: string, name: string}[]} */
export let languages = [];

/** Texts by `<folder>/<language>`; the pages' own folder is "". @type {Map<string, Catalogue>} */
const loaded = new Map();

/** @param {string} path @returns {Promise<any>} */
async function read(path) {
  for (let tries = 0; ; ) {
    try {
      const answer = await fetch(path);
      if (answer.ok) return await answer.json();
      if (answer.status < 500) throw new Missing(path);
    } catch (error) {
      if (error instanceof Missing || tries > 5) throw error;
    }
    await pause(tries++);
  }
}

class Missing extends Error {}

/** @param {string} folder @param {string} tag */
async function load(folder, tag) {
  const name = `${folder}/${tag}`;
  if (!loaded.has(name)) loaded.set(name, await read(`/static/${folder ? `${folder}/` : ""}messages/${tag}.json`));
}

/** @type {Set<string>} */
const folders = new Set([""]);

/** @param {string} folder @param {string} tag */
async function loadWith(folder, tag) {
  const tags = [...new Set([FALLBACK, tag])];
  await Promise.all(tags.map((each) => load(folder, each)));
}

/** Begins with the language that was chosen here before, else with the first of the browser's that there is. */
export async function startWords() {
  [languages] = await Promise.all([read("/static/messages/languages.json"), load("", FALLBACK)]);
  const known = (/** @type {string | null} */ wanted) =>
    languages.find((each) => each.tag === wanted?.split("-")[0])?.tag;
  await speak([remembered(), ...navigator.languages].map(known).find(Boolean) ?? FALLBACK);
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} tag one of `languages` */
export async function choose(tag) {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // Without a store it is forgotten with the page.
  }
  await speak(tag);
}

/** @param {string} tag */
async function speak(tag) {
  await Promise.all([...folders].map((folder) => loadWith(folder, tag)));
  await Promise.all([...told.keys()].map((game) => loadSentences(game, tag)));
  document.documentElement.lang = tag;
  language.set(tag);
}

/**
 * A text of the pages by key; the key where no catalogue has it.
 * @type {import("./types.js").Say}
 */
export function say(key, args = {}) {
  return found([""], key, args) ?? key;
}

/** Whether there is such a text, of a game or of the pages. @param {string} key @param {string} [game] */
export function has(key, game = "") {
  return found([game && `games/${game}`, ""], key, {}) !== null;
}

/** Loads a game's texts, now and whenever the language changes; without any, its keys are the pages'. @param {string} game */
export async function loadGame(game) {
  const folder = `games/${game}`;
  try {
    await loadWith(folder, language.get());
    folders.add(folder);
  } catch {
    // A game without pictures of its own is still listed, created and told.
  }
}

/** By game and language. @type {Map<string, import("./types.js").Say>} */
const says = new Map();

/**
 * What a game says with: its own texts first, then the pages'. In each language another function, always the same.
 * @param {string} game
 * @returns {import("./types.js").Say}
 */
export function sayOf(game) {
  const name = `${game} ${language.get()}`;
  const mine =
    says.get(name) ??
    ((/** @type {string} */ key, /** @type {any} */ args = {}) => found([`games/${game}`, ""], key, args) ?? key);
  says.set(name, mine);
  return mine;
}

/** @param {string[]} places @param {string} key @param {Record<string, any>} args @returns {string | null} */
function found(places, key, args) {
  for (const tag of [language.get(), FALLBACK]) {
    for (const folder of places) {
      const text = loaded.get(`${folder}/${tag}`)?.[key];
      if (text !== undefined) return filled(text, tag, (name) => args[name]);
    }
  }
  return null;
}

/** @param {number} value @param {string} [tag] */
export function numberOf(value, tag = language.get()) {
  return new Intl.NumberFormat(tag).format(value);
}

/** Catalogues of the log by game, then by language. @type {Map<string, Map<string, Catalogue>>} */
const told = new Map();

/** @param {string} game @param {string} tag */
async function loadSentences(game, tag) {
  const mine = told.get(game) ?? new Map();
  told.set(game, mine);
  const wanted = [...new Set([FALLBACK, tag])].filter((each) => !mine.has(each));
  for (const each of wanted) {
    const { messages } = await call("GameService", "GetMessages", { game, language: each });
    mine.set(each, messages ?? {});
  }
}

/** Loads what `tell` needs, now and whenever the language changes. @param {string} game */
export function loadTold(game) {
  return loadSentences(game, language.get());
}

/**
 * An entry of the log in words. `seatName` says what a seat is called.
 * @param {string} game
 * @param {Sentence} sentence
 * @param {(seat: number) => string} seatName
 * @returns {string}
 */
export function tell(game, sentence, seatName) {
  const mine = told.get(game);
  return phrased(
    [language.get(), FALLBACK].map((tag) => [tag, mine?.get(tag)]),
    sentence,
    seatName,
  );
}

/** The language of the page; whoever says anything is drawn anew when it changes. */
export function useLanguage() {
  return useStore(language);
}
