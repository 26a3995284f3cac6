/** The chain of a log: each entry's hash follows from the one before, its header and its leaf; draws are drawn again. */

import { canonical } from "./canonical.js";
import * as hashes from "./hashes.js";
import { Broken, isBody, isEntryHeader } from "./lines.js";

/** Entries whose leaves and draws are computed together. */
const BATCH = 256;

const ENDS = ["match.finished", "match.aborted", "match.expired"];
const REVEAL = "match.secret_revealed";
const reader = new TextDecoder();

/**
 * @typedef {object} Chain
 * @property {any} header
 * @property {Uint8Array[]} lines  canonical, and of their shape
 * @property {Uint8Array<ArrayBuffer> | null} secret
 * @property {boolean} full
 * @property {(done: number, all: number) => void} progress
 */

/**
 * The head, and whether the match is over.
 * @param {Chain} chain
 * @returns {Promise<{head: string, over: boolean}>}
 * @throws {Broken}
 */
export async function chained({ header, lines, secret, full, progress }) {
  const opening = full && secret ? await openingOf(header, secret) : null;
  let previous = await hashes.genesis(header.match);
  let type = "";
  for (let start = 0; start < lines.length; start += BATCH) {
    const entries = lines.slice(start, start + BATCH).map((line) => JSON.parse(reader.decode(line)));
    const leaves = await Promise.all(
      entries.map(({ body, leaf }, index) => (opening ? opening.leaf(body, start + index + 1) : hashes.unhex(leaf))),
    );
    for (const [index, found] of entries.entries()) {
      if (opening) await opening.follows(found, start + index + 1);
      previous = await hashes.entry(previous, hashes.utf8(canonical(found.header)), /** @type {any} */ (leaves[index]));
      type = found.header.type;
    }
    progress(lines.length + start + entries.length, 2 * lines.length);
  }
  const over = ENDS.includes(type) || type === REVEAL;
  return { head: `${lines.length}-${hashes.hex(previous.subarray(0, 8))}`, over };
}

/** What a full log's bodies are held to. @param {any} header @param {Uint8Array<ArrayBuffer>} secret */
async function openingOf(header, secret) {
  const key = await hashes.keyOf(secret);
  const drawing = await hashes.drawKey(key);
  let [at, over, revealed, decided, count] = [0, false, false, -1, 0];

  /** @param {any} line @param {number} version */
  async function follows({ header: head, body }, version) {
    if (!isEntryHeader(head)) throw new Broken(version, "shape");
    if (head.at < at) throw new Broken(version, "time");
    at = head.at;
    if (head.version !== version) throw new Broken(version, "place");
    if (!isBody(body)) throw new Broken(version, "shape");
    const reveals = head.type === REVEAL;
    const creates = head.type === "match.created";
    if (revealed || reveals !== over || creates !== (version === 1)) throw new Broken(version, "order");
    checkForm(header, head, body, version);
    if (body.req !== null) [decided, count] = [version - 1, 0];
    if (decided < 0) throw new Broken(version, "request");
    for (const { label, n, result } of body.draws) {
      const right = n > 0 && (await hashes.drawn(drawing, decided, label, count++, n)) === BigInt(result);
      if (!right) throw new Broken(version, "draw");
    }
    if (reveals && body.payload.secret !== hashes.hex(secret)) throw new Broken(version, "secret.other");
    revealed = reveals;
    over ||= ENDS.includes(head.type);
  }

  return {
    follows,
    /** @param {any} body @param {number} version */
    async leaf(body, version) {
      return hashes.leaf(await hashes.salt(key, version), hashes.utf8(canonical(body)));
    },
  };
}

/** @param {any} header @param {any} head @param {any} body @param {number} version */
function checkForm(header, head, body, version) {
  const inside = head.seat === null || (head.seat >= 0 && head.seat < header.seats);
  if (!inside) throw new Broken(version, "seat");
  const asked = body.req !== null || body.req_digest !== null;
  const formed = isHex(body.req, 16) && isHex(body.req_digest, 8);
  if (asked && !formed) throw new Broken(version, "request");
  const prefix = head.type.startsWith("match.") ? "match" : header.game;
  if (head.type !== `${prefix}.${body.payload.kind}`) throw new Broken(version, "type");
}

/** @param {string | null} text @param {number} size */
function isHex(text, size) {
  return text !== null && hashes.unhex(text)?.length === size;
}
