/** Says something to whoever listens to the page instead of looking at it. */

/** @param {string} text */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  // The same words twice are two news: a region that does not change is not read again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
