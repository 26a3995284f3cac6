/** The steps of a move, what is weighty, and what an unlit pick means. */

/** @typedef {import("./view.js").Resource} Resource */
/** @typedef {import("./view.js").Cards} Cards */
/** @typedef {import("./view.js").Fish} Fish */
/** @typedef {import("./view.js").Benefit} Benefit */
/** @typedef {import("./view.js").Hex} Hex */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Move} Move */
/** @typedef {import("./view.js").Step} Step */
/** @typedef {import("./view.js").Say} Say */
/** @typedef {import("./view.js").Scene} Scene */

/** @type {Resource[]} */
export const RESOURCES = ["brick", "lumber", "wool", "grain", "ore"];
/** @type {(keyof Fish)[]} */
export const FACES = ["one", "two", "three"];
/** In fish. @type {Record<Benefit, number>} */
export const PRICES = { robber: 2, steal: 3, resource: 4, road: 5, development: 7 };
/** @type {Record<string, Partial<Cards>>} */
export const COSTS = {
  road: { brick: 1, lumber: 1 },
  settlement: { brick: 1, lumber: 1, wool: 1, grain: 1 },
  city: { grain: 2, ore: 3 },
  development: { wool: 1, grain: 1, ore: 1 },
};
const ONE_CLICK = new Set([
  "place_settlement",
  "place_road",
  "build_road",
  "build_settlement",
  "build_city",
  "buy_development",
  "play_knight",
  "play_road_building",
  "discard",
  "keep_fish",
  "confirm_trade",
  "spend_fish",
]);

/** @param {Partial<Cards>} cards */
export const total = (cards) => RESOURCES.reduce((sum, kind) => sum + (cards[kind] ?? 0), 0);

/** @param {Fish} fish */
export const caught = (fish) => fish.one + 2 * fish.two + 3 * fish.three;

/** As far as the view tells; after the end all of them. @param {View} view @param {number} seat */
export function pointsOf({ outcome, players }, seat) {
  const ranked = outcome?.ranking.find((standing) => standing.seat === seat);
  return ranked?.points ?? players[seat].own?.points ?? players[seat].points;
}

/** Cards in words: "2 brick, 1 ore". @param {Partial<Cards>} cards @param {Say} say */
export function inWords(cards, say) {
  const kinds = RESOURCES.filter((kind) => cards[kind]);
  return kinds.map((kind) => say(`cards.${kind}`, { count: cards[kind] ?? 0 })).join(", ") || say("cards.none");
}

/** Tokens in words. @param {Fish} fish @param {Say} say */
export function tokensInWords(fish, say) {
  const faces = FACES.filter((face) => fish[face]);
  return faces.map((face) => say("fish.tokens", { count: fish[face], fish: FACES.indexOf(face) + 1 })).join(", ");
}

/** @param {Hex} hex @param {Say} say */
const land = (hex, say) => say(`terrain.${hex.terrain}`) + (hex.number ? ` ${hex.number}` : "");

/** What lies about an intersection. @param {View} view @param {number} at @param {Say} say */
export function about(view, at, say) {
  const harbours = view.harbours.filter((one) => view.edges[one.edge].ends.includes(at));
  const grounds = view.waters.filter((one) => one.numbers.length === 1 && one.vertices.includes(at));
  return [
    ...view.hexes.filter((hex) => hex.vertices.includes(at)).map((hex) => land(hex, say)),
    ...harbours.map((one) => say(`harbour.${one.trades}`)),
    ...grounds.map((one) => say("place.ground", { number: one.numbers[0] })),
  ].join(", ");
}

/** @param {View} view @param {number} edge @param {Say} say */
export function along(view, edge, say) {
  const { ends } = view.edges[edge];
  const beside = view.hexes.filter((hex) => ends.every((at) => hex.vertices.includes(at)));
  return beside.map((hex) => land(hex, say)).join(" | ");
}

/** @param {View} view @param {number} hex @param {Say} say */
export const hexName = (view, hex, say) => say("place.hex", { hex, land: land(view.hexes[hex], say) });

/** How tokens held can pay a price with none to spare. @param {Fish} held @param {number} price */
export function payments(held, price) {
  const found = [];
  for (let one = 0; one <= held.one; one++)
    for (let two = 0; two <= held.two; two++)
      for (let three = 0; three <= held.three; three++) {
        const sum = one + 2 * two + 3 * three;
        const least = one ? 1 : two ? 2 : 3;
        if (sum >= price && sum - least < price) found.push({ one, two, three });
      }
  return found;
}

/** @param {Fish} fish */
export const payTarget = (fish) => `pay:${FACES.map((face) => fish[face]).join("-")}`;

/** @param {Partial<Cards>} cards */
const cardList = (cards) => RESOURCES.flatMap((kind) => Array(cards[kind] ?? 0).fill(kind));

/** @param {string} target @param {string} label @returns {Step} */
const step = (target, label) => ({ target, label });

/** Seats are named by their letters: what is said stands beside their marks. @param {number} seat @param {Say} say */
const seatName = (seat, say) => say("seat", { mark: "ABCDEF"[seat] });

/** @type {Record<string, (move: Move, view: View, say: Say) => Step[]>} */
const STEPS = {
  place_settlement: settlement,
  build_settlement: settlement,
  build_city: ({ vertex }, view, say) => [
    step(`vertex:${vertex}`, say("step.city", { at: vertex, about: about(view, vertex, say) })),
  ],
  place_road: road,
  build_road: road,
  discard: ({ cards }, _, say) => {
    /** @type {Record<string, number>} */
    const counts = {};
    return cardList(cards).map((kind) => {
      counts[kind] = (counts[kind] ?? 0) + 1;
      return step(`card:${kind}:${counts[kind]}`, say("step.discard", { card: say(`resource.${kind}`) }));
    });
  },
  move_robber: ({ hex, victim }, view, say) => [
    step(`hex:${hex}`, say("step.robber", { place: hexName(view, hex, say) })),
    ...(victim == null ? [] : [step(`victim:${victim}`, say("step.rob", { seat: seatName(victim, say) }))]),
  ],
  play_year_of_plenty: ({ cards }, _, say) => [
    step("play:year_of_plenty", say("step.play", { card: say("development.year_of_plenty") })),
    step(`plenty:${cardList(cards).join("-")}`, say("step.take", { cards: inWords(cards, say) })),
  ],
  play_monopoly: ({ resource }, _, say) => [
    step("play:monopoly", say("step.play", { card: say("development.monopoly") })),
    step(`kind:${resource}`, say(`resource.${resource}`)),
  ],
  play_knight: (_move, _view, say) => [step("play:knight", say("step.play", { card: say("development.knight") }))],
  play_road_building: (_move, _view, say) => [
    step("play:road_building", say("step.play", { card: say("development.road_building") })),
  ],
  trade_bank: ({ give, take }, view, say) => [
    step(`give:${give}`, say("step.bank", { cards: inWords({ [give]: rate(view, give) }, say) })),
    step(`take:${take}`, say("step.take", { cards: inWords({ [take]: 1 }, say) })),
  ],
  accept_trade: ({ give, take }, _, say) => [
    step("do:accept", say("step.accept", { give: inWords(give, say), take: inWords(take, say) })),
  ],
  confirm_trade: ({ partner, give, take }, _, say) => [
    step(
      `deal:${partner}`,
      say("step.deal", { seat: seatName(partner, say), give: inWords(give, say), take: inWords(take, say) }),
    ),
  ],
  offer_trade: proposal,
  counter_offer: proposal,
  spend_fish: ({ benefit, tokens, victim, resource }, view, say) => {
    const held = view.players[view.viewer ?? view.active].own?.fish;
    const choice = view.options.fishermen !== "no_ships" && held && payments(held, price(benefit)).length > 1;
    const paid = caught(tokens) ? tokensInWords(tokens, say) : say("fish.count", { count: price(benefit) });
    return [
      step(`fish:${benefit}`, say("step.fish", { benefit: say(`benefit.${benefit}`), count: price(benefit) })),
      ...(victim == null ? [] : [step(`seat:${victim}`, seatName(victim, say))]),
      ...(resource == null
        ? []
        : [step(`take:${resource}`, say("step.take", { cards: inWords({ [resource]: 1 }, say) }))]),
      ...(choice ? [step(payTarget(tokens), say("step.pay", { tokens: paid }))] : []),
    ];
  },
  keep_fish: ({ back }, _, say) => [step(`back:${back}`, say("step.back", { count: back }))],
  pass_boot: ({ seat }, _, say) => [step("do:boot", say("step.boot")), step(`seat:${seat}`, seatName(seat, say))],
};

/** @param {Move} move @param {View} view @param {Say} say */
function settlement({ vertex }, view, say) {
  return [step(`vertex:${vertex}`, say("step.settlement", { at: vertex, about: about(view, vertex, say) }))];
}

/** @param {Move} move @param {View} view @param {Say} say */
function road({ edge }, view, say) {
  return [step(`edge:${edge}`, say("step.road", { at: edge, along: along(view, edge, say) }))];
}

/** @param {Move} move @param {View} _ @param {Say} say */
function proposal({ kind, give, take }, _, say) {
  const named = [give, take].map((cards) => cardList(cards).join("-")).join(">");
  return [step(`${kind}:${named}`, say(`step.${kind}`, { give: inWords(give, say), take: inWords(take, say) }))];
}

/** @param {string} benefit */
const price = (benefit) => PRICES[/** @type {Benefit} */ (benefit)];

/** @param {View} view @param {string} kind */
const rate = (view, kind) => view.players[view.viewer ?? view.active].rates[/** @type {Resource} */ (kind)];

/** Kinds of moves that are one click on a button named after them. @type {Record<string, string>} */
export const BUTTONS = {
  roll: "do:roll",
  end_turn: "do:end",
  buy_development: "do:buy",
  decline_trade: "do:decline",
  cancel_trade: "do:cancel",
};

/** @param {Move} move @param {View} view @param {Say} say */
export function steps(move, view, say) {
  const button = BUTTONS[move.kind];
  return button ? [step(button, say(`step.${move.kind}`))] : STEPS[move.kind](move, view, say);
}

/** Built, spent and revealed with a single click. @param {Move} move */
export function weighty(move) {
  return ONE_CLICK.has(move.kind) || (move.kind === "move_robber" && move.victim == null);
}

/** @type {(target: string, picked: readonly string[], scene: Scene) => Move | null} */
export function attempt(target, picked, { view, own }) {
  if (picked.length || own === null) return null;
  const [what, name] = target.split(":");
  const place = Number(name);
  const setUp = view.phase.startsWith("placing");
  switch (what) {
    case "vertex":
      if (setUp) return { kind: "place_settlement", vertex: place };
      return { kind: view.players[own].settlements.includes(place) ? "build_city" : "build_settlement", vertex: place };
    case "edge":
      return { kind: setUp ? "place_road" : "build_road", edge: place };
    case "hex":
      return view.phase === "moving_robber" ? { kind: "move_robber", hex: place, victim: null } : null;
    case "give":
      return {
        kind: "trade_bank",
        give: name,
        take: RESOURCES.find((kind) => kind !== name && view.bank[kind]) ?? "ore",
      };
    case "play":
      return PLAYED[name] ?? null;
    case "fish":
      return spending(view, own, name);
    case "do":
      return pressed(target, view);
    default:
      return null;
  }
}

/** @type {Record<string, Move>} */
const PLAYED = {
  knight: { kind: "play_knight" },
  road_building: { kind: "play_road_building" },
  year_of_plenty: { kind: "play_year_of_plenty", cards: { brick: 2, lumber: 0, wool: 0, grain: 0, ore: 0 } },
  monopoly: { kind: "play_monopoly", resource: "brick" },
};

/** @param {View} view @param {number} own @param {string} benefit @returns {Move} */
function spending(view, own, benefit) {
  const held = view.players[own].own?.fish;
  const tokens = view.options.fishermen === "no_ships" || !held ? { one: 0, two: 0, three: 0 } : held;
  const other =
    view.players.find((player) => player.seat !== own && player.cards)?.seat ?? (own + 1) % view.players.length;
  const resource = benefit === "resource" ? (RESOURCES.find((kind) => view.bank[kind]) ?? "ore") : null;
  return { kind: "spend_fish", benefit, tokens, victim: benefit === "steal" ? other : null, resource };
}

/** @param {string} target @param {View} view @returns {Move | null} */
function pressed(target, view) {
  const kind = Object.keys(BUTTONS).find((one) => BUTTONS[one] === target);
  if (kind) return { kind };
  if (target === "do:accept" && view.offer) {
    return { kind: "accept_trade", give: view.offer.take, take: view.offer.give };
  }
  return null;
}
