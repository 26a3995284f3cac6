// Random JSON before and after: what is kept reads as what is now, and is the object of before wherever it is alike.
import assert from "node:assert/strict";
import { kept } from "../../gateway/web/static/core/kept.js";
import { lucky } from "./luck.mjs";

const [rounds] = process.argv.slice(2).map(Number);
const seen = { same: 0, part: 0, other: 0 };
const NAMES = ["a", "b", "c", "ab", "__proto__", "constructor"];
const isCompound = (value) => typeof value === "object" && value !== null;

function check(before, now, found) {
  if (!isCompound(now)) return;
  if (isCompound(before) && JSON.stringify(before) === JSON.stringify(now)) {
    assert.equal(found, before, "what is alike is the object of before");
    seen.same += 1;
    return;
  }
  assert.notEqual(found, before, "what has changed is another object");
  const alike = isCompound(before) && Array.isArray(before) === Array.isArray(now);
  seen[alike ? "part" : "other"] += 1;
  for (const name of Object.keys(now)) check(alike && Object.hasOwn(before, name) ? before[name] : undefined, now[name], found[name]);
}

for (let seed = 1; seed <= rounds; seed += 1) {
  const { below, chance } = lucky(seed);
  const plain = () => [null, true, 0, 1, "", "a"][below(6)];
  const value = (depth) => {
    if (depth === 0 || chance(0.2)) return plain();
    const parts = Array.from({ length: below(4) }, () => value(depth - 1));
    return chance(0.5) ? parts : Object.fromEntries(parts.map((part) => [NAMES[below(NAMES.length)], part]));
  };
  const changed = (old) => {
    if (chance(0.15)) return value(2);
    if (Array.isArray(old)) return old.slice(0, chance(0.1) ? below(4) : undefined).map(changed);
    return isCompound(old) ? Object.fromEntries(Object.entries(old).map(([name, part]) => [name, changed(part)])) : old;
  };
  const [before, now] = [value(5), value(5)];
  for (const after of [now, changed(before), changed(before)]) {
    const [old, text] = [JSON.stringify(before), JSON.stringify(after)];
    const found = kept(before, JSON.parse(text));
    assert.equal(JSON.stringify(found), text);
    assert.equal(JSON.stringify(before), old, "what was before is as it was");
    check(before, JSON.parse(text), found);
  }
}
assert.ok(Object.values(seen).every((count) => count > rounds), JSON.stringify(seen));
