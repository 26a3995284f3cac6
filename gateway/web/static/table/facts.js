/** The platform's facts about a match, kept as new as what is shown of it. */

import { call, Refusal } from "../core/api.js";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../core/html.js";
import { kept } from "../core/kept.js";
import { MARKS } from "../core/marks.js";
import { nameOf } from "../core/names.js";
import { say } from "../core/words.js";

/**
 * What GetMatch answers, and why it does not. `invited`: the invitation counts.
 * @typedef {{answer: any, error: unknown, invited: boolean}} Facts
 */

/**
 * `refresh` asks anew; `follow` does unless the facts known are those after the entry of that cursor.
 * @param {string} matchId
 * @param {string} invitation   shows a private match to whoever was invited; empty: none
 * @returns {Facts & {refresh: () => void, follow: (cursor: string) => void}}
 */
export function useFacts(matchId, invitation) {
  const [facts, setFacts] = useState(/** @type {Facts} */ ({ answer: null, error: null, invited: false }));
  /** One call at a time; what changes meanwhile is asked for once more. */
  const state = useRef({ asking: false, again: false, left: false, cursor: "" });
  const refresh = useCallback(async () => {
    const now = state.current;
    if (now.asking) {
      now.again = true;
      return;
    }
    now.asking = true;
    do {
      now.again = false;
      try {
        const found = await asked(matchId, invitation);
        now.cursor = found.answer.match.cursor;
        if (!now.left) setFacts((known) => kept(known, { ...found, answer: lasting(found.answer), error: null }));
      } catch (error) {
        if (!now.left && error instanceof Refusal) setFacts((known) => ({ ...known, error }));
      }
    } while (now.again && !now.left);
    now.asking = false;
  }, [matchId, invitation]);
  const follow = useCallback(
    (/** @type {string} */ cursor) => {
      if (cursor !== state.current.cursor) refresh();
    },
    [refresh],
  );
  useLayoutEffect(() => {
    refresh();
  }, [refresh]);
  useEffect(() => {
    state.current.left = false;
    return () => {
      state.current.left = true;
    };
  }, []);
  return { ...facts, refresh, follow };
}

/** Without what changes with every entry: how far the match is, the story says. @param {any} answer */
function lasting(answer) {
  const { cursor, version, changedAtMs, ...match } = answer.match;
  return { ...answer, match };
}

/**
 * Whoever may see the match without an invitation is shown it where that is used, or no invitation at all.
 * @param {string} matchId
 * @param {string} invitation
 */
async function asked(matchId, invitation) {
  const plain = () => call("MatchService", "GetMatch", { matchId });
  if (!invitation) return { answer: await plain(), invited: false };
  try {
    return { answer: await call("MatchService", "GetMatch", { matchId, invitation }), invited: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const used = error.reason === "EXPIRED";
    const answer = await plain().catch((other) => Promise.reject(used ? error : other));
    return { answer, invited: false };
  }
}

/** Bots of one name are numbered. @param {any} match @returns {import("../core/types.js").SeatShown[]} */
export function seatsOf(match) {
  /** @type {import("../core/types.js").SeatShown[]} */
  const seats = (match.seats ?? []).map(
    (/** @type {any} */ { seat = 0, player, name, bot = false, vacant = false }) => ({
      seat,
      name: player ? nameOf({ name, player, bot }) : say("table.seat", { number: seat + 1 }),
      mark: MARKS[seat],
      bot,
      vacant,
    }),
  );
  return seats.map((seat) => {
    const alike = seats.filter((other) => other.bot && other.name === seat.name);
    const number = alike.indexOf(seat) + 1;
    return number && alike.length > 1 ? { ...seat, name: say("bot.numbered", { name: seat.name, number }) } : seat;
  });
}

/** What the log says of where a match stands. @type {Record<string, string>} */
const STATUS = {
  "match.created": "open",
  "match.started": "running",
  "match.finished": "finished",
  "match.aborted": "aborted",
  "match.expired": "expired",
};

/** The version with which the match starts, 0 before. @param {readonly {type: string}[]} entries */
export function begunBy(entries) {
  return entries.findIndex((entry) => entry.type === "match.started") + 1;
}

/**
 * Of the story that is shown, so that both change together; of the facts before there is one.
 * @param {readonly import("../core/follow.js").Told[]} entries
 * @param {any} match
 */
export function statusOf(entries, match) {
  const said = entries.findLast((entry) => entry.type in STATUS);
  return said
    ? STATUS[said.type]
    : String(match.status ?? "")
        .replace("MATCH_STATUS_", "")
        .toLowerCase();
}
