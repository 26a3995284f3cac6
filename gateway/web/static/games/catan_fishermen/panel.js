/** What lies beside the island: the dice, an open offer, one's own goods, the players, the bank. */

import { html, pure } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { BUTTONS, COSTS, caught, FACES, inWords, PRICES, pointsOf, RESOURCES, total } from "./moves.js";
import { Die, Icon, Token } from "./pieces.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./view.js").Cards} Cards */
/** @typedef {import("./view.js").Player} Player */
/** @typedef {import("../../core/types.js").Shown} Shown */

/** A seat's sign among words. @param {{seat: number, label?: string}} props */
export function Sign({ seat, label = "" }) {
  return html`<svg class="seal" viewBox="-12 -12 24 24" role=${label ? "img" : null} aria-label=${label || null} aria-hidden=${label ? null : "true"}><${Mark} seat=${seat} /></svg>`;
}

/** Cards as pictures with their numbers. @param {{cards: Partial<Cards>, say: import("./view.js").Say}} props */
export function Goods({ cards, say }) {
  const kinds = RESOURCES.filter((kind) => cards[kind]);
  return html`<span class="goods" role="img" aria-label=${inWords(cards, say)}>${kinds.map(
    (kind) => html`<span class="good ${kind}">${cards[kind]}<${Icon} name=${kind} /></span>`,
  )}</span>`;
}

/** A number with its picture. @param {{icon: string, count: number | string, label: string, look?: string}} props */
function Fact({ icon, count, label, look = "" }) {
  return html`<li class=${look} title=${label}><${Icon} name=${icon} /><b>${count}</b><span class="unsaid"> ${label}</span></li>`;
}

/**
 * A button that stands for a target; whoever may not act sees what is on it. Without words on it, it is named by them.
 * @param {{scene: Scene, target: string, look?: string, label?: string, wordless?: boolean, children?: any}} props
 */
function Pick({ scene, target, look = "", label, wordless = false, children }) {
  if (scene.own === null) return html`<div class="pick ${look}">${children}</div>`;
  const lit = scene.lit.get(target);
  const words = lit?.label ?? label ?? null;
  return html`<button type="button" class="pick ${look} ${lit ? "lit" : ""}" data-target=${target} data-lit=${lit ? "" : null}
    data-picked=${scene.picked.includes(target) ? "" : null} title=${words} aria-label=${wordless ? words : null}
    onClick=${() => scene.pick(target)}>${children}</button>`;
}

/** @param {{scene: Scene}} props */
function Dice({ scene: { view, seats, say } }) {
  const [one, other] = view.dice;
  if (one === undefined) return null;
  const sum = one + other;
  const built = view.players.flatMap(({ settlements, cities }) => [...settlements, ...cities]);
  const fished = view.waters.some(
    ({ numbers, vertices }) =>
      numbers.includes(sum) &&
      vertices.some((vertex) => built.includes(vertex)) &&
      !(numbers.length > 1 && view.robber != null && view.hexes[view.robber].terrain === "lake"),
  );
  return html`<div class="dice ${view.rolled ? "" : "past"}">
    <span class="faces" role="img" aria-label=${say("dice", { one, other, sum })}><${Die} face=${one} /><${Die} face=${other} /><b>${sum}</b></span>
    ${!view.rolled && html`<small class="soft">${say("dice.past")}</small>`}
    <ul class="paid" aria-label=${say("dice.paid")}>${view.paid.map(
      ({ seat, cards }) =>
        html`<li><${Sign} seat=${seat} label=${seats[seat].name} /><${Goods} cards=${cards} say=${say} /></li>`,
    )}${!view.paid.length && html`<li class="soft">${say(sum === 7 ? "dice.seven" : "dice.nothing")}</li>`}
    ${fished && html`<li class="soft"><${Icon} name="fish" />${say("dice.fish")}</li>`}</ul>
  </div>`;
}

/** What the seat has to decide; empty: nothing. @param {import("./view.js").View} view @param {number} own @param {Scene["say"]} say */
export function duty(view, own, say) {
  if (!view.owed.includes(own)) return view.offer ? say("now.answering") : "";
  return say(`now.${view.phase}`, { count: view.players[own].due || view.free_roads });
}

/** @param {{scene: Scene}} props */
function Now({ scene }) {
  const { view, seats, own, lit, say } = scene;
  const { phase, owed, active } = view;
  const mine = own !== null && owed.includes(own);
  const names = owed.map((seat) => seats[seat].name).join(", ");
  const playing = own !== null && own === active && view.turn > 0 && phase !== "over";
  return html`<section class="now ${mine ? "mine" : ""}">
    <p class="asked">${mine ? null : owed.map((seat) => html`<${Sign} seat=${seat} />`)}${mine ? duty(view, own, say) : say(`wait.${phase}`, { names })}</p>
    <${Dice} scene=${scene} />
    ${
      (playing || lit.has(BUTTONS.roll)) &&
      html`<div class="acts">
      ${!view.rolled && html`<${Pick} scene=${scene} target=${BUTTONS.roll} look="act main" label=${say("step.roll")}><${Die} face=${5} /><span>${say("act.roll")}</span><//>`}
      <${Pick} scene=${scene} target=${BUTTONS.buy_development} look="act" label=${say("step.buy_development")}><${Icon} name="development" /><span>${say("act.buy")}</span><//>
      ${view.rolled && html`<${Pick} scene=${scene} target=${BUTTONS.end_turn} look="act main" label=${say("step.end_turn")}><span>${say("act.end")}</span><//>`}
    </div>`
    }
  </section>`;
}

/** @param {{scene: Scene}} props */
function Trade({ scene }) {
  const { view, seats, own, say } = scene;
  const { offer, active } = view;
  if (!offer) return null;
  const reply = offer.replies.find(({ seat }) => seat === own);
  return html`<section class="trade" aria-label=${say("trade")}>
    <h3><${Sign} seat=${active} />${say(own === active ? "trade.own" : "trade.of", { name: seats[active].name })}</h3>
    <p class="swap"><span>${say("trade.gives")}</span><${Goods} cards=${offer.give} say=${say} />
      <span aria-hidden="true">⇄</span><span>${say("trade.wants")}</span><${Goods} cards=${offer.take} say=${say} /></p>
    <ul class="replies">${seats
      .filter(({ seat }) => seat !== active)
      .map(({ seat, name }) => {
        const said = offer.replies.find((one) => one.seat === seat);
        return html`<li class=${said?.answer ?? "silent"}><${Sign} seat=${seat} /><b>${name}</b>
        <span class="said">${say(`reply.${said?.answer ?? "silent"}`)}</span>
        ${said?.answer === "countered" && html`<span class="swap"><${Goods} cards=${said.give} say=${say} /> ⇄ <${Goods} cards=${said.take} say=${say} /></span>`}
        ${own === active && said && said.answer !== "declined" && html`<${Pick} scene=${scene} target=${`deal:${seat}`} look="act main"><span>${say("act.deal")}</span><//>`}
      </li>`;
      })}</ul>
    ${
      own !== null &&
      html`<div class="acts">
      ${
        own !== active &&
        html`<${Pick} scene=${scene} target="do:accept" look="act main"><span>${say("act.accept")}</span><//>
        <${Pick} scene=${scene} target=${BUTTONS.decline_trade} look="act"><span>${say("act.decline")}</span><//>`
      }
      ${(own === active || reply) && html`<${Pick} scene=${scene} target=${BUTTONS.cancel_trade} look="act"><span>${say("act.cancel")}</span><//>`}
    </div>`
    }
  </section>`;
}

/** What a choice goes on with: kinds of goods, tokens, players. @param {{scene: Scene}} props */
function Asked({ scene }) {
  const { lit, seats, say, view } = scene;
  const found = [...lit.values()].filter(({ target }) => /^(take|kind|plenty|pay|back|seat):/.test(target));
  if (!found.length) return null;
  const worded = (/** @type {string} */ what, /** @type {string} */ name) => {
    if (what === "seat")
      return `${seats[Number(name)].name} · ${say("cards.count", { count: view.players[Number(name)].cards })}`;
    return what === "take" || what === "kind" ? say(`resource.${name}`) : null;
  };
  return html`<section class="asked" aria-live="polite"><h3>${say(`ask.${found[0].target.split(":")[0]}`)}</h3>
    <div class="offered">${found.map(({ target }) => {
      const [what, name] = target.split(":");
      const words = worded(what, name);
      return html`<${Pick} scene=${scene} target=${target} look="act ${what}" wordless=${!words}>${pictured(what, name)}${words && html`<span>${words}</span>`}<//>`;
    })}</div>
  </section>`;
}

/** @param {string} what @param {string} name */
function pictured(what, name) {
  if (what === "seat") return html`<${Sign} seat=${Number(name)} />`;
  if (what === "back") return html`<${Token} fish=${Number(name)} />`;
  if (what === "pay") {
    return name
      .split("-")
      .flatMap((count, face) => Array.from({ length: Number(count) }, () => html`<${Token} fish=${face + 1} />`));
  }
  return name.split("-").map((kind) => html`<${Icon} name=${kind} />`);
}

/** @param {{scene: Scene}} props */
function Hand({ scene }) {
  const { view, own, picked, say } = scene;
  // In a replay nobody sits here, and the view may still be a seat's.
  const seat = own ?? view.viewer ?? null;
  const player = seat === null ? null : view.players[seat];
  if (!player?.own) return null;
  const { known, rates, due, own: secret } = player;
  const throwing = view.phase === "discarding" && due > 0;
  return html`<section class="hand" aria-label=${say("hand")}>
    <h3><${Icon} name="lock" />${say("hand")}<small>${say("hand.private")}</small></h3>
    <div class="piles">${RESOURCES.map((kind) => {
      const out = throwing ? picked.filter((target) => target.startsWith(`card:${kind}:`)).length : 0;
      const count = known[kind] - out;
      const label = say(`cards.${kind}`, { count: known[kind] });
      const target = throwing ? `card:${kind}:${out + 1}` : `give:${kind}`;
      return html`<${Pick} scene=${scene} target=${target} look=${`pile ${kind} ${count ? "" : "empty"}`} label=${label}>
        <${Icon} name=${kind} /><b>${count}</b><span class="kind">${say(`resource.${kind}`)}</span>
        ${throwing ? out > 0 && html`<span class="rate out">−${out}</span>` : html`<span class="rate">${rates[kind]}:1</span>`}<//>`;
    })}</div>
    ${throwing && html`<p class="soft">${say("hand.discard", { count: due, left: due - picked.length })}</p>`}
    <${Developments} scene=${scene} cards=${secret.developments} />
    ${view.options.fishermen !== "none" && html`<${Catch} scene=${scene} player=${player} />`}
    ${secret.points > player.points && html`<p class="soft">${say("hand.points", { points: secret.points })}</p>`}
  </section>`;
}

/** @param {{scene: Scene, cards: import("./view.js").Unplayed[]}} props */
function Developments({ scene, cards }) {
  const { say } = scene;
  if (!cards.length) return null;
  const kinds = [...new Set(cards.map(({ card }) => card))];
  return html`<div class="developments">${kinds.map((card) => {
    const held = cards.filter((one) => one.card === card);
    const fresh = held.filter((one) => one.fresh).length;
    return html`<${Pick} scene=${scene} target=${`play:${card}`} look="card" label=${say(`development.${card}`)}>
      <${Icon} name=${card} /><span><b>${say(`development.${card}`)}${held.length > 1 ? ` × ${held.length}` : ""}</b>
      <small>${say(`development.${card}.does`)}${fresh && card !== "victory_point" ? ` ${say("development.fresh", { count: fresh })}` : ""}</small></span><//>`;
  })}</div>`;
}

/** One's own fish and what they buy. @param {{scene: Scene, player: Player}} props */
function Catch({ scene, player }) {
  const { view, say } = scene;
  const held = player.own?.fish ?? { one: 0, two: 0, three: 0 };
  const seen = player.own?.seen;
  const open = view.options.fishermen === "no_ships";
  const market = view.active === player.seat && view.phase === "trading_and_building";
  return html`<div class="fish"><p class="tokens"><span>${say("fish.own", { count: caught(held) })}</span>
      ${!open && FACES.map((face, at) => held[face] > 0 && html`<span><${Token} fish=${at + 1} />×${held[face]}</span>`)}
      ${seen != null && html`<span class="seen">${say("fish.seen")}<${Token} fish=${seen} /></span>`}
      ${view.boot === player.seat && html`<${Pick} scene=${scene} target="do:boot" look="act" label=${say("step.boot")}><${Icon} name="boot" /><span>${say("act.boot")}</span><//>`}</p>
    ${
      market &&
      caught(held) >= PRICES.robber &&
      html`<div class="benefits">${Object.entries(PRICES).map(
        ([
          benefit,
          price,
        ]) => html`<${Pick} scene=${scene} target=${`fish:${benefit}`} look="act" label=${say("step.fish", { benefit: say(`benefit.${benefit}`), count: price })}>
        <b>${price}</b><${Icon} name="fish" /><span>${say(`benefit.${benefit}`)}</span><//>`,
      )}</div>`
    }</div>`;
}

/** @type {(props: Pick<Scene, "view" | "seats" | "own" | "say">) => Shown} */
const Players = pure(({ view, seats, own, say }) => {
  const fishing = view.options.fishermen !== "none";
  return html`<section class="players" aria-label=${say("players")}>${view.players.map((player) => {
    const { seat, known } = player;
    const sure = seat === own ? 0 : total(known);
    return html`<div class="player ${view.active === seat ? "active" : ""}">
      <p class="who"><${Sign} seat=${seat} /><b>${seats[seat].name}</b>
        <span class="points" title=${say("player.points", { points: player.points, needed: player.needed })}>${pointsOf(view, seat)}<small>/${player.needed}</small></span></p>
      <p class="honours">
        ${view.longest_road === seat && html`<span class="honour"><${Icon} name="road" />${say("longest_road")}</span>`}
        ${view.largest_army === seat && html`<span class="honour"><${Icon} name="knight" />${say("largest_army")}</span>`}
        ${view.boot === seat && html`<span class="honour"><${Icon} name="boot" />${say("boot")}</span>`}
        ${player.due > 0 && html`<span class="honour due">${say("player.due", { count: player.due })}</span>`}
      </p>
      <ul class="facts">
        <${Fact} icon="cards" count=${player.cards} label=${say("player.cards")} look=${player.cards > 7 ? "many" : ""} />
        <${Fact} icon="development" count=${player.developments} label=${say("player.developments")} />
        <${Fact} icon="knight" count=${player.knights} label=${say("player.knights")} />
        <${Fact} icon="road" count=${player.road_length} label=${say("player.road")} />
        ${fishing && html`<${Fact} icon="fish" count=${player.fish} label=${say(view.options.fishermen === "no_ships" ? "player.fish" : "player.tokens")} />`}
      </ul>
      <p class="left"><span>${say("player.left")}</span>${["road", "settlement", "city"].map(
        (piece, at) =>
          html`<span title=${say(`cost.${piece}`)}><${Icon} name=${piece} />${[player.roads_left, player.settlements_left, player.cities_left][at]}</span>`,
      )}</p>
      ${sure > 0 && html`<p class="left"><span>${say("player.known")}</span><${Goods} cards=${known} say=${say} /></p>`}
    </div>`;
  })}</section>`;
});

/** @type {(props: Pick<Scene, "view" | "say">) => Shown} */
const Supplies = pure(({ view, say }) => {
  const { options, fish_spent: spent } = view;
  const tokens = FACES.reduce((sum, face) => sum + spent[face], 0);
  return html`<section class="supplies" aria-label=${say("bank")}>
    <h3><${Icon} name="bank" />${say("bank")}</h3>
    <ul class="facts">${RESOURCES.map((kind) => html`<${Fact} icon=${kind} count=${view.bank[kind]} label=${say(`resource.${kind}`)} />`)}
      <${Fact} icon="development" count=${view.pile} label=${say("bank.pile")} />
      ${options.fishermen !== "none" && html`<${Fact} icon="fish" count=${view.fish_supply} label=${say("bank.fish")} />`}
      ${tokens > 0 && html`<li class="soft">${say("bank.spent", { count: tokens })}</li>`}</ul>
    <details><summary>${say("costs")}</summary><ul class="costs">${Object.entries(COSTS).map(
      ([what, cards]) =>
        html`<li><${Icon} name=${what} /><span>${say(`cost.${what}`)}</span><${Goods} cards=${cards} say=${say} /></li>`,
    )}</ul></details>
  </section>`;
});

/** @param {Scene} scene */
export function Panel(scene) {
  const { view, seats, own, say } = scene;
  return html`<div class="catan_fishermen beside"><div class="rooms">
    <${Now} scene=${scene} /><${Trade} scene=${scene} /><${Hand} scene=${scene} /><${Asked} scene=${scene} />
    <${Players} ...${{ view, seats, own, say }} /><${Supplies} ...${{ view, say }} />
  </div></div>`;
}
