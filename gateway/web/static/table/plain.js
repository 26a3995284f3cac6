/** A game without pictures: its view as text, its moves by their fields. It can be played all the same. */

import { html } from "../core/html.js";

/** @param {any} value @returns {string} */
function readable(value) {
  if (Array.isArray(value)) return value.length ? value.map(readable).join(", ") : "–";
  if (value !== null && typeof value === "object") {
    return Object.entries(value)
      .map(([name, each]) => `${name.replaceAll("_", " ")}: ${readable(each)}`)
      .join("; ");
  }
  return value === null ? "–" : String(value);
}

/** @param {any} move */
function inWords(move) {
  const { kind, ...rest } = move;
  const name = String(kind ?? "").replaceAll("_", " ");
  const said = readable(rest);
  return said ? `${name} (${said})` : name;
}

/** A short name for a text; that two have the same one does no harm. @param {string} text */
function digest(text) {
  let sum = 0x811c9dc5;
  for (const sign of text) sum = Math.imul(sum ^ /** @type {number} */ (sign.codePointAt(0)), 0x01000193);
  return (sum >>> 0).toString(36);
}

/**
 * @param {string} name
 * @returns {import("../core/types.js").Game<any, any>}
 */
export function plainGame(name) {
  return {
    name,
    Board: ({ view }) => html`<pre class="plain-view" tabindex="0">${JSON.stringify(view, null, 2)}</pre>`,
    Panel: ({ say }) => html`<p class="hint">${say("table.plain")}</p>`,
    steps: (move) => [{ target: `move:${digest(JSON.stringify(move))}`, label: inWords(move) }],
    weighty: () => false,
    attempt: () => null,
    forms: {},
    duty: () => "",
    scores: () => [],
  };
}
