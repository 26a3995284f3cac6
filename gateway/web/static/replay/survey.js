/** What each seat had scored after every entry, as one audience sees it: asked for in pieces, behind the log as it is told. */

import { call } from "../core/api.js";
import { pause } from "../core/link.js";

/** How often a piece that was refused is asked for again. */
const PATIENCE = 5;

/**
 * What stands after an entry, and after those behind it that have no mark. `ends`: the entry is its command's last.
 * @typedef {{version: number, turn: number, scores: readonly number[], ends: boolean}} Mark
 */

/** Marks up to the entry of the cursor. @typedef {{version: number, cursor: string, marks: readonly Mark[]}} Piece */

export class Survey {
  /** In order, without gap. @type {Piece[]} */
  #pieces = [];
  /** Whether all of the past has come. */
  #whole = false;
  #wanted = "";
  #busy = false;

  /**
   * @param {object} options
   * @param {string} options.matchId
   * @param {number | null} options.seat
   * @param {() => void} options.changed
   * @param {AbortSignal} options.signal   stops it
   */
  constructor({ matchId, seat, changed, signal }) {
    this.asked = seat === null ? { matchId } : { matchId, seat };
    this.changed = changed;
    this.signal = signal;
  }

  /**
   * The marks that are of this log, in order, and the version up to which none is missing: infinite once all of the past
   * has come.
   * @param {readonly {cursor: string}[]} entries
   */
  of(entries) {
    // A log that went back has other entries: what stood on those it lost is gone with them.
    const other = this.#pieces.findIndex(({ version, cursor }) => entries[version - 1]?.cursor !== cursor);
    const held = other < 0 ? this.#pieces : this.#pieces.slice(0, other);
    const known = this.#whole && other < 0 ? Number.POSITIVE_INFINITY : (held.at(-1)?.version ?? 0);
    return { marks: held.flatMap((piece) => piece.marks), known };
  }

  /** Asks for what is missing up to the log's head. @param {string} head */
  async reach(head) {
    this.#wanted = head;
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let wanted = ""; wanted !== this.#wanted; ) {
        wanted = this.#wanted;
        if (await this.#rest(wanted)) {
          this.#whole = true;
          this.changed();
        }
      }
    } finally {
      this.#busy = false;
    }
  }

  get #end() {
    return this.#pieces.at(-1)?.cursor ?? "";
  }

  /** Piece by piece up to the head; whether all of them came. @param {string} head */
  async #rest(head) {
    for (let tries = 0; this.#end !== head && !this.signal.aborted; ) {
      try {
        if (!(await this.#piece())) return true;
        tries = 0;
      } catch {
        if (tries === PATIENCE) return false;
        await pause(tries++, this.signal);
      }
    }
    return !this.signal.aborted;
  }

  /** Whether there is more. Rejects where it is not told, with nothing held where the log is another. */
  async #piece() {
    const after = this.#end;
    try {
      const { signal } = this;
      const answer = await call("MatchService", "ListScores", { ...this.asked, after }, { signal });
      if (answer.cursor !== after) this.#pieces.push(pieceOf(answer));
      this.changed();
      return Boolean(answer.more);
    } catch (failed) {
      if (/** @type {any} */ (failed).reason === "LOG_REWOUND") {
        this.#pieces = [];
        this.#whole = false;
      }
      throw failed;
    }
  }
}

/** @param {any} answer @returns {Piece} */
function pieceOf({ scored, cursor }) {
  const marks = (scored ?? []).map((/** @type {any} */ each) => ({
    version: each.version,
    turn: each.turn ?? 0,
    scores: each.scores ?? [],
    ends: !each.goesOn,
  }));
  return { version: Number(cursor.split("-")[0]), cursor, marks };
}
