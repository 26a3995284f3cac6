/** What time it is by the store, whose times alone count: learnt from what comes, not from the clock of this machine. */

/**
 * Both an entry that comes live and an answer's date are as old as their way here or more, so of several the one that
 * says the latest time is right.
 */
export class StoreTime {
  /** The store's time when the page's was 0. */
  #epoch = Number.NEGATIVE_INFINITY;
  #exact = false;

  /** An entry that came as it was appended. @param {{atMs: number, here: number}} heard */
  hear({ atMs, here }) {
    if (!this.#exact) this.#epoch = Number.NEGATIVE_INFINITY;
    this.#exact = true;
    this.#epoch = Math.max(this.#epoch, atMs - here);
  }

  /** The page has slept, or the line was cut: what was known may be behind. */
  doubt() {
    this.#exact = false;
  }

  /** No earlier than this: an old entry, or the date of an answer. @param {number} atMs */
  atLeast(atMs) {
    if (!this.#exact) this.#epoch = Math.max(this.#epoch, atMs - performance.now());
  }

  /** In ms since 1970, or null where nothing is known. */
  now() {
    return Number.isFinite(this.#epoch) ? this.#epoch + performance.now() : null;
  }
}

/** Asks the server for its date. @param {StoreTime} time */
export async function dated(time) {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (Number.isFinite(date)) time.atLeast(date);
  } catch {
    // The entries will tell.
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is left, as `1:05`, `2:03:00` or `3 d 4 h`. @param {number} ms @param {import("../core/types.js").Say} say */
export function leftOf(ms, say) {
  const whole = Math.max(0, Math.ceil(ms / SECOND) * SECOND);
  if (whole >= 2 * DAY) {
    return say("table.clock.days", { days: Math.floor(whole / DAY), hours: Math.floor((whole % DAY) / HOUR) });
  }
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const seconds = two(Math.floor((whole % MINUTE) / SECOND));
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  const hours = Math.floor(whole / HOUR);
  return hours ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}
