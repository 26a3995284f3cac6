/** One request, one answer, or one stream of answers: the API over HTTP as it is, without a token of its own. */

/**
 * Why a call was not carried out. `reason` is that of `tidelog.v1.RefusalReason` without its prefix, or one of ours:
 * `LOST` (no answer came: what was asked may or may not have been done) and `UNKNOWN` (an answer that says no reason).
 */
export class Refusal extends Error {
  /**
   * @param {string} reason
   * @param {string} message
   * @param {{rule?: string, code?: string, version?: number, cursor?: string, retryAfterMs?: number}} [more]
   */
  constructor(reason, message, more = {}) {
    super(message);
    this.name = "Refusal";
    this.reason = reason;
    this.rule = more.rule ?? "";
    this.code = more.code ?? "";
    this.version = more.version;
    this.cursor = more.cursor ?? "";
    this.retryAfterMs = more.retryAfterMs;
  }
}

/**
 * @param {any} body an error as the API gives it
 * @param {number} [status]
 */
function refusal(body, status = 0) {
  const told = body?.refusal ?? {};
  const reason = String(told.reason ?? "").replace("REFUSAL_REASON_", "");
  return new Refusal(
    reason || (status >= 502 ? "LOST" : "UNKNOWN"),
    told.message || body?.message || `HTTP ${status}`,
    {
      rule: told.rule,
      code: body?.code,
      version: told.version,
      cursor: told.cursor,
      retryAfterMs: told.retryAfterMs === undefined ? undefined : Number(told.retryAfterMs),
    },
  );
}

/**
 * @param {string} service
 * @param {string} rpc
 * @param {object} message
 * @param {{token?: string | null, signal?: AbortSignal, accept?: string, after?: string}} how
 */
async function asked(service, rpc, message, { token, signal, accept = "application/json", after }) {
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json", Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (after) headers["Last-Event-ID"] = after;
  /** @type {Response} */
  let answer;
  try {
    const body = JSON.stringify(message);
    answer = await fetch(`/api/v1/${service}/${rpc}`, { method: "POST", headers, body, signal, cache: "no-store" });
  } catch (error) {
    throw lost(error, signal);
  }
  if (!answer.ok) throw refusal(await answer.json().catch(() => null), answer.status);
  return answer;
}

/** @param {unknown} error @param {AbortSignal} [signal] */
function lost(error, signal) {
  return signal?.aborted ? error : new Refusal("LOST", String(error));
}

/**
 * @param {string} service
 * @param {string} rpc
 * @param {object} message
 * @param {{token?: string | null, signal?: AbortSignal}} how
 * @returns {Promise<any>}
 */
export async function ask(service, rpc, message, how) {
  const answer = await asked(service, rpc, message, how);
  try {
    return await answer.json();
  } catch (error) {
    throw lost(error, how.signal);
  }
}

/**
 * The answers of a stream as they come, until the server says that it ended well. Ends with a `Refusal` otherwise, `LOST`
 * where the connection broke.
 * @param {string} service
 * @param {string} rpc
 * @param {object} message
 * @param {{token?: string | null, signal?: AbortSignal, after?: string, opened?: () => void}} how
 * @returns {AsyncGenerator<any, void, void>}
 */
export async function* stream(service, rpc, message, how) {
  const answer = await asked(service, rpc, message, { ...how, accept: "text/event-stream" });
  how.opened?.();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  try {
    for await (const { event, data } of events(reader, how.signal)) {
      if (event === "end") return;
      if (event === "error") throw refusal(JSON.parse(data));
      yield JSON.parse(data);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  throw new Refusal("LOST", "the stream broke off");
}

/**
 * Server-sent events of a body, as the WHATWG describes them.
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<{event: string, data: string}, void, void>}
 */
async function* events(reader, signal) {
  const decoder = new TextDecoder();
  let [rest, event] = ["", ""];
  /** @type {string[]} */
  let data = [];
  for (;;) {
    /** @type {{done: boolean, value?: Uint8Array}} */
    let piece;
    try {
      piece = await reader.read();
    } catch (error) {
      throw lost(error, signal);
    }
    if (piece.done) return;
    const lines = (rest + decoder.decode(piece.value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = /** @type {string} */ (lines.pop());
    for (const line of lines) {
      if (line === "") {
        if (data.length) yield { event: event || "message", data: data.join("\n") };
        [event, data] = ["", []];
        continue;
      }
      const [, field, value] = /** @type {RegExpMatchArray} */ (line.match(/^([^:]*):? ?(.*)$/s));
      if (field === "data") data.push(value);
      if (field === "event") event = value;
    }
  }
}
