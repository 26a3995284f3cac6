/**
 * A match over all its versions, as one audience is told it: its entries, what each command led to, and what comes live.
 */

import { follow } from "../core/api.js";
import { Following } from "../core/follow.js";
import { pause } from "../core/link.js";

/**
 * @typedef {import("../core/follow.js").Story} Story
 * @typedef {import("../core/types.js").Game<any, any>} Game
 */

/**
 * What stands after a command of the match.
 * @typedef {{version: number, cursor: string, turn: number, scores: readonly number[]}} Mark
 */

/**
 * `marks`: in order, without gap up to `known`, which is infinite once all of the past has come. `begun`: the version with
 * which the match starts, 0 before.
 * @typedef {{story: Story, marks: readonly Mark[], known: number, begun: number}} Told
 */

/** How often the past is asked for again in a row. */
const PATIENCE = 9;

export class Tale {
  /** @type {Map<string, Mark>} */
  #marks = new Map();
  #leaving = new AbortController();
  #known = 0;
  #due = false;
  /** @type {Story | null} */
  #story = null;

  /**
   * @param {object} options
   * @param {string} options.matchId
   * @param {number | null} options.seat
   * @param {Game} options.game
   * @param {(seen: import("./views.js").Seen) => void} options.seen   each view that comes by
   * @param {(told: Told) => void} options.tell
   */
  constructor({ matchId, seat, game, seen, tell }) {
    this.matchId = matchId;
    this.seat = seat;
    this.game = game;
    this.seen = seen;
    this.tell = tell;
    this.following = new Following({ stream: follow, matchId, seat, tell: (story) => this.#heard(story) });
  }

  start() {
    this.following.start();
  }

  stop() {
    this.following.stop();
    this.#leaving.abort();
  }

  /** @param {Story} story */
  #heard(story) {
    const first = !this.#story?.situation;
    this.#story = story;
    const { situation } = story;
    if (situation) this.#mark(situation, story.entries);
    if (first && situation) this.#survey(situation.cursor, situation.version);
    this.#telling();
  }

  /** Once for all that comes together. */
  #telling() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      if (!this.#leaving.signal.aborted && this.#story) this.tell(this.#told(this.#story));
    });
  }

  /** @param {Story} story @returns {Told} */
  #told(story) {
    const { entries } = story;
    const known = this.#known;
    // A log that went back has other entries: what stood on those it lost is gone with them.
    const held = (/** @type {Mark} */ { version, cursor }) =>
      version <= known && entries[version - 1]?.cursor === cursor;
    const marks = [...this.#marks.values()].filter(held);
    marks.sort((one, other) => one.version - other.version);
    return { story, marks, known, begun: begunBy(entries) };
  }

  /**
   * @param {{version: number, cursor: string, view: any}} seen
   * @param {readonly {type: string}[]} entries
   */
  #mark({ version, cursor, view }, entries) {
    this.seen({ version, cursor, view });
    const begun = begunBy(entries);
    if (begun === 0 || version < begun) return;
    try {
      const mark = { version, cursor, turn: this.game.turn(view), scores: this.game.scores(view) };
      this.#marks.set(cursor, mark);
    } catch (error) {
      console.error(error);
    }
  }

  /** What every command of the past led to. @param {string} end @param {number} until */
  async #survey(end, until) {
    let after = "";
    for (let tries = 0; after !== end && !this.#leaving.signal.aborted; ) {
      try {
        for await (const cursor of this.#surveying(after, until)) [after, tries] = [cursor, 0];
        break;
      } catch {
        // Without what is missing then the match can be looked at all the same.
        if (tries === PATIENCE) break;
        await pause(tries++, this.#leaving.signal);
      }
    }
    this.#known = Number.POSITIVE_INFINITY;
    this.#telling();
  }

  /** @param {string} after @param {number} until @returns {AsyncGenerator<string, void, void>} */
  async *#surveying(after, until) {
    const replay = { situations: true, until };
    const asked = { matchId: this.matchId, after, include: ["INCLUDE_VIEW"], replay };
    const message = this.seat === null ? asked : { ...asked, seat: this.seat };
    const { signal } = this.#leaving;
    for await (const { updates } of follow("MatchService", "WatchMatch", message, { signal })) {
      for (const { entry } of updates ?? []) {
        if (!entry) continue;
        const { cursor, version, situation } = entry;
        if (situation?.view) {
          this.#mark({ version, cursor, view: JSON.parse(situation.view.json) }, this.#story?.entries ?? []);
          this.#known = version;
          this.#telling();
        }
        yield cursor;
      }
    }
  }
}

/** @param {readonly {type: string}[]} entries */
function begunBy(entries) {
  return entries.findIndex((entry) => entry.type === "match.started") + 1;
}

/** The versions with which turns begin. @param {readonly Mark[]} marks */
export function turnsOf(marks) {
  return marks.filter((mark, index) => index === 0 || mark.turn !== marks[index - 1].turn).map((mark) => mark.version);
}
