/** The log as a file, as far as an audience may have it. */

import { Refusal } from "../core/api.js";
import { token } from "../core/session.js";

/**
 * @param {string} matchId
 * @param {object} audience   `{full: true}`, `{seat: n}` or `{}` for a spectator
 * @returns {Promise<Blob>} rejects with a `Refusal`
 */
export async function exported(matchId, audience) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${await token()}` };
  const body = JSON.stringify({ matchId, ...audience });
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch("/api/v1/MatchService/ExportMatch", { method: "POST", headers, body, cache: "no-store" });
    if (answer.ok) return await answer.blob();
  } catch (error) {
    throw new Refusal("LOST", String(error));
  }
  const said = await answer.json().catch(() => null);
  throw new Refusal(
    String(said?.refusal?.reason ?? "UNKNOWN").replace("REFUSAL_REASON_", ""),
    said?.message ?? `HTTP ${answer.status}`,
  );
}

/** The browser saves it under the name. @param {Blob} file @param {string} name */
export function save(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
