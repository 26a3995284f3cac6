/** Playing: which version comes next, and when. */

/** @typedef {import("./tale.js").Told} Told */

/** Speeds as they stand in the page's list: a move a second, or so many times as fast as it was played. */
export const SPEEDS = ["move", "0.5", "1", "2", "4", "8", "16", "32", "64"];

const MOVE_MS = 1000;
/** Nobody waits longer between two moves, however long the players thought. */
const LONGEST_MS = 4000;

/**
 * The version after the next command; null at the end of what was told.
 * @param {Told} told
 * @param {number} version
 * @returns {number | null}
 */
export function next({ story, marks, known }, version) {
  const last = story.situation?.version ?? 0;
  if (version >= last) return null;
  return marks.find((mark) => mark.ends && mark.version > version)?.version ?? (known > version ? last : version + 1);
}

/**
 * How long what stands at `from` is looked at before `to`.
 * @param {Told} told
 * @param {string} speed
 * @param {number} from
 * @param {number} to
 */
export function pauseMs({ story }, speed, from, to) {
  if (speed === "move") return MOVE_MS;
  const passed = (story.entries[to - 1]?.atMs ?? 0) - (story.entries[from - 1]?.atMs ?? 0);
  return Math.min(Math.max(passed, 0) / Number(speed), LONGEST_MS);
}
