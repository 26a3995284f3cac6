/** Before the start: who has come, taking and leaving seats, inviting, beginning. */

import { call, requestId } from "../core/api.js";
import { html, useState } from "../core/html.js";
import { Refused } from "../core/refusals.js";
import { navigate } from "../core/router.js";
import { say } from "../core/words.js";
import { Sign } from "./seats.js";

/**
 * @param {object} props
 * @param {any} props.match
 * @param {string} props.me
 * @param {import("../core/types.js").SeatShown[]} props.seats
 * @param {string} props.invitation    as the address brought it; empty: none
 * @param {() => void} props.changed   the match is to be asked for again
 */
export function Waiting({ match, me, seats, invitation, changed }) {
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const { matchId } = match;
  const mine = seats.filter((seat) => match.seats[seat.seat].player === me).map((seat) => seat.seat);
  const free = match.seats.filter((/** @type {any} */ seat) => !seat.player).length;
  const begins = match.creator === me && !free && !match.autoStart;
  /** @param {string} rpc @param {object} message */
  const ask = async (rpc, message) => {
    setState({ busy: true, error: null });
    try {
      await call("MatchService", rpc, { requestId: requestId(), matchId, ...message });
      setState({ busy: false, error: null });
      if (rpc === "JoinMatch" && invitation) navigate(`/table/${matchId}`, { replace: true });
      changed();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const invited = invitation ? { invitation } : {};
  const reserved = match.terms?.reserved ?? [];
  return html`<section class="waiting panel" aria-labelledby="waiting-title">
    <h2 id="waiting-title">${begins ? say("table.waiting.ready") : say("table.waiting", { count: free })}</h2>
    <ol class="places">
      ${seats.map(({ seat, name }) => {
        const { player } = match.seats[seat];
        const open = !player && (!reserved[seat] || reserved[seat] === me);
        return html`<li key=${seat} class="seat" data-seat=${seat} data-free=${player ? null : ""}>
          <${Sign} seat=${seat} />
          <span class="who">
            <bdi class="name">${player ? name : say(open ? "table.free" : "table.reserved")}</bdi>
            ${player === me ? html`<span class="tag you">${say("table.you")}</span>` : null}
          </span>
          ${
            open && (!mine.length || match.creator === me)
              ? html`<button
                type="button"
                class=${mine.length ? "small" : "small primary"}
                data-do="join"
                disabled=${state.busy}
                aria-label=${say("table.join.seat", { number: seat + 1 })}
                onClick=${() => ask("JoinMatch", { seat, ...invited })}
              >
                ${say("table.join")}
              </button>`
              : null
          }
          ${
            player === me
              ? html`<button
                type="button"
                class="small"
                data-do="leave"
                disabled=${state.busy}
                onClick=${() => ask("LeaveMatch", { seat })}
              >
                ${say("table.leave")}
              </button>`
              : null
          }
        </li>`;
      })}
    </ol>
    <${Refused} error=${state.error} />
    <div class="actions">
      ${
        begins
          ? html`<button type="button" class="primary" data-do="start" disabled=${state.busy} onClick=${() => ask("StartMatch", {})}>
            ${say("table.start")}
          </button>`
          : null
      }
      ${free && (mine.length || match.creator === me) ? html`<${Invite} matchId=${matchId} />` : null}
    </div>
  </section>`;
}

/** A link that opens one seat, once. @param {{matchId: string}} props */
function Invite({ matchId }) {
  const [link, setLink] = useState("");
  const [copied, setCopied] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const invite = async () => {
    setCopied(false);
    try {
      const { invitation } = await call("LobbyService", "CreateInvitation", { matchId });
      setError(null);
      setLink(`${location.origin}/table/${matchId}#invitation=${encodeURIComponent(invitation)}`);
    } catch (failed) {
      setError(failed);
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      // It stands there to be copied by hand.
    }
  };
  return html`<button type="button" data-do="invite" onClick=${invite}>${say(link ? "table.invite.more" : "table.invite")}</button>
    ${
      link
        ? html`<label class="field invite">
          <span>${say("table.invite.link")}</span>
          <input class="invite-link" readonly value=${link} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
          <button type="button" class="small" data-do="copy" onClick=${copy}>${say(copied ? "table.copied" : "table.copy")}</button>
        </label>`
        : null
    }
    <${Refused} error=${error} />`;
}
