/** Addresses and pages: links of ours change the page without loading it anew. */

import { store } from "./store.js";

/**
 * Where one is. `fragment` and `query` are read as `name=value&...`.
 * @typedef {{path: string, query: URLSearchParams, fragment: URLSearchParams}} Place
 */

/**
 * What a page is given: the parts of the path that its route names, and the address beside.
 * @typedef {{params: Record<string, string>, query: URLSearchParams, fragment: URLSearchParams}} PageProps
 */

/** @returns {Place} */
function current() {
  return {
    path: location.pathname,
    query: new URLSearchParams(location.search),
    fragment: new URLSearchParams(location.hash.slice(1)),
  };
}

/** Changes with every change of the address. */
export const place = store(current());

/**
 * Goes to an address of ours. `replace`: in place of the present one, so that the way back leads past it.
 * @param {string} address
 * @param {{replace?: boolean}} [how]
 */
export function navigate(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.set(current());
}

addEventListener("popstate", () => place.set(current()));

addEventListener("click", (event) => {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return;
  }
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || /^\/(static|api)\//.test(link.pathname)) return;
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
  event.preventDefault();
  navigate(link.href);
});

/**
 * The parameters of a path under a pattern such as `/table/:match`; null where it is not such a path.
 * @param {string} pattern
 * @param {string} path
 * @returns {Record<string, string> | null}
 */
export function under(pattern, path) {
  const [wanted, given] = [pattern.split("/"), path.replace(/(?<=.)\/$/, "").split("/")];
  if (wanted.length !== given.length) return null;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(":")) {
      try {
        params[part.slice(1)] = decodeURIComponent(given[index]);
      } catch {
        return null;
      }
    } else if (part !== given[index]) return null;
  }
  return params;
}

/** What the window and the browser's history call the page. @param {string} text */
export function title(text) {
  document.title = text ? `${text} · Tidelog` : "Tidelog";
}
