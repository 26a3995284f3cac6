/** A value that components follow. */

import { useEffect, useState } from "./html.js";

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
  const [value, setValue] = useState(() => followed.get());
  useEffect(() => {
    setValue(() => followed.get());
    return followed.subscribe((next) => setValue(() => next));
  }, [followed]);
  return value;
}
