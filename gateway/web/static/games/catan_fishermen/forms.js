/** Forms for what is too much to list: discards, offers and counter-offers, fish paid. */

import { html, useState } from "../../core/html.js";
import { caught, FACES, PRICES, RESOURCES, total } from "./moves.js";
import { Goods, Sign } from "./panel.js";
import { Icon, Token } from "./pieces.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Cards} Cards */
/** @typedef {import("../../core/types.js").FormProps<View, import("./view.js").Move>} Props */

const NONE = { brick: 0, lumber: 0, wool: 0, grain: 0, ore: 0 };
const MOST = 19;

/**
 * A number that is stepped up and down; the picture itself adds one.
 * @param {{name: string, label: string, value: number, most: number, set: (value: number) => void, children?: any}} props
 */
function Count({ name, label, value, most, set, children }) {
  return html`<div class="count ${value ? "some" : ""}" role="group" aria-label=${label} data-count=${name}>
    <button type="button" class="more" disabled=${value >= most} aria-label="${label} +1" data-more=${name} onClick=${() => set(value + 1)}>
      ${children}<span class="kind">${label}</span></button>
    <button type="button" disabled=${value <= 0} aria-label="${label} −1" data-less=${name} onClick=${() => set(value - 1)}>−</button>
    <output aria-live="polite">${value}</output></div>`;
}

/** Cards of each kind. @param {{side: string, cards: Cards, most: (kind: import("./view.js").Resource) => number, set: (cards: Cards) => void, say: import("./view.js").Say}} props */
function Choice({ side, cards, most, set, say }) {
  return html`<div class="counts">${RESOURCES.map(
    (
      kind,
    ) => html`<${Count} key=${kind} name=${`${side}:${kind}`} label=${say(`resource.${kind}`)} value=${cards[kind]} most=${most(kind)}
      set=${(/** @type {number} */ value) => set({ ...cards, [kind]: value })}><${Icon} name=${kind} /><//>`,
  )}</div>`;
}

/** @param {{props: Props, ready: boolean, move: () => import("./view.js").Move, word: string, children?: any}} given */
function Sheet({ props: { send, close, say }, ready, move, word, children }) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (ready) send(move());
  };
  return html`<form class="catan_fishermen sheet" onSubmit=${submit}>${children}
    <div class="acts"><button type="button" data-do="close" onClick=${close}>${say("form.close")}</button>
      <button type="submit" class="main" data-do="send" disabled=${!ready}>${word}</button></div></form>`;
}

/** @param {Props} props */
function Discards(props) {
  const { view, own, say } = props;
  const { known, due } = view.players[own];
  const [cards, set] = useState(/** @type {Cards} */ ({ ...NONE }));
  const left = due - total(cards);
  return html`<${Sheet} props=${props} ready=${left === 0} word=${say("form.discard", { count: due })} move=${() => ({ kind: "discard", cards })}>
    <p class="asked" aria-live="polite">${say("form.due", { count: due, left })}</p>
    <${Choice} side="discard" cards=${cards} set=${set} say=${say} most=${(/** @type {import("./view.js").Resource} */ kind) => Math.min(known[kind], cards[kind] + left)} />
    <p class="soft">${say("form.kept")} <${Goods} cards=${less(known, cards)} say=${say} /></p>
  <//>`;
}

/** @param {Cards} held @param {Cards} given @returns {Cards} */
function less(held, given) {
  const rest = { ...NONE };
  for (const kind of RESOURCES) rest[kind] = held[kind] - given[kind];
  return rest;
}

/** @param {Props & {kind: string, first: {give: Cards, take: Cards}}} props */
function Proposal(props) {
  const { view, own, say, kind, first } = props;
  const { known } = view.players[own];
  const [give, setGive] = useState(first.give);
  const [take, setTake] = useState(first.take);
  const ready = total(give) > 0 && total(take) > 0;
  return html`<${Sheet} props=${props} ready=${ready} word=${say(`form.${kind}`)} move=${() => ({ kind, give, take })}>
    ${kind === "counter_offer" && view.offer && html`<p class="soft swap"><${Sign} seat=${view.active} />${say("trade.gives")} <${Goods} cards=${view.offer.give} say=${say} /> ⇄ ${say("trade.wants")} <${Goods} cards=${view.offer.take} say=${say} /></p>`}
    <h3>${say("form.give")}</h3>
    <${Choice} side="give" cards=${give} set=${setGive} say=${say} most=${(/** @type {import("./view.js").Resource} */ one) => (take[one] ? 0 : known[one])} />
    <h3>${say("form.take")}</h3>
    <${Choice} side="take" cards=${take} set=${setTake} say=${say} most=${(/** @type {import("./view.js").Resource} */ one) => (give[one] ? 0 : MOST)} />
    <p class="soft">${say("form.terms")}${kind === "offer_trade" ? ` ${say("form.offers_left", { count: view.offers_left })}` : ""}</p>
  <//>`;
}

/** @param {Props} props */
function Counter(props) {
  const { offer, players } = props.view;
  const give = { ...NONE };
  for (const kind of RESOURCES) give[kind] = Math.min(offer?.take[kind] ?? 0, players[props.own].known[kind]);
  return html`<${Proposal} ...${props} kind="counter_offer" first=${{ give, take: { ...NONE, ...offer?.give } }} />`;
}

/** @param {Props} props */
function Spending(props) {
  const { view, own, seats, legal, say } = props;
  const held = view.players[own].own?.fish ?? { one: 0, two: 0, three: 0 };
  const open = legal.filter(({ kind }) => kind === "spend_fish");
  const [benefit, setBenefit] = useState(/** @type {keyof typeof PRICES} */ (open[0]?.benefit));
  const [tokens, setTokens] = useState({ one: 0, two: 0, three: 0 });
  const [victim, setVictim] = useState(/** @type {number | null} */ (null));
  const [resource, setResource] = useState(/** @type {string | null} */ (null));
  const paid = caught(tokens);
  const price = PRICES[benefit];
  const needs = { steal: victim !== null, resource: resource !== null }[/** @type {string} */ (benefit)] ?? true;
  const move = () => ({
    kind: "spend_fish",
    benefit,
    tokens,
    victim: benefit === "steal" ? victim : null,
    resource: benefit === "resource" ? resource : null,
  });
  const among = (/** @type {string} */ key) => [
    ...new Set(open.filter((one) => one.benefit === benefit).map((one) => one[key])),
  ];
  const radio = (
    /** @type {string} */ name,
    /** @type {any} */ value,
    /** @type {any} */ chosen,
    /** @type {(value: any) => void} */ set,
    /** @type {any} */ shown,
  ) =>
    html`<label class="radio"><input type="radio" name=${name} value=${value} checked=${value === chosen} onChange=${() => set(value)} />${shown}</label>`;
  return html`<${Sheet} props=${props} ready=${paid >= price && needs} word=${say("form.spend")} move=${move}>
    <div class="radios">${[...new Set(open.map((one) => one.benefit))].map((one) =>
      radio(
        "benefit",
        one,
        benefit,
        setBenefit,
        html`<b>${PRICES[/** @type {keyof typeof PRICES} */ (one)]}</b><${Icon} name="fish" />${say(`benefit.${one}`)}`,
      ),
    )}</div>
    ${benefit === "steal" && html`<h3>${say("ask.seat")}</h3><div class="radios">${among("victim").map((seat) => radio("victim", seat, victim, setVictim, html`<${Sign} seat=${seat} />${seats[seat].name}`))}</div>`}
    ${benefit === "resource" && html`<h3>${say("ask.take")}</h3><div class="radios">${among("resource").map((kind) => radio("resource", kind, resource, setResource, html`<${Icon} name=${kind} />${say(`resource.${kind}`)}`))}</div>`}
    <h3>${say("ask.pay")}</h3>
    <div class="counts">${FACES.map(
      (
        face,
        at,
      ) => html`<${Count} key=${face} name=${`fish:${face}`} label=${say("fish.count", { count: at + 1 })} value=${tokens[face]} most=${held[face]}
      set=${(/** @type {number} */ value) => setTokens({ ...tokens, [face]: value })}><${Token} fish=${at + 1} /><//>`,
    )}</div>
    <p class="soft" aria-live="polite">${say("form.paid", { paid, price })}${paid > price ? ` ${say("form.lost", { count: paid - price })}` : ""}</p>
  <//>`;
}

/** @type {Record<string, (props: Props) => import("../../core/types.js").Shown>} */
export const forms = {
  discards: Discards,
  offers: (props) =>
    html`<${Proposal} ...${props} kind="offer_trade" first=${{ give: { ...NONE }, take: { ...NONE } }} />`,
  counter_offers: Counter,
  spendings: Spending,
};
