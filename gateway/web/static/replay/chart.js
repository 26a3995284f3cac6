/** Scores over time: a line for each seat, told apart by colour, by dashes and by its sign; and the same as a table. */

import { html, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { COLOURS, Mark } from "../core/marks.js";
import { say, useLanguage } from "../core/words.js";
import { turnsOf } from "./tale.js";

/** @typedef {import("./survey.js").Mark} Marked */

const HEIGHT = 190;
const LEFT = 34;
const RIGHT = 34;
const TOP = 14;
const BOTTOM = 26;
const DASHES = ["", "9 4", "3 3", "12 4 3 4", "6 6", "2 6"];
const SIGN = 8;

/**
 * @param {object} props
 * @param {readonly Marked[]} props.marks
 * @param {import("../core/types.js").SeatShown[]} props.seats
 * @param {number} props.version
 * @param {number} props.last
 * @param {boolean} props.whole     all of the past is in it
 * @param {(version: number) => void} props.go
 */
export function Chart({ marks, seats, version, last, whole, go }) {
  useLanguage();
  const [box, width] = useWidth();
  const scored = marks.filter((mark) => mark.scores.length);
  if (!scored.length) return html`<div ref=${box}></div>`;
  const at = scored.findLast((mark) => mark.version <= version) ?? scored[0];
  return html`<section class="chart panel" aria-labelledby="chart-title" ref=${box} aria-busy=${whole ? null : "true"}>
    <h2 id="chart-title">${say("replay.scores")}</h2>
    <ul class="legend">
      ${seats.map(
        ({ seat, name }) => html`<li key=${seat}>
          <svg viewBox="-22 -11 44 22" width="44" height="22" aria-hidden="true">
            <path d="M-22 0H22" stroke=${COLOURS[seat]} stroke-width="3" stroke-dasharray=${DASHES[seat]} />
            <${Mark} seat=${seat} size=${9} />
          </svg>
          <bdi class="name">${name}</bdi> <strong>${at.scores[seat] ?? ""}</strong>
        </li>`,
      )}
    </ul>
    <${Lines} ...${{ marks: scored, seats, version, last, width, go }} />
    <details>
      <summary>${say("replay.scores.table")}</summary>
      <${Scores} marks=${scored} seats=${seats} />
    </details>
  </section>`;
}

/** @param {{marks: readonly Marked[], seats: import("../core/types.js").SeatShown[], version: number, last: number, width: number, go: (version: number) => void}} props */
function Lines({ marks, seats, version, last, width, go }) {
  const first = marks[0].version;
  const most = Math.max(1, ...marks.flatMap((mark) => mark.scores));
  const least = Math.min(0, ...marks.flatMap((mark) => mark.scores));
  const x = (/** @type {number} */ at) => LEFT + ((at - first) / Math.max(1, last - first)) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ score) => TOP + ((most - score) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const drawn = useMemo(() => lines(marks, seats.length, last, x, y), [marks, seats.length, last, width]);
  const turns = useMemo(() => turnsOf(marks), [marks]);
  const picked = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    const box = /** @type {SVGElement} */ (event.currentTarget).getBoundingClientRect();
    const share = ((event.clientX - box.left) * (width / box.width) - LEFT) / (width - LEFT - RIGHT);
    go(Math.min(Math.max(Math.round(first + share * (last - first)), 1), last));
  };
  const present = Math.max(version, first);
  const shown = marks.findLast((mark) => mark.version <= present) ?? marks[0];
  return html`<svg
    class="lines"
    viewBox="0 0 ${width} ${HEIGHT}"
    role="img"
    aria-label=${say("replay.scores.alt", { most, count: seats.length })}
    onPointerDown=${picked}
    onPointerMove=${picked}
  >
    ${ticks(least, most).map(
      (score) => html`<g key=${score} class="tick">
        <path fill="none" d="M${LEFT} ${y(score)}H${width - RIGHT}" />
        <text x=${LEFT - 6} y=${y(score) + 4} text-anchor="end">${score}</text>
      </g>`,
    )}
    ${(turns.length < (width - LEFT) / 5 ? turns : []).map((turn) => html`<path key=${turn} class="turn" fill="none" d="M${x(turn)} ${HEIGHT - BOTTOM}v5" />`)}
    <text class="axis" x=${width - RIGHT} y=${HEIGHT - 6} text-anchor="end">${say("replay.scores.axis")}</text>
    ${drawn.map(({ seat, path }) => html`<path key=${seat} class="line" fill="none" d=${path} stroke=${COLOURS[seat]} stroke-dasharray=${DASHES[seat]} />`)}
    <path class="now" fill="none" d="M${x(present)} ${TOP - 8}V${HEIGHT - BOTTOM + 6}" />
    ${shown.scores.map((score, seat) => html`<circle key=${seat} class="dot" cx=${x(present)} cy=${y(score)} r="4" fill=${COLOURS[seat]} />`)}
    ${apart(drawn).map(({ seat, at }) => html`<${Mark} key=${seat} seat=${seat} x=${width - RIGHT + 16} y=${at} size=${SIGN} />`)}
  </svg>`;
}

/**
 * Steps: a score holds until it changes.
 * @param {readonly Marked[]} marks
 * @param {number} count
 * @param {number} last
 * @param {(version: number) => number} x
 * @param {(score: number) => number} y
 */
function lines(marks, count, last, x, y) {
  return Array.from({ length: count }, (_, seat) => {
    const told = marks.filter((mark) => mark.scores[seat] !== undefined);
    let path = "";
    let held = Number.NaN;
    for (const { version, scores } of told) {
      if (scores[seat] === held) continue;
      held = scores[seat];
      path += path ? `H${round(x(version))}V${round(y(held))}` : `M${round(x(version))} ${round(y(held))}`;
    }
    return { seat, path: `${path}H${round(x(last))}`, end: y(held) };
  }).filter(({ end }) => Number.isFinite(end));
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/** Signs at the ends of lines, none over another. @param {{seat: number, end: number}[]} ends */
function apart(ends) {
  const sorted = ends.map(({ seat, end }) => ({ seat, at: end })).sort((one, other) => one.at - other.at);
  for (const [index, sign] of sorted.entries()) {
    if (index > 0) sign.at = Math.max(sign.at, sorted[index - 1].at + 2 * SIGN + 2);
  }
  const over = (sorted.at(-1)?.at ?? 0) - (HEIGHT - BOTTOM);
  if (over > 0) for (const sign of sorted) sign.at -= over;
  return sorted;
}

/** Scores at which a line is drawn. @param {number} least @param {number} most */
function ticks(least, most) {
  const rough = (most - least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 1);
  const found = [];
  for (let score = Math.ceil(least / step) * step; score <= most; score += step) found.push(score);
  return found;
}

/** One row for each turn, and one for the end. @param {{marks: readonly Marked[], seats: import("../core/types.js").SeatShown[]}} props */
function Scores({ marks, seats }) {
  const turns = new Set(turnsOf(marks));
  const ends = marks.filter((mark) => mark.ends);
  // A turn's row says how it ended.
  const rows = ends.filter((_, index) => index + 1 === ends.length || turns.has(ends[index + 1].version));
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say("replay.scores.table")}>
    <table>
      <caption>${say("replay.scores.caption")}</caption>
      <thead>
        <tr>
          <th scope="col" class="number">${say("replay.turn")}</th>
          <th scope="col" class="number">${say("replay.entry")}</th>
          ${seats.map(({ seat, name }) => html`<th key=${seat} scope="col" class="number"><bdi class="name">${name}</bdi></th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (mark, index) => html`<tr key=${mark.version}>
            <th scope="row" class="number">${index + 1}</th>
            <td class="number">${mark.version}</td>
            ${seats.map(({ seat }) => html`<td key=${seat} class="number">${mark.scores[seat] ?? "–"}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @returns {[{current: HTMLElement | null}, number]} what is measured, and how wide its inside is */
function useWidth() {
  /** @type {{current: HTMLElement | null}} */
  const box = useRef(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const place = /** @type {HTMLElement} */ (box.current);
    const { paddingLeft, paddingRight } = getComputedStyle(place);
    const around = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    const watch = new ResizeObserver(() => setWidth(Math.max(240, Math.floor(place.clientWidth - around))));
    watch.observe(place);
    return () => watch.disconnect();
  }, [box.current]);
  return [box, width];
}
