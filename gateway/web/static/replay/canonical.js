/** Canonical JSON, as `docs/log-format.md` says: RFC 8785 with no floats, integers within 2^53, and no lone surrogates. */

/** Bytes or a value outside the profile. */
export class NotCanonical extends Error {}

const reader = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The value of canonical bytes.
 * @param {Uint8Array} bytes
 * @returns {any}
 * @throws {NotCanonical} for any others
 */
export function strict(bytes) {
  try {
    const text = reader.decode(bytes);
    const value = JSON.parse(text);
    if (canonical(value) === text) return value;
  } catch {
    // No UTF-8, no JSON, nested too deep, or a value that has no canonical form.
  }
  throw new NotCanonical();
}

/**
 * The one text of a value.
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw new NotCanonical();
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new NotCanonical();
    return JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
}
