/** Style sheets of one page or one game, loaded when it is; and modules, before they are. */

/**
 * Ends once the style sheet stands on the page; it stays there.
 * @param {string} href
 * @returns {Promise<void>}
 */
export function styled(href) {
  if (document.querySelector(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    // A page without its look is still a page.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

/** @type {Set<string>} */
const asked = new Set();

/**
 * The browser asks for these modules at once, not for each when it has read what imports it.
 * @param {readonly string[]} addresses
 */
export function announced(addresses) {
  for (const href of addresses) {
    if (asked.has(href)) continue;
    asked.add(href);
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = href;
    document.head.append(link);
  }
}
