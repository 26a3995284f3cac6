/** The hashes and draws of a log, to the byte (docs/log-format.md), by the browser's own SHA-256. */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {Bytes | string | number} Part texts as UTF-8, numbers as 8 bytes */

const writer = new TextEncoder();
const SPAN = 1n << 64n;

/** @param {string} text @returns {Bytes} */
export function utf8(text) {
  return writer.encode(text);
}

/** @param {Bytes} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The bytes of lower-case hex digits; null for any other text.
 * @param {string} text
 * @returns {Bytes | null}
 */
export function unhex(text) {
  if (text.length % 2 || /[^0-9a-f]/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Part} part @returns {Bytes} */
function bytesOf(part) {
  if (typeof part === "string") return utf8(part);
  if (typeof part !== "number") return part;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(part));
  return bytes;
}

/** Parts, each behind its length. @param {Part[]} parts @returns {Bytes} */
export function framed(...parts) {
  const pieces = parts.map(bytesOf).flatMap((piece) => [bytesOf(piece.length), piece]);
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** @param {BufferSource} bytes @returns {Promise<Bytes>} */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** H(parts). @param {Part[]} parts */
export function digest(...parts) {
  return sha256(framed(...parts));
}

/** A key for `keyed`. @param {Bytes} bytes @returns {Promise<CryptoKey>} */
export function keyOf(bytes) {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** HMAC(key, parts). @param {CryptoKey} key @param {Part[]} parts @returns {Promise<Bytes>} */
export async function keyed(key, ...parts) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, framed(...parts)));
}

/** What stands for the entry before version 1. @param {string} match */
export function genesis(match) {
  return digest("tidelog/1/genesis", match);
}

/** @param {Bytes} salt @param {Bytes} body */
export function leaf(salt, body) {
  return digest("tidelog/1/leaf", salt, body);
}

/** @param {Bytes} previous @param {Bytes} header @param {Bytes} opened */
export function entry(previous, header, opened) {
  return digest("tidelog/1/entry", previous, header, opened);
}

/** @param {string} match @param {Bytes} secret */
export function commitment(match, secret) {
  return digest("tidelog/1/commit", match, secret);
}

/** @param {CryptoKey} secret @param {number} version */
export function salt(secret, version) {
  return keyed(secret, "salt", version);
}

/** The key of a match's draws. @param {CryptoKey} secret */
export async function drawKey(secret) {
  return keyOf(await keyed(secret, "draw"));
}

/**
 * Draw `k` of the command decided on `version`: one of `n` outcomes.
 * @param {CryptoKey} key
 * @param {number} version
 * @param {string} label
 * @param {number} k
 * @param {number | bigint} n at least 1
 */
export async function drawn(key, version, label, k, n) {
  const outcomes = BigInt(n);
  for (let attempt = 0; ; attempt++) {
    const found = await keyed(key, version, label, k, attempt);
    const x = new DataView(found.buffer).getBigUint64(0);
    if (x < SPAN - (SPAN % outcomes)) return x % outcomes;
  }
}
