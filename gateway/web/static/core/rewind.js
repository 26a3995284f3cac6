/** Finding what one knows of a log in the log as it is now, after its store went back to an older copy. */

const PAGE = 256;

/**
 * How many of the cursors, from the first on, the log still holds. `known` has those of versions 1, 2, ...; `head` is
 * the log's last one, as far as it is known; `read` tells the log's headers from a version on.
 * @param {readonly string[]} known
 * @param {string} head
 * @param {(from: number, limit: number) => AsyncIterable<{entries?: {cursor: string}[]}>} read
 * @returns {Promise<number>}
 */
export async function commonWith(known, head, read) {
  const place = known.indexOf(head);
  if (place >= 0) return place + 1;
  let last = head ? Math.min(known.length, Number(head.split("-")[0])) : known.length;
  while (last > 0) {
    const from = Math.max(1, last - PAGE + 1);
    for (const cursor of (await cursors(read(from, last - from + 1))).reverse()) {
      const version = Number(cursor.split("-")[0]);
      if (known[version - 1] === cursor) return version;
    }
    last = from - 1;
  }
  return 0;
}

/** @param {AsyncIterable<{entries?: {cursor: string}[]}>} responses */
async function cursors(responses) {
  /** @type {string[]} */
  const found = [];
  try {
    for await (const response of responses) found.push(...(response.entries ?? []).map((entry) => entry.cursor));
  } catch (failed) {
    // The log is shorter than where we began to read.
    if (!String(/** @type {any} */ (failed)?.reason).endsWith("UNKNOWN_VERSION")) throw failed;
  }
  return found;
}
