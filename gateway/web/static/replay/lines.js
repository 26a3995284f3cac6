/** The shapes of an export's lines: which fields they have, and of which types. */

/** What does not check: the version, 0 for the header and null for the closing line, and what is wrong with it. */
export class Broken extends Error {
  /** @param {number | null} version @param {string} fault */
  constructor(version, fault) {
    super(`${version}: ${fault}`);
    this.version = version;
    this.fault = fault;
  }
}

/** @typedef {Record<string, (value: any) => boolean>} Shape */

const text = (/** @type {any} */ value) => typeof value === "string";
const number = (/** @type {any} */ value) => typeof value === "number";
const anything = () => true;

/** @param {(value: any) => boolean} kind @returns {(value: any) => boolean} */
const maybe = (kind) => (value) => value === null || kind(value);

/** @type {Shape} */
export const HEADER = {
  format: text,
  audience: text,
  match: text,
  game: text,
  rules: number,
  edition: text,
  edition_hash: text,
  options: anything,
  seats: number,
  creator: text,
  commitment: text,
  secret: maybe(text),
};

/** @type {Shape} */
export const FULL = { body: anything, header: anything };

/** @type {Shape} */
export const REDACTED = { header: anything, leaf: text, payload: anything };

/** @type {Shape} */
export const CLOSING = { head: text, sha256: text };

/** @type {Shape} */
const ENTRY_HEADER = { at: number, seat: maybe(number), type: text, version: number };

/** @type {Shape} */
const REVEAL = { kind: text, secret: maybe(text) };

/** @type {Shape} */
const DRAW = { label: text, n: number, result: number };

/** @type {Shape} */
const BODY = {
  draws: (value) => Array.isArray(value) && value.every((draw) => fits(draw, DRAW)),
  payload: (value) => typeof value?.kind === "string",
  req: maybe(text),
  req_digest: maybe(text),
};

/** Whether the value is an object of exactly these fields. @param {any} value @param {Shape} shape */
export function fits(value, shape) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const fields = Object.keys(shape);
  return (
    Object.keys(value).length === fields.length &&
    fields.every((field) => Object.hasOwn(value, field) && shape[field](value[field]))
  );
}

/** @param {any} value */
export function isEntryHeader(value) {
  return fits(value, ENTRY_HEADER);
}

/** @param {any} value */
export function isReveal(value) {
  return fits(value, REVEAL) && value.kind === "secret_revealed";
}

/** @param {any} value */
export function isBody(value) {
  return fits(value, BODY);
}
