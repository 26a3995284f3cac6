/** Elements as templates; what a component shows is a value, and Preact changes the page to it. */

import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";

export { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "../vendor/hooks.js";
export { render } from "../vendor/preact.js";

/** @typedef {import("./types.js").Shown} Shown */

/** @type {(strings: TemplateStringsArray, ...values: any[]) => Shown} */
export const html = /** @type {any} */ (htm.bind(h));

/**
 * A component that is drawn anew only where one of its props is another value, or its own state.
 * @template {object} Props
 * @param {(props: Props) => Shown | null} draw
 * @returns {(props: Props) => any}
 */
export function pure(draw) {
  /** @this {any} @param {Props} props */
  return function (props) {
    // Once: hooks put their own question before it.
    this.shouldComponentUpdate ??= differs;
    return draw(props);
  };
}

/** @this {{props: Record<string, unknown>}} @param {Record<string, unknown>} next */
function differs(next) {
  const names = Object.keys(next);
  return names.length !== Object.keys(this.props).length || names.some((name) => next[name] !== this.props[name]);
}
