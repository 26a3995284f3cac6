/** What lies beside the chart: the turn and its orders, the own hand, what all have, piles and prices. */

import { html, pure } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { Choosable, DevelopmentFace, FortuneFace, Icon, MovementFace, Order, Purse } from "./cards.js";
import { shipName } from "./moves.js";
import { cardName, cardText } from "./names.js";
import { Cube, signOf, Vessel } from "./pieces.js";
import { chosen, look } from "./targets.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Player} Player */
/** @typedef {import("./view.js").Port} Port */
/** @typedef {import("../../core/types.js").Shown} Shown */
/** @typedef {import("../../core/types.js").Scene<View, import("./view.js").Move>} Scene */

const STAGES = ["deploying", "playing_movement", "sailing", "discarding", "buying"];
/** @type {readonly import("./view.js").Colour[]} */
const COLOURS = ["yellow", "red", "green", "blue", "purple"];

/** @param {Scene} scene */
export function Panel(scene) {
  const { view, seats, say } = scene;
  const own = scene.own === null ? null : view.players[scene.own];
  return html`<div class="helm"><div class="decks">
    <${Course} scene=${scene} />
    ${own?.own && html`<${Hand} scene=${scene} player=${own} />`}
    <${Captains} ...${{ view, seats, say }} />
    <${Market} ports=${view.chart.ports} cubes=${view.cubes} say=${say} />
    <${Piles} ...${{ view, say }} />
  </div></div>`;
}

/** The turn: who is at what, the orders, and how far ships may still sail. @param {{scene: Scene}} props */
function Course({ scene }) {
  const { view, say, seats, lit } = scene;
  const endings = [...new Set([...lit.keys(), ...scene.picked])].filter((target) => target.startsWith("do:end_"));
  return html`<section class="panel course">
    <h3><svg class="icon" viewBox="-12 -12 24 24" aria-hidden="true"><${Mark} seat=${view.active} /></svg>
      ${view.outcome ? say("phase.over") : say(`phase.${view.phase}`, { seat: seats[view.active]?.name ?? "", count: view.due })}</h3>
    <ol class="stages">
      ${STAGES.map((stage) => html`<li aria-current=${stage === view.phase.replace("placing_merchants", "deploying") ? "step" : null}>${say(`stage.${stage}`)}</li>`)}
    </ol>
    <div class="orders">
      <${Order} scene=${scene} />
      ${
        view.commands.length > 0 &&
        html`<ul class="commands">
        ${view.commands.map(
          (command) => html`<li key=${command.ship}>
          <button type="button" class="command${command.over ? " over" : ""}${command.moving ? " moving" : ""}${look(scene, `ship:${command.ship}`)}" onClick=${() => chosen(scene, `ship:${command.ship}`)}>
            <svg class="ship" viewBox="-24 -26 48 48" aria-hidden="true"><${Vessel} ...${view.ships.find((ship) => ship.ship === command.ship) ?? command} /></svg>
            <span class="about">
              <b>${shipName(command.ship, say)}</b>
              <span>${command.over ? say("command.over") : say("command.steps", { steps: command.steps })}${command.moving ? `, ${say("command.moving")}` : ""}</span>
              <span>${say(command.spent ? "command.spent" : "command.ready")}</span>
              ${command.cards.map((card) => html`<span class="force">${cardName(card, view, say)}</span>`)}
            </span>
          </button>
        </li>`,
        )}
      </ul>`
      }
    </div>
    ${forced(view, say)}
    ${endings.map((target) => html`<${Choosable} key=${target} scene=${scene} target=${target} look="ending">${say(target.replace(":", "."))}<//>`)}
  </section>`;
}

/** Cards in force for the whole fleet, and developments used. @param {View} view @param {Scene["say"]} say */
function forced(view, say) {
  const ofShips = view.commands.flatMap((command) => command.cards);
  const all = view.in_force.filter((card) => !ofShips.includes(card));
  const lines = [
    ["in_force", all],
    ["used", view.used],
  ];
  return lines.map(([key, cards]) =>
    cards.length
      ? html`<p class="in-force">${say(String(key))}: ${[...cards].map((card) => html`<span class="force">${cardName(card, view, say)}</span> `)}</p>`
      : null,
  );
}

/** The viewer's own cards. @param {{scene: Scene, player: Player}} props */
function Hand({ scene, player }) {
  const { view, say } = scene;
  const own = /** @type {import("./view.js").Own} */ (player.own);
  const fortune = own.fortune.filter((card, at) => own.fortune.findIndex(({ id }) => id === card.id) === at);
  const victory = player.victory_card;
  return html`<section class="panel hand">
    <h3>${say("hand")} <span class="private">${lock()}${say("private")}</span></h3>
    <div class="cards">
      ${own.movement.map((card) => html`<${Choosable} key=${card.id} scene=${scene} target=${`card:${card.id}`} look="movement ${card.navy}"><${MovementFace} card=${card} say=${say} /><//>`)}
      ${fortune.map(
        (card) => html`<${Choosable} key=${card.id} scene=${scene} target=${`card:${card.id}`} look="card fortune">
        <${FortuneFace} card=${card} count=${own.fortune.filter(({ id }) => id === card.id).length} view=${view} say=${say} />
      <//>`,
      )}
    </div>
    <h4>${say("developments")}</h4>
    <div class="cards">
      ${[
        ...own.developments.map((card) => ({ card, up: false })),
        ...player.developments.map((card) => ({ card, up: true })),
      ]
        .sort((one, other) => one.card.price - other.card.price)
        .map(
          ({
            card,
            up,
          }) => html`<${Choosable} key=${card.id} scene=${scene} target=${`card:${card.id}`} look="card development${up ? " up" : " down"}">
          <${DevelopmentFace} card=${card} view=${view} say=${say} />
          <span class="when">${up ? say(view.used.includes(card.id) ? "state.used" : "state.up") : html`${lock()}${say("state.down")}`}</span>
        <//>`,
        )}
      <${Choosable} scene=${scene} target=${`card:${victory.id}`} look="card victory${player.victor ? " up" : ""}">
        <span class="title"><${Icon} sign="action" />${say("victory")}<${Purse} text=${victory.price} /></span>
        <span class="text">${say("victory.text")}</span>
      <//>
    </div>
  </section>`;
}

const lock = () =>
  html`<svg class="icon" viewBox="-11 -11 22 22" aria-hidden="true"><path class="sign" d="M-6 -1H6V8H-6ZM-4 -1V-4A4 4 0 0 1 4 -4V-1" /></svg>`;

/** What every seat has in sight of all. @type {(props: Pick<Scene, "view" | "seats" | "say">) => Shown} */
const Captains = pure(({ view, seats, say }) => {
  return html`<section class="panel captains">
    <h3>${say("captains")}</h3>
    <ul>
      ${view.players.map(
        (player) => html`<li key=${player.seat} class=${player.seat === view.active ? "active" : null}>
        <div class="line">
          <svg class="icon" viewBox="-12 -12 24 24" aria-hidden="true"><${Mark} seat=${player.seat} /></svg>
          <b class="who">${seats[player.seat]?.name}</b>
          <span class="purse" title=${say("purse", { doubloons: player.doubloons })}><${Purse} text="" />${player.doubloons}</span>
        </div>
        <div class="line small">
          <span>${say("held", { movement: player.movement_cards, fortune: player.fortune_cards })}</span>
          ${player.seat === view.first && html`<span class="tag">${say("first")}</span>`}
        </div>
        <div class="line ranks">
          ${player.developments.map((card) => html`<details class="rank up"><summary><${Icon} sign=${signOf(card.benefits[0]?.effect ?? "")} />${cardName(card.id, view, say)}</summary><p>${cardText(card, say)}</p></details>`)}
          ${player.face_down.map((price) => html`<span class="rank down" title=${say("face_down", { price })}>${price}</span>`)}
          <span class="rank victory${player.victor ? " up" : " down"}" title=${say(player.victor ? "victory.bought" : "victory.waits", { price: player.victory_card.price })}><${Icon} sign="action" />${player.victory_card.price}</span>
        </div>
      </li>`,
      )}
    </ul>
  </section>`;
});

/** Who buys what. @type {(props: {ports: readonly Port[], cubes: View["cubes"], say: Scene["say"]}) => Shown} */
const Market = pure(({ ports, cubes, say }) => {
  return html`<section class="panel market">
    <h3>${say("market")} <small>${say("market.note")}</small></h3>
    <table>
      <thead>
        <tr><th scope="col">${say("market.port")}</th>
          ${COLOURS.map((colour) => html`<th scope="col"><svg class="icon" viewBox="-8 -8 16 16" role="img" aria-label=${say(`colour.${colour}`)}><${Cube} colour=${colour} /></svg></th>`)}
        </tr>
      </thead>
      <tbody>
        ${ports.map(
          (port) => html`<tr key=${port.id}>
          <th scope="row">${port.name}</th>
          ${COLOURS.map((colour) => html`<td class=${port.goods === colour ? "stock" : null}>${sold(port, colour, cubes, say)}</td>`)}
        </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
});

/** @param {Port} port @param {string} colour @param {View["cubes"]} cubes @param {Scene["say"]} say */
function sold(port, colour, cubes, say) {
  const stock = cubes.find((one) => one.port === port.id)?.cubes ?? 0;
  if (port.goods === colour) return say("market.stock", { stock });
  return port.buys.find((one) => one.colour === colour)?.price ?? "–";
}

/** @type {(props: Pick<Scene, "view" | "say">) => Shown} */
const Piles = pure(({ view, say }) => {
  const last = [...view.fortune_discards].reverse();
  return html`<section class="panel piles">
    <h3>${say("piles")}</h3>
    <p><${Icon} sign="wind" /> ${say("piles.movement", { pile: view.movement_pile, discards: view.movement_discards.length })}</p>
    <p><${Icon} sign="cards" /> ${say("piles.fortune", { pile: view.fortune_pile, discards: view.fortune_discards.length })}</p>
    ${
      last.length > 0 &&
      html`<details><summary>${say("piles.open")}: ${cardName(last[0], view, say)}</summary>
      <ol>${last.map((card) => html`<li>${cardName(card, view, say)}</li>`)}</ol>
    </details>`
    }
  </section>`;
});
