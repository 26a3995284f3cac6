// Shows South Seas in a page of its own, from positions that a test brings, and plays nothing: moves stay in `sent`.
import { choose, paths } from "/static/core/choices.js";
import { html, render } from "/static/core/html.js";
import { GAME } from "/static/games/south_seas/index.js";

const words = await (await fetch("/static/games/south_seas/messages/en.json")).json();
const used = new Map();
const room = document.getElementById("room");
const seatsOf = (view) => view.players.map((_, seat) => ({ seat, name: `Seat ${seat + 1}`, mark: "ABCDE"[seat], bot: false, vacant: false }));
let now = null;
let picked = [];
let watching = null;

function say(key, args = {}) {
  if (!(key in words)) stage.missing.add(key);
  used.set(key, Object.keys(args));
  return `${key} ${Object.values(args).join(" ")}`;
}

function draw() {
  const { view, before, seat, all } = now;
  const { lit, full, complete, picked: known } = choose(all, picked);
  if (complete && !lit.size) stage.sent = complete;
  const scene = {
    view, before, seats: seatsOf(view), own: seat, lit, picked: known, full, say,
    pick(target) {
      stage.picks.push(target);
      if (!choose(all, picked).lit.has(target)) return;
      picked = [...picked, target];
      draw();
    },
    back() {
      picked = picked.slice(0, -1);
      draw();
    },
  };
  const began = performance.now();
  render(html`<${GAME.Board} ...${scene} /><${GAME.Panel} ...${scene} />`, room);
  stage.drawn = performance.now() - began;
  return lit;
}

const drawnLit = () => new Set([...document.querySelectorAll("[data-target][data-lit]")].map((each) => each.dataset.target));

globalThis.stage = {
  missing: new Set(), picks: [], sent: null, drawn: 0,

  show(position, before = null) {
    const { view, legal } = position;
    now = { ...position, before, all: paths(legal, (move) => GAME.steps(move, view, say)) };
    picked = [];
    draw();
  },

  scores: () => GAME.scores(now.view),

  scale: () => new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform).a,

  /** What is wrong with what this position lights and draws, at every beginning of a move. */
  examine(position) {
    const faults = [];
    const { view, legal } = position;
    const named = legal.map((move) => GAME.steps(move, view, say).map((step) => step.target).join(" "));
    if (named.some((name) => !name)) faults.push("a move without steps");
    if (new Set(named).size < named.length) faults.push(`alike: ${named.filter((name, at) => named.indexOf(name) < at)}`);
    for (const move of legal) if (GAME.steps(move, view, say).some((step) => !step.label)) faults.push(`no label: ${JSON.stringify(move)}`);
    stage.show(position);
    const begun = new Set([...named.map((name) => name.split(" ").slice(0, -1).join(" "))]);
    for (const beginning of begun) {
      picked = beginning ? beginning.split(" ") : [];
      const lit = draw();
      const seen = drawnLit();
      for (const target of lit.keys()) if (!seen.has(target)) faults.push(`not drawn: ${beginning} ${target}`);
      for (const target of seen) if (!lit.has(target)) faults.push(`drawn lit: ${beginning} ${target}`);
      for (const { label } of lit.values()) if (label.includes("undefined") || label.includes("NaN")) faults.push(label);
    }
    if (/undefined|NaN/.test(room.innerHTML)) faults.push("something undefined is shown");
    const scene = (own) => ({ view, before: null, seats: seatsOf(view), own, lit: new Map(), picked: [], full: [], pick() {}, back() {}, say });
    render(html`<${GAME.Board} ...${scene(null)} /><${GAME.Panel} ...${scene(null)} />`, room);
    if (drawnLit().size) faults.push("lit for a spectator");
    return faults;
  },

  form(position, family) {
    stage.show(position);
    const { view, legal, seat } = position;
    const send = (move) => { stage.sent = move; };
    render(html`<${GAME.forms[family]} view=${view} seats=${seatsOf(view)} own=${seat} legal=${legal} send=${send} close=${() => {}} say=${say} />`, room);
  },

  used: () => [...used],

  watch() {
    const touched = new Set();
    const observer = new MutationObserver((changes) => {
      for (const { type, target, attributeName } of changes) {
        const world = target instanceof Element && target.matches(".world");
        if (!world || attributeName !== "class") touched.add(`${world ? "world" : target.nodeName} ${attributeName ?? type}`);
      }
    });
    observer.observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
    const frames = [];
    let last = performance.now();
    watching = { frames, touched, observer, on: true };
    const tick = (time) => {
      frames.push(time - last);
      last = time;
      if (watching.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame((time) => {
      last = time;
      requestAnimationFrame(tick);
    });
  },

  watched() {
    watching.on = false;
    watching.observer.disconnect();
    return [watching.frames, [...watching.touched].sort(), stage.drawn];
  },
};
