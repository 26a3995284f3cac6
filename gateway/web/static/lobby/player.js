/** One player: ratings, what the results come to, the matches played, and where the best of a game stand. */

import { call } from "../core/api.js";
import { games as listGames, titleOf } from "../core/games.js";
import { html, useEffect, useState } from "../core/html.js";
import { styled } from "../core/looks.js";
import { Name, nameOf } from "../core/names.js";
import { Refused } from "../core/refusals.js";
import { title } from "../core/router.js";
import { session } from "../core/session.js";
import { useStore } from "../core/store.js";
import { numberOf, say } from "../core/words.js";
import { History } from "./history.js";
import { Leaderboard } from "./leaderboard.js";

await styled("/static/lobby/lobby.css");

/** How much of the whole, in words. @param {number} part @param {number} whole */
function share(part, whole) {
  return whole ? numberOf(Math.round((100 * part) / whole)) : "–";
}

/** @param {import("../core/router.js").PageProps} props */
export function Page({ params, query }) {
  const player = params.id;
  const who = useStore(session);
  const mine = who?.player === player;
  const [games, setGames] = useState(/** @type {import("../core/games.js").Listed[]} */ ([]));
  const [record, setRecord] = useState(/** @type {any} */ (null));
  const [met, setMet] = useState("");
  const [missed, setMissed] = useState(false);
  const [together, setTogether] = useState(/** @type {any[]} */ ([]));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const [attempt, setAttempt] = useState(0);
  const name = mine ? (who?.name ?? "") : met;
  const bot = player.startsWith("tidelog|bot:");
  const unknown = missed && record?.length === 0 && who !== null && !mine;

  useEffect(() => title(unknown ? say("player.unknown") : nameOf({ name, player, bot })));
  useEffect(() => {
    listGames().then(setGames, setError);
    Promise.all([
      call("PlayerService", "ListPlayerRatings", { player }),
      call("PlayerService", "GetPlayerStatistics", { player }),
    ]).then(([ratings, statistics]) => {
      const rated = new Map((ratings.games ?? []).map((/** @type {any} */ each) => [each.game, each.rating]));
      setRecord((statistics.games ?? []).map((/** @type {any} */ each) => ({ ...each, rating: rated.get(each.game) })));
    }, setError);
  }, [player, attempt]);
  useEffect(() => {
    if (!who || mine) return;
    call("PlayerService", "GetHeadToHead", { player: who.player, other: player }).then(
      ({ games: each = [] }) => setTogether(each),
      setError,
    );
  }, [player, who?.player, attempt]);

  if (unknown) return html`<${Unknown} player=${player} />`;
  return html`<main data-page="player" class="player">
    <h1 class="player-name"><${Name} name=${name} player=${player} bot=${bot} />${mine ? html`<span class="badge good">${say("you")}</span>` : null}</h1>
    <p class="hint">${say("player.id")} <bdi class="name player-id">${player}</bdi></p>
    <${Refused} error=${error} again=${() => {
      setError(null);
      setAttempt(attempt + 1);
    }} />
    <section class="panel" aria-labelledby="record-title" data-part="record">
      <h2 id="record-title">${say("record")}</h2>
      <${Record} record=${record} />
    </section>
    ${
      together.length
        ? html`<section class="panel" aria-labelledby="together-title" data-part="together">
            <h2 id="together-title">${say("together")}</h2>
            <ul class="facts">
              ${together.map(({ game, matches = 0, ahead = 0, behind = 0, level = 0 }) => html`<li key=${game}>${say("together.game", { game: titleOf(game), matches: Number(matches), ahead: Number(ahead), behind: Number(behind), level: Number(level) })}</li>`)}
            </ul>
          </section>`
        : null
    }
    <${History} key=${player} player=${player} games=${games} named=${setMet} missed=${() => setMissed(true)} />
    <${Leaderboard} games=${games} me=${who?.player ?? ""} shown=${query.get("game") ?? ""} />
  </main>`;
}

/** Whoever has not played, or does not exist: the server knows no difference. @param {{player: string}} props */
function Unknown({ player }) {
  return html`<main data-page="player" class="player" data-unknown>
    <h1>${say("player.unknown")}</h1>
    <p class="hint">${say("player.id")} <bdi class="name player-id">${player}</bdi></p>
    <p class="notice">${say("player.unknown.why")}</p>
    <p><a class="button" href="/">${say("table.lobby")}</a></p>
  </main>`;
}

/** @param {{record: any[] | null}} props */
function Record({ record }) {
  if (!record) return html`<p aria-busy="true">${say("loading")}</p>`;
  if (!record.length) return html`<p class="hint">${say("record.none")}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="record-title">
    <table>
      <thead>
        <tr>
          <th scope="col">${say("game")}</th>
          <th scope="col" class="number">${say("record.rating")}</th>
          <th scope="col" class="number">${say("record.matches")}</th>
          <th scope="col" class="number">${say("record.wins")}</th>
          <th scope="col" class="number">${say("record.share")}</th>
          <th scope="col">${say("record.places")}</th>
          <th scope="col" class="number">${say("record.points")}</th>
          <th scope="col" class="number">${say("record.most")}</th>
          <th scope="col" class="number">${say("record.left")}</th>
        </tr>
      </thead>
      <tbody>
        ${record.map(({ game, total, rating }) => {
          const { matches = 0, wins = 0, sharedWins = 0, places = [], points, left = 0 } = total ?? {};
          const won = Number(wins) + Number(sharedWins);
          return html`<tr key=${game} data-game=${game}>
            <th scope="row">${titleOf(game)}</th>
            <td class="number">${rating ? numberOf(Number((rating.ordinal ?? 0).toFixed(1))) : "–"}</td>
            <td class="number">${numberOf(Number(matches))}</td>
            <td class="number">${numberOf(won)}</td>
            <td class="number">${share(won, Number(matches))}</td>
            <td>${places.map((/** @type {string} */ count, /** @type {number} */ index) => say("record.place", { place: index + 1, count: Number(count) })).join(", ")}</td>
            <td class="number">${points ? numberOf(Number((points.mean ?? 0).toFixed(1))) : "–"}</td>
            <td class="number">${points ? numberOf(Number(points.most ?? 0)) : "–"}</td>
            <td class="number">${numberOf(Number(left))}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
