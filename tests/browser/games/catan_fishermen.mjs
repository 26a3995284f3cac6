// Draws positions of Catan without a browser and tells what is amiss. In: lines of {view, before, seat, legal, sampled},
// each as JSON; out: {positions, renders, targets, faults}.

import { readFileSync } from "node:fs";

const STATIC = new URL("../../../gateway/web/static/", import.meta.url);
const { html } = await import(new URL("core/html.js", STATIC));
const { GAME } = await import(new URL("games/catan_fishermen/index.js", STATIC));

const faults = new Set();
const fault = (...what) => faults.size < 40 && faults.add(what.join(" "));

function sayIn(language) {
  const words = JSON.parse(readFileSync(new URL(`games/catan_fishermen/messages/${language}.json`, STATIC)));
  return (key, args = {}) => {
    const text = words[key];
    if (text === undefined) return fault("no text in", language, "for", key), key;
    for (const [, name] of text.matchAll(/\{(\w+)[,}]/g)) {
      if (args[name] === undefined) fault(key, "in", language, "is said without", name);
    }
    return text.replaceAll(/\{(\w+)(?:, plural,(?:[^{}]*\{[^{}]*\})+)?\}/g, (_, name) => args[name]);
  };
}
const LANGUAGES = [sayIn("en"), sayIn("cs")];

/** All elements and texts of what is shown: components without state are functions of their props. */
function* drawn(node) {
  if (node === null || node === undefined || node === false || node === true || node === "") return;
  if (Array.isArray(node)) for (const each of node) yield* drawn(each);
  else if (typeof node !== "object") yield { type: "", props: {}, text: String(node) };
  else if (typeof node.type === "function") yield* drawn(node.type(node.props));
  else {
    yield node;
    yield* drawn(node.props.children);
  }
}

let renders = 0;
const met = new Set();

/** Whether each target that is drawn is lit. */
function targets(part, scene) {
  renders += 1;
  const found = new Map();
  for (const { type, props, text } of drawn(html`<${part} ...${scene} />`)) {
    for (const [name, value] of [["text", text], ...Object.entries(props)]) {
      if (typeof value === "number" ? Number.isNaN(value) : /undefined|NaN|\[object|null/.test(typeof value === "string" ? value : "")) {
        fault(part.name, "draws", type, name, value);
      }
    }
    if (type === "button" && !props["aria-label"] && ![...drawn(props.children)].some((each) => each.text?.trim())) {
      fault(part.name, "draws a nameless button", props["data-target"]);
    }
    const target = props["data-target"];
    if (target === undefined) continue;
    if (found.has(target)) fault(part.name, "draws twice", target);
    found.set(target, props["data-lit"] === "");
    met.add(target.split(":")[0]);
  }
  return found;
}

function sceneOf({ view, before, seat }, more = {}) {
  const seats = view.players.map((player) => ({
    seat: player.seat,
    name: `Player ${player.seat}`,
    mark: "ABCD"[player.seat],
    bot: false,
    vacant: false,
  }));
  const nothing = { lit: new Map(), picked: [], full: [] };
  return { ...nothing, view, before, seats, own: seat, pick() {}, back() {}, say: LANGUAGES[0], ...more };
}

const ON_BOARD = /^(vertex|edge|hex|victim):/;

/** What may be picked next is drawn lit, once and at its place, and nothing else is; then after some of these picks. */
function walk(position, among, picked) {
  const depth = picked.length;
  const lit = new Map();
  for (const { path } of among) {
    if (path.length === depth) return fault("a move ends where another goes on:", picked.join(" "));
    lit.set(path[depth].target, { ...path[depth], last: path.length === depth + 1 });
  }
  const scene = sceneOf(position, { lit, picked, full: among.map(({ move }) => move) });
  const board = targets(GAME.Board, scene);
  const panel = targets(GAME.Panel, scene);
  for (const target of lit.keys()) {
    const [here, there] = ON_BOARD.test(target) ? [board, panel] : [panel, board];
    if (!here.get(target)) fault(position.view.phase, target, "is not drawn lit after", picked.join(" "));
    if (there.has(target)) fault(target, "is drawn in two places");
  }
  for (const [target, isLit] of [...board, ...panel]) if (isLit !== lit.has(target)) fault(target, "is drawn lit:", isLit);
  const next = [...lit.keys()].filter((target) => !lit.get(target).last);
  for (const place of new Set([0, next.length >> 1, next.length - 1])) {
    const target = next[place];
    if (target !== undefined) walk(position, among.filter(({ path }) => path[depth].target === target), [...picked, target]);
  }
  const whole = among.find(({ path }) => path.length === depth + 1);
  if (whole) {
    const all = whole.path.map(({ target }) => target);
    for (const part of [GAME.Board, GAME.Panel]) targets(part, sceneOf(position, { picked: all, full: [whole.move] }));
  }
}

/** A pick that begins this move is taken for a move of its kind where it is not lit. */
function attempted(position, { move, path }) {
  const [{ target }] = path;
  const meant = GAME.attempt(target, [], sceneOf(position));
  if (/^(card|deal|back|do:boot)/.test(target)) return;
  const same = ["kind", "vertex", "edge", "hex", "benefit"].every((name) => meant?.[name] === move[name]);
  if (!same) fault("a pick of", target, "is taken for", JSON.stringify(meant), "not", JSON.stringify(move));
}

function looked(position) {
  const { view, legal, sampled } = position;
  for (const say of LANGUAGES) {
    for (const part of [GAME.Board, GAME.Panel]) targets(part, sceneOf(position, { say }));
    for (const move of [...legal, ...sampled]) {
      const path = GAME.steps(move, view, say);
      if (!path.length || path.some(({ target, label }) => !target || !label)) fault("poor steps for", JSON.stringify(move));
      if (new Set(path.map(({ target }) => target)).size !== path.length) fault("a step twice in", JSON.stringify(move));
      if (typeof GAME.weighty(move, view) !== "boolean") fault("weighty of", JSON.stringify(move));
    }
  }
  const paths = legal.map((move) => ({ move, path: GAME.steps(move, view, LANGUAGES[0]) }));
  const alike = new Set(paths.map(({ path }) => path.map(({ target }) => target).join(" ")));
  if (alike.size !== legal.length) fault("two moves have the same steps in", view.phase);
  for (const path of paths) attempted(position, path);
  if (paths.length) walk(position, paths, []);
  const replayed = [...drawn(html`<${GAME.Panel} ...${sceneOf({ ...position, seat: null })} />`)];
  const secrets = replayed.filter(({ props }) => /\bpile\b/.test(props.class ?? "")).length;
  if (secrets !== (position.seat === null ? 0 : 5)) fault("a replay shows piles of", position.seat, secrets);
  if (replayed.some(({ type }) => type === "button")) fault("a replay has buttons");
  if (String(GAME.scores(view)) !== String(position.scores)) fault("scores are", position.scores, "not", GAME.scores(view));
}

const positions = readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
for (const position of positions) {
  try {
    looked(position);
  } catch (error) {
    fault(position.view.phase, String(error.stack).slice(0, 400));
  }
}
console.log(JSON.stringify({ positions: positions.length, renders, targets: [...met].sort(), faults: [...faults] }));
