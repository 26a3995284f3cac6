/** The chart with its ships: the sea is drawn once, and over it what changes. */

import { html, pure, useEffect, useMemo, useState } from "../../core/html.js";
import { store, useStore } from "../../core/store.js";
import { layoutOf, mean } from "./layout.js";
import { kindOf, placeName, shipName } from "./moves.js";
import { Coin, Cube, Ensign, Sign, Vessel } from "./pieces.js";
import { chosen, look, marked, placeOf, shown } from "./targets.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Move} Move */
/** @typedef {import("./view.js").Ship} Ship */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Point} Point */
/** @typedef {import("./targets.js").Place} Place */
/** @typedef {import("../../core/types.js").Shown} Shown */
/** @typedef {import("../../core/types.js").Scene<View, Move>} Scene */

const NARROW = "(max-width: 560px)";
const ACTIONS = { attack: "attack", sell: "coins", load: "coins", bury: "chest" };

/** @param {Scene} scene */
export function Board(scene) {
  return html`<${Waters} scene=${scene} />`;
}

/** Whether the screen is a phone's, held upright. */
function useNarrow() {
  const query = useMemo(() => globalThis.matchMedia?.(NARROW), []);
  const [narrow, setNarrow] = useState(query?.matches ?? false);
  useEffect(() => {
    const changed = () => setNarrow(query.matches);
    query?.addEventListener("change", changed);
    return () => query?.removeEventListener("change", changed);
  }, [query]);
  return narrow;
}

/** The chart as a part of something greater. @param {{scene: Scene}} props */
export function Waters({ scene }) {
  const { view, say } = scene;
  const narrow = useNarrow();
  const layout = layoutOf(view.chart, narrow);
  const under = useMemo(() => store(""), []);
  const sea = useMemo(() => drawnSea(layout, view), [layout]);
  const { x, y, width, height } = layout.box;
  /** @param {Event} event */
  const targetOf = (event) =>
    /** @type {Element} */ (event.target).closest("[data-target]")?.getAttribute("data-target") ?? "";
  return html`<svg
    class="sea-chart"
    viewBox="${x} ${y} ${width} ${height}"
    role="img"
    aria-label=${say("board")}
    onClick=${(/** @type {Event} */ event) => targetOf(event) && chosen(scene, targetOf(event))}
    onPointerOver=${(/** @type {Event} */ event) => under.set(targetOf(event))}
    onPointerLeave=${() => under.set("")}
  >
    ${sea}
    ${spaces(scene, layout)}
    ${trails(scene, layout)}
    ${ports(scene, layout)}
    <${Way} ...${{ scene, layout, under }} />
    <g key=${`fleet ${narrow}`}>${fleet(scene, layout)}</g>
    ${swaps(scene, layout)}
  </svg>`;
}

/** What never changes in a match. @param {Layout} layout @param {View} view */
function drawnSea({ spots, box, lands }, { chart }) {
  const all = [...spots.values()];
  const at = (/** @type {string} */ id) => /** @type {import("./layout.js").Spot} */ (spots.get(id));
  const clip = `inset(0 round 14px)`;
  return html`<g class="sea" style=${{ clipPath: clip }}>
    <rect class="water" x=${box.x} y=${box.y} width=${box.width} height=${box.height} rx="14" />
    <path class="deep" d=${shapes(all, "deep_sea")} />
    <path class="grid" d=${shapes(all, "sea")} />
    ${all.filter((spot) => spot.terrain === "deep_sea").map((spot) => spot.hexes.map(Waves))}
    <path class="shallows" d=${lands} />
    <path class="land" d=${lands} />
    ${all.filter((spot) => ["island", "continent"].includes(spot.terrain)).map(Scenery)}
    ${chart.ports.map(({ goods, land, spaces: quays }) =>
      quays.map((id) => html`<path class="quay ${goods}" d=${quay(at(land), at(id))} />`),
    )}
    ${all.filter((spot) => spot.terrain === "sea").map(({ id, x, y }) => html`<text class="name-of" x=${x} y=${y - 13}>${id}</text>`)}
    ${chart.beaches.map(({ space, value }) => html`<${Beach} ...${point(at(space))} value=${value} />`)}
    ${chart.lairs.map((id) => html`<${Lair} ...${point(at(id))} />`)}
    ${chart.navy_starts.map(({ navy, space }) => html`<g class="start"><circle cx=${at(space).x} cy=${at(space).y} r="15" /><${Ensign} navy=${navy} ...${point(at(space))} size=${13} /></g>`)}
  </g>`;
}

/** @param {Point} spot */
const point = ({ x, y }) => ({ x, y });

/** @param {import("./layout.js").Spot[]} all @param {string} terrain */
const shapes = (all, terrain) => all.map((spot) => (spot.terrain === terrain ? spot.shape : "")).join("");

/** A landing stage towards the space. @param {Point} from @param {Point} to */
const quay = (from, to) => `M${along(from, to, 0.3)}L${along(from, to, 0.72)}`;

/** @param {Point} from @param {Point} to @param {number} share */
const along = (from, to, share) => `${from.x + (to.x - from.x) * share} ${from.y + (to.y - from.y) * share}`;

/** @param {Point} at */
function Waves({ x, y }) {
  return html`<path class="waves" d=${[-8, 2, 12].map((down) => `M${x - 14} ${y + down}q3.5 -5 7 0t7 0t7 0t7 0`).join("")} />`;
}

/** Hills on the continent, palms on islands; by its place, so always the same. @param {import("./layout.js").Spot} spot */
function Scenery({ id, x, y, terrain }) {
  const turn = [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3;
  if (terrain === "continent") {
    return html`<path class="hills" d="M${x - 15} ${y + 7 - turn}q7 ${-14 - turn} 14 0M${x - 3} ${y + 8}q8 ${-20 + 2 * turn} 16 0" />`;
  }
  return html`<g class="palm" transform="translate(${x + 4 * turn - 4} ${y + 3}) rotate(${8 * turn - 8})">
    <path d="M0 9Q-2 0 1 -7" />
    <path class="leaf" d="M1 -7q-9 -5 -12 2q7 -3 12 -2q-6 2 -7 8q5 -6 7 -8q4 3 5 8q2 -6 -5 -8q7 -2 11 2q-2 -8 -11 -2Z" />
  </g>`;
}

/** @param {Point & {value: number}} props */
function Beach({ x, y, value }) {
  return html`<g class="beach" transform="translate(${x} ${y})">
    <path class="sand" d="M-17 8Q-9 1 0 6T17 7Q15 19 0 20T-17 8Z" />
    <path class="cross" d="M-12 9l6 6m0 -6l-6 6" />
    <${Coin} x=${7} y=${12} size=${8} text=${value} />
  </g>`;
}

/** @param {Point} at */
function Lair({ x, y }) {
  return html`<g class="lair" transform="translate(${x} ${y})">
    <path class="rock" d="M-19 18Q-18 6 -9 4Q-5 -4 4 -2Q14 -2 14 7Q20 10 19 18Z" />
    <path class="cave" d="M-6 18V12A6.5 6.5 0 0 1 7 12V18Z" />
    <path class="mast" d="M-4 2V-21" />
    <path class="flag" d="M-4 -21Q4 -24 9 -20T20 -19V-6Q14 -4 9 -7T-4 -8Z" />
    <path class="skull" d="M4 -12.5A4.5 4.5 0 1 1 12 -12.5V-10H10V-8.5H6V-10H4Z" />
    <circle cx="6.3" cy="-14" r="1.2" /><circle cx="9.8" cy="-14" r="1.2" />
  </g>`;
}

/** @param {Scene} scene @param {Layout} layout */
function spaces(scene, { spots }) {
  const { view, lit, say } = scene;
  const { chart } = view;
  const worth = prospects(scene);
  return [...spots.values()]
    .filter((spot) => spot.terrain.endsWith("sea") || lit.has(`space:${spot.id}`))
    .map((spot) => {
      const target = lit.has(`lair:${spot.id}`) ? `lair:${spot.id}` : `space:${spot.id}`;
      const earned = (lit.has(target) && worth.get(spot.id)) || 0;
      return html`<${Space} key=${spot.id} ...${{ spot, chart, say, earned, ...placeOf(scene, target) }} />`;
    });
}

/**
 * A place that ships sail to; `earned`: what the picked ship would get there.
 * @type {(props: Place & {spot: import("./layout.js").Spot, chart: View["chart"], say: Scene["say"], earned: number}) => Shown}
 */
const Space = pure(({ spot, chart, say, earned, ...place }) => {
  const { id, x, y, shape } = spot;
  return html`<g ...${marked("space", place)}>
    <title>${placeName(id, chart, say)}</title>
    <path class="tile" d=${shape} />
    ${place.lit && html`<circle class="buoy" cx=${x} cy=${y} r="4.5" />`}
    ${earned ? html`<${Coin} x=${x} y=${y - 3} size=${11} text=${`+${earned}`} />` : null}
  </g>`;
});

/** What the picked ship would get for its cargo on each space, as the chart says. @param {Scene} scene @returns {Map<string, number>} */
function prospects({ view, picked }) {
  const { chart } = view;
  const ship = view.ships.find((one) => picked[0] === `ship:${one.ship}`);
  if (!ship?.colour || picked.length !== 1) return new Map();
  if (kindOf(ship.ship) === "pirate") return new Map(chart.beaches.map(({ space, value }) => [space, value]));
  return new Map(
    chart.ports.flatMap((port) => {
      const price = port.buys.find(({ colour }) => colour === ship.colour)?.price;
      return price ? port.spaces.map((id) => /** @type {[string, number]} */ ([id, price * ship.cubes])) : [];
    }),
  );
}

/** @param {Scene} scene @param {Layout} layout */
function ports(scene, { plates }) {
  const { view } = scene;
  return view.chart.ports.map((port) => {
    const box = plates.get(port.id);
    const stock = view.cubes.find((one) => one.port === port.id)?.cubes ?? 0;
    const target = `port:${port.id}`;
    const earned = scene.lit.has(target) ? sold(view, port) : 0;
    return html`<${Plate} key=${port.id} ...${{ port, box, stock, earned, ...placeOf(scene, target) }} />`;
  });
}

/**
 * What a port has and what it buys; `earned`: what the merchant's cargo would bring there.
 * @type {(props: Place & {port: import("./view.js").Port, box: import("./layout.js").Box, stock: number, earned: number}) => Shown}
 */
const Plate = pure(({ port, box: { x, y, width, height }, stock, earned, ...place }) => {
  return html`<g ...${marked(`plate ${port.goods}`, place)} transform="translate(${x} ${y})">
    <rect class="board-of" width=${width} height=${height} rx="5" />
    <path class="stripe" d="M5 0H${width - 5}Q${width} 0 ${width} 5V14H0V5Q0 0 5 0Z" />
    <text class="name" x=${width / 2} y="10.5">${port.name}</text>
    <${Cube} colour=${port.goods} x=${11} y=${24} size=${11} />
    <text class="stock" x="19" y="28">${stock}</text>
    <path class="fold" d="M37 17V31" />
    ${port.buys.map(({ colour, price }, at) => html`<${Cube} colour=${colour} x=${46 + 22 * at} y=${24} size=${9} /><text class="price" x=${53.5 + 22 * at} y="28">${price}</text>`)}
    ${earned ? html`<${Coin} x=${width - 4} y=${2} size=${12} text=${`+${earned}`} />` : null}
  </g>`;
});

/** What the active merchant's cargo earns at the port, as the chart says. @param {View} view @param {import("./view.js").Port} port */
function sold({ ships, active }, { buys }) {
  const merchant = ships.find(({ ship }) => ship === `merchant_${active}`);
  const price = buys.find(({ colour }) => colour === merchant?.colour)?.price ?? 0;
  return price * (merchant?.cubes ?? 0);
}

/** Where each ship is drawn: several in one deep sea side by side. @param {View} view @param {Layout} layout @returns {Map<string, Point>} */
function berths({ ships }, { spots }) {
  const found = new Map();
  for (const { space } of ships) {
    const spot = spots.get(space);
    const here = ships.filter((one) => one.space === space);
    if (!spot) continue;
    here.forEach(({ ship }, at) => {
      const aside = at - (here.length - 1) / 2;
      found.set(ship, { x: spot.x + 22 * aside, y: spot.y + 8 * aside });
    });
  }
  return found;
}

/** @param {Scene} scene @param {Layout} layout */
function fleet(scene, layout) {
  const { view, say } = scene;
  const places = berths(view, layout);
  const doable = new Map(
    scene.picked.length ? [] : scene.full.map((move) => [`${shipOf(move, view)} ${move.kind}`, move]),
  );
  const commanded = (/** @type {string} */ ship) => view.commands.find((one) => one.ship === ship);
  const order = [...view.ships].sort((one, other) => (places.get(one.ship)?.y ?? 0) - (places.get(other.ship)?.y ?? 0));
  return order.map((ship) => {
    const { x, y } = places.get(ship.ship) ?? { x: 0, y: 0 };
    const target = `ship:${ship.ship}`;
    const command = commanded(ship.ship);
    const kinds = Object.entries(ACTIONS).filter(([kind]) => doable.has(`${ship.ship} ${kind}`));
    const bury = target === scene.picked[0] && scene.lit.has("do:bury");
    return html`<g class="ship${look(scene, target)}${command ? " commanded" : ""}" key=${ship.ship} style=${{ transform: `translate(${x}px, ${y}px)` }}>
      <g ...${shown(scene, target)} class=${scene.lit.has(target) ? "lit" : null}>
        <title>${shipName(ship.ship, say)}</title>
        <circle class="ring" r="24" />
        <${Vessel} ...${ship} />
        ${command && html`<g class="steps${command.moving ? " moving" : ""}${command.over ? " over" : ""}" transform="translate(17 -15)"><circle r="8" /><text y="4">${command.over ? "✓" : command.steps}</text></g>`}
        ${kinds.map(([kind, sign], at) => html`<g class="can ${kind}" transform="translate(${-17 + 14 * at} -17)"><circle r="8" /><${Sign} sign=${sign} size=${6} /></g>`)}
      </g>
      ${bury && html`<g class="deed lit" ...${shown(scene, "do:bury")} transform="translate(0 -32)"><circle r="13" /><${Sign} sign="chest" size=${11} /></g>`}
    </g>`;
  });
}

/** Which ship does it. @param {Move} move @param {View} view */
const shipOf = (move, view) => move.ship ?? `${move.kind === "bury" ? "pirate" : "merchant"}_${view.active}`;

/** Where ships have come from since the view before, and where one went down. @param {Scene} scene @param {Layout} layout */
function trails({ view, before }, layout) {
  if (!before) return null;
  const now = berths(view, layout);
  const then = berths(before, layout);
  return [...then].map(([ship, from]) => {
    const to = now.get(ship);
    if (!to) return html`<path key=${ship} class="wreck" d="M${from.x - 9} ${from.y - 9}l18 18m0 -18l-18 18" />`;
    if (before.ships.find((one) => one.ship === ship)?.space === view.ships.find((one) => one.ship === ship)?.space)
      return null;
    return html`<path key=${ship} class="trail" d="M${from.x} ${from.y}L${to.x} ${to.y}" />`;
  });
}

/** The way to what is under the pointer, or that waits to be confirmed. @param {{scene: Scene, layout: Layout, under: import("../../core/store.js").Store<string>}} props */
function Way({ scene: { view, full, picked, lit }, layout, under: pointed }) {
  const under = useStore(pointed);
  const aimedAt = lit.has(under) ? full.find((one) => meant(one, under)) : undefined;
  const move = full.length === 1 && picked.length ? full[0] : aimedAt;
  if (!move?.ship) return null;
  const places = berths(view, layout);
  const from = places.get(move.ship);
  const aimed = move.target && places.get(move.target);
  if (from && aimed)
    return html`<path class="way attack" d="M${along(from, aimed, 0.2)}L${along(from, aimed, 0.85)}" />`;
  if (!from || !move.path?.length) return null;
  const points = move.path.map((id) => layout.spots.get(id)).filter((spot) => spot !== undefined);
  return html`<g class="way">
    <path d="M${from.x} ${from.y}${points.map(({ x, y }) => `L${x} ${y}`).join("")}" />
    ${points.map(({ x, y }, at) => html`<g transform="translate(${x} ${y})"><circle r="7.5" /><text y="3.8">${at + 1}</text></g>`)}
  </g>`;
}

/** @param {Move} move @param {string} under */
function meant({ path = [], target }, under) {
  return under === `space:${path[path.length - 1]}` || under === `ship:${target}`;
}

/** Pairs of ships that a card can make change places. @param {Scene} scene @param {Layout} layout */
function swaps(scene, layout) {
  const places = berths(scene.view, layout);
  return [...new Set([...scene.lit.keys(), ...scene.picked])]
    .filter((target) => target.startsWith("swap:"))
    .map((target) => {
      const pair = target
        .slice(5)
        .split("+")
        .map((ship) => places.get(ship));
      const { x, y } = mean(pair.map((place) => place ?? { x: 0, y: 0 }));
      return html`<g class="deed${look(scene, target)}" ...${shown(scene, target)} key=${target} transform="translate(${x} ${y})"><circle r="13" /><${Sign} sign="swap" size=${11} /></g>`;
    });
}
