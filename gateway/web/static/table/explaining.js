/** Refusals with the rule that is behind them, in the rule's own words. */

import { call, Refusal } from "../core/api.js";
import { reasonOf } from "../core/refusals.js";

/**
 * `passing`: it is about a moment that is over once the match goes on.
 * @typedef {{rule: string, text: string, said: string, passing: boolean}} Explained
 */

/** Texts of rules by game and id. @type {Map<string, Promise<string>>} */
const known = new Map();

/** @param {string} game @param {string} id @returns {Promise<string>} */
function textOf(game, id) {
  const key = `${game}/${id}`;
  const found =
    known.get(key) ??
    call("GameService", "GetRules", { game, ids: [id] }).then(
      ({ rules }) => rules?.[0]?.text ?? "",
      () => {
        known.delete(key);
        return "";
      },
    );
  known.set(key, found);
  return found;
}

/**
 * @param {string} game
 * @param {any} error what was thrown, or a refusal as a message
 * @returns {Promise<Explained>}
 */
export async function explained(game, error) {
  const refusal = error instanceof Error ? error : refusalOf(error);
  const rule = refusal instanceof Refusal ? refusal.rule : "";
  const text = rule ? await textOf(game, rule) : "";
  return { rule, text, said: reasonOf(refusal), passing: true };
}

/** @param {any} said */
function refusalOf(said) {
  return new Refusal(String(said.reason ?? "").replace("REFUSAL_REASON_", ""), said.message ?? "", { rule: said.rule });
}
