/** Beside the board: the round, what every line asks and how it stands in words, what left the game, the result. */

import { html, pure } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { ELEMENTS, mostAlike, outlook } from "./outlook.js";
import { Drawing, SeaTile, Sign } from "./symbols.js";
import { demandText, lineText, tileName, worthText } from "./texts.js";

/** @typedef {import("./moves.js").Scene} Scene */
/** @typedef {import("./outlook.js").Player} Player */
/** @typedef {import("./outlook.js").LineView} LineView */

/** @typedef {import("../../core/types.js").Shown} Shown */
/** What is chosen changes nothing here. @typedef {Pick<Scene, "view" | "own" | "seats" | "say">} Seen */

const ROUNDS = 16;

/** @param {Scene} scene */
export const Panel = ({ view, own, seats, say }) => html`<${Beside} ...${{ view, own, seats, say }} />`;

/** @type {(props: Seen) => Shown} */
const Beside = pure((seen) => {
  const { view, own, seats, say } = seen;
  const first = own === null ? 0 : own;
  const players = view.players.map((_, step) => view.players[(first + step) % view.players.length]);
  return html`<div class="lost_seas beside">
    ${view.outcome && html`<${Result} ...${seen} />`}
    <${Round} ...${seen} />
    ${players.map(
      (player) => html`<details key=${player.seat} class="player" open=${player.seat === own}>
        <summary><${Seat} seat=${player.seat} /> ${seats[player.seat].name} <b>${say("points.count", { count: player.points })}</b></summary>
        <${Lines} ...${seen} player=${player} />
        <${MapInWords} player=${player} name=${seats[player.seat].name} say=${say} />
      </details>`,
    )}
    ${!view.options.young_explorers && view.players.length < 4 && html`<${Discards} ...${seen} />`}
    <${Legend} young=${view.options.young_explorers} say=${say} />
  </div>`;
});

/** @param {{seat: number}} props */
const Seat = ({ seat }) =>
  html`<svg class="icon" viewBox="-12 -12 24 24" aria-hidden="true"><${Mark} seat=${seat} /></svg>`;

/** @param {Seen} props */
function Round({ view, seats, say }) {
  const acting = view.owed.map(({ seat }) => seat);
  return html`<section class="round">
    <p><b>${view.round ? say("round", { number: view.round, last: ROUNDS }) : say(`phase.${view.phase}`)}</b> · ${say("pile", { count: view.pile })}</p>
    <ol class="order" aria-label=${say("order")}>
      ${view.turn_order.map((seat) => html`<li key=${seat} aria-current=${acting.includes(seat) ? "true" : null}><${Seat} seat=${seat} /> ${seats[seat].name}</li>`)}
    </ol>
  </section>`;
}

/** @param {Seen & {player: Player}} props */
function Lines({ view, own, say, player }) {
  const secret = player.chosen && player.seat === own;
  return html`${secret && html`<p class="secret private">${say("secret")}</p>`}
    ${player.choosing.length > 0 && !secret && html`<p>${say(player.chosen ? "sides.chosen" : "sides.choosing")}</p>`}
    <ul class="lines">${player.lines.map((line) => html`<${Line} key=${line.line + line.index} ...${{ player, line, say }} options=${view.options} over=${view.phase === "over"} />`)}</ul>`;
}

/** @type {(props: {options: Scene["view"]["options"], over: boolean, player: Player, line: LineView, say: Scene["say"]}) => Shown | null} */
const Line = pure(({ options, over, player, line, say }) => {
  const where = lineText(line, say);
  if (options.young_explorers)
    return html`<li>${where}: ${say("points.count", { count: mostAlike(player, line).most })}</li>`;
  const stands = outlook(player, line, options);
  if (!line.laid || !stands) return null;
  const { demand } = line.laid;
  const more =
    demand.pattern === "per_set" && stands.most > stands.times
      ? ` ${say("up_to", { points: stands.most * demand.points })}`
      : "";
  return html`<li class=${stands.state}>
    <svg class="icon" viewBox="-12 -12 24 24" aria-hidden="true"><${Sign} state=${stands.state} /></svg>
    <span>${where}: ${demandText(demand, options.majority_ties, say)}, ${worthText(demand, say)}. <i>${say(over && stands.state === "sure" ? "state.over" : `state.${stands.state}`)}${stands.points ? `: ${say("points.count", { count: stands.points })}` : ""}${more}</i></span>
  </li>`;
});

/** @type {(props: {player: Player, name: string, say: Scene["say"]}) => Shown | null} */
const MapInWords = pure(({ player, name, say }) => {
  if (player.placed.length === 0) return null;
  const tiles = new Map(player.placed.map(({ cell, tile }) => [cell, tile]));
  return html`<details class="said"><summary>${say("map.words")}</summary><table aria-label=${say("map.of", { name })}><tbody>
    ${[0, 1, 2, 3].map(
      (row) =>
        html`<tr>${[0, 1, 2, 3].map((column) => {
          const tile = tiles.get(row * 4 + column);
          return html`<td>${tile ? tileName(tile, say) : "–"}</td>`;
        })}</tr>`,
    )}
  </tbody></table></details>`;
});

/** @param {Seen} props */
function Discards({ view, say }) {
  return html`<details class="discards"><summary>${say("discards", { count: view.discards.length })}</summary><ul>
    ${view.discards.map((tile, place) => html`<li key=${place}><svg viewBox="0 0 100 100" role="img" aria-label=${tileName(tile, say)}><${SeaTile} tile=${tile} say=${say} /></svg></li>`)}
  </ul></details>`;
}

/** @type {(props: {young: boolean, say: Scene["say"]}) => Shown} */
const Legend = pure(({ young, say }) => {
  return html`<details class="legend"><summary>${say("legend")}</summary><ul>
    ${ELEMENTS.map((element) => html`<li key=${element}><svg class="icon" viewBox="-13 -13 26 26" aria-hidden="true"><${Drawing} element=${element} /></svg> ${say(`letter.${element}`)} = ${say(`element.${element}`)}</li>`)}
    ${
      !young &&
      /** @type {const} */ (["sure", "met", "open", "lost"]).map(
        (state) =>
          html`<li key=${state}><svg class="icon" viewBox="-12 -12 24 24" aria-hidden="true"><${Sign} state=${state} /></svg> ${say(`state.${state}`)}</li>`,
      )
    }
  </ul></details>`;
});

/** The final scoring: what each line gave to each player, and what decided between equals. @param {Seen} props */
function Result({ view, seats, say }) {
  const { outcome, players, options } = view;
  if (!outcome) return null;
  /** @param {string} name @param {(player: Player) => any} told @param {string} [kind] */
  const row = (name, told, kind = "") =>
    html`<tr class=${kind}><th scope="row">${name}</th>${players.map((player) => html`<td>${told(player)}</td>`)}</tr>`;
  const place = new Map(outcome.ranking.map((standing) => [standing.seat, standing.place]));
  return html`<section class="result"><h3>${say("result")}</h3>
    <div tabindex="0" role="group" aria-label=${say("result")}><table>
      <thead><tr><td></td>${players.map(({ seat }) => html`<th scope="col"><${Seat} seat=${seat} /><br />${seats[seat].name}</th>`)}</tr></thead>
      <tbody>
        ${players[0].lines.map((line, index) => row(lineText(line, say), (player) => player.lines[index].points || "–"))}
        ${row(say("total"), (player) => player.points, "sum")}
        ${!options.young_explorers && row(say("met"), (player) => player.lines.filter((line) => line.points > 0).length)}
        ${row(say("place"), ({ seat }) => `${place.get(seat)}.`)}
      </tbody></table></div>
    ${outcome.tie_breaks.length > 0 && html`<p>${say("tie", { what: outcome.tie_breaks.map((name) => say(`tie.${name}`)).join(", ") })}</p>`}
  </section>`;
}
