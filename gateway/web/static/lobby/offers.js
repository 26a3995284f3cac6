/** What concerns the player whatever the lists show: a search under way, seats kept for them, a match that has begun. */

import { call, requestId } from "../core/api.js";
import { titleOf } from "../core/games.js";
import { html, useState } from "../core/html.js";
import { Refused } from "../core/refusals.js";
import { say } from "../core/words.js";
import { join } from "./card.js";
import { reservedFor, sits } from "./list.js";

/** @param {any} match @param {string} me @returns {"begun" | "waiting" | "offered" | null} */
export function concern(match, me) {
  const mine = sits(match, me);
  if (match.status === "MATCH_STATUS_RUNNING" && mine) return "begun";
  if (match.status !== "MATCH_STATUS_OPEN") return null;
  if (mine) return match.terms?.quick ? "waiting" : null;
  return reservedFor(match, me) >= 0 ? "offered" : null;
}

/** @param {{matches: any[], me: string, gone: (match: any) => void}} props `gone`: it concerns the player no more */
export function Offers({ matches, me, gone }) {
  const shown = matches.filter((match) => concern(match, me));
  if (!shown.length) return null;
  return html`<section class="offers" aria-labelledby="offers-title">
    <h2 id="offers-title" class="unseen">${say("offers")}</h2>
    <ul>${shown.map((match) => html`<${Offer} key=${match.matchId} match=${match} me=${me} gone=${gone} />`)}</ul>
  </section>`;
}

/** @param {{match: any, me: string, gone: (match: any) => void}} props */
function Offer({ match, me, gone }) {
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const { matchId } = match;
  const what = concern(match, me);
  /** @param {() => Promise<unknown>} act */
  const done = async (act) => {
    setState({ busy: true, error: null });
    try {
      await act();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const cancel = async () => {
    await call("LobbyService", "CancelQuickMatch", { requestId: requestId(), matchId });
    gone(match);
  };
  const rematch = what === "offered" && match.terms.rematchOf;
  const words = {
    game: titleOf(match.game),
    seats: match.seats.length,
    free: match.seats.filter((/** @type {any} */ seat) => !seat.player).length,
  };
  return html`<li class="offer" data-offer=${matchId} data-kind=${what}>
    <p>${say(rematch ? "offers.rematch" : `offers.${what}`, words)}</p>
    <div class="actions">
      ${
        what === "waiting"
          ? html`<button type="button" class="small" data-do="cancel-quick" disabled=${state.busy} onClick=${() => done(cancel)}>${say("quick.cancel")}</button>`
          : what === "offered"
            ? html`<button type="button" class="small primary" data-do="accept" disabled=${state.busy}
                onClick=${() => done(() => join(match, reservedFor(match, me)))}>${say("offers.accept")}</button>`
            : html`<a class="button small primary" href=${`/table/${matchId}`}>${say("match.play")}</a>
                <button type="button" class="plain small" onClick=${() => gone(match)}>${say("offers.later")}</button>`
      }
    </div>
    <${Refused} error=${state.error} />
  </li>`;
}
