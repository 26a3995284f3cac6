/** Elements as templates; what a component shows is a value, and Preact changes the page to it. */

import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";

export { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "../vendor/hooks.js";
export { render } from "../vendor/preact.js";

/** @type {(strings: TemplateStringsArray, ...values: any[]) => import("./types.js").Shown} */
export const html = /** @type {any} */ (htm.bind(h));
