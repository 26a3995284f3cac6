/** Around the match: what stands in its way, which seat one looks from, leaving it. */

import { call, Refusal, requestId } from "../core/api.js";
import { Dialog } from "../core/dialog.js";
import { html, useState } from "../core/html.js";
import { Refused, reasonOf } from "../core/refusals.js";
import { say } from "../core/words.js";
import { sentence } from "./log.js";

/** @typedef {import("../core/follow.js").Story} Story */

/** That the log went back, and how far. @param {{story: Story | undefined}} props */
export function Rewound({ story }) {
  const version = story?.rewound ?? null;
  return version === null
    ? null
    : html`<p class="notice bad rewound" role="alert">${say("link.rewound", { version })}</p>`;
}

/** What stands between the viewer and the match. @param {{story: Story, entries: readonly import("../core/follow.js").Told[], match: any, error: unknown, seatName: (seat: number) => string}} props */
export function Notices({ story, entries, match, error, seatName }) {
  const halted = entries.findLast((entry) => /^match\.(quarantined|released)$/.test(entry.type));
  const quarantined = halted?.type === "match.quarantined";
  const gone = error && /** @type {any} */ (error).reason === "UNKNOWN_MATCH";
  return html`<div class="notices">
    <${Rewound} story=${story} />
    ${match.imported ? html`<p class="notice">${say("table.imported")}</p>` : null}
    ${quarantined ? html`<p class="notice bad">${sentence(match.game, halted, seatName)} ${say("table.quarantined")}</p>` : null}
    ${
      story.refusal && !quarantined
        ? html`<p class="notice bad" role="alert">${reasonOf(new Refusal(story.refusal.reason, story.refusal.message))}</p>`
        : null
    }
    ${gone && !story.refusal ? html`<p class="notice bad" role="alert">${reasonOf(error)}</p>` : null}
    ${
      !story.live && !story.refusal && story.situation
        ? html`<p class="notice lost" role="status">${say("table.lost")}</p>`
        : null
    }
  </div>`;
}

/** @param {{mine: readonly number[], own: number | null, seats: import("../core/types.js").SeatShown[], turns: Map<number, boolean>, choose: (seat: number) => void}} props */
export function Seating({ mine, own, seats, turns, choose }) {
  return html`<div class="seating actions" role="group" aria-label=${say("table.seating")}>
    ${mine.map(
      (seat) => html`<button
        type="button"
        data-do="seat"
        data-seat=${seat}
        aria-pressed=${seat === own ? "true" : "false"}
        onClick=${() => choose(seat)}
      >
        ${say("table.seating.seat", { number: seat + 1, name: seats[seat].name })}${turns.get(seat) ? " ●" : ""}
      </button>`,
    )}
  </div>`;
}

/** @param {{matchId: string, seat: number, name: string}} props */
export function Resign({ matchId, seat, name }) {
  const [open, setOpen] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const close = () => setOpen(false);
  const resign = async () => {
    try {
      await call("MatchService", "LeaveMatch", { requestId: requestId(), matchId, seat });
      close();
    } catch (failed) {
      setError(failed);
    }
  };
  return html`<div class="leave">
    <button type="button" class="danger small" data-do="resign" onClick=${() => setOpen(true)}>${say("table.resign")}</button>
    ${
      open
        ? html`<${Dialog} name="resign" title=${say("table.resign.title")} close=${close}>
          <p>${say("table.resign.ask", { name })}</p>
          <${Refused} error=${error} />
          <div class="actions">
            <button type="button" onClick=${close}>${say("table.resign.stay")}</button>
            <button type="button" class="danger" data-do="really" onClick=${resign}>${say("table.resign.really")}</button>
          </div>
        <//>`
        : null
    }
  </div>`;
}
