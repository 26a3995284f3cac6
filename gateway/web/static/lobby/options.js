/** A game's options as fields of a form, made from the JSON Schema that its server gives. */

import { html } from "../core/html.js";
import { has, say, sayOf } from "../core/words.js";

/**
 * One option. What is of none of these kinds has no field and keeps its default.
 * @typedef {object} Option
 * @property {string} name
 * @property {"boolean" | "choice" | "integer" | "integers" | "text"} kind
 * @property {any} initial
 * @property {string[]} choices
 * @property {number | undefined} least
 * @property {number | undefined} most
 */

/** @param {any} schema @param {any} part @returns {any} */
function resolved(schema, part) {
  if (part.$ref) {
    const found = part.$ref
      .replace("#/", "")
      .split("/")
      .reduce((/** @type {any} */ at, /** @type {string} */ key) => at[key], schema);
    return { ...resolved(schema, found), ...part, $ref: undefined };
  }
  const real = part.anyOf?.filter((/** @type {any} */ each) => each.type !== "null");
  return real?.length === 1 ? { ...resolved(schema, real[0]), ...part, anyOf: undefined } : part;
}

/** @param {string} text the schema's JSON @returns {Option[]} */
export function optionsOf(text) {
  const schema = JSON.parse(text);
  const root = resolved(schema, schema);
  /** @type {Option[]} */
  const options = [];
  for (const [name, raw] of Object.entries(root.properties ?? {})) {
    const part = resolved(schema, raw);
    const kind = kindOf(part, schema);
    if (!kind) continue;
    const least = part.minimum ?? (part.exclusiveMinimum === undefined ? undefined : part.exclusiveMinimum + 1);
    const most = part.maximum ?? (part.exclusiveMaximum === undefined ? undefined : part.exclusiveMaximum - 1);
    options.push({ name, kind, initial: part.default, choices: part.enum ?? [], least, most });
  }
  return options;
}

/** @param {any} part @param {any} schema @returns {Option["kind"] | null} */
function kindOf(part, schema) {
  if (part.enum?.every((/** @type {unknown} */ each) => typeof each === "string")) return "choice";
  if (part.type === "boolean" || part.type === "integer") return part.type;
  if (part.type === "string") return "text";
  return part.type === "array" && resolved(schema, part.items ?? {}).type === "integer" ? "integers" : null;
}

/** Words of an identifier: the last resort where a catalogue has none. @param {string} name */
function readable(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What an option is called. @param {string} game @param {string} name */
export function optionName(game, name) {
  return has(`option.${name}`, game) ? sayOf(game)(`option.${name}`) : readable(name);
}

/** What a choice is called. @param {string} game @param {string} name @param {string} value */
export function choiceName(game, name, value) {
  const key = `option.${name}.${value}`;
  if (has(key, game)) return sayOf(game)(key);
  const seat = value.match(/^seat_(\d+)$/);
  return seat ? say("seat.named", { number: Number(seat[1]) + 1 }) : readable(value);
}

/** Whether a choice names a seat that the match has not. @param {string} value @param {number} seats */
function isBeyond(value, seats) {
  const seat = value.match(/^seat_(\d+)$/);
  return seat !== null && Number(seat[1]) >= seats;
}

/**
 * What the form says, where it is not what it said at first.
 * @param {Option[]} options
 * @param {Record<string, any>} values by name: a boolean, or a text as it was typed
 * @returns {Record<string, any>}
 */
export function chosen(options, values) {
  /** @type {Record<string, any>} */
  const found = {};
  for (const { name, kind, initial } of options) {
    const value = values[name];
    if (value === undefined || value === shownValue({ kind, initial })) continue;
    if (kind === "integer") found[name] = Number(value);
    else if (kind === "integers")
      found[name] = value
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(Number);
    else found[name] = value;
  }
  return found;
}

/** @param {{kind: Option["kind"], initial: any}} option */
function shownValue({ kind, initial }) {
  if (kind === "boolean") return initial ?? false;
  return kind === "integers" ? (initial ?? []).join(", ") : String(initial ?? "");
}

/**
 * @param {object} props
 * @param {string} props.game
 * @param {Option[]} props.options
 * @param {number} props.seats
 * @param {Record<string, any>} props.values
 * @param {(name: string, value: any) => void} props.change
 */
export function OptionFields({ game, options, seats, values, change }) {
  return options.map((option) => {
    const { name, kind, choices, least, most } = option;
    const field = `option:${name}`;
    const value = values[name] ?? shownValue(option);
    const changed = (/** @type {any} */ event) => change(name, event.target.value);
    const label = optionName(game, name);
    const hint = has(`option.${name}.hint`, game) ? sayOf(game)(`option.${name}.hint`) : "";
    if (kind === "boolean") {
      return html`<div key=${field} class="field">
        <label class="check">
          <input type="checkbox" name=${field} checked=${value}
            onChange=${(/** @type {any} */ event) => change(name, event.target.checked)} />
          <span>${label}</span>
        </label>
        ${hint ? html`<span class="hint">${hint}</span>` : null}
      </div>`;
    }
    return html`<label key=${field} class="field">
      <span>${label}</span>
      ${
        kind === "choice"
          ? html`<select name=${field} value=${value} onChange=${changed}>
              ${choices
                .filter((each) => !isBeyond(each, seats))
                .map(
                  (each) =>
                    html`<option key=${each} value=${each} selected=${each === value}>${choiceName(game, name, each)}</option>`,
                )}
            </select>`
          : kind === "integer"
            ? html`<input type="number" name=${field} required step="1" min=${least ?? null} max=${most ?? null}
                value=${value} onInput=${changed} />`
            : html`<input type="text" name=${field} value=${value} onInput=${changed}
                inputmode=${kind === "integers" ? "numeric" : null}
                pattern=${kind === "integers" ? "[\\s,;]*-?\\d+([\\s,;]+-?\\d+)*[\\s,;]*" : null} />`
      }
      ${hint ? html`<span class="hint">${hint}</span>` : kind === "integers" ? html`<span class="hint">${say("option.integers")}</span>` : null}
    </label>`;
  });
}
