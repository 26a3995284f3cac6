/** The matches of a player, the one made last first. */

import { call } from "../core/api.js";
import { titleOf } from "../core/games.js";
import { html, useEffect, useState } from "../core/html.js";
import { Name } from "../core/names.js";
import { Refused } from "../core/refusals.js";
import { momentOf } from "../core/times.js";
import { numberOf, say } from "../core/words.js";
import { GameOptions } from "./game_field.js";
import { kindOf } from "./list.js";

/** @typedef {{matches: any[], next: string, ready: boolean}} Pages */

/**
 * `named` is told what the player was called last, `missed` that of no game a match can be seen.
 * @param {{player: string, games: import("../core/games.js").Listed[], named: (name: string) => void, missed: () => void}} props
 */
export function History({ player, games, named, missed }) {
  const [game, setGame] = useState("");
  const [pages, setPages] = useState(/** @type {Pages} */ ({ matches: [], next: "", ready: false }));
  const [error, setError] = useState(/** @type {unknown} */ (null));

  /** @param {Pages} before */
  const read = async (before) => {
    try {
      const asked = { player, pageSize: 20, ...(game && { game }), ...(before.next && { pageToken: before.next }) };
      const page = await call("PlayerService", "ListPlayerMatches", asked);
      const matches = [...before.matches, ...(page.matches ?? [])];
      setPages({ matches, next: page.nextPageToken ?? "", ready: true });
      setError(null);
      const seat = matches[0]?.match.seats.find((/** @type {any} */ each) => each.player === player);
      if (seat) named(seat.name ?? "");
      if (!game && !matches.length) missed();
    } catch (failed) {
      setError(failed);
    }
  };
  useEffect(() => {
    read({ matches: [], next: "", ready: false });
  }, [player, game]);

  return html`<section class="panel" aria-labelledby="history-title" data-part="history">
    <div class="part-head">
      <h2 id="history-title">${say("history")}</h2>
      <label>
        <span class="unseen">${say("game")}</span>
        <select name="history-game" value=${game} onChange=${(/** @type {any} */ event) => setGame(event.target.value)}>
          <option value="" selected=${!game}>${say("filter.games")}</option>
          <${GameOptions} games=${games} game=${game} />
        </select>
      </label>
    </div>
    <${Refused} error=${error} />
    ${pages.ready ? html`<${Played} matches=${pages.matches} player=${player} />` : html`<p aria-busy="true">${say("loading")}</p>`}
    ${pages.next ? html`<button type="button" data-do="more" onClick=${() => read(pages)}>${say("list.more")}</button>` : null}
  </section>`;
}

/** @param {{matches: any[], player: string}} props */
function Played({ matches, player }) {
  if (!matches.length) return html`<p class="hint">${say("history.none")}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="history-title">
    <table>
      <thead>
        <tr>
          <th scope="col">${say("game")}</th>
          <th scope="col">${say("history.with")}</th>
          <th scope="col">${say("history.result")}</th>
          <th scope="col" class="number">${say("record.rating")}</th>
          <th scope="col">${say("history.when")}</th>
        </tr>
      </thead>
      <tbody>${matches.map((each) => html`<${Row} key=${each.match.matchId} played=${each} player=${player} />`)}</tbody>
    </table>
  </div>`;
}

/** @param {{played: any, player: string}} props */
function Row({ played: { match, seats = [], rating }, player }) {
  const { matchId, game, outcome, status } = match;
  const others = match.seats.filter((/** @type {any} */ seat) => seat.player && seat.player !== player);
  const own = (outcome?.ranking ?? []).filter((/** @type {any} */ each) => seats.includes(each.seat ?? 0));
  const finished = kindOf(match) === "finished";
  const change = rating ? (rating.after?.ordinal ?? 0) - (rating.before?.ordinal ?? 0) : 0;
  return html`<tr data-match=${matchId}>
    <th scope="row"><a href=${`/${finished ? "replay" : "table"}/${matchId}`}>${titleOf(game)}</a></th>
    <td><ul class="others">${others.map((/** @type {any} */ seat, /** @type {number} */ index) => html`<li key=${index}><${Name} name=${seat.name} player=${seat.player} bot=${seat.bot} link /></li>`)}</ul></td>
    <td>${own.length ? own.map((/** @type {any} */ each) => say("place", { place: each.place, points: each.points ?? 0 })).join(", ") : say(`status.${status}`)}</td>
    <td class="number">${rating ? html`<span class=${change < 0 ? "fell" : "rose"}>${change < 0 ? "▼" : "▲"} ${numberOf(Number(Math.abs(change).toFixed(1)))}</span>` : "–"}</td>
    <td><time>${momentOf(Number(match.createdAtMs ?? 0))}</time></td>
  </tr>`;
}
