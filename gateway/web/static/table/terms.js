/** Under what a match is played, as far as it is not the usual. */

import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { leftOf } from "./storetime.js";

/** @param {{match: any, delay: import("../core/follow.js").Delay | null, own: number | null}} props */
export function Terms({ match, delay, own }) {
  const { clock, private: hidden, spectatorDelay } = match.terms ?? {};
  const spectators = spectatorDelay ? String(spectatorDelay.unit).replace("DELAY_UNIT_", "") : "";
  return html`<ul class="terms">
    ${clock ? html`<li class="badge">${clockOf(clock)}</li>` : null}
    ${hidden ? html`<li class="badge">${say("table.private")}</li>` : null}
    ${own === null && match.status !== "MATCH_STATUS_OPEN" ? html`<li class="badge">${say("table.watching")}</li>` : null}
    ${
      delay
        ? html`<li class="badge warn delay">${say(`table.delay.${delay.unit}`, { count: delay.count })}</li>`
        : spectators
          ? html`<li class="badge">${say(`table.delayed.${spectators}`, { count: spectatorDelay.count ?? 0 })}</li>`
          : null
    }
  </ul>`;
}

/** @param {any} clock */
function clockOf({ moveMs, bankMs, incrementMs }) {
  if (Number(moveMs ?? 0)) return say("table.clock.move", { time: leftOf(Number(moveMs), say) });
  const bank = leftOf(Number(bankMs ?? 0), say);
  const increment = Number(incrementMs ?? 0);
  return increment
    ? say("table.clock.increment", { time: bank, seconds: Math.round(increment / 1000) })
    : say("table.clock.bank", { time: bank });
}
