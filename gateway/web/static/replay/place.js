/** Where in a match one is, and the address that says so. */

import { useCallback, useEffect, useRef, useState } from "../core/html.js";
import { navigate } from "../core/router.js";

/**
 * @typedef {import("./audience.js").Audience} Audience
 * @typedef {import("./tale.js").Told} Told
 */

/** So long one has stayed at a version before the address names it, in ms. */
const REST_MS = 400;

/**
 * What the address asks for. `come` counts up when it asks for something else than what the page itself has written.
 * @typedef {{asked: number, chosen: string | null, choose: (name: string) => void, come: number, write: (query: URLSearchParams) => void}} Address
 */

/** @param {URLSearchParams} query @returns {Address} */
export function useAddress(query) {
  const search = query.toString();
  const [state, setState] = useState(() => ({ ...read(query), come: 0 }));
  const written = useRef(search);
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    setState(({ come }) => ({ ...read(query), come: come + 1 }));
  }, [search]);
  const choose = useCallback((/** @type {string} */ chosen) => setState((now) => ({ ...now, chosen })), []);
  const write = useCallback((/** @type {URLSearchParams} */ next) => {
    written.current = next.toString();
    navigate(`${location.pathname}${next.size ? `?${next}` : ""}`, { replace: true });
  }, []);
  return { ...state, choose, write };
}

/** A version of 0: none is asked for. @param {URLSearchParams} query */
function read(query) {
  return { asked: Math.max(Number.parseInt(query.get("version") ?? "0", 10) || 0, 0), chosen: query.get("seat") };
}

/**
 * Where in the match one is: at a version, or at the end of a match that goes on.
 * @param {Address} address
 * @param {boolean} over
 * @param {Told | null} told
 */
export function usePlace({ asked, come }, over, told) {
  const [at, setAt] = useState(() => ({ version: asked, live: asked === 0 && !over }));
  useEffect(() => {
    if (come > 0) setAt({ version: asked, live: asked === 0 && !over });
  }, [come]);
  const end = useRef({ over, last: 0 });
  end.current = { over, last: told?.story.situation?.version ?? 0 };
  const go = useCallback((/** @type {number} */ version) => {
    const { over: done, last } = end.current;
    setAt({ version, live: !done && last > 0 && version >= last });
  }, []);
  // Who asks for no version wants to see how a match that is over went: from its first board on, the end untold. One that
  // was never begun has no board; its end says why.
  const version = at.version || told?.begun || Math.max(end.current.last, 1);
  return { version, live: at.live && !over, go };
}

/**
 * The address names the version and the audience, once one stays there.
 * @param {{address: Address, place: {live: boolean}, audience: Audience, version: number, may: readonly string[], quiet: boolean}} shown
 */
export function useWritten({ address, place, audience, version, may, quiet }) {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (quiet) return;
    const timer = setTimeout(() => {
      const query = new URLSearchParams();
      if (!place.live) query.set("version", String(version));
      if (audience.name !== may[0]) query.set("seat", audience.name);
      address.write(query);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [version, audience.name, place.live, quiet]);
}
