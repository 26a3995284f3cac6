/** The players of a game by their ratings. */

import { call } from "../core/api.js";
import { html, useEffect, useState } from "../core/html.js";
import { Name } from "../core/names.js";
import { Refused } from "../core/refusals.js";
import { numberOf, say } from "../core/words.js";
import { GameOptions } from "./game_field.js";

/** @param {{games: import("../core/games.js").Listed[], me: string, shown: string}} props `shown`: the game at first */
export function Leaderboard({ games, me, shown }) {
  const [chosen, setChosen] = useState(shown);
  const [pages, setPages] = useState(/** @type {{entries: any[], own: any, next: string} | null} */ (null));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const game = games.some(({ name }) => name === chosen) ? chosen : (games[0]?.name ?? "");

  /** @param {{entries: any[], next: string}} before */
  const read = async (before) => {
    try {
      const page = await call("PlayerService", "ListLeaderboard", {
        game,
        pageSize: 20,
        ...(before.next && { pageToken: before.next }),
      });
      setPages({
        entries: [...before.entries, ...(page.entries ?? [])],
        own: page.own,
        next: page.nextPageToken ?? "",
      });
      setError(null);
    } catch (failed) {
      setError(failed);
    }
  };
  useEffect(() => {
    setPages(null);
    if (game) read({ entries: [], next: "" });
  }, [game, me]);

  const far = pages?.own && !pages.entries.some(({ player }) => player === pages.own.player);
  return html`<section class="panel" aria-labelledby="leaders-title" data-part="leaderboard">
    <div class="part-head">
      <h2 id="leaders-title">${say("leaders")}</h2>
      <label>
        <span class="unseen">${say("game")}</span>
        <select name="leaderboard-game" value=${game} onChange=${(/** @type {any} */ event) => setChosen(event.target.value)}>
          <${GameOptions} games=${games} game=${game} />
        </select>
      </label>
    </div>
    <p class="hint">${say("leaders.hint")}</p>
    <${Refused} error=${error} />
    ${
      !pages
        ? html`<p aria-busy="true">${say("loading")}</p>`
        : pages.entries.length
          ? html`<div class="scroll" tabindex="0" role="region" aria-labelledby="leaders-title">
              <table>
                <thead>
                  <tr>
                    <th scope="col" class="number">${say("leaders.place")}</th>
                    <th scope="col">${say("leaders.player")}</th>
                    <th scope="col" class="number">${say("record.rating")}</th>
                    <th scope="col" class="number">${say("record.matches")}</th>
                  </tr>
                </thead>
                <tbody>
                  ${[...pages.entries, ...(far ? [pages.own] : [])].map((each) => html`<${Line} key=${each.player} ranked=${each} me=${me} />`)}
                </tbody>
              </table>
            </div>`
          : html`<p class="hint">${say("leaders.none")}</p>`
    }
    ${pages?.next ? html`<button type="button" data-do="more" onClick=${() => read(pages)}>${say("list.more")}</button>` : null}
  </section>`;
}

/** @param {{ranked: any, me: string}} props */
function Line({ ranked: { place, player, name, rating }, me }) {
  return html`<tr class=${player === me ? "own" : null} data-player=${player}>
    <td class="number">${numberOf(Number(place))}</td>
    <td>
      <${Name} name=${name} player=${player} bot=${player.startsWith("tidelog|bot:")} link />
      ${player === me ? html`<span class="badge good">${say("you")}</span>` : null}
    </td>
    <td class="number">${numberOf(Number((rating.ordinal ?? 0).toFixed(1)))}</td>
    <td class="number">${numberOf(Number(rating.matches ?? 0))}</td>
  </tr>`;
}
