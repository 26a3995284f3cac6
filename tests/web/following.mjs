// A match in memory that is told as the server tells it: in pieces, over streams that break anywhere, from a log that may
// go back to an older copy and on in another way. What is followed must be its log, and nothing that it has not been.
import assert from "node:assert/strict";
import { Following } from "../../gateway/web/static/core/follow.js";
import { lucky } from "./luck.mjs";

const [rounds] = process.argv.slice(2).map(Number);
const seen = { breaks: 0, rewinds: 0, repeats: 0, "rewinds to nothing": 0, "rewinds told": 0, drained: 0, silent: 0, gaps: 0 };

class Refusal extends Error {
  constructor(reason, cursor = "") {
    super(reason);
    Object.assign(this, { reason, cursor });
  }
}

/** One log, and all that it has ever been. */
class Match {
  constructor(luck) {
    this.luck = luck;
    this.log = [];
    /** By the cursor of each moment: the log up to it. */
    this.past = new Map([["0-0", []]]);
    this.over = false;
    this.waiting = new Set();
    this.line = 0;
  }

  /** A command: its last entry has the situation. */
  command(last = false) {
    const count = 1 + this.luck.below(3);
    for (let each = 1; each <= count; each += 1) {
      const version = this.log.length + 1;
      const cursor = `${version}-${this.line.toString(16).padStart(8, "0")}${version.toString(16).padStart(8, "0")}`;
      this.log.push({ cursor, version, ends: each === count });
      if (each === count) this.past.set(cursor, this.log.map((entry) => entry.cursor));
    }
    this.over = last;
    this.changed();
  }

  rewind() {
    const ends = [0, ...this.log.filter((entry) => entry.ends).map((entry) => entry.version)];
    this.log.length = ends[this.luck.below(ends.length)];
    this.line += 1;
    this.over = false;
    seen.rewinds += 1;
    if (!this.log.length) seen["rewinds to nothing"] += 1;
    this.changed();
  }

  changed() {
    for (const wake of [...this.waiting]) wake();
  }

  next(signal) {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.waiting.delete(done);
        resolve();
      };
      this.waiting.add(done);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  get head() {
    return this.log.at(-1)?.cursor ?? "0-0";
  }

  situation() {
    return { cursor: this.head, view: { json: JSON.stringify({ at: this.head }) } };
  }

  told(entry, live) {
    const said = { cursor: entry.cursor, version: entry.version, atMs: String(entry.version), type: "game.moved" };
    return { entry: live && entry.ends ? { ...said, situation: this.situation() } : said };
  }

  async *stream(_service, rpc, message, { signal }) {
    const { luck } = this;
    const torn = () => {
      signal.throwIfAborted();
      if (luck.chance(0.08)) {
        seen.breaks += 1;
        throw new Refusal("LOST");
      }
    };
    torn();
    if (rpc === "ReadLog") {
      if (message.fromVersion > this.log.length) throw new Refusal("UNKNOWN_VERSION");
      yield { entries: this.log.slice(message.fromVersion - 1, message.fromVersion - 1 + message.limit) };
      return;
    }
    const line = this.line;
    const known = message.after ? Number(message.after.split("-")[0]) : 0;
    if (known && this.log[known - 1]?.cursor !== message.after) throw new Refusal("LOG_REWOUND", this.head);
    let at = known;
    const past = this.log.length;
    while (at < past) {
      const some = this.log.slice(at, at + 1 + luck.below(4)).filter((entry) => entry.version <= past);
      // A server never repeats; a proxy between may.
      if (at > known && luck.chance(0.05)) {
        seen.repeats += 1;
        yield { updates: [this.told(this.log[at - 1], false)] };
      }
      yield { updates: some.map((entry) => this.told(entry, false)) };
      at += some.length;
      torn();
      if (line !== this.line) throw new Refusal("LOG_REWOUND", this.head);
    }
    if (this.log.length !== past) throw new Refusal("DRAINING");
    yield { updates: [{ caughtUp: { cursor: this.head, situation: this.situation() } }] };
    for (;;) {
      while (at < this.log.length) {
        const end = this.log.findIndex((entry) => entry.version > at && entry.ends) + 1;
        // Only what closes the log has a situation, as when a command comes while nobody else has.
        const some = this.log.slice(at, end).map((entry) => this.told(entry, end === this.log.length));
        if (end !== this.log.length) throw new Refusal("SLOW_CONSUMER");
        if (luck.chance(0.04)) {
          seen.gaps += 1;
          some.shift();
        }
        for (const update of some) {
          yield { updates: [update] };
          torn();
          if (line !== this.line) throw new Refusal("LOG_REWOUND", this.head);
        }
        at = end;
      }
      if (this.over) {
        yield { updates: [{ end: { cursor: this.head } }] };
        return;
      }
      if (luck.chance(0.03)) {
        seen.drained += 1;
        yield { updates: [{ end: { cursor: this.head, refusal: { reason: "REFUSAL_REASON_DRAINING" } } }] };
        return;
      }
      await this.next(signal);
      if (line !== this.line) throw new Refusal("LOG_REWOUND", this.head);
    }
  }
}

async function played(seed) {
  const luck = lucky(seed);
  const match = new Match(luck);
  match.command();
  let stories = 0;
  let last = null;
  const check = (story) => {
    const { entries, situation, rewound } = story;
    const before = last?.situation ? last.entries : [];
    const kept = before.findIndex((entry, place) => entry.cursor !== entries[place]?.cursor);
    if (kept >= 0) seen["rewinds told"] += 1;
    assert.equal(rewound, kept < 0 ? (last?.rewound ?? null) : kept, "how far it went back is told with the board");
    stories += 1;
    last = story;
    entries.forEach((entry, place) => assert.equal(entry.version, place + 1, "dense, once, in order"));
    if (!situation) return assert.equal(entries.length, 0);
    assert.equal(situation.cursor, entries.at(-1)?.cursor ?? "0-0", "log and board stand at the same entry");
    assert.deepEqual(situation.view, { at: situation.cursor });
    assert.ok(match.past.has(situation.cursor), "a board that never was");
    assert.deepEqual(entries.map((entry) => entry.cursor), match.past.get(situation.cursor));
  };
  const following = new Following({
    stream: (...asked) => match.stream(...asked),
    matchId: "m",
    seat: luck.chance(0.5) ? 0 : null,
    tell: check,
    longestPauseMs: 0,
  });
  const done = following.start();
  for (let step = 0; step < 12; step += 1) {
    for (let turns = luck.below(6); turns; turns -= 1) await new Promise(setImmediate);
    if (luck.chance(0.2)) match.rewind();
    else match.command();
    if (luck.chance(0.1)) following.wake(true);
    if (luck.chance(0.1)) following.cut();
  }
  match.command(true);
  await done;
  assert.ok(last.over && last.live, "it goes on until the match is over");
  assert.deepEqual(last.entries.map((entry) => entry.cursor), match.log.map((entry) => entry.cursor));
  assert.equal(last.situation.cursor, match.head);
  return stories;
}

for (let seed = 1; seed <= rounds; seed += 1) {
  try {
    await played(seed);
  } catch (error) {
    error.message = `seed ${seed}: ${error.message}`;
    throw error;
  }
}

// A stream that says nothing is given up, and asked for again.
await new Promise((resolve) => {
  let streams = 0;
  const following = new Following({
    async *stream(_service, _rpc, _message, { signal }) {
      streams += 1;
      if (streams === 2) {
        seen.silent += 1;
        following.stop();
        resolve();
        return;
      }
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      yield {};
    },
    matchId: "m",
    seat: null,
    tell: () => {},
    longestPauseMs: 0,
    silenceMs: 5,
  });
  following.start();
});

// What lasts is told, and not asked for again.
for (const reason of ["UNKNOWN_MATCH", "NOT_YOUR_SEAT"]) {
  let streams = 0;
  let last = null;
  await new Following({
    async *stream() {
      streams += 1;
      yield {};
      throw new Refusal(reason);
    },
    matchId: "m",
    seat: 0,
    tell: (story) => {
      last = story;
    },
    longestPauseMs: 0,
  }).start();
  assert.equal(streams, 1);
  assert.equal(last.refusal.reason, reason);
}

for (const [kind, times] of Object.entries(seen)) assert.ok(times > 0, `never met: ${kind}`);
console.log(JSON.stringify(seen));
