/** A link to what is shown, and the log as a file. */

import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/refusals.js";
import { say } from "../core/words.js";
import { exported, save } from "./export.js";

/** @param {{match: any, audience: import("./audience.js").Audience, version: number, opened: boolean}} props */
export function Sharing({ match, audience, version, opened }) {
  const { matchId } = match;
  const [link, setLink] = useState("");
  const [copied, setCopied] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const address = `${location.origin}/replay/${matchId}?version=${version}&seat=${audience.name}`;
  // What was shared is of another moment.
  useEffect(() => setLink(""), [address]);
  const share = async () => {
    setLink(address);
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      setCopied(false); // It stands there to be copied by hand.
    }
  };
  const download = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setError(null);
    const seat = audience.seat === null ? {} : { seat: audience.seat };
    const name = opened ? matchId : `${matchId}-${audience.seat === null ? "spectator" : `seat-${audience.seat}`}`;
    try {
      save(await exported(matchId, opened ? { full: true } : seat), `${name}.jsonl`);
    } catch (failed) {
      setError(failed);
    }
  };
  return html`<div class="sharing">
    <button type="button" data-do="share" onClick=${share}>${say("replay.share")}</button>
    <a class="button" role="button" href="#export" data-do="download" onClick=${download}>${say("replay.download")}</a>
    <a class="button plain" href="/verify">${say("replay.verify")}</a>
    ${
      link
        ? html`<label class="field shared">
          <span>${say(copied ? "replay.share.copied" : "replay.share.link")}</span>
          <input class="share-link" readonly value=${link} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
        </label>`
        : null
    }
    <${Refused} error=${error} />
  </div>`;
}
