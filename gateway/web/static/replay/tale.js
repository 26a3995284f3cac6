/**
 * A match over all its versions, as one audience is told it: its entries, what each command led to, and what comes live.
 */

import { follow } from "../core/api.js";
import { Following } from "../core/follow.js";
import { begunBy } from "../table/facts.js";
import { Survey } from "./survey.js";

/**
 * @typedef {import("../core/follow.js").Story} Story
 * @typedef {import("./survey.js").Mark} Mark
 */

/**
 * `marks`: in order, without gap up to `known`, which is infinite once all of the past has come. `begun`: the version with
 * which the match starts, 0 before.
 * @typedef {{story: Story, marks: readonly Mark[], known: number, begun: number}} Told
 */

export class Tale {
  #leaving = new AbortController();
  #due = false;
  /** @type {Story | null} */
  #story = null;

  /**
   * @param {object} options
   * @param {string} options.matchId
   * @param {number | null} options.seat
   * @param {(seen: import("./views.js").Seen) => void} options.seen   each view that comes by
   * @param {(told: Told) => void} options.tell
   */
  constructor({ matchId, seat, seen, tell }) {
    this.seen = seen;
    this.tell = tell;
    const { signal } = this.#leaving;
    this.survey = new Survey({ matchId, seat, changed: () => this.#telling(), signal });
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
    this.#story = story;
    const { situation } = story;
    if (situation) {
      this.seen(situation);
      this.survey.reach(situation.cursor);
    }
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
    const begun = begunBy(story.entries);
    const { marks, known } = this.survey.of(story.entries);
    return { story, marks: marks.filter(({ version }) => begun > 0 && version >= begun), known, begun };
  }
}

/** The versions of commands with which turns begin. @param {readonly Mark[]} marks */
export function turnsOf(marks) {
  const ends = marks.filter((mark) => mark.ends);
  return ends.filter((mark, index) => index === 0 || mark.turn !== ends[index - 1].turn).map((mark) => mark.version);
}
