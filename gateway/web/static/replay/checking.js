/**
 * Checks an export as `tidelog verify` does, but for what only a game's rules can tell: whether each event follows from
 * the one before it, whether clocks were kept, and who won.
 */

import { canonical, strict } from "./canonical.js";
import { chained } from "./chain.js";
import * as hashes from "./hashes.js";
import { Broken, CLOSING, FULL, fits, HEADER, isBody, isEntryHeader, isReveal, REDACTED } from "./lines.js";

/** Bytes of one line; the header holds an edition. */
const MAX_LINE = 4 * 1024 * 1024;
const NEWLINE = 10;
const FORMAT = "tidelog/1";

/** Lines that are read before others may have their turn. */
const BATCH = 256;

/** What compressed files begin with. */
const PACKED = ["1f8b", "28b52ffd", "504b0304", "425a68", "fd377a58"];

/**
 * What is found. `bad`: the first version that does not check, 0 the header, null the closing line; `fault` says what is
 * wrong with it (`verify.bad.*` in words). Both are absent where the file checks.
 * @typedef {object} Verdict
 * @property {boolean} ok
 * @property {number | null} [bad]
 * @property {string} [fault]
 * @property {string} [match]
 * @property {string} [game]
 * @property {string} [audience]   full, spectator, seat N
 * @property {string} [head]
 * @property {number} [entries]
 * @property {boolean} [over]
 * @property {boolean} [opened]    the secret is known: it is the one committed to
 * @property {boolean} [closed]    the secret is never told to this audience
 */

/**
 * @param {Uint8Array<ArrayBuffer>} bytes the whole file
 * @param {(done: number, all: number) => void} [progress]
 * @returns {Promise<Verdict>}
 */
export async function check(bytes, progress = () => {}) {
  try {
    return { ok: true, ...(await checked(bytes, progress)) };
  } catch (error) {
    if (error instanceof Broken) return { ok: false, bad: error.version, fault: error.fault };
    throw error;
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {(done: number, all: number) => void} progress */
async function checked(bytes, progress) {
  const start = hashes.hex(bytes.subarray(0, 4));
  if (PACKED.some((magic) => start.startsWith(magic))) throw new Broken(0, "packed");
  const lines = split(bytes);
  const last = lines.length - 1;
  const closing = typed(lines[last], null, CLOSING);
  if (last < 1) throw new Broken(0, "empty");
  const header = await headerOf(lines[0]);
  if (last < 2) throw new Broken(1, "empty");
  const full = header.audience === "full";
  const [first, end] = await shaped(lines.slice(1, last), full ? FULL : REDACTED, progress);
  repeats(header, createdOf(first, full));
  const secret = await (full ? secretOf(header, end, last - 1) : revealed(header, end, last - 1));
  const found = await chained({ header, lines: lines.slice(1, last), secret, full, progress });
  if (closing.sha256 !== hashes.hex(await hashes.sha256(bytes.subarray(0, lines[last].byteOffset)))) {
    throw new Broken(null, "sum");
  }
  if (closing.head !== found.head) throw new Broken(null, "head");
  return {
    match: header.match,
    game: header.game,
    audience: header.audience,
    head: closing.head,
    entries: last - 1,
    over: found.over,
    opened: secret !== null,
    closed: found.over && secret === null,
  };
}

/** Lines without their newlines. @param {Uint8Array<ArrayBuffer>} bytes */
function split(bytes) {
  if (bytes.length === 0) throw new Broken(0, "empty");
  const lines = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0 || end + 1 - at > MAX_LINE) throw new Broken(lines.length, "cut");
    lines.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return lines;
}

/**
 * @param {Uint8Array} line
 * @param {number | null} version
 * @param {Record<string, (value: any) => boolean>} shape
 */
function typed(line, version, shape) {
  let value;
  try {
    value = strict(line);
  } catch {
    throw new Broken(version, "canonical");
  }
  if (!fits(value, shape)) throw new Broken(version, "shape");
  return value;
}

/** @param {Uint8Array} line */
async function headerOf(line) {
  const header = typed(line, 0, HEADER);
  if (header.format !== FORMAT) throw new Broken(0, "format");
  const edition = await hashes.sha256(hashes.utf8(header.edition));
  if (hashes.hex(edition) !== header.edition_hash) throw new Broken(0, "edition");
  const seat = /^seat ([0-9]{1,3})$/.exec(header.audience);
  const known = ["full", "spectator"].includes(header.audience) || (seat && Number(seat[1]) < header.seats);
  if (!known) throw new Broken(0, "audience");
  if (header.audience !== "full" && header.secret !== null) throw new Broken(0, "secret.early");
  return header;
}

/**
 * Reads every line once; the first and the last.
 * @param {Uint8Array[]} lines
 * @param {Record<string, (value: any) => boolean>} shape
 * @param {(done: number, all: number) => void} progress
 */
async function shaped(lines, shape, progress) {
  let [first, last] = [null, null];
  for (const [index, line] of lines.entries()) {
    last = typed(line, index + 1, shape);
    if (shape === REDACTED) placed(last, index + 1);
    first ??= last;
    if (index % BATCH === 0) {
      progress(index, 2 * lines.length);
      await breath();
    }
  }
  return [first, last];
}

/** Others have their turn. @returns {Promise<void>} */
function breath() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** @param {any} line @param {number} version */
function placed({ header, leaf }, version) {
  if (!isEntryHeader(header)) throw new Broken(version, "shape");
  if (header.version !== version || hashes.unhex(leaf)?.length !== 32) throw new Broken(version, "place");
}

/** What version 1 says of the match. @param {any} first @param {boolean} full */
function createdOf(first, full) {
  const { header } = first;
  const headed = isEntryHeader(header) && header.version === 1 && header.type === "match.created";
  if (full && !(headed && isBody(first.body))) throw new Broken(1, "created");
  const payload = full ? first.body.payload : first.payload;
  if (payload?.kind !== "created") throw new Broken(1, "created");
  return payload;
}

const REPEATED = ["match", "game", "rules", "edition_hash", "options", "seats", "creator", "commitment"];

/** @param {any} header @param {any} created */
function repeats(header, created) {
  const told = { ...created, edition_hash: created.edition };
  for (const field of REPEATED) {
    if (told[field] === undefined || !HEADER[field](told[field])) throw new Broken(1, "created");
  }
  for (const field of REPEATED) {
    if (canonical(header[field]) !== canonical(told[field])) throw new Broken(0, "repeat");
  }
}

/** The secret of a full export, from its header or from the reveal that ends it. @param {any} header @param {any} end @param {number} version */
async function secretOf(header, end, version) {
  if (header.secret !== null) return committed(header, header.secret, 0);
  if (!isBody(end.body) || !isReveal(end.body.payload)) throw new Broken(0, "secret.none");
  return committed(header, end.body.payload.secret ?? "", version);
}

/** The secret that the last line of a redacted export tells; null where it tells none. @param {any} header @param {any} end @param {number} version */
async function revealed(header, { payload }, version) {
  if (!isReveal(payload) || payload.secret === null) return null;
  return committed(header, payload.secret, version);
}

/** @param {any} header @param {unknown} text @param {number} version */
async function committed(header, text, version) {
  const secret = typeof text === "string" ? hashes.unhex(text) : null;
  const held = secret && hashes.hex(await hashes.commitment(header.match, secret));
  if (!secret || held !== header.commitment) throw new Broken(version, "secret.other");
  return secret;
}
