/** One match in a list: who sits where, under what, and what one can do with it. */

import { call, requestId } from "../core/api.js";
import { titleOf } from "../core/games.js";
import { html, useState } from "../core/html.js";
import { Mark } from "../core/marks.js";
import { Name } from "../core/names.js";
import { Refused } from "../core/refusals.js";
import { navigate } from "../core/router.js";
import { ago } from "../core/times.js";
import { say } from "../core/words.js";
import { freeSeats, kindOf, reservedFor, sits } from "./list.js";
import { TermBadges } from "./terms.js";

/** @typedef {[name: string, kind: string, act: () => Promise<unknown> | void]} Deed */

/** Claims a seat, and goes to it. @param {any} match @param {number} [seat] */
export async function join({ matchId }, seat) {
  const wanted = seat === undefined ? {} : { seat };
  await call("MatchService", "JoinMatch", { requestId: requestId(), matchId, ...wanted });
  navigate(`/table/${matchId}`);
}

/** Asks for the match once more, with the same players. @param {any} match */
async function rematch({ matchId }) {
  const { match } = await call("LobbyService", "Rematch", { requestId: requestId(), matchId });
  navigate(`/table/${match.matchId}`);
}

/** What the player can do with the match, the likeliest first. @param {any} match @param {string} me @returns {Deed[]} */
function deedsOf(match, me) {
  const go = (/** @type {string} */ page) => () => navigate(`/${page}/${match.matchId}`);
  const mine = sits(match, me);
  if (kindOf(match) === "finished") {
    /** @type {Deed[]} */
    const deeds = [["replay", "", go("replay")]];
    if (mine && !match.imported) deeds.push(["rematch", "", () => rematch(match)]);
    return deeds;
  }
  if (mine) return [["play", "primary", go("table")]];
  const free = match.status === "MATCH_STATUS_OPEN" && freeSeats(match, me).length > 0;
  const reserved = reservedFor(match, me);
  const seat = reserved < 0 ? undefined : reserved;
  return [
    ...(free ? [/** @type {Deed} */ (["join", "primary", () => join(match, seat)])] : []),
    ["watch", "", go("table")],
  ];
}

/** @param {{match: any, me: string, now: number}} props */
export function Card({ match, me, now }) {
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const { matchId, game } = match;
  const title = titleOf(game);
  /** @param {Deed[2]} act */
  const done = async (act) => {
    setState({ busy: true, error: null });
    try {
      await act();
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const finished = kindOf(match) === "finished";
  const time = Number(finished ? match.changedAtMs : match.createdAtMs);
  return html`<li class=${sits(match, me) ? "match panel own" : "match panel"} data-match=${matchId} data-game=${game}>
    <div class="match-head">
      <h3><a href=${`/${finished ? "replay" : "table"}/${matchId}`}>${title}</a></h3>
      <time datetime=${new Date(time).toISOString()}>${ago(time, now)}</time>
    </div>
    <p class="badges"><${TermBadges} match=${match} /></p>
    <div class="match-body">
      <${Seated} match=${match} me=${me} />
      <div class="actions">
        ${deedsOf(match, me).map((deed) => html`<${Deed} key=${deed[0]} deed=${deed} game=${title} busy=${state.busy} done=${done} />`)}
      </div>
    </div>
    <${Refused} error=${state.error} />
  </li>`;
}

/** @param {{deed: Deed, game: string, busy: boolean, done: (act: Deed[2]) => void}} props */
function Deed({ deed: [name, kind, act], game, busy, done }) {
  const text = say(`match.${name}`);
  return html`<button type="button" class="small ${kind}" data-do=${name} disabled=${busy}
    aria-label=${say("match.deed", { deed: text, game })} onClick=${() => done(act)}>${text}</button>`;
}

/** The seats with who sits there and, once it is over, how it went. @param {{match: any, me: string}} props */
function Seated({ match, me }) {
  const places = new Map((match.outcome?.ranking ?? []).map((/** @type {any} */ each) => [each.seat ?? 0, each]));
  const result = (/** @type {any} */ { place, points = 0 }) => say("place", { place, points });
  return html`<ul class="sitting" aria-label=${say("seats")}>
    ${match.seats.map(
      (
        /** @type {any} */ seat,
        /** @type {number} */ index,
      ) => html`<li key=${index} class=${seat.player ? "" : "free"}>
        <svg viewBox="-12 -12 24 24" width="22" height="22" aria-hidden="true"><${Mark} seat=${index} /></svg>
        <${Sitting} seat=${seat} reserved=${match.terms?.reserved?.[index]} me=${me} />
        ${places.has(index) ? html`<span class="result">${result(places.get(index))}</span>` : null}
      </li>`,
    )}
  </ul>`;
}

/** @param {{seat: any, reserved: string | undefined, me: string}} props */
function Sitting({ seat, reserved, me }) {
  if (!seat.player) {
    const text = reserved ? say(reserved === me ? "seat.yours" : "seat.reserved") : say("seat.vacant");
    return html`<span class="hint">${text}</span>`;
  }
  return html`<${Name} name=${seat.name} player=${seat.player} bot=${seat.bot} link />
    ${seat.player === me ? html`<span class="badge good">${say("you")}</span>` : null}
    ${seat.vacant ? html`<span class="badge warn">${say("seat.left")}</span>` : null}`;
}
