// Draws positions of Black Fleet without a browser, and tells what is amiss. In: lines of {view, legal, seats}, each a
// JSON text; out: {positions, renders, sailed, said, faults}.

import { readFileSync } from "node:fs";

const STATIC = new URL("../../../gateway/web/static/", import.meta.url);

class Drawn {
  constructor(name, text = "") {
    this.localName = name;
    this.nodeType = name ? 1 : 3;
    this.data = text;
    this.attributes = [];
    this.childNodes = [];
    this.parentNode = null;
    this.style = { setProperty() {} };
  }
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling() {
    const siblings = this.parentNode.childNodes;
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }
  get namespaceURI() {
    return "http://www.w3.org/2000/svg";
  }
  contains(node) {
    for (let at = node; at; at = at.parentNode) if (at === this) return true;
    return false;
  }
  insertBefore(node, before) {
    node.remove();
    const place = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    this.childNodes.splice(place, 0, node);
    node.parentNode = this;
    return node;
  }
  appendChild(node) {
    return this.insertBefore(node, null);
  }
  removeChild(node) {
    node.remove();
  }
  remove() {
    const siblings = this.parentNode?.childNodes;
    if (siblings) siblings.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }
  addEventListener(name, heard) {
    this.heard = { ...this.heard, [name]: heard };
  }
  removeEventListener(name) {
    delete this.heard[name];
  }
  click() {
    this.heard.click.call(this, { type: "click", target: this });
    return new Promise(setImmediate);
  }
  setAttribute(name, value) {
    this[name] = String(value);
  }
  removeAttribute(name) {
    delete this[name];
  }
}

globalThis.document = {
  createElement: (name) => new Drawn(name),
  createElementNS: (_, name) => new Drawn(name),
  createTextNode: (text) => new Drawn("", text),
};

const { html, render } = await import(new URL("core/html.js", STATIC));
const { GAME } = await import(new URL("games/black_fleet/index.js", STATIC));

const faults = new Set();
const fault = (...what) => faults.size < 40 && faults.add(what.join(" "));

const said = new Set();

function sayIn(language) {
  const words = JSON.parse(readFileSync(new URL(`games/black_fleet/messages/${language}.json`, STATIC)));
  return (key, args = {}) => {
    said.add(key);
    const text = words[key];
    if (text === undefined) {
      fault("no text in", language, "for", key);
      return key;
    }
    for (const [, name] of text.matchAll(/\{(\w+)[,}]/g)) {
      if (args[name] === undefined) fault(key, "in", language, "is said without", name);
    }
    return text.replaceAll(/\{(\w+)(?:, plural,(?:[^{}]*\{[^{}]*\})+)?\}/g, (_, name) => args[name]);
  };
}

const LANGUAGES = [sayIn("en"), sayIn("cs")];

function* elements(node) {
  yield node;
  for (const child of node.childNodes) yield* elements(child);
}

let renders = 0;
let sailed = 0;

/** All targets in what is drawn, each with whether it is lit. */
function targetsDrawn(component, scene) {
  const root = new Drawn("div");
  render(html`<${component} ...${scene} />`, root);
  renders += 1;
  const found = [];
  for (const node of elements(root)) {
    const texts = Object.entries(node).filter(([name, value]) => typeof value === "string" && name !== "localName");
    for (const [name, text] of texts) {
      if (/undefined|NaN|\[object/.test(text)) fault(component.name, "draws", node.localName || "text", name, text);
    }
    if (node["data-target"]) found.push([node["data-target"], "data-lit" in node]);
  }
  render(null, root);
  const names = found.map(([target]) => target);
  if (new Set(names).size !== names.length) fault(component.name, "draws a target twice");
  return new Map(found);
}

const PLACES = /^(space|lair|ship|port|swap):|^do:bury$/;

function sceneOf({ view, seats }, more) {
  const shown = Array.from({ length: seats }, (_, seat) => ({
    seat,
    name: `Player ${seat}`,
    mark: "ABCD"[seat],
    bot: false,
    vacant: false,
  }));
  const nothing = { lit: new Map(), picked: [], full: [], before: null, own: view.viewer };
  return { ...nothing, view, seats: shown, pick() {}, back() {}, say: LANGUAGES[0], ...more };
}

/** Whatever may be picked next is drawn lit, and nothing else, after these picks and after all that may follow. */
function walk(position, among, picked) {
  const depth = picked.length;
  const lit = new Map();
  for (const { path } of among) {
    if (path.length === depth) fault("a move ends where another goes on:", picked.join(" "));
    else lit.set(path[depth].target, { ...path[depth], last: path.length === depth + 1 });
  }
  const scene = sceneOf(position, { lit, picked, full: among.map(({ move }) => move), before: position.before });
  const board = targetsDrawn(GAME.Board, scene);
  const panel = targetsDrawn(GAME.Panel, scene);
  for (const target of lit.keys()) {
    const drawn = PLACES.test(target) ? board : panel;
    if (!drawn.get(target)) fault(position.view.phase, target, "is not drawn lit after", picked.join(" "));
  }
  for (const [target, isLit] of [...board, ...panel]) {
    if (isLit && !lit.has(target)) fault(target, "is drawn lit and is not");
    if (board.has(target) && panel.has(target)) fault(target, "is drawn twice");
  }
  for (const target of lit.keys()) {
    const next = among.filter(({ path }) => path[depth].target === target && path.length > depth + 1);
    if (next.length) walk(position, next, [...picked, target]);
  }
}

const endOf = ({ path = [] }) => path[path.length - 1];

/** An unlit pick is taken for the move that it would be if it were lit. */
function attempted({ view, seats }, { move, path }) {
  const targets = path.map(({ target }) => target);
  const meant = GAME.attempt(targets.at(-1), targets.slice(0, -1), sceneOf({ view, seats }));
  if (!meant) return;
  const same = ["kind", "card", "space", "port", "target"].every((name) => (meant[name] ?? null) === (move[name] ?? null));
  if (!same || (move.ship && meant.ship !== move.ship) || endOf(meant) !== endOf(move)) {
    fault("for", JSON.stringify(move), "a pick is taken for", JSON.stringify(meant));
  }
}

async function looked(position) {
  const { view, legal, sampled } = position;
  for (const say of LANGUAGES) {
    targetsDrawn(GAME.Board, sceneOf(position, { say }));
    targetsDrawn(GAME.Panel, sceneOf(position, { say }));
    for (const move of [...legal, ...sampled]) {
      const path = GAME.steps(move, view, say);
      if (!path.length) fault("no steps for", JSON.stringify(move));
      if (typeof GAME.weighty(move, view) !== "boolean") fault("weighty of", JSON.stringify(move));
    }
  }
  const paths = legal.map((move) => ({ move, path: GAME.steps(move, view, LANGUAGES[0]) }));
  const alike = new Set(paths.map(({ path }) => JSON.stringify(path.map(({ target }) => target))));
  if (alike.size !== legal.length) fault("two moves have the same steps in", JSON.stringify(legal));
  for (const path of paths) attempted(position, path);
  walk(position, paths, []);
  await formed(position);
}

/** Every way that a ship may sail can be told by the form, step by step. */
async function formed({ view, legal, seats, sampled }) {
  for (const move of sampled.filter((one) => one.kind === "sail" && isWhole(one, view))) {
    const sent = [];
    const props = { view, legal, own: view.viewer, say: LANGUAGES[0], close() {}, send: (one) => sent.push(one) };
    const root = new Drawn("div");
    render(html`<${GAME.forms.own_ways} ...${props} seats=${sceneOf({ view, seats }).seats} />`, root);
    renders += 1;
    const wanted = [`ship:${move.ship}`, ...move.path.map((space) => `space:${space}`)];
    for (const choice of wanted) {
      const button = [...elements(root)].find((node) => node["data-choice"] === choice);
      if (!button) return fault("the form does not offer", choice, "of", JSON.stringify(move));
      await button.click();
    }
    await [...elements(root)].find((node) => node["data-do"] === "send").click();
    if (JSON.stringify(sent) !== JSON.stringify([{ kind: "sail", ship: move.ship, path: move.path }])) {
      fault("the form sends", JSON.stringify(sent), "for", JSON.stringify(move));
    }
    render(null, root);
    sailed += 1;
  }
}

/** Whether the sail names each step, not its end alone. */
function isWhole({ ship, path }, view) {
  const start = view.ships.find((one) => one.ship === ship).space;
  return path.length > 1 || view.chart.places.find(({ id }) => id === start).neighbours.includes(path[0]);
}

const positions = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
for (const position of positions) await looked(position);
for (const { view, scores } of positions) {
  if (String(GAME.scores(view)) !== String(scores)) fault("scores are", scores, "not", GAME.scores(view));
}
process.stdout.write(JSON.stringify({ positions: positions.length, renders, sailed, said: [...said], faults: [...faults] }));
