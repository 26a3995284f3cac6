// Draws positions of Lost Seas without a browser, and judges lines. In, as JSON: {positions: [{view, before, seat, legal}],
// lines: [{demand, counts, room, ties}]}; out: {positions, drawings, targets, stands, judged, faults}.

import { readFileSync } from "node:fs";

const STATIC = new URL("../../../gateway/web/static/", import.meta.url);
const load = (path) => import(new URL(path, STATIC));
const { html } = await load("core/html.js");
const { GAME } = await load("games/lost_seas/index.js");
const { Table } = await load("games/lost_seas/board.js");
const { outlook, judged } = await load("games/lost_seas/outlook.js");

const faults = new Set();
const fault = (...what) => faults.size < 30 && faults.add(what.join(" "));

function sayIn(tag) {
  const texts = JSON.parse(readFileSync(new URL(`games/lost_seas/messages/${tag}.json`, STATIC)));
  return (key, args = {}) => {
    if (texts[key] === undefined) return fault(tag, "has no text for", key), key;
    return texts[key].replaceAll(/\{(\w+)(?:, plural,(?:[^{}]*\{[^{}]*\})+)?\}/g, (_, name) => {
      if (args[name] === undefined) fault(key, "is said in", tag, "without", name);
      return args[name];
    });
  };
}
const WORDS = ["en", "cs"].map(sayIn);

/** Every element that comes to be drawn; parts without state are functions of their props. */
function* elements(node) {
  if (Array.isArray(node)) for (const each of node) yield* elements(each);
  else if (typeof node === "string" || typeof node === "number") {
    if (/undefined|NaN|object/.test(String(node))) fault("draws the text", node);
  } else if (node && typeof node === "object") {
    if (typeof node.type === "function") yield* elements(node.type(node.props));
    else {
      for (const [name, value] of Object.entries(node.props)) {
        if (name !== "children" && /undefined|NaN|object|null/.test(String(value)) && typeof value === "string") {
          fault("draws", node.type, "with", name, value);
        }
      }
      yield node;
      yield* elements(node.props.children);
    }
  }
}

let drawings = 0;
const targets = new Set();

/** The targets that are drawn, and whether they are lit. */
function drawn(part, props) {
  drawings += 1;
  const found = new Map();
  for (const { props: given } of elements(html`<${part} ...${props} />`)) {
    const target = given["data-target"];
    if (!target) continue;
    if (found.has(target)) fault(target, "is drawn twice");
    found.set(target, given["data-lit"] === "");
    targets.add(target.split(":")[0]);
  }
  return found;
}

function sceneOf({ view, before, seat }, more) {
  const seats = view.players.map(({ seat }) => ({ seat, name: `Player ${seat}`, mark: "ABCD"[seat], bot: false, vacant: false }));
  return { lit: new Map(), picked: [], full: [], view, before, seats, own: seat, pick() {}, back() {}, say: WORDS[0], ...more };
}

/** Wide and narrow, with each map enlarged and each cell hovered now and then. */
let turn = 0;
function table(scene) {
  const { players } = scene.view;
  turn += 1;
  const look = { enlarge() {}, hover() {}, hovered: turn % 16, enlarged: turn % 3 ? null : turn % players.length };
  const [wide, narrow] = [false, true].map((narrow) => drawn(Table, { ...look, scene, narrow }));
  if ([...wide.keys()].sort().join() !== [...narrow.keys()].sort().join()) fault("narrow and wide differ in their targets");
  drawn(GAME.Panel, scene);
  return wide;
}

/** What may be picked next is drawn lit, and nothing else is; then the same after some of these picks. */
function walk(position, among, picked) {
  const depth = picked.length;
  const lit = new Map();
  for (const { path } of among) if (path[depth]) lit.set(path[depth].target, { ...path[depth], last: path.length === depth + 1 });
  const found = table(sceneOf(position, { lit, picked, full: among.map(({ move }) => move), say: WORDS[depth % 2] }));
  for (const target of lit.keys()) if (!found.get(target)) fault(target, "is not drawn lit after", picked.join());
  for (const [target, isLit] of found) if (isLit && !lit.has(target)) fault(target, "is drawn lit after", picked.join());
  const next = [...lit.keys()];
  for (const target of new Set([next[0], next.at(-1)])) {
    if (target) walk(position, among.filter(({ path }) => path[depth]?.target === target), [...picked, target]);
  }
}

function look(position) {
  const { view, legal, seat } = position;
  for (const say of WORDS) table(sceneOf(position, { say }));
  const paths = legal.map((move) => ({ move, path: GAME.steps(move, view, WORDS[0]) }));
  for (const { move, path } of paths) {
    if (!path.length || path.some(({ target, label }) => !target || !label)) fault("poor steps:", JSON.stringify(move));
    if (typeof GAME.weighty(move, view) !== "boolean") fault("weighty of", JSON.stringify(move));
  }
  if (new Set(paths.map(({ path }) => path.map(({ target }) => target).join())).size !== legal.length) fault("moves alike");
  walk(position, paths, []);
  if (seat !== null) table(sceneOf(position, { full: legal.slice(-1) }));
  return view.players.map((player) =>
    player.lines.map((line) => {
      const found = outlook(player, line, view.options);
      return found && [found.state, found.points, found.most * line.laid.demand.points];
    }),
  );
}

const { positions, lines } = JSON.parse(readFileSync(0));
const stands = positions.map((position) => ({
  lines: look(position),
  scores: GAME.scores(position.view),
  attempts: ["tile:LS01", "cell:3", "side:EX01:easy"].map((target) => GAME.attempt(target, [], sceneOf(position))),
}));
const told = lines.map(({ demand, counts, room, ties }) => {
  const { state, times, most } = judged(demand, counts, room, ties);
  return [state, times, most];
});
console.log(
  JSON.stringify({ positions: positions.length, drawings, targets: [...targets].sort(), stands, judged: told, faults: [...faults] }),
);
