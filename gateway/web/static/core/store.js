/** A value that components follow. */

import { useEffect, useReducer, useRef } from "./html.js";

/**
 * @template T
 * @typedef {{get: () => T, set: (value: T) => void, subscribe: (told: (value: T) => void) => () => void}} Store
 */

/**
 * @template T
 * @param {T} value
 * @returns {Store<T>}
 */
export function store(value) {
  /** @type {Set<(value: T) => void>} */
  const told = new Set();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const each of [...told]) each(value);
    },
    subscribe(each) {
      told.add(each);
      return () => told.delete(each);
    },
  };
}

/**
 * What a store holds now; the component is drawn anew when that changes.
 * @template T
 * @param {Store<T>} followed
 * @returns {T}
 */
export function useStore(followed) {
  const [, draw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const value = followed.get();
  const drawn = useRef(value);
  drawn.current = value;
  useEffect(() => {
    const told = () => {
      if (!Object.is(followed.get(), drawn.current)) draw(null);
    };
    told();
    return followed.subscribe(told);
  }, [followed]);
  return value;
}
