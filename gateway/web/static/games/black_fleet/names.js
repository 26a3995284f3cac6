/** What cards are called: as the catalogue says it, else as the view does. */

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../../core/types.js").Say} Say */

/** The house edition's fortune cards, for those of which a view tells no more than the id. */
const FORTUNES =
  "fair_wind trade_wind corsairs_gale admirals_signal following_sea change_of_orders hidden_channel all_hands_on_deck quick_shovels long_guns maelstrom treacherous_current eager_buyers black_market deck_cannon harbour_tax letter_of_marque bounty_on_pirates joint_manoeuvre ghost_ship";

/** Keys of the catalogue by id. @type {Map<string, string>} */
const seen = new Map(FORTUNES.split(" ").map((key, at) => [`F${String(at + 1).padStart(2, "0")}`, `card.${key}`]));

/** A card of the viewer's, or one that lies open. @param {string} id @param {View} view */
export function cardOf(id, view) {
  for (const { own, developments } of view.players) {
    for (const card of [...developments, ...(own?.fortune ?? []), ...(own?.developments ?? [])]) {
      if (card.id === id) return card;
    }
  }
}

/** The catalogue has texts of cards under their words. @param {string} of @param {string} text */
function keyOf(of, text) {
  const words =
    text
      .toLowerCase()
      .replaceAll("'", "")
      .match(/[a-z0-9]+/g) ?? [];
  return [of, words.join("_")].join(".");
}

/** What a card does, as it is printed where the catalogue does not know it. @param {{text: string}} card @param {Say} say */
export function cardText({ text }, say) {
  const key = keyOf("text", text);
  const said = say(key);
  return said === key ? text : said;
}

/** @param {string} id @param {View} view @param {Say} say */
export function cardName(id, view, say) {
  const name = cardOf(id, view)?.name;
  if (name) seen.set(id, keyOf("card", name));
  const key = seen.get(id) ?? id;
  const said = say(key);
  return said === key ? (name ?? id) : said;
}
