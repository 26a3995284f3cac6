/** How it ended, and what can be done next. */

import { call, follow, requestId } from "../core/api.js";
import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/refusals.js";
import { navigate } from "../core/router.js";
import { say, tell } from "../core/words.js";
import { Sign } from "./seats.js";

/**
 * @param {object} props
 * @param {any} props.match
 * @param {string} props.status
 * @param {import("../core/types.js").SeatShown[]} props.seats
 * @param {readonly number[]} props.mine
 * @param {string} props.why      the last words of the log about it
 */
export function Outcome({ match, status, seats, mine, why }) {
  const ranking = match.outcome?.ranking ?? [];
  return html`<section class="outcome panel" aria-labelledby="outcome-title">
    <h2 id="outcome-title">${headline(status, ranking, seats, mine)}</h2>
    ${status === "finished" || !why ? null : html`<p>${why}</p>`}
    ${ranking.length ? html`<${Ranking} ...${{ game: match.game, outcome: match.outcome, seats, mine }} />` : null}
    <div class="actions">
      <a class="button" href="/replay/${match.matchId}" data-do="replay">${say("table.replay")}</a>
      <${Again} match=${match} mine=${mine} />
      <a class="button plain" href="/">${say("table.lobby")}</a>
    </div>
  </section>`;
}

/**
 * @param {string} status
 * @param {any[]} ranking
 * @param {import("../core/types.js").SeatShown[]} seats
 * @param {readonly number[]} mine
 */
export function headline(status, ranking, seats, mine) {
  if (status !== "finished") return say(`table.over.${status}`);
  const winners = ranking.filter((standing) => standing.place === 1).map((standing) => standing.seat ?? 0);
  if (!winners.length) return say("table.over.finished");
  if (winners.some((seat) => mine.includes(seat))) return say(winners.length > 1 ? "table.shared" : "table.won");
  const names = winners.map((seat) => seats[seat]?.name ?? "").join(", ");
  return say("table.winners", { names });
}

/** @param {{game: string, outcome: any, seats: import("../core/types.js").SeatShown[], mine: readonly number[]}} props */
function Ranking({ game, outcome, seats, mine }) {
  const named = (/** @type {string} */ kind, /** @type {string} */ name) =>
    tell(game, { key: `${kind}.${name}`, text: name }, String);
  const ties = (outcome.tieBreaks ?? []).map((/** @type {string} */ each) => named("tie_break", each));
  const parts = (/** @type {any} */ standing) => {
    const scores = standing.scores ?? [];
    if (scores.length < 2) return "";
    return scores
      .map((/** @type {any} */ each) => `${named("category", each.category)} ${each.points ?? 0}`)
      .join(" · ");
  };
  return html`<table class="ranking">
      <thead>
        <tr>
          <th scope="col">${say("table.place")}</th>
          <th scope="col">${say("table.player")}</th>
          <th scope="col" class="number">${say("table.points")}</th>
        </tr>
      </thead>
      <tbody>
        ${outcome.ranking.map((/** @type {any} */ standing) => {
          const seat = standing.seat ?? 0;
          return html`<tr key=${seat} data-seat=${seat} class=${mine.includes(seat) ? "own" : null}>
            <td>${standing.place}.</td>
            <th scope="row">
              <span class="ranked"><${Sign} seat=${seat} /> <bdi class="name">${seats[seat]?.name}</bdi></span>
              <span class="hint">${parts(standing)}</span>
            </th>
            <td class="number"><strong>${standing.points ?? 0}</strong></td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${ties.length ? html`<p class="hint">${say("table.ties", { ties: ties.join(", ") })}</p>` : null}`;
}

/** The same match once more: begun by whoever sat at it, found by the others. @param {{match: any, mine: readonly number[]}} props */
function Again({ match, mine }) {
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const invited = useRematch(match.matchId, mine.length > 0);
  const unclaimed = match.seats.some((/** @type {any} */ seat) => !seat.player);
  if (!mine.length || match.imported || unclaimed) return null;
  const again = async () => {
    setState({ busy: true, error: null });
    try {
      const found = await call("LobbyService", "Rematch", { requestId: requestId(), matchId: match.matchId });
      navigate(`/table/${found.match.matchId}`);
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return html`<button type="button" class="primary" data-do="rematch" disabled=${state.busy} onClick=${again}>
      ${say(invited ? "table.rematch.join" : "table.rematch")}
    </button>
    <${Refused} error=${state.error} />`;
}

/** Whether another player waits in a repetition of this match. @param {string} matchId @param {boolean} wanted */
function useRematch(matchId, wanted) {
  const [found, setFound] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    const leaving = new AbortController();
    const watch = async () => {
      for await (const { news } of follow(
        "LobbyService",
        "WatchMatches",
        { invited: true },
        { signal: leaving.signal },
      )) {
        for (const { listed, appeared } of news ?? []) {
          if ((listed ?? appeared)?.terms?.rematchOf === matchId) setFound(true);
        }
      }
    };
    // It is a convenience: the lobby shows the same.
    watch().catch(() => {});
    return () => leaving.abort();
  }, [matchId, wanted]);
  return found;
}
