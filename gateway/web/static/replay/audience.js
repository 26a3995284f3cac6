/** Through whose eyes a match is seen: a spectator's, a seat's, or everybody's once the log is open. */

import { say } from "../core/words.js";

/**
 * `seat`: whose story is told; `seats`: whose views are shown beside each other.
 * @typedef {{name: string, all: boolean, seat: number | null, seats: readonly (number | null)[]}} Audience
 */

const OVER = ["MATCH_STATUS_FINISHED", "MATCH_STATUS_ABORTED", "MATCH_STATUS_EXPIRED"];

/**
 * The names of those that the caller may be, the usual one first.
 * @param {any} match
 * @param {string} me
 * @returns {string[]}
 */
export function allowed(match, me) {
  const seats = match.seats ?? [];
  const opened = OVER.includes(match.status) && match.logAfterEnd !== "LOG_AFTER_END_CLOSED";
  const mine = seats.filter((/** @type {any} */ seat) => me && [seat.player, seat.standIn].includes(me)).map(number);
  if (!opened) return [...mine, "spectator"];
  const others = seats.map(number).filter((/** @type {string} */ seat) => !mine.includes(seat));
  return [...mine, "spectator", ...others, "all"];
}

/** @param {{seat?: number}} seat */
function number({ seat = 0 }) {
  return String(seat);
}

/** @param {readonly string[]} may @param {string | null} chosen @returns {Audience} */
export function audienceOf(may, chosen) {
  const name = chosen !== null && may.includes(chosen) ? chosen : may[0];
  if (name === "spectator") return { name, all: false, seat: null, seats: [null] };
  if (name !== "all") return { name, all: false, seat: Number(name), seats: [Number(name)] };
  const seats = may.filter((each) => /^\d+$/.test(each)).map(Number);
  return { name, all: true, seat: null, seats: seats.sort((one, other) => one - other) };
}

/**
 * @param {string} name
 * @param {import("../core/types.js").SeatShown[]} seats
 * @param {any} match
 * @param {string} me
 */
export function audienceWords(name, seats, match, me) {
  if (!/^\d+$/.test(name)) return say(`replay.audience.${name}`);
  const seat = Number(name);
  const own = me && match.seats[seat]?.player === me;
  return say(own ? "replay.audience.own" : "replay.audience.seat", { name: seats[seat].name, mark: seats[seat].mark });
}
