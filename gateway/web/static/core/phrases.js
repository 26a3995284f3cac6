/** Texts of catalogues filled in, and the sentences of the log: the ICU messages that docs/clients.md describes. */

/** @typedef {Record<string, string>} Catalogue */
/** @typedef {{key: string, args?: any, text?: string}} Sentence `args` as an object or as its JSON */

/** By language: making one takes longer than all else about a text. @type {Map<string, Intl.PluralRules>} */
const plurals = new Map();

/** @param {string} tag @param {number} count */
function pluralOf(tag, count) {
  const rules = plurals.get(tag) ?? new Intl.PluralRules(tag);
  plurals.set(tag, rules);
  return rules.select(count);
}

/**
 * An ICU message that holds nothing but `{name}` and `{name, plural, one {...} other {...}}`.
 * @param {string} text
 * @param {string} tag the language whose plurals it has
 * @param {(name: string) => string | number | undefined} value
 */
export function filled(text, tag, value) {
  return text.replace(/\{(\w+)(?:, plural,((?:\s*\w+ \{[^{}]*\})+)\s*)?\}/g, (whole, name, forms) => {
    const given = value(name);
    if (given === undefined) return whole;
    if (!forms) return String(given);
    const texts = Object.fromEntries(
      [...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, form, words]) => [form, words]),
    );
    const form = texts[pluralOf(tag, Number(given))] ?? texts.other;
    return form.replaceAll("#", String(given));
  });
}

/**
 * A sentence of the log in words.
 * @param {[tag: string, catalogue: Catalogue | undefined][]} catalogues the first that has its key is taken
 * @param {Sentence} sentence
 * @param {(seat: number) => string} seatName
 * @returns {string}
 */
export function phrased(catalogues, sentence, seatName) {
  const args = typeof sentence.args === "string" ? JSON.parse(sentence.args || "{}") : (sentence.args ?? {});
  /** @param {any} value @returns {string} */
  const shown = (value) => {
    if (Array.isArray(value)) return value.map(shown).join(", ");
    if (typeof value !== "object" || value === null) return String(value);
    return "seat" in value ? seatName(value.seat) : phrased(catalogues, value, seatName);
  };
  for (const [tag, catalogue] of catalogues) {
    const text = catalogue?.[sentence.key];
    if (text === undefined) continue;
    return filled(text, tag, (name) => {
      const value = args[name];
      return value === undefined || typeof value === "number" ? value : shown(value);
    });
  }
  return sentence.text || sentence.key;
}
