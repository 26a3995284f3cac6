/** Checks exports in the browser alone: no server is asked. */

import { announce } from "../core/announce.js";
import { loadTitle, titleOf } from "../core/games.js";
import { html, useCallback, useEffect, useRef, useState } from "../core/html.js";
import { styled } from "../core/looks.js";
import { title } from "../core/router.js";
import { say, useLanguage } from "../core/words.js";

/**
 * @typedef {import("./checking.js").Verdict} Verdict
 * @typedef {{id: number, name: string, share: number, verdict: Verdict | null, failed: string}} Checked
 */

/** Larger ones are for the command line. */
const MOST_BYTES = 512 * 1024 * 1024;

export function Page() {
  const language = useLanguage();
  useEffect(() => {
    styled("/static/replay/verify.css");
  }, []);
  useEffect(() => title(say("verify.title")), [language]);
  const { checked, add } = useChecks();
  const [over, setOver] = useState(false);
  const drag = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(event.type === "dragover");
    if (event.type === "drop") add(event.dataTransfer?.files ?? null);
  };
  const chosen = (/** @type {any} */ event) => {
    add(event.currentTarget.files);
    event.currentTarget.value = "";
  };
  const able = Boolean(globalThis.crypto?.subtle);
  return html`<main id="main" data-page="verify" class="narrow verify" onDragOver=${drag} onDragLeave=${drag} onDrop=${drag}>
    <h1>${say("verify.title")}</h1>
    <p>${say("verify.what")}</p>
    ${
      able
        ? html`<label class=${over ? "drop over" : "drop"}>
          <svg class="drop-sign" viewBox="0 0 48 24" width="72" height="36" aria-hidden="true">
            <path d="M13 5H9a7 7 0 0 0 0 14h4M20 5h8a7 7 0 0 1 0 14h-8a7 7 0 0 1 0-14M35 5h4a7 7 0 0 1 0 14h-4" />
          </svg>
          <strong>${say("verify.drop")}</strong>
          <span class="hint">${say("verify.stays")}</span>
          <input type="file" name="export" multiple accept=".jsonl,application/x-ndjson" onChange=${chosen} />
        </label>`
        : html`<p class="refusal" role="alert">${say("verify.unable")}</p>`
    }
    <ol class="checked" aria-label=${say("verify.results")}>
      ${checked.map((each) => html`<${Result} key=${each.id} ...${each} />`)}
    </ol>
    <${Explanation} />
  </main>`;
}

/** @returns {{checked: readonly Checked[], add: (files: FileList | null) => void}} the last file first */
function useChecks() {
  const [checked, setChecked] = useState(/** @type {readonly Checked[]} */ ([]));
  /** @type {{current: Worker | null}} */
  const worker = useRef(null);
  const count = useRef(0);
  const change = useCallback((/** @type {number} */ id, /** @type {Partial<Checked>} */ news) => {
    setChecked((all) => all.map((each) => (each.id === id ? { ...each, ...news } : each)));
    if (news.verdict) announce(inWords(news.verdict));
  }, []);
  useEffect(() => () => worker.current?.terminate(), []);
  const add = useCallback((/** @type {FileList | null} */ files) => {
    worker.current ??= started(change);
    for (const file of files ?? []) {
      const id = ++count.current;
      const large = file.size > MOST_BYTES;
      setChecked((all) => [
        { id, name: file.name, share: 0, verdict: null, failed: large ? say("verify.large") : "" },
        ...all,
      ]);
      if (!large) worker.current.postMessage({ id, file });
    }
  }, []);
  return { checked, add };
}

/** @param {(id: number, news: Partial<Checked>) => void} change */
function started(change) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, ...news } }) => change(id, news);
  return worker;
}

/** @param {Verdict} verdict */
function inWords({ ok, bad, fault }) {
  if (ok) return say("verify.ok");
  const place =
    bad === null
      ? say("verify.closing")
      : bad === 0
        ? say("verify.header")
        : say("verify.version", { version: Number(bad) });
  return `${say("verify.bad", { place })} ${say(`verify.bad.${fault}`)}`;
}

/** @param {Checked} props */
function Result({ name, share, verdict, failed }) {
  const state = failed ? "failed" : verdict ? (verdict.ok ? "ok" : "bad") : "busy";
  return html`<li class="verdict panel" data-verdict=${state} data-bad=${verdict && !verdict.ok ? String(verdict.bad) : null} data-fault=${verdict?.fault ?? null}>
    <h2><span class="verdict-sign" aria-hidden="true">${{ ok: "✓", bad: "✗", failed: "!", busy: "…" }[state]}</span> <bdi class="name">${name}</bdi></h2>
    ${failed ? html`<p>${failed}</p>` : null}
    ${state === "busy" ? html`<p><label>${say("verify.busy")} <progress max="1" value=${share}></progress></label></p>` : null}
    ${verdict ? html`<p class="verdict-words">${inWords(verdict)}</p>` : null}
    ${verdict?.ok ? html`<${Facts} ...${verdict} />` : null}
  </li>`;
}

/** A game by its title, once that is there. @param {{game: string}} props */
function Title({ game }) {
  const [, setLoaded] = useState("");
  useEffect(() => {
    loadTitle(game).then(() => setLoaded(game));
  }, [game]);
  return html`<bdi>${titleOf(game)}</bdi>`;
}

/** @param {Verdict} props */
function Facts({ match, game, audience = "", head, entries, over, opened, closed }) {
  const seat = /^seat (\d+)$/.exec(audience);
  const seen = seat ? say("verify.audience.seat", { number: Number(seat[1]) + 1 }) : say(`verify.audience.${audience}`);
  const secret = audience === "full" ? "full" : opened ? "opened" : closed ? "closed" : "running";
  /** @param {string} key @param {any} value */
  const row = (key, value) => html`<div><dt>${say(`verify.${key}`)}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
      ${row("match", html`<code>${match}</code>`)} ${row("game", html`<${Title} game=${game} />`)} ${row("audience", seen)}
      ${row("entries", entries)} ${row("head", html`<code>${head}</code>`)}
      ${row("state", say(over ? "verify.over" : "verify.running"))}
    </dl>
    <p class="hint">${say(`verify.secret.${secret}`)}</p>`;
}

function Explanation() {
  const parts = ["bytes", "chain", "secret", "leaves", "draws"];
  return html`<section class="panel explained">
    <h2>${say("verify.checks")}</h2>
    <ul>
      ${parts.map((part) => html`<li key=${part}>${say(`verify.checks.${part}`)}</li>`)}
    </ul>
    <p class="hint">${say("verify.checks.not")} <code>tidelog verify</code></p>
  </section>`;
}
