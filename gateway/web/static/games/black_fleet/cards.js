/** Cards as one reads them: movement, fortune, developments, victory. */

import { html, pure } from "../../core/html.js";
import { cardName, cardText } from "./names.js";
import { Coin, Ensign, RowIcon, Sign, signOf } from "./pieces.js";
import { chosen, look, shown } from "./targets.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Movement} Movement */
/** @typedef {import("./view.js").Row} Row */
/** @typedef {import("../../core/types.js").Scene<View, import("./view.js").Move>} Scene */

/** @typedef {import("../../core/types.js").Shown} Shown */

/** @type {readonly Row[]} */
export const ROWS = ["navy", "pirate", "merchant"];

/** A sign in a line of text. @type {(props: {sign: string}) => Shown} */
export const Icon = pure(
  ({ sign }) => html`<svg class="icon" viewBox="-11 -11 22 22" aria-hidden="true"><${Sign} sign=${sign} /></svg>`,
);

/** @type {(props: {text: string | number}) => Shown} */
export const Purse = pure(
  ({ text }) => html`<svg class="icon money" viewBox="-10 -10 20 20" aria-hidden="true"><${Coin} text=${text} /></svg>`,
);

/**
 * Something that is chosen by a click: an element of the game's own hand or table.
 * @param {{scene: Scene, target: string, look?: string, label?: string, children?: any}} props
 */
export function Choosable({ scene, target, look: classes = "", label, children }) {
  return html`<button type="button" class="${classes}${look(scene, target)}" ...${shown(scene, target)} aria-label=${label} onClick=${() => chosen(scene, target)}>
    ${children}
  </button>`;
}

/** @type {(props: {card: Movement, say: Scene["say"]}) => Shown} */
export const MovementFace = pure(({ card, say }) => {
  return html`<${Flag} navy=${card.navy} say=${say} />
    ${ROWS.map((row) => html`<span class="row"><${RowIcon} row=${row} /><span class="what">${say(`row.${row}`)}</span><b>${card[`${row}_value`]}</b></span>`)}
    <span class="symbol"><${Icon} sign="cards" /> ${say(`symbol.${card.symbol}`)}</span>`;
});

/** @param {{navy: "yellow" | "purple", say: Scene["say"]}} props */
function Flag({ navy, say }) {
  return html`<span class="flag ${navy}">
    <svg class="icon" viewBox="-9 -9 18 18" aria-hidden="true"><${Ensign} navy=${navy} size=${12} /></svg>${say(`navy.${navy}`)}
  </span>`;
}

/** The movement card in play, with its values as they are now; rows are chosen here. @param {{scene: Scene}} props */
export function Order({ scene }) {
  const { view, say, lit, picked } = scene;
  const { order } = view;
  if (!order) return null;
  const pairs = [...new Set([...lit.keys(), ...picked])].filter((target) => target.startsWith("rows:"));
  const rows = ROWS.map((row) => {
    const [printed, now] = [order[`${row}_value`], view[`${row}_value`]];
    const value = html`<${RowIcon} row=${row} /><span class="what">${say(`row.${row}`)}</span>
      <b>${printed === now ? "" : html`<s>${printed}</s> `}${now}</b>`;
    const target = `row:${row}`;
    if (lit.has(target) || picked.includes(target))
      return html`<${Choosable} scene=${scene} target=${target} look="row">${value}<//>`;
    return html`<span class="row">${value}</span>`;
  });
  return html`<div class="movement ${order.navy}">
    <${Flag} navy=${order.navy} say=${say} />
    ${rows}
    <span class="symbol"><${Icon} sign="cards" /> ${say(`symbol.${order.symbol}`)}</span>
    ${pairs.map(
      (target) => html`<${Choosable} key=${target} scene=${scene} target=${target} look="pair">
      <${Icon} sign="swap" /> ${target
        .slice(5)
        .split("+")
        .map((row) => say(`row.${row}`))
        .join(" ⇄ ")}
    <//>`,
    )}
  </div>`;
}

/** @type {(props: {card: import("./view.js").Fortune, count?: number, view: View, say: Scene["say"]}) => Shown} */
export const FortuneFace = pure(({ card, count = 1, view, say }) => {
  return html`<span class="title"><${Icon} sign=${signOf(card.benefits[0]?.effect ?? "")} />${cardName(card.id, view, say)}${count > 1 ? html` <b class="count">×${count}</b>` : null}</span>
    <span class="text">${cardText(card, say)}</span>
    <span class="when">${say(`when.${card.when}`)}</span>`;
});

/** @type {(props: {card: import("./view.js").Development, view: View, say: Scene["say"]}) => Shown} */
export const DevelopmentFace = pure(({ card, view, say }) => {
  return html`<span class="title"><${Icon} sign=${signOf(card.benefits[0]?.effect ?? "")} />${cardName(card.id, view, say)}<${Purse} text=${card.price} /></span>
    <span class="text">${cardText(card, say)}</span>`;
});
