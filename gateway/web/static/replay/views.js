/** Views of a match at any version, as one audience saw it: asked for once, and kept within bounds. */

import { call } from "../core/api.js";

/** @typedef {{version: number, cursor: string, view: any}} Seen */

/** Views that are kept; the one not looked at for the longest goes. */
const KEPT = 300;

export class Views {
  /** By cursor: what a cursor names never changes. @type {Map<string, Seen>} */
  #kept = new Map();

  /** @param {string} matchId @param {number | null} seat */
  constructor(matchId, seat) {
    this.matchId = matchId;
    this.seat = seat;
  }

  /** @param {Seen} seen */
  keep(seen) {
    this.#kept.delete(seen.cursor);
    this.#kept.set(seen.cursor, seen);
    if (this.#kept.size > KEPT) this.#kept.delete(/** @type {string} */ (this.#kept.keys().next().value));
  }

  /** Keeps it where that costs no other its place. @param {Seen} seen */
  offer(seen) {
    if (this.#kept.size < KEPT) this.keep(seen);
  }

  /**
   * `cursor`: of that version, where it is known.
   * @param {number} version
   * @param {string | undefined} cursor
   * @returns {Promise<Seen>} rejects with a `Refusal`
   */
  async at(version, cursor) {
    const kept = cursor && this.#kept.get(cursor);
    const seen = kept || (await this.#asked(version));
    this.keep(seen);
    return seen;
  }

  /** @param {number} version @returns {Promise<Seen>} */
  async #asked(version) {
    const message = { matchId: this.matchId, version, ...(this.seat === null ? {} : { seat: this.seat }) };
    const answer = await call("MatchService", "GetView", message);
    return { version: answer.version, cursor: answer.cursor, view: JSON.parse(answer.view.json) };
  }
}

/**
 * Shows what is wanted last: of versions wanted in a row as many are shown as can be had, each as itself, and in the end
 * the last one. Nothing is asked for while an answer is awaited.
 * @template T
 */
export class Latest {
  /** @type {number | null} */
  #wanted = null;
  #busy = false;
  #stopped = false;

  /**
   * @param {(version: number) => Promise<T>} get
   * @param {(found: T, last: boolean) => void} show
   * @param {(error: unknown, version: number) => void} failed
   */
  constructor(get, show, failed) {
    this.get = get;
    this.show = show;
    this.failed = failed;
  }

  /** @param {number} version */
  want(version) {
    this.#wanted = version;
    if (!this.#busy) this.#run();
  }

  stop() {
    this.#stopped = true;
  }

  async #run() {
    this.#busy = true;
    while (this.#wanted !== null && !this.#stopped) {
      const version = this.#wanted;
      this.#wanted = null;
      try {
        const found = await this.get(version);
        if (!this.#stopped) this.show(found, this.#wanted === null);
      } catch (error) {
        if (!this.#stopped && this.#wanted === null) this.failed(error, version);
      }
    }
    this.#busy = false;
  }
}
