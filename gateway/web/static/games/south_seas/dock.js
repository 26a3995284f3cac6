/** What hangs over the board: the tile drawn in its rotations, and what the lit region would pay. */

import { html } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { shownRotation, take, turnOn, useAim } from "./aim.js";
import { Icon, TilePicture } from "./art.js";
import { regionInWords } from "./moves.js";

/** @typedef {import("./moves.js").Scene} Scene */
/** @typedef {import("./moves.js").Region} Region */

const PAID = { bridge: "shell", island: "banana", sea: "fish", market: "market" };

/** The tile drawn: turned by a click until its cell is picked, then placed by one. @param {{scene: Scene, fitting: number[], cell: string | null}} props */
export function Dock({ scene, fitting, cell }) {
  const { rotation: wished } = useAim();
  const { view, lit, pick, back, say, seats } = scene;
  const tile = view.drawn;
  if (!tile) return null;
  const acting = lit.size > 0 || cell !== null;
  if (!acting) {
    return html`<div class="dock" data-others>
      <span class="whose">${say("draws", { name: seats[view.active]?.name ?? "" })}</span><${TilePicture} tile=${tile} rotation=${0} />
    </div>`;
  }
  const shown = shownRotation(fitting);
  return html`<div class="dock">
    <p class="hint">${say(cell ? "hint.turn" : "hint.spot")}</p>
    <div class="turns">
      ${[0, 1, 2, 3].map((rotation) => {
        const target = `turn:${rotation}`;
        const on = lit.has(target);
        const label = say(`step.turn.${rotation}`);
        return html`<button
          key=${rotation} type="button" class="turn ${on ? "lit" : ""}" data-target=${target} data-lit=${on || null}
          disabled=${!fitting.includes(rotation)} aria-label=${label} title=${label} aria-pressed=${rotation === shown}
          onClick=${() => (on ? pick(target) : take({ rotation }))}
          onPointerEnter=${() => cell && take({ rotation })} onFocus=${() => take({ rotation })}
        ><${TilePicture} tile=${tile} rotation=${rotation} /></button>`;
      })}
      <button type="button" class="spin" aria-label=${say("turn")} title=${say("turn")} onClick=${() => turnOn(fitting)} data-wished=${wished}>↻</button>
      ${cell && html`<button type="button" class="spin" aria-label=${say("elsewhere")} title=${say("elsewhere")} onClick=${back}>✕</button>`}
    </div>
  </div>`;
}

/** What the lit region pays, lacks, and who stands on it. @param {Scene} scene */
export function Told({ view, seats, say }) {
  const { region: number } = useAim();
  const region = view.regions.find((one) => one.number === number);
  if (!region) return null;
  return html`<div class="told" role="status"><${RegionTold} region=${region} seats=${seats} say=${say} /></div>`;
}

/** @param {{region: Region, seats: Scene["seats"], say: Scene["say"]}} props */
export function RegionTold({ region, seats, say }) {
  const { terrain, crews, owners } = region;
  return html`
    <span class="name"><${Icon} kind=${PAID[terrain]} /> ${say(`terrain.${terrain}`)}</span>
    <span>${regionInWords(region, say)}</span>
    ${
      crews.length > 0 &&
      html`<span class="crews">
      ${crews.map(
        ({
          seat,
          islanders,
        }) => html`<span key=${seat} class=${owners.includes(seat) ? "crew owner" : "crew"} title=${say(owners.includes(seat) ? "owner" : "guest", { name: seats[seat]?.name ?? "" })}>
        <svg viewBox="-12 -12 24 24" class="thing" role="img" aria-label=${seats[seat]?.name ?? ""}><${Mark} seat=${seat} /></svg>×${islanders}${owners.includes(seat) ? " ★" : ""}
      </span>`,
      )}
    </span>`
    }`;
}
