/** A payment of any wares, put together ware by ware. */

import { html, useState } from "../../core/html.js";
import { Icon } from "./art.js";
import { asked, inWords, total, WARES } from "./moves.js";
import { Sail } from "./panel.js";

/**
 * @typedef {import("./moves.js").View} View
 * @typedef {import("./moves.js").Wares} Wares
 * @typedef {import("../../core/types.js").FormProps<View, import("./moves.js").Move>} Props
 */

const NOTHING = { shell: 0, banana: 0, fish: 0 };

/** @param {Props} props */
export function FreePayments({ view, own, send, close, say }) {
  const ships = view.ships.filter((ship) => ship.sail === "any" && view.offered.includes(ship.id));
  const [chosen, choose] = useState(ships[0]?.id ?? "");
  const [paid, pay] = useState(/** @type {Wares} */ (NOTHING));
  const { wares } = view.players[own];
  const ship = ships.find((one) => one.id === chosen);
  const wanted = ship?.number ?? 0;
  const ready = ship && total(paid) === wanted;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (ship && ready) send({ kind: "deliver", ship: ship.id, payment: paid });
  };
  return html`<form class="south_seas payment" onSubmit=${submit}>
    <fieldset>
      <legend>${say("ships")}</legend>
      ${ships.map(
        (one) => html`<label key=${one.id} class="choice">
        <input type="radio" name="ship" value=${one.id} checked=${one.id === chosen} onChange=${() => {
          choose(one.id);
          pay(NOTHING);
        }} />
        <span>${say("ship", { points: one.points, asked: asked(one, say) })}</span> <${Sail} ship=${one} />
      </label>`,
      )}
    </fieldset>
    <fieldset>
      <legend>${say("pay")}</legend>
      ${WARES.map(
        (ware) => html`<div key=${ware} class="ware-row">
        <${Icon} kind=${ware} /> <span class="name">${say(`ware.${ware}`)}</span>
        <button type="button" aria-label=${say("form.less", { ware: say(`ware.${ware}`) })} disabled=${paid[ware] === 0} onClick=${() => pay({ ...paid, [ware]: paid[ware] - 1 })}>−</button>
        <output>${paid[ware]}</output>
        <button type="button" aria-label=${say("form.more", { ware: say(`ware.${ware}`) })} disabled=${paid[ware] >= wares[ware] || total(paid) >= wanted} onClick=${() => pay({ ...paid, [ware]: paid[ware] + 1 })}>+</button>
        <small>${say("form.of", { count: wares[ware] })}</small>
      </div>`,
      )}
      <p aria-live="polite">${say("form.sum", { paid: total(paid), wanted })}${total(paid) > 0 ? ` · ${inWords(paid, say)}` : ""}</p>
    </fieldset>
    <p class="actions"><button type="submit" data-do="send" disabled=${!ready}>${say("form.send")}</button>
      <button type="button" onClick=${close}>${say("form.close")}</button></p>
  </form>`;
}

export const FORMS = { free_payments: FreePayments };
