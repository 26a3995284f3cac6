/** What is seen of a match: the tale of an audience, the views that are drawn, and playing them one after another. */

import { useEffect, useMemo, useRef, useState } from "../core/html.js";
import { next, pauseMs } from "./pace.js";
import { Tale } from "./tale.js";
import { Latest } from "./views.js";

/**
 * @typedef {import("./audience.js").Audience} Audience
 * @typedef {import("./tale.js").Told} Told
 * @typedef {import("./views.js").Views} Views
 */

/**
 * What is drawn: the views of one version, one for each seat looked at.
 * @typedef {{version: number, views: readonly any[], before: readonly any[] | null}} Drawn
 */

/**
 * What the audience is told; null until it is told anything.
 * @param {string} matchId
 * @param {Audience} audience
 * @param {readonly Views[]} views   of the audience's seats
 */
export function useTale(matchId, audience, views) {
  const [state, setState] = useState(
    /** @type {{seat: number | null, told: Told | null}} */ ({ seat: null, told: null }),
  );
  const { seat } = audience;
  useEffect(() => {
    const seen = (/** @type {import("./views.js").Seen} */ found) => audience.all || views[0].offer(found);
    const tale = new Tale({ matchId, seat, seen, tell: (told) => setState({ seat, told }) });
    tale.start();
    return () => tale.stop();
  }, [matchId, seat, views]);
  return state.seat === seat ? state.told : null;
}

/**
 * The views that were drawn last, and why there are no others. Each is shown as the version it is.
 * @param {readonly Views[]} views
 * @param {number} version
 * @param {Told | null} told
 * @returns {{drawn: Drawn | null, error: unknown}}
 */
export function useDrawn(views, version, told) {
  /** @typedef {{of: readonly Views[], drawn: Drawn | null, error: unknown}} State */
  const [state, setState] = useState(/** @type {State} */ ({ of: views, drawn: null, error: null }));
  const entries = useRef(told?.story.entries ?? []);
  entries.current = told?.story.entries ?? [];
  const latest = useMemo(() => {
    const get = async (/** @type {number} */ wanted) => {
      const cursor = entries.current[wanted - 1]?.cursor;
      const found = await Promise.all(views.map((each) => each.at(wanted, cursor)));
      if (found.every((each) => each.cursor === found[0].cursor)) return found;
      // The log went back between two answers.
      return Promise.all(views.map((each) => each.at(wanted, undefined)));
    };
    const show = (/** @type {import("./views.js").Seen[]} */ found) =>
      setState(({ of, drawn: now }) => {
        const [{ version: at }] = found;
        const before = of === views && now && now.version < at ? now.views : null;
        return { of: views, drawn: { version: at, views: found.map((each) => each.view), before }, error: null };
      });
    const failed = (/** @type {unknown} */ error) =>
      setState(({ of, drawn }) => ({ of: views, drawn: of === views ? drawn : null, error }));
    return new Latest(get, show, failed);
  }, [views]);
  useEffect(() => () => latest.stop(), [latest]);
  const cursor = entries.current[version - 1]?.cursor;
  useEffect(() => latest.want(version), [latest, version, cursor]);
  return state.of === views ? state : { drawn: null, error: null };
}

/**
 * Plays on from what is drawn, never ahead of it. At the end of a match that goes on it waits for what comes.
 * @param {{place: {version: number, live: boolean, go: (version: number) => void}, told: Told | null, drawn: Drawn | null, speed: string, over: boolean}} state
 */
export function usePlaying({ place, told, drawn, speed, over }) {
  const [on, setOn] = useState(false);
  const since = useRef({ version: 0, at: 0 });
  const version = drawn?.version ?? 0;
  const following = told ? next(told, version) : null;
  useEffect(() => {
    if (!on || !told || !version) return;
    if (since.current.version !== version) since.current = { version, at: performance.now() };
    if (following === null) {
      if (over) setOn(false);
      return;
    }
    const wait = since.current.at + pauseMs(told, speed, version, following) - performance.now();
    const timer = setTimeout(() => place.go(following), Math.max(wait, 0));
    return () => clearTimeout(timer);
  }, [on, version, following, speed, over]);
  const set = (/** @type {boolean} */ wanted) => {
    since.current = { version: 0, at: 0 };
    if (wanted && over && following === null) place.go(Math.max(told?.begun ?? 1, 1));
    setOn(wanted);
  };
  return { on, set };
}
