// A server that answers what a test wants, cut into pieces anywhere; what comes out is what went in.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { ask, Refusal, stream } from "../../gateway/web/static/core/wire.js";

/** @type {{status?: number, type?: string, pieces: Uint8Array[], broken?: boolean, held?: boolean}} */
let answer;
let asked;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  asked = { path: request.url, method: request.method, headers: request.headers, body };
  response.writeHead(answer.status ?? 200, { "content-type": answer.type ?? "text/event-stream" });
  for (const piece of answer.pieces) await new Promise((resolve) => response.write(piece, resolve));
  if (answer.broken) response.destroy();
  else if (!answer.held) response.end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { fetch } = globalThis;
globalThis.fetch = (path, how) => fetch(`http://127.0.0.1:${server.address().port}${path}`, how);

const bytes = (text) => new TextEncoder().encode(text);
async function told(how = {}) {
  const found = [];
  try {
    for await (const message of stream("MatchService", "WatchMatch", { matchId: "M" }, how)) found.push(message);
  } catch (error) {
    return { found, error };
  }
  return { found, error: null };
}

const refused = { code: "ABORTED", message: "stale: x", refusal: { reason: "REFUSAL_REASON_STALE", message: "x", rule: "R-1", version: 7, cursor: "7-a", retryAfterMs: "1500" } };
const EVENTS = ': alive\n\nid: 1-a\ndata: {"n": "ž€🎲"}\r\n\r\ndata: {"n":\ndata: 2}\n\nevent: message\rdata: {"n": 3}\r\rdata:{"n": 4}\n\n';
const ALL = [{ n: "ž€🎲" }, { n: 2 }, { n: 3 }, { n: 4 }];

for (const [ending, reason] of [["event: end\ndata: {}\n\n", null], [`event: error\ndata: ${JSON.stringify(refused)}\n\n`, "STALE"], ["", "LOST"], ["data: {\"n\": 5}\n", "LOST"]]) {
  const whole = bytes(EVENTS + ending);
  for (let cut = 0; cut <= whole.length; cut += 1) {
    answer = { pieces: [whole.slice(0, cut), whole.slice(cut)].filter((piece) => piece.length) };
    const { found, error } = await told();
    assert.deepEqual(found, ALL, `cut at ${cut}`);
    assert.equal(error?.reason ?? null, reason, `cut at ${cut}: ${error}`);
  }
}
answer = { pieces: [bytes(EVENTS)], broken: true };
assert.equal((await told()).error.reason, "LOST");

const going = new AbortController();
answer = { pieces: [bytes(EVENTS)], held: true };
await assert.rejects(async () => {
  for await (const _ of stream("S", "R", {}, { signal: going.signal })) going.abort();
}, { name: "AbortError" });

answer = { status: 409, type: "application/json", pieces: [bytes(JSON.stringify(refused))] };
for (const failing of [() => ask("S", "R", {}, {}), async () => { throw (await told()).error; }]) {
  await assert.rejects(failing, { name: "Refusal", reason: "STALE", message: "x", rule: "R-1", code: "ABORTED", version: 7, cursor: "7-a", retryAfterMs: 1500 });
}
for (const [status, text, reason] of [[502, "<html>", "LOST"], [500, "<html>", "UNKNOWN"], [404, "{}", "UNKNOWN"], [200, '{"cut', "LOST"]]) {
  answer = { status, pieces: [bytes(text)] };
  await assert.rejects(ask("S", "R", {}, {}), { reason });
}

answer = { type: "application/json", pieces: [bytes('{"matchId":"M"}')] };
assert.deepEqual(await ask("MatchService", "GetMatch", { matchId: "M" }, { token: "T" }), { matchId: "M" });
assert.equal(asked.path, "/api/v1/MatchService/GetMatch");
assert.equal(asked.method, "POST");
assert.equal(asked.body, '{"matchId":"M"}');
assert.equal(asked.headers.authorization, "Bearer T");
answer = { pieces: [bytes("event: end\ndata: {}\n\n")] };
await told({ token: null, after: "3-c" });
assert.equal(asked.headers["last-event-id"], "3-c");
assert.equal(asked.headers.authorization, undefined);

server.closeAllConnections();
server.close();
await assert.rejects(ask("S", "R", {}, {}), { reason: "LOST" });
console.log("ok");
