/** Why something was not done, in words. */

import { html } from "./html.js";
import { Refusal } from "./wire.js";
import { has, say } from "./words.js";

/**
 * One or two sentences: what kind of refusal it is in the language of the page, and what the server says of the case.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (!(error instanceof Refusal)) return say("refused.UNKNOWN");
  const known = `refused.${error.reason}`;
  if (!has(known)) return error.message;
  if (error.reason === "TOO_MUCH" && error.retryAfterMs) {
    return say("refused.TOO_MUCH.wait", { seconds: Math.ceil(error.retryAfterMs / 1000) });
  }
  const detailed = ["MALFORMED", "ILLEGAL_MOVE", "ILLEGAL_OPTIONS", "TOO_LARGE", "CORRUPT_EXPORT", "INTERNAL"];
  return detailed.includes(error.reason) ? `${say(known)} ${error.message}` : say(known);
}

/**
 * Nothing where there is no error. `again` tries once more.
 * @param {{error: unknown, again?: () => void}} props
 */
export function Refused({ error, again }) {
  if (!error) return null;
  const rule = error instanceof Refusal ? error.rule : "";
  return html`<p role="alert" class="refusal">${rule ? html`<strong class="rule">${rule}</strong> ` : null}${reasonOf(error)}</p>
    ${again ? html`<p><button type="button" data-do="again" onClick=${again}>${say("again")}</button></p>` : null}`;
}
