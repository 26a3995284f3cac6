/** The log in sentences beside the board: the entry that is shown is marked, and each leads to its version. */

import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "../core/html.js";
import { say, useLanguage } from "../core/words.js";
import { sentence, Whose } from "../table/log.js";

/** Entries that are drawn anew together. */
const CHUNK = 100;

/**
 * @typedef {import("../core/follow.js").Told} Entry
 * @typedef {{game: string, seatName: (seat: number) => string, go: (version: number) => void}} Telling
 */

/** @param {Telling & {entries: readonly Entry[], version: number}} props */
export function Story({ game, entries, seatName, version, go }) {
  /** @type {{current: HTMLElement | null}} */
  const box = useRef(null);
  const show = useCallback(() => {
    const line = box.current?.querySelector("[aria-current]");
    if (line && box.current) bringIntoView(box.current, /** @type {HTMLElement} */ (line));
  }, []);
  useLayoutEffect(show, [version, entries.length > 0]);
  useEffect(() => {
    const watch = new ResizeObserver(show);
    watch.observe(/** @type {HTMLElement} */ (box.current));
    return () => watch.disconnect();
  }, []);
  const refocus = useRef(false);
  useEffect(() => {
    if (!refocus.current) return;
    refocus.current = false;
    /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector("[aria-current]"))?.focus();
  }, [version]);
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    refocus.current = true;
    go(version + step);
  };
  const chunks = [];
  for (let start = 0; start < entries.length; start += CHUNK) {
    const inside = version > start && version <= start + CHUNK;
    const part = entries.slice(start, start + CHUNK);
    chunks.push(html`<${Chunk} key=${start} ...${{ game, part, seatName, go, present: inside ? version : 0 }} />`);
  }
  return html`<section class="story panel" aria-labelledby="log-title">
    <h2 id="log-title">${say("replay.log")}</h2>
    <div class="log-box" ref=${box} role="group" aria-labelledby="log-title" onKeyDown=${key}>
      <ol class="log">
        ${chunks}
      </ol>
    </div>
  </section>`;
}

/** @param {Telling & {part: readonly Entry[], present: number}} props */
function Chunk({ game, part, seatName, go, present }) {
  const language = useLanguage();
  return useMemo(
    () =>
      part.map(
        (
          entry,
        ) => html`<li key=${entry.cursor} class=${entry.type.startsWith("match.") ? "of-match" : null} data-version=${entry.version}>
          <button
            type="button"
            class="plain"
            tabindex=${entry.version === present ? 0 : -1}
            aria-current=${entry.version === present ? "step" : null}
            onClick=${() => go(entry.version)}
          >
            <${Whose} entry=${entry} />
            <bdi>${sentence(game, entry, seatName)}</bdi>
          </button>
        </li>`,
      ),
    [part.length, part[0]?.cursor, part.at(-1)?.cursor, seatName, go, present, language],
  );
}

/** Only the box is scrolled, never the page. @param {HTMLElement} box @param {HTMLElement} line */
function bringIntoView(box, line) {
  const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}
