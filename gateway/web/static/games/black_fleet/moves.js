/** The steps of a move, what is weighty, and what a pick of something unlit seems to mean. */

import { MARKS } from "../../core/marks.js";
import { cardName, cardOf } from "./names.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Move} Move */
/** @typedef {import("../../core/types.js").Say} Say */
/** @typedef {import("../../core/types.js").Step} Step */

/** @param {string} ship @returns {"merchant" | "pirate" | "navy"} */
export const kindOf = (ship) => /** @type {any} */ (ship.split("_")[0]);

/** The seat whose ship it is; -1 for the navy's. @param {string} ship */
export const seatOf = (ship) => (kindOf(ship) === "navy" ? -1 : Number(ship.split("_")[1]));

/** @param {string} ship @param {Say} say */
export function shipName(ship, say) {
  return kindOf(ship) === "navy" ? say(`ship.${ship}`) : say(`ship.${kindOf(ship)}`, { mark: MARKS[seatOf(ship)] });
}

/**
 * What is known of a place: its name, and what makes it worth sailing to.
 * @param {string} id @param {View["chart"]} chart @param {Say} say
 */
export function placeName(id, chart, say) {
  const beach = chart.beaches.find(({ space }) => space === id);
  const port = chart.ports.find(({ spaces }) => spaces.includes(id));
  const facts = [];
  if (chart.places.find((place) => place.id === id)?.terrain === "deep_sea") facts.push(say("place.deep"));
  if (port) facts.push(say("place.port", { port: port.name }));
  if (beach) facts.push(say("place.beach", { value: beach.value }));
  if (chart.lairs.includes(id)) facts.push(say("place.lair"));
  return [id, ...facts].join(", ");
}

/** @param {string} id @param {View} view */
const portName = (id, view) => view.chart.ports.find((port) => port.id === id)?.name ?? id;

/** @param {string} id @param {View} view @param {Say} say */
function movementName(id, view, say) {
  const cards = view.players.flatMap((player) => player.own?.movement ?? []);
  const card = cards.find((one) => one.id === id);
  if (!card) return id;
  const { navy_value: navy, pirate_value: pirate, merchant_value: merchant } = card;
  return say("card.movement", {
    colour: say(`navy.${card.navy}`),
    navy,
    pirate,
    merchant,
    symbol: say(`symbol.${card.symbol}`),
  });
}

/** @param {Move} move @param {View} view @param {Say} say @returns {Step[]} */
export function steps(move, view, say) {
  /** @param {string | null | undefined} ship @returns {Step} */
  const ship = (ship) => ({ target: `ship:${ship}`, label: shipName(String(ship), say) });
  const card = String(move.card);
  switch (move.kind) {
    case "deploy_merchant":
      return [place(String(move.space), say("do.deploy_merchant"), view, say)];
    case "deploy_pirate":
      return [deployedPirate(String(move.space), view, say)];
    case "play_movement":
      return [{ target: `card:${card}`, label: movementName(card, view, say) }];
    case "sail":
      return [ship(move.ship), sailed(/** @type {string[]} */ (move.path), view, say)];
    case "attack":
      return [ship(move.ship), attacked(String(move.target), say)];
    case "sell":
    case "load":
      return [ship(`merchant_${view.active}`), traded(move, view, say)];
    case "bury":
      return [ship(`pirate_${view.active}`), { target: "do:bury", label: buried(view, say) }];
    case "play_fortune":
    case "use_development":
      return [{ target: `card:${card}`, label: cardName(card, view, say) }, ...chosen(move, view, say)];
    case "discard":
      return [{ target: `card:${card}`, label: say("do.discard", { card: cardName(card, view, say) }) }];
    case "buy":
      return [{ target: `card:${card}`, label: bought(card, view, say) }];
    default:
      return [{ target: `do:${move.kind}`, label: say(`do.${move.kind}`) }];
  }
}

/** @param {string} id @param {string} doing @param {View} view @param {Say} say @returns {Step} */
const place = (id, doing, view, say) => ({
  target: `space:${id}`,
  label: `${doing}: ${placeName(id, view.chart, say)}`,
});

/** On a lair apart, for a merchant may be placed there too. @param {string} id @param {View} view @param {Say} say @returns {Step} */
function deployedPirate(id, view, say) {
  const target = view.chart.lairs.includes(id) ? `lair:${id}` : `space:${id}`;
  return { target, label: `${say("do.deploy_pirate")}: ${placeName(id, view.chart, say)}` };
}

/** @param {string[]} path @param {View} view @param {Say} say @returns {Step} */
function sailed(path, view, say) {
  const end = path[path.length - 1];
  return {
    target: `space:${end}`,
    label: say("do.sail", { place: placeName(end, view.chart, say), steps: path.length }),
  };
}

/** @param {string} target @param {Say} say @returns {Step} */
const attacked = (target, say) => ({
  target: `ship:${target}`,
  label: say("do.attack", { ship: shipName(target, say) }),
});

/** @param {Move} move @param {View} view @param {Say} say @returns {Step} */
function traded(move, view, say) {
  const cubes = view.ships.find((one) => one.ship === `merchant_${view.active}`)?.cubes ?? 0;
  const port = String(move.port);
  return { target: `port:${port}`, label: say(`do.${move.kind}`, { port: portName(port, view), cubes }) };
}

/** @param {View} view @param {Say} say */
function buried(view, say) {
  const space = view.ships.find((one) => one.ship === `pirate_${view.active}`)?.space;
  return say("do.bury", { value: view.chart.beaches.find((beach) => beach.space === space)?.value ?? 0 });
}

/** @param {string} card @param {View} view @param {Say} say */
function bought(card, view, say) {
  const victory = view.players.map((player) => player.victory_card).find(({ id }) => id === card);
  if (victory) return say("do.buy_victory", { price: victory.price });
  const found = view.players.flatMap((player) => player.own?.developments ?? []).find(({ id }) => id === card);
  return say("do.buy", { card: cardName(card, view, say), price: found?.price ?? 0 });
}

/**
 * The choices of a card. Where a pair may be named either way round, it is one choice.
 * @param {Move} move @param {View} view @param {Say} say @returns {Step[]}
 */
function chosen(move, view, say) {
  const effects = cardOf(String(move.card), view)?.benefits.map(({ effect }) => effect) ?? [];
  /** @type {Step[]} */
  const found = [];
  const { ship, target, rows = [], port, path = [] } = move;
  if (ship && target && effects.includes("swap_adjacent_ships")) {
    const pair = [ship, target].sort();
    const [one, other] = pair.map((name) => shipName(name, say));
    return [{ target: `swap:${pair.join("+")}`, label: say("do.swap", { one, other }) }];
  }
  if (rows.length === 2 && effects.includes("swap_values")) {
    const pair = [...rows].sort();
    const [one, other] = pair.map((row) => say(`row.${row}`));
    return [{ target: `rows:${pair.join("+")}`, label: say("do.swap", { one, other }) }];
  }
  if (ship) found.push({ target: `ship:${ship}`, label: shipName(ship, say) });
  if (target) found.push(attacked(target, say));
  rows.forEach((row, at) => {
    found.push({ target: `row:${row}`, label: say(at ? "do.add" : "do.take", { row: say(`row.${row}`) }) });
  });
  if (port) found.push({ target: `port:${port}`, label: say("do.sell_unlisted", { port: portName(port, view) }) });
  if (path.length) found.push(sailed(path, view, say));
  return found;
}

/**
 * Cards are played, bought and laid aside for good with one click; so is sailing ended while a ship could still sail.
 * @param {Move} move @param {View} view
 */
export function weighty(move, view) {
  switch (move.kind) {
    case "play_movement":
    case "discard":
    case "buy":
      return true;
    case "play_fortune":
    case "use_development":
      return !(move.ship || move.target || move.port || move.rows?.length || move.path?.length);
    case "end_sailing":
      return view.commands.some((command) => command.steps > 0);
    default:
      return false;
  }
}

/**
 * @param {string} target @param {readonly string[]} picked
 * @param {import("../../core/types.js").Scene<View, Move>} scene @returns {Move | null}
 */
export function attempt(target, picked, { view, own }) {
  if (own === null) return null;
  const [kind, name] = split(target);
  const chosen = picked.map(split);
  const card = chosen.find(([what]) => what === "card")?.[1];
  const ship = chosen.find(([what]) => what === "ship")?.[1];
  if (card) return played(card, kind, name, ship, view);
  switch (kind) {
    case "card":
      return ofCard(name, own, view);
    case "space":
    case "lair":
      return toPlace(name, ship, own, view);
    case "ship":
      if (ship && ship !== name) return { kind: "attack", ship, target: name };
      return commanded(name, view);
    case "port":
      return { kind: view.ships.find((one) => one.ship === `merchant_${own}`)?.cubes ? "sell" : "load", port: name };
    case "do":
      return name === "bury" || name.startsWith("end_") ? { kind: name } : null;
    default:
      return null;
  }
}

/** @param {string} target @returns {[string, string]} */
const split = (target) => [target.slice(0, target.indexOf(":")), target.slice(target.indexOf(":") + 1)];

/** @param {string} id @param {number} own @param {View} view @returns {Move | null} */
function ofCard(id, own, view) {
  const { own: cards, victory_card: victory, developments } = view.players[own];
  if (cards?.movement.some((card) => card.id === id)) return { kind: "play_movement", card: id };
  if (cards?.fortune.some((card) => card.id === id)) {
    return { kind: view.phase === "discarding" ? "discard" : "play_fortune", card: id };
  }
  if (cards?.developments.some((card) => card.id === id) || victory.id === id) return { kind: "buy", card: id };
  return developments.some((card) => card.id === id) ? { kind: "use_development", card: id } : null;
}

/** @param {string} card @param {string} kind @param {string} name @param {string | undefined} ship @param {View} view @returns {Move | null} */
function played(card, kind, name, ship, view) {
  const used = view.players.some((player) => player.developments.some(({ id }) => id === card));
  const move = { kind: used ? "use_development" : "play_fortune", card };
  const effects = cardOf(card, view)?.benefits.map(({ effect }) => effect) ?? [];
  switch (kind) {
    case "ship":
      return effects.includes("attack_now") ? { ...move, ship, target: name } : { ...move, ship: name };
    case "space":
      return ship ? { ...move, ship, path: [name] } : null;
    case "port":
      return { ...move, port: name };
    default:
      return null;
  }
}

/** @param {string} space @param {string | undefined} ship @param {number} own @param {View} view @returns {Move | null} */
function toPlace(space, ship, own, view) {
  if (ship) return { kind: "sail", ship, path: [space] };
  const afloat = view.ships.some((one) => one.ship === `merchant_${own}`);
  if (!afloat && ["placing_merchants", "deploying"].includes(view.phase)) {
    const port = view.chart.ports.find((one) => one.spaces.includes(space)) ?? view.chart.ports[0];
    return /** @type {Move} */ ({ kind: "deploy_merchant", space, port: port.id });
  }
  return view.phase === "deploying" ? { kind: "deploy_pirate", space } : null;
}

/** A ship with nothing to do: why, the server says of its shortest sail. @param {string} ship @param {View} view @returns {Move | null} */
function commanded(ship, view) {
  const at = view.ships.find((one) => one.ship === ship)?.space;
  const near = view.chart.places.find((place) => place.id === at)?.neighbours ?? [];
  const next = near.find((id) => view.chart.places.find((place) => place.id === id)?.terrain === "sea");
  return next ? { kind: "sail", ship, path: [next] } : null;
}

/** Doubloons, and what cards cost that were bought with them: as the outcome counts. @param {View} view @returns {number[]} */
export function scores(view) {
  return view.players.map(
    ({ doubloons, developments, victor, victory_card: victory }) =>
      doubloons + developments.reduce((sum, { price }) => sum + price, 0) + (victor ? victory.price : 0),
  );
}
