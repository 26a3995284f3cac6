// Random sets of moves: whatever a game says of their steps, each can be picked, and nothing else.
import assert from "node:assert/strict";
import { choose, paths } from "../../gateway/web/static/core/choices.js";
import { lucky } from "./luck.mjs";

const [rounds] = process.argv.slice(2).map(Number);
const seen = { alike: 0, prefix: 0, empty: 0, deep: 0 };

for (let seed = 1; seed <= rounds; seed += 1) {
  const { below } = lucky(seed);
  const word = () => Array.from({ length: below(5) }, () => "abc"[below(3)]);
  const moves = Array.from({ length: 1 + below(12) }, (_, number) => ({ number, targets: word() }));
  const steps = (move) => move.targets.map((target, place) => ({ target, label: `${target}${place} of ${move.number}` }));
  const found = paths(moves, steps);
  const named = found.map((path) => JSON.stringify(path.steps.map((step) => step.target)));
  assert.equal(new Set(named).size, moves.length, "no two paths are the same");
  assert.deepEqual(found.map((path) => path.move), moves, "in the order of the moves");

  for (const [place, { move, steps: own }] of found.entries()) {
    assert.ok(own.length, "a path has a step");
    const targets = own.map((step) => step.target);
    assert.deepEqual(targets.slice(0, move.targets.length), move.targets, "what the game says comes first");
    for (let depth = 0; depth <= targets.length; depth += 1) {
      const picked = targets.slice(0, depth);
      const choice = choose(found, picked);
      const left = found.filter((path) => picked.every((target, at) => path.steps[at]?.target === target));
      assert.deepEqual(choice.picked, picked);
      assert.deepEqual(choice.full, left.map((path) => path.move));
      assert.deepEqual([...choice.lit.keys()], [...new Set(left.map((path) => path.steps[depth]?.target).filter(Boolean))]);
      for (const [target, lit] of choice.lit) {
        const ends = left.some((path) => path.steps.length === depth + 1 && path.steps[depth].target === target);
        assert.equal(lit.last, ends, "`last` says that a move is complete with it");
        assert.equal(lit.target, target);
      }
      assert.equal(choice.complete, left.find((path) => path.steps.length === depth)?.move ?? null);
      assert.equal(choice.trail.length, depth);
      if (depth < targets.length) assert.ok(choice.lit.has(targets[depth]), "the way goes on over what is lit");
      else assert.equal(choice.complete, move);
      for (const stray of ["a", "b", "c", "nowhere"].filter((target) => !choice.lit.has(target))) {
        assert.deepEqual(choose(found, [...picked, stray, "a"]), choice, "what is not lit leads nowhere");
      }
      if (depth && choice.complete && choice.lit.size) seen.prefix += 1;
      if (depth > 2) seen.deep += 1;
    }
    if (own.length > move.targets.length) seen.alike += 1;
    if (!move.targets.length) seen.empty += 1;
    assert.equal(found[place].move, move);
  }
}
for (const [kind, times] of Object.entries(seen)) assert.ok(times > 0, `never met: ${kind}`);
console.log(JSON.stringify(seen));
