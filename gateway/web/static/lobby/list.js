/**
 * The matches of the lobby: pages of a list for each state, and the news of them all, which come in one stream. What is
 * shown is a value made anew with each change.
 */

import { call, follow, isAway, Refusal } from "../core/api.js";
import { lost, pause } from "../core/link.js";

/** @typedef {any} Match a tidelog.v1.Match as JSON */
/** @typedef {"open" | "live" | "finished"} Kind */

/**
 * @typedef {object} Filter
 * @property {string} game      empty: any
 * @property {boolean} free     with a free seat
 * @property {boolean} mine     in which one sits
 * @property {boolean} invited  with a seat reserved for one
 */

/** What is known of one state. `next` asks for more. @typedef {{matches: Match[], next: string, ready: boolean}} Part */
/** @typedef {Record<Kind, Part>} Lists */

/** @type {Kind[]} */
export const KINDS = ["open", "live", "finished"];
const STATUS = { open: "MATCH_STATUS_OPEN", live: "MATCH_STATUS_RUNNING", finished: "MATCH_STATUS_FINISHED" };
const ORDER = { open: "MATCH_ORDER_NEWEST", live: "MATCH_ORDER_NEWEST", finished: "MATCH_ORDER_CHANGED" };
const PAGE = 20;

/** @returns {Lists} */
export function noLists() {
  const none = { matches: [], next: "", ready: false };
  return { open: none, live: none, finished: none };
}

/** @param {Match} match @returns {Kind | undefined} */
export function kindOf(match) {
  return KINDS.find((kind) => STATUS[kind] === match.status);
}

/** The seat that is kept for the player and not claimed; -1: none. @param {Match} match @param {string} me */
export function reservedFor(match, me) {
  return (match.terms?.reserved ?? []).findIndex(
    (/** @type {string} */ player, /** @type {number} */ seat) => player === me && !match.seats[seat].player,
  );
}

/** Seats that the player may still claim. @param {Match} match @param {string} me @returns {number[]} */
export function freeSeats(match, me) {
  const reserved = match.terms?.reserved ?? [];
  return match.seats
    .map((/** @type {any} */ _, /** @type {number} */ seat) => seat)
    .filter((/** @type {number} */ seat) => !match.seats[seat].player && (!reserved[seat] || reserved[seat] === me));
}

/** @param {Match} match @param {string} me */
export function sits(match, me) {
  return match.seats.some((/** @type {any} */ seat) => seat.player === me);
}

/** Whether news of a match concern a list under the filter. @param {Match} match @param {Filter} filter @param {string} me */
export function passes(match, filter, me) {
  if (filter.game && match.game !== filter.game) return false;
  if (filter.mine && !sits(match, me)) return false;
  if (filter.invited && (match.status !== STATUS.open || reservedFor(match, me) < 0)) return false;
  return !filter.free || (match.status === STATUS.open && freeSeats(match, me).length > 0);
}

/** @param {Kind} kind @param {Filter} filter @param {string} me @param {string} pageToken */
function request(kind, filter, me, pageToken) {
  return {
    status: STATUS[kind],
    order: ORDER[kind],
    pageSize: PAGE,
    ...(pageToken && { pageToken }),
    ...(filter.game && { game: filter.game }),
    ...(filter.free && { openSeats: 1 }),
    ...(filter.mine && { player: me }),
    ...(filter.invited && { invited: true }),
  };
}

/** A list's next page, behind what it has. @param {Part} part @param {Kind} kind @param {Filter} filter @param {string} me */
export async function more(part, kind, filter, me) {
  const page = await call("MatchService", "ListMatches", request(kind, filter, me, part.next));
  return placed({ ...part, next: page.nextPageToken ?? "" }, page.matches ?? [], kind);
}

/**
 * The list with these matches in it, each at its latest version, in the list's order.
 * @param {Part} part
 * @param {Match[]} told
 * @param {Kind} kind
 * @returns {Part}
 */
export function placed(part, told, kind) {
  const known = new Map(part.matches.map((match) => [match.matchId, match]));
  for (const match of told) {
    if ((known.get(match.matchId)?.version ?? -1) <= match.version) known.set(match.matchId, match);
  }
  const time = kind === "finished" ? "changedAtMs" : "createdAtMs";
  const matches = [...known.values()].sort((one, two) => Number(two[time] ?? 0) - Number(one[time] ?? 0));
  return { ...part, matches };
}

/**
 * What a piece of news makes of the lists.
 * @param {Lists} lists
 * @param {any} news a tidelog.v1.LobbyNews as JSON
 * @param {Filter} filter
 * @param {string} me
 * @returns {Lists}
 */
export function changed(lists, news, filter, me) {
  const match = news.appeared ?? news.changed ?? news.listed;
  const id = match?.matchId ?? news.left?.matchId;
  if (!id) return lists;
  const known = KINDS.flatMap((kind) => lists[kind].matches).find((each) => each.matchId === id);
  if (match && known && known.version > match.version) return lists;
  const kind = match && passes(match, filter, me) ? kindOf(match) : undefined;
  const next = { ...lists };
  for (const each of KINDS) {
    const part = next[each];
    if (each === kind) next[each] = placed(part, [match], each);
    else if (part.matches.includes(known)) {
      next[each] = { ...part, matches: part.matches.filter((other) => other !== known) };
    }
  }
  return next;
}

/**
 * Keeps the lists as they are, until `signal` ends it. News are told from before the pages are read, so none is missed.
 * `show` gets the lists, `told` each match as it changes.
 * @param {object} how
 * @param {Filter} how.filter
 * @param {string} how.me
 * @param {AbortSignal} how.signal
 * @param {(change: (lists: Lists) => Lists) => void} how.show
 * @param {(match: Match) => void} how.told
 * @param {(error: unknown) => void} how.failed
 */
export async function keepLists({ filter, me, signal, show, told, failed }) {
  for (let tries = 0; !signal.aborted; ) {
    try {
      const asked = { limit: 1, ...(filter.game && { game: filter.game }), ...(filter.mine && { player: me }) };
      for await (const { news = [] } of follow("LobbyService", "WatchMatches", asked, { signal })) {
        for (const piece of news) {
          if (piece.present) {
            await readAll({ filter, me, show });
            tries = 0;
          }
          const match = piece.appeared ?? piece.changed;
          if (match || piece.left) show((lists) => changed(lists, piece, filter, me));
          if (match) told(match);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal) || !(isAway(error) || TRANSIENT.includes(error.reason))) return failed(error);
      lost.set(isAway(error));
    }
    await pause(tries++, signal);
  }
}

/** Reasons to ask anew that are no fault of anyone's. */
const TRANSIENT = ["UNAUTHENTICATED", "SLOW_CONSUMER", "TOO_MUCH"];

/** @param {{filter: Filter, me: string, show: (change: (lists: Lists) => Lists) => void}} how */
async function readAll({ filter, me, show }) {
  const empty = { matches: [], next: "", ready: true };
  const wanted = KINDS.filter((kind) => kind === "open" || !(filter.free || filter.invited));
  const parts = await Promise.all(wanted.map((kind) => more(empty, kind, filter, me)));
  show(() => ({
    ...noLists(),
    ...Object.fromEntries(KINDS.map((kind) => [kind, empty])),
    ...Object.fromEntries(wanted.map((kind, index) => [kind, parts[index]])),
  }));
}
