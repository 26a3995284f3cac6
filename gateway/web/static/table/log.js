/** What has happened, in sentences. */

import { html, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { levelName, plainName, signed } from "../core/names.js";
import { say, tell } from "../core/words.js";
import { Sign } from "./seats.js";

/** @typedef {import("../core/follow.js").Told} Told */

/** What is said of a seat before anybody sits there: by its number. */
const SEATED = /^match\.seat_(claimed|released)\b/;

/** So many sentences stand on the page at first, the newest. */
const SHOWN = 300;

/**
 * @param {object} props
 * @param {string} props.game
 * @param {readonly Told[]} props.entries
 * @param {(seat: number) => string} props.seatName
 */
export function Log({ game, entries, seatName }) {
  const [shown, setShown] = useState(SHOWN);
  /** @type {{current: HTMLElement | null}} */
  const box = useRef(null);
  const atEnd = useRef(true);
  /** At the end nothing holds the place of a line: with the one that goes out above the end would go out of sight. */
  const stay = (/** @type {boolean} */ there) => {
    atEnd.current = there;
    if (box.current) box.current.style.overflowAnchor = there ? "none" : "";
  };
  useEffect(() => {
    const scroller = /** @type {HTMLElement} */ (box.current);
    // By then the page is laid out for the next frame anyway: to ask how long the log is while it is drawn costs as much again.
    const longer = new ResizeObserver(() => {
      if (atEnd.current) scroller.scrollTop = scroller.scrollHeight;
    });
    longer.observe(/** @type {Element} */ (scroller.firstElementChild));
    stay(true);
    return () => longer.disconnect();
  }, []);
  const scrolled = () => {
    const scroller = box.current;
    if (scroller) stay(scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 24);
  };
  /** Entries never change, so each is drawn once. @type {WeakMap<Told, any>} */
  const drawn = useMemo(() => new WeakMap(), [game, seatName]);
  const line = (/** @type {Told} */ entry) => {
    const known = drawn.get(entry) ?? html`<${Line} key=${entry.cursor} ...${{ game, entry, seatName }} />`;
    drawn.set(entry, known);
    return known;
  };
  const first = Math.max(0, entries.length - shown);
  return html`<section class="story panel" aria-labelledby="log-title">
    <h2 id="log-title">${say("table.log")}</h2>
    <div class="log-box" ref=${box} tabindex="0" role="region" aria-labelledby="log-title" onScroll=${scrolled}>
      <div>
        ${
          first > 0
            ? html`<button type="button" class="plain small" onClick=${() => setShown(shown + SHOWN)}>
              ${say("table.log.earlier", { count: first })}
            </button>`
            : null
        }
        <ol class="log" start=${first + 1}>
          ${entries.slice(first).map(line)}
        </ol>
      </div>
    </div>
  </section>`;
}

/** @param {{game: string, entry: Told, seatName: (seat: number) => string}} props */
function Line({ game, entry, seatName }) {
  const platform = entry.type.startsWith("match.");
  return html`<li class=${platform ? "of-match" : null} data-version=${entry.version}>
    <${Whose} entry=${entry} />
    <bdi>${sentence(game, entry, seatName)}</bdi>
  </li>`;
}

/** The sign of the seat that a line is about; where it is about none, of who brought it about. @param {{entry: Told}} props */
export function Whose({ entry }) {
  const seat = entry.sentence?.args.seat?.seat ?? entry.seat;
  return seat === null ? html`<span class="no-sign"></span>` : html`<${Sign} seat=${seat} />`;
}

/**
 * What people and the log call differently: bots by what they are told to do, seats by numbers from 0.
 * @param {string} key @param {string} name @param {any} value
 */
function argument(key, name, value) {
  if (name === "number" && SEATED.test(key)) return value + 1;
  if (typeof value !== "string") return value;
  // Names and reasons that people gave turn no text around them.
  return name === "name" && key.endsWith(".bot") ? signed(levelName(plainName(value))) : plainName(value);
}

/**
 * @param {string} game
 * @param {Told} entry
 * @param {(seat: number) => string} seatName
 */
export function sentence(game, entry, seatName) {
  const { sentence, type } = entry;
  if (!sentence) return type;
  const args = Object.entries(sentence.args).map(([name, value]) => [name, argument(sentence.key, name, value)]);
  return tell(game, { ...sentence, args: Object.fromEntries(args) }, seatName);
}
