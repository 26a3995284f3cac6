/** A way of one's own: a ship, and the spaces that it sails over one after another. */

import { html, useState } from "../../core/html.js";
import { Waters } from "./board.js";
import { placeName, shipName } from "./moves.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Move} Move */
/** @typedef {import("../../core/types.js").FormProps<View, Move>} Props */

/** @param {Props} props */
function OwnWays(props) {
  return html`<${Pilot} ...${props} />`;
}

/** @param {Props} props */
function Pilot({ view, seats, own, legal, send, say }) {
  const able = view.commands.filter((command) => command.steps > 0).map((command) => command.ship);
  const [ship, setShip] = useState(able[0] ?? "");
  const [path, setPath] = useState(/** @type {string[]} */ ([]));
  const steps = view.commands.find((command) => command.ship === ship)?.steps ?? 0;
  const start = view.ships.find((one) => one.ship === ship)?.space ?? "";
  const last = path[path.length - 1] ?? start;
  const next = path.length < steps ? onward(last, ship, view, legal) : [];
  const ends = sailable(last, ship, path, view);
  /** @type {import("../../core/types.js").Scene<View, Move>} */
  const scene = {
    view,
    before: null,
    seats,
    own,
    lit: new Map(
      next.map((id) => [`space:${id}`, { target: `space:${id}`, label: placeName(id, view.chart, say), last: false }]),
    ),
    picked: [`ship:${ship}`],
    full: [{ kind: "sail", ship, path }],
    pick: (target) => next.some((id) => target === `space:${id}`) && setPath([...path, target.slice(6)]),
    back: () => setPath(path.slice(0, -1)),
    say,
  };
  return html`<div class="own-ways">
    <div class="choice" role="group" aria-label=${say("form.ship")}>
      ${able.map(
        (one) =>
          html`<button type="button" key=${one} data-choice=${`ship:${one}`} aria-pressed=${one === ship ? "true" : "false"} onClick=${() => {
            setShip(one);
            setPath([]);
          }}>${shipName(one, say)}</button>`,
      )}
    </div>
    <${Waters} scene=${scene} />
    <p aria-live="polite">${say("form.left", { steps: steps - path.length })} ${path.join(" → ")}</p>
    <div class="choice" role="group" aria-label=${say("form.next")}>
      ${next.map((id) => html`<button type="button" key=${id} data-choice=${`space:${id}`} onClick=${() => scene.pick(`space:${id}`)}>${placeName(id, view.chart, say)}</button>`)}
    </div>
    <div class="choice">
      <button type="button" data-do="back" disabled=${!path.length} onClick=${scene.back}>${say("form.back")}</button>
      <button type="button" data-do="send" disabled=${!ends} onClick=${() => send({ kind: "sail", ship, path })}>${say("form.sail")}</button>
    </div>
  </div>`;
}

/**
 * Where one step leads, as far as can be told: the server judges. Islands and lairs join in where a development or some
 * listed sail of the ship leads over them; enemies are passed where a card may be in force that lets it.
 * @param {string} from @param {string} ship @param {View} view @param {readonly Move[]} legal
 */
function onward(from, ship, view, legal) {
  const { places, lairs } = view.chart;
  const terrain = new Map(places.map((place) => [place.id, place.terrain]));
  const paths = legal.filter((move) => move.kind === "sail" && move.ship === ship).map(({ path = [] }) => path);
  const effects = view.players[view.active].developments.flatMap(({ benefits }) =>
    benefits.map(({ effect }) => effect),
  );
  const own = ship.startsWith("navy") ? [] : effects;
  const crossing =
    own.includes("cross_islands") || paths.some((path) => path.some((id) => terrain.get(id) === "island"));
  const passing = own.includes("pass_enemies") || view.commands.some((one) => one.ship === ship && one.cards.length);
  const friends = view.commands.map((command) => command.ship);
  const barred = passing ? [] : view.ships.filter((one) => !friends.includes(one.ship)).map(({ space }) => space);
  const near = places.find((place) => place.id === from)?.neighbours ?? [];
  const hiding = ship.startsWith("pirate") && own.includes("use_lairs") && lairs.includes(from);
  const linked = hiding ? lairs.filter((id) => id !== from && !near.includes(id)) : [];
  const open = near.filter((id) => terrain.get(id) === "sea" || (crossing && terrain.get(id) === "island"));
  return [...open, ...linked].filter((id) => !barred.includes(id));
}

/** Whether a sail may end there. @param {string} end @param {string} ship @param {string[]} path @param {View} view */
function sailable(end, ship, path, view) {
  const sea = view.chart.places.find((place) => place.id === end)?.terrain === "sea";
  return sea && path.length > 0 && !view.ships.some((one) => one.ship !== ship && one.space === end);
}

export const forms = { own_ways: OwnWays };
