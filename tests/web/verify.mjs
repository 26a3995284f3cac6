// Reads a JSON list of exports in base64 from standard input, and writes what the page says of each.
import { readFileSync } from "node:fs";
import { check } from "../../gateway/web/static/replay/checking.js";
import * as hashes from "../../gateway/web/static/replay/hashes.js";

const { exports, vectors } = JSON.parse(readFileSync(0, "utf8"));

const key = (text) => hashes.keyOf(hashes.unhex(text));
const hashed = {
  framing: async ({ parts }) => ({
    framed: hashes.hex(hashes.framed(...parts)),
    digest: hashes.hex(await hashes.digest(...parts)),
    keyed: hashes.hex(await hashes.keyed(await hashes.keyOf(Uint8Array.from({ length: 32 }, (_, at) => at)), ...parts)),
  }),
  genesis: async ({ match }) => ({ genesis: hashes.hex(await hashes.genesis(match)) }),
  commitments: async ({ match, secret }) => ({
    commitment: hashes.hex(await hashes.commitment(match, hashes.unhex(secret))),
  }),
  salts: async ({ secret, version }) => ({ salt: hashes.hex(await hashes.salt(await key(secret), version)) }),
  leaves: async ({ salt, body }) => ({ leaf: hashes.hex(await hashes.leaf(hashes.unhex(salt), hashes.utf8(body))) }),
  entries: async ({ previous, header, leaf }) => ({
    hash: hashes.hex(await hashes.entry(hashes.unhex(previous), hashes.utf8(header), hashes.unhex(leaf))),
  }),
  draws: async ({ draw_key, version, draws }) => ({
    draws: await Promise.all(
      draws.map(async (draw, k) => {
        // Vectors have more outcomes than a log may: their numbers come as texts.
        const result = await hashes.drawn(await key(draw_key), version, draw.label, k, BigInt(draw.n));
        return { ...draw, result: String(result) };
      }),
    ),
  }),
};

const found = {};
for (const [name, cases] of Object.entries(vectors ?? {}))
  found[name] = await Promise.all(cases.map(async (each) => ({ ...each, ...(await hashed[name](each)) })));

const verdicts = [];
for (const each of exports ?? []) verdicts.push(await check(Uint8Array.from(Buffer.from(each, "base64"))));
process.stdout.write(JSON.stringify({ vectors: found, verdicts }));
