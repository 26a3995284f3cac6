/**
 * What may be chosen: every legal move is a path of steps, and what was picked so far says which of them are left.
 *
 * @typedef {import("./types.js").Step} Step
 * @typedef {import("./types.js").Lit} Lit
 */

/** @template M @typedef {{move: M, steps: readonly Step[]}} Path */

/**
 * Where a person stands among the paths. `full`: the moves that are left; `complete`: the one whose steps are all
 * picked; `trail`: what was picked, in words.
 * @template M
 * @typedef {object} Choice
 * @property {readonly string[]} picked
 * @property {readonly string[]} trail
 * @property {ReadonlyMap<string, Lit>} lit
 * @property {readonly M[]} full
 * @property {M | null} complete
 */

/**
 * One path a move, in the moves' order. Moves that a game tells apart by nothing get a last step that does, so that
 * each can be played whatever the game says.
 * @template M
 * @param {readonly M[]} moves
 * @param {(move: M) => readonly Step[]} steps
 * @returns {Path<M>[]}
 */
export function paths(moves, steps) {
  const found = moves.map((move) => ({ move, steps: steps(move) }));
  /** @type {Map<string, number>} */
  const alike = new Map();
  for (const path of found) alike.set(named(path), (alike.get(named(path)) ?? 0) + 1);
  return found.map((path, place) => {
    if (path.steps.length && alike.get(named(path)) === 1) return path;
    const last = { target: `alike:${place}`, label: JSON.stringify(path.move) };
    return { move: path.move, steps: [...path.steps, last] };
  });
}

/**
 * What is left after these picks; those that lead nowhere any more are forgotten, with all behind them.
 * @template M
 * @param {readonly Path<M>[]} among
 * @param {readonly string[]} picked
 * @returns {Choice<M>}
 */
export function choose(among, picked) {
  let left = among;
  let depth = 0;
  for (const target of picked) {
    const next = left.filter((path) => path.steps[depth]?.target === target);
    if (!next.length) break;
    left = next;
    depth += 1;
  }
  return {
    picked: picked.slice(0, depth),
    trail: left.length ? left[0].steps.slice(0, depth).map((step) => step.label) : [],
    lit: lights(left, depth),
    full: left.map((path) => path.move),
    complete: left.find((path) => path.steps.length === depth)?.move ?? null,
  };
}

/**
 * @template M
 * @param {readonly Path<M>[]} left
 * @param {number} depth
 * @returns {Map<string, Lit>}
 */
function lights(left, depth) {
  /** @type {Map<string, Lit>} */
  const lit = new Map();
  for (const { steps } of left) {
    if (steps.length <= depth) continue;
    const { target, label } = steps[depth];
    const last = steps.length === depth + 1;
    const known = lit.get(target);
    if (!known) lit.set(target, { target, label, last });
    else if (last) known.last = true;
  }
  return lit;
}

/** @param {Path<any>} path */
function named({ steps }) {
  return JSON.stringify(steps.map((step) => step.target));
}
