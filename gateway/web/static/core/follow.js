/**
 * A match as it is told: every entry once and in order, over as many streams as it takes.
 *
 * What is shown is a story: the log up to an entry, and the match as it is after that entry. A new one is told only when
 * both are known, so nothing ever stands on a page that the match has not been.
 */

import { kept } from "./kept.js";
import { commonWith } from "./rewind.js";

/**
 * @typedef {{key: string, args: Record<string, any>, text: string}} Sentence
 * @typedef {{version: number, cursor: string, atMs: number, seat: number | null, type: string, event: any, sentence: Sentence | null}} Told
 * @typedef {{seat: number, leftMs: number, deadlineMs: number | null}} SeatClock
 * @typedef {{unit: string, count: number}} Delay
 * @typedef {{reason: string, rule: string, message: string, cursor: string, retryAfterMs: number}} Why
 */

/**
 * @typedef {object} Situation
 * @property {number} version
 * @property {string} cursor
 * @property {any} view
 * @property {readonly any[]} moves
 * @property {readonly string[]} families
 * @property {number | null} decision    null where the seat has nothing to decide
 * @property {readonly SeatClock[]} clocks
 */

/**
 * `live`: nothing is missing, and what comes is told at once. `heard`: the store's time of the last entry that came live,
 * and the page's own then. `rewound`: the last entry that was left when the log went back to an older copy, null where it
 * has not; it changes with the board. `refusal`: why nothing more is told, or why it is not told now.
 * @typedef {object} Story
 * @property {readonly Told[]} entries
 * @property {Situation | null} situation
 * @property {boolean} live
 * @property {boolean} over
 * @property {Delay | null} delay
 * @property {{atMs: number, here: number} | null} heard
 * @property {number | null} rewound
 * @property {Why | null} refusal
 */

/** @typedef {(service: string, rpc: string, message: object, options: {signal: AbortSignal}) => AsyncIterable<any>} Stream */

/** @type {ReadonlySet<string>} */
const LASTING = new Set([
  "UNKNOWN_MATCH",
  "UNKNOWN_SEAT",
  "UNKNOWN_GAME",
  "NOT_YOUR_SEAT",
  "NOT_ALLOWED",
  "MALFORMED",
  "TOO_LARGE",
]);

const INCLUDE = ["INCLUDE_VIEW", "INCLUDE_LEGAL", "INCLUDE_SENTENCE"];

/** How long a stream may say nothing, in ms: servers speak at least every 30 s. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** Between attempts at a match that the server can't go on with. */
const QUARANTINE_PAUSE_MS = 15_000;

/** @param {any} failed @returns {Why} a refusal of a stream's last piece, or whatever was thrown */
export function why(failed) {
  const said = failed?.refusal ?? failed ?? {};
  return {
    reason: String(said.reason ?? "").replace(/^REFUSAL_REASON_/, ""),
    rule: said.rule ?? "",
    message: said.message ?? "",
    cursor: said.cursor ?? "",
    retryAfterMs: Number(said.retryAfterMs ?? 0),
  };
}

/** Before anything is told. @type {Story} */
export const UNTOLD = {
  entries: [],
  situation: null,
  live: false,
  over: false,
  delay: null,
  heard: null,
  rewound: null,
  refusal: null,
};

/** Follows one match as one audience from `start` to `stop`. */
export class Following {
  /** @type {Told[]} */
  #told = [];
  /** @type {Story} */
  #story = UNTOLD;
  /** @type {number | null} */
  #rewound = null;
  #pauseMs = FIRST_PAUSE_MS;
  #lastHeard = 0;
  #stopped = false;
  /** @type {AbortController | null} */
  #attempt = null;
  /** @type {(() => void) | null} */
  #waking = null;

  /**
   * @param {object} options
   * @param {Stream} options.stream
   * @param {string} options.matchId
   * @param {number | null} options.seat
   * @param {(story: Story) => void} options.tell
   * @param {number} [options.longestPauseMs]
   * @param {number} [options.silenceMs]
   */
  constructor({ stream, matchId, seat, tell, longestPauseMs = LONGEST_PAUSE_MS, silenceMs = SILENCE_MS }) {
    this.stream = stream;
    this.matchId = matchId;
    this.seat = seat;
    this.tell = tell;
    this.longestPauseMs = longestPauseMs;
    this.silenceMs = silenceMs;
  }

  /** Resolves once nothing more will be told. */
  async start() {
    while (!this.#stopped) {
      const failed = await this.#once();
      if (this.#stopped || this.#story.over) return;
      const refusal = why(failed);
      if (LASTING.has(refusal.reason)) {
        this.#change({ live: false, refusal });
        return;
      }
      const paused = refusal.reason === "QUARANTINED";
      this.#change({ live: false, refusal: paused ? refusal : null });
      await this.#pause(paused ? QUARANTINE_PAUSE_MS : refusal.retryAfterMs);
    }
  }

  /** Something has changed outside: try again at once, and give up a stream that may be dead. */
  wake(certainly = false) {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#waking?.();
    if (certainly || performance.now() - this.#lastHeard > this.silenceMs / 2) this.#attempt?.abort();
  }

  /** The line is cut: wait for `wake`. */
  cut() {
    this.#attempt?.abort();
  }

  stop() {
    this.#stopped = true;
    this.#attempt?.abort();
    this.#waking?.();
  }

  /** One stream, to its end; answers what it ended of. */
  async #once() {
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#lastHeard = performance.now();
    const watch = setInterval(() => {
      if (performance.now() - this.#lastHeard > this.silenceMs) attempt.abort();
    }, this.silenceMs / 3);
    try {
      await this.#read(attempt.signal);
      return null;
    } catch (failed) {
      if (why(failed).reason !== "LOG_REWOUND" || attempt.signal.aborted) return failed;
      return await this.#rewind(why(failed).cursor, attempt.signal);
    } finally {
      clearInterval(watch);
      this.#attempt = null;
    }
  }

  /** @param {AbortSignal} signal */
  async #read(signal) {
    const request = { matchId: this.matchId, after: this.#told.at(-1)?.cursor ?? "", include: INCLUDE };
    const asked = this.seat === null ? request : { ...request, seat: this.seat };
    for await (const response of this.stream("MatchService", "WatchMatch", asked, { signal })) {
      if (signal.aborted) return;
      this.#lastHeard = performance.now();
      for (const update of response.updates ?? []) {
        if (update.end) {
          if (update.end.refusal) throw update.end;
          this.#change({ live: true, over: true, refusal: null });
          return;
        }
        this.#take(update);
      }
    }
  }

  /** @param {any} update */
  #take({ entry, caughtUp, checkpoint }) {
    if (entry) this.#entry(entry);
    if (caughtUp) {
      if ((this.#told.at(-1)?.cursor ?? "0-0") !== caughtUp.cursor) throw new Error("caught up elsewhere");
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#show(caughtUp.situation, { live: true, refusal: null, delay: delayOf(caughtUp.delay) });
    }
    if (checkpoint && this.#story.live) this.#change({ delay: delayOf(checkpoint.delay) });
  }

  /** @param {any} entry */
  #entry(entry) {
    const last = this.#told.at(-1)?.version ?? 0;
    if (entry.version <= last) return;
    if (entry.version !== last + 1) throw new Error(`version ${entry.version} came behind ${last}`);
    const told = toldOf(entry);
    this.#told.push(told);
    const heard = this.#story.live ? { atMs: told.atMs, here: performance.now() } : this.#story.heard;
    if (entry.situation) this.#show(entry.situation, { heard });
  }

  /** @param {any} said @param {Partial<Story>} with_ */
  #show(said, with_) {
    const last = this.#story.situation;
    const situation = said ? situationOf(said, last) : last;
    this.#change({ ...with_, situation, entries: this.#told.slice(), rewound: this.#rewound });
  }

  /** @param {Partial<Story>} change */
  #change(change) {
    if (this.#stopped) return;
    this.#story = { ...this.#story, ...change };
    this.tell(this.#story);
  }

  /** What is told begins anew behind the last entry that the log still has. @param {string} head @param {AbortSignal} signal */
  async #rewind(head, signal) {
    this.#change({ live: false });
    try {
      const known = this.#told.map((entry) => entry.cursor);
      this.#told.length = await commonWith(known, head, (from, limit) => {
        const request = { matchId: this.matchId, fromVersion: from, limit, headersOnly: true };
        const asked = this.seat === null ? request : { ...request, seat: this.seat };
        return this.stream("MatchService", "ReadLog", asked, { signal });
      });
      if (this.#told.length < (this.#story.situation?.version ?? 0)) this.#rewound = this.#told.length;
      this.#pauseMs = FIRST_PAUSE_MS;
      return null;
    } catch (failed) {
      return failed;
    }
  }

  /** @param {number} asked in ms, 0: each time longer */
  async #pause(asked) {
    const longest = asked || this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, this.longestPauseMs);
    const ms = Math.min(
      longest * (asked ? 1 + Math.random() / 2 : (1 + Math.random()) / 2),
      asked || this.longestPauseMs,
    );
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waking = () => {
        clearTimeout(timer);
        resolve(null);
      };
    });
    this.#waking = null;
  }
}

/** @param {any} entry @returns {Told} */
function toldOf(entry) {
  const { sentence } = entry;
  return {
    version: entry.version,
    cursor: entry.cursor,
    atMs: Number(entry.atMs),
    seat: entry.seat ?? null,
    type: entry.type,
    event: entry.event?.json ? JSON.parse(entry.event.json) : null,
    sentence: sentence
      ? { key: sentence.key, args: JSON.parse(sentence.args || "{}"), text: sentence.text ?? "" }
      : null,
  };
}

/** @param {any} said @param {Situation | null} last @returns {Situation} */
function situationOf(said, last) {
  return {
    version: Number(said.cursor.split("-")[0]),
    cursor: said.cursor,
    view: said.view?.json ? kept(last?.view, JSON.parse(said.view.json)) : null,
    moves: (said.legal?.moves ?? []).map((/** @type {any} */ move) => JSON.parse(move.json)),
    families: said.legal?.families ?? [],
    decision: said.decision ?? null,
    clocks: clocksOf(said.clocks),
  };
}

/** Clocks of any answer. @param {any[] | undefined} clocks @returns {SeatClock[]} */
export function clocksOf(clocks) {
  return (clocks ?? []).map((clock) => ({
    seat: clock.seat ?? 0,
    leftMs: Number(clock.leftMs ?? 0),
    deadlineMs: clock.deadlineMs === undefined || clock.deadlineMs === null ? null : Number(clock.deadlineMs),
  }));
}

/** @param {any} delay @returns {Delay | null} */
export function delayOf(delay) {
  return delay ? { unit: String(delay.unit ?? "").replace(/^DELAY_UNIT_/, ""), count: delay.count ?? 0 } : null;
}
