/** Checks files apart from the page, which stays quick however large they are. */

import { check } from "./checking.js";

addEventListener("message", async (/** @type {MessageEvent<{id: number, file: Blob}>} */ { data: { id, file } }) => {
  const progress = (/** @type {number} */ done, /** @type {number} */ all) => postMessage({ id, share: done / all });
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    postMessage({ id, verdict: await check(bytes, progress) });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
});
