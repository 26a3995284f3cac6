/** Who sits at the table: sign, name, score, clock, and whose turn it is. */

import { html, useEffect, useState } from "../core/html.js";
import { COLOURS, Mark } from "../core/marks.js";
import { say } from "../core/words.js";
import { leftOf } from "./storetime.js";

/**
 * @typedef {import("../core/types.js").SeatShown} SeatShown
 * @typedef {import("../core/follow.js").SeatClock} SeatClock
 */

/** A clock that has less than this left is shown to be short, in ms. */
const SHORT_MS = 15_000;

/** A seat's sign by itself. @param {{seat: number}} props */
export function Sign({ seat }) {
  return html`<svg class="sign" viewBox="-13 -13 26 26" width="26" height="26" aria-hidden="true">
    <${Mark} seat=${seat} />
  </svg>`;
}

/**
 * @param {object} props
 * @param {SeatShown[]} props.seats
 * @param {number | null} props.own
 * @param {readonly number[]} props.mine      the viewer's seats
 * @param {ReadonlyMap<number, boolean>} props.turns   seats that have something to decide, and whether they owe it
 * @param {readonly number[]} props.scores
 * @param {readonly SeatClock[]} props.clocks
 * @param {import("./storetime.js").StoreTime} props.time
 * @param {boolean} props.over
 */
export function Seats({ seats, own, mine, turns, scores, clocks, time, over }) {
  return html`<section class="seats" aria-label=${say("table.seats")}>
    <ol>
      ${seats.map((seat) => {
        const turn = turns.get(seat.seat);
        return html`<li
          key=${seat.seat}
          class="seat"
          data-seat=${seat.seat}
          data-turn=${turn === true ? "owed" : turn === false ? "may" : null}
          style=${{ "--seat": COLOURS[seat.seat] }}
        >
          <${Sign} seat=${seat.seat} />
          <span class="who">
            <bdi class="name">${seat.name}</bdi>
            <span class="tags">
              ${seat.seat === own ? html`<span class="tag you">${say("table.you")}</span>` : null}
              ${seat.seat !== own && mine.includes(seat.seat) ? html`<span class="tag">${say("table.yours")}</span>` : null}
              ${seat.bot ? html`<span class="tag">${say("bot")}</span>` : null}
              ${seat.vacant ? html`<span class="tag warn">${say("table.vacant")}</span>` : null}
              ${turn === true ? html`<span class="tag turn">${say("table.turn")}</span>` : null}
              ${turn === false ? html`<span class="tag">${say("table.may")}</span>` : null}
            </span>
          </span>
          ${clocks[seat.seat] ? html`<${Clock} clock=${clocks[seat.seat]} time=${time} over=${over} />` : null}
          ${
            scores[seat.seat] === undefined
              ? null
              : html`<span class="score" title=${say("table.points")}>
                <span class="unseen">${say("table.points")} </span>${scores[seat.seat]}
              </span>`
          }
        </li>`;
      })}
    </ol>
  </section>`;
}

/** @param {{clock: SeatClock, time: import("./storetime.js").StoreTime, over: boolean}} props */
function Clock({ clock, time, over }) {
  const [, tick] = useState(0);
  const runs = !over && clock.deadlineMs !== null;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [runs, clock]);
  const now = time.now();
  const left = runs && now !== null ? Math.min(clock.leftMs, Number(clock.deadlineMs) - now) : clock.leftMs;
  const short = runs && left < SHORT_MS;
  return html`<span
    class="clock"
    role="timer"
    aria-live="off"
    aria-label=${say("table.clock")}
    data-runs=${runs ? "" : null}
    data-short=${short ? "" : null}
    data-out=${left <= 0 ? "" : null}
    >${leftOf(left, say)}</span
  >`;
}
