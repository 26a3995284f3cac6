/** New answers made of the parts of old ones: whoever compares by identity sees what has changed. */

/**
 * What is now, wherever it is as it was before the same object as then. `now` is JSON, and not used for anything else.
 * @template T
 * @param {any} before
 * @param {T} now
 * @returns {T}
 */
export function kept(before, now) {
  if (!isCompound(before) || !isCompound(now) || Array.isArray(before) !== Array.isArray(now)) return now;
  /** @type {Record<string, any>} */
  const parts = now;
  const names = Object.keys(parts);
  let same = names.length === Object.keys(before).length;
  for (const name of names) {
    const known = Object.hasOwn(before, name);
    parts[name] = known ? kept(before[name], parts[name]) : parts[name];
    same &&= known && parts[name] === before[name];
  }
  return same ? /** @type {any} */ (before) : now;
}

/** @param {unknown} value @returns {value is Record<string, any>} */
function isCompound(value) {
  return typeof value === "object" && value !== null;
}
