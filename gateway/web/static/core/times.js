/** Times and spans in words. */

import { useEffect, useState } from "./html.js";
import { language } from "./words.js";

/** @type {[Intl.RelativeTimeFormatUnit & string, number][]} */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** How long ago, in the largest unit that there is one of. @param {number} atMs @param {number} [nowMs] */
export function ago(atMs, nowMs = Date.now()) {
  const span = Math.max(0, nowMs - atMs);
  const format = new Intl.RelativeTimeFormat(language.get(), { numeric: "auto" });
  const [unit, size] = UNITS.slice(0, 3).find(([, each]) => span >= each) ?? ["second", Number.POSITIVE_INFINITY];
  return format.format(-Math.floor(span / size), unit);
}

/** A length of time, in the two largest units that it fills. @param {number} ms */
export function spanOf(ms) {
  const parts = [];
  let rest = ms;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count || (unit === "second" && !parts.length)) {
      parts.push(new Intl.NumberFormat(language.get(), { style: "unit", unit, unitDisplay: "short" }).format(count));
    }
  }
  return parts.slice(0, 2).join(" ");
}

/** Day and time of day. @param {number} atMs */
export function momentOf(atMs) {
  return new Intl.DateTimeFormat(language.get(), { dateStyle: "medium", timeStyle: "short" }).format(atMs);
}

/** The time now, told anew every half minute. */
export function useNow() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
