/** The form for laying four expeditions in any order, either side up: of the 384 ways only some are listed. */

import { html, useState } from "../../core/html.js";
import { Card } from "./card.js";
import { lineText } from "./texts.js";

/** @typedef {import("./outlook.js").View} View */
/** @typedef {import("./outlook.js").Side} Side */
/** @typedef {import("./moves.js").Move} Move */

/** @param {import("../../core/types.js").FormProps<View, Move>} props */
function ArrangedSides({ view, own, send, say }) {
  const { choosing } = view.players[own];
  const line = view.phase === "choosing_columns" ? "columns" : "rows";
  const [order, arrange] = useState(choosing.map(({ id }) => id));
  const [sides, turn] = useState(/** @type {Record<string, Side>} */ ({}));
  /** @param {number} index */
  const swap = (index) =>
    arrange(order.map((id, place) => (place === index ? order[index - 1] : place === index - 1 ? order[index] : id)));
  /** @param {Event} event */
  const lay = (event) => {
    event.preventDefault();
    send({ kind: "choose_sides", sides: choosing.map(({ id }) => sides[id]), order });
  };
  return html`<form class="lost_seas laying" onSubmit=${lay}>
    <p>${say("arrange.how")}</p>
    ${order.map((id, index) => {
      const expedition = choosing.find((each) => each.id === id);
      return (
        expedition &&
        html`<fieldset key=${id}><legend>${lineText({ line, index }, say)}</legend>
          ${
            /** @type {const} */ (["easy", "hard"]).map(
              (
                side,
              ) => html`<label><input type="radio" name=${id} value=${side} required checked=${sides[id] === side} onChange=${() => turn({ ...sides, [id]: side })} />
              <svg viewBox="0 0 100 100" role="img" aria-label=${say(`side.${side}`)}><${Card} demand=${expedition[side]} ties=${view.options.majority_ties} say=${say} x=${0} y=${0} caption=${say(`side.${side}`)} /></svg></label>`,
            )
          }
          <div><button type="button" data-do="earlier" disabled=${index === 0} aria-label=${say("arrange.earlier")} onClick=${() => swap(index)}>↑</button>
          <button type="button" data-do="later" disabled=${index === 3} aria-label=${say("arrange.later")} onClick=${() => swap(index + 1)}>↓</button></div>
        </fieldset>`
      );
    })}
    <button type="submit" data-do="send">${say("arrange.lay")}</button>
  </form>`;
}

export const FORMS = { arranged_sides: ArrangedSides };
