/** What lies beside the sea: ships on offer, everyone's wares, islanders at work, the piles, and at the end the scoring. */

import { html, pure } from "../../core/html.js";
import { Mark } from "../../core/marks.js";
import { take } from "./aim.js";
import { Icon, TilePicture } from "./art.js";
import { RegionTold } from "./dock.js";
import { asked, inWords, total, WARES } from "./moves.js";

/**
 * @typedef {import("./moves.js").Scene} Scene
 * @typedef {import("./moves.js").Ship} Ship
 * @typedef {import("./moves.js").Wares} Wares
 * @typedef {import("../../core/types.js").Shown} Shown
 */

/** @param {Scene} scene */
export function Panel(scene) {
  const { view, before, seats, own, lit, pick, say } = scene;
  const skip = lit.get("do:skip");
  const pays = [...lit.values()].filter((one) => one.target.startsWith("pay:"));
  return html`<div class="south_seas beside">
    ${view.outcome && html`<${Scoring} ...${scene} />`}
    <section class="offer" aria-label=${say("ships")}>
      <h3>${say("ships")} <small>${say("supply", { count: view.supply })}</small></h3>
      <div class="ships">${view.ships.map((ship) => html`<${ShipCard} key=${ship.id} ...${{ ship, own, pick, say }} ...${standOf(scene, ship)} />`)}</div>
      ${
        pays.length > 0 &&
        html`<div class="pays" role="group" aria-label=${say("pay")}>
        <p>${say("pay")}</p>
        ${pays.map(
          ({
            target,
            label,
          }) => html`<button key=${target} type="button" class="pay lit" data-target=${target} data-lit aria-label=${label} onClick=${() => pick(target)}>
          <${Goods} wares=${paid(target)} />
        </button>`,
        )}
      </div>`
      }
      ${skip && html`<button type="button" class="leave lit" data-target="do:skip" data-lit onClick=${() => pick("do:skip")}>${skip.label}</button>`}
    </section>
    <section class="crews-of" aria-label=${say("players")}>
      <h3>${say("players")}</h3>
      <ul class="players">${view.players.map((_, seat) => html`<${Player} key=${seat} ...${{ seat, view, before, seats, own, say }} />`)}</ul>
    </section>
    <${AtWork} ...${{ view, seats, own, say }} />
    <section class="piles">
      <h3>${say("pile")}</h3>
      <p><span class="back" aria-hidden="true"></span> ${say("pile.left", { count: view.pile })}</p>
      ${
        view.discards.length > 0 &&
        html`<p class="discards">${say("discards", { count: view.discards.length })}
        ${view.discards.map((tile, place) => html`<${TilePicture} key=${place} tile=${tile} rotation=${0} />`)}</p>`
      }
    </section>
  </div>`;
}

/** @param {string} target @returns {Wares} */
function paid(target) {
  const [shell, banana, fish] = target.slice("pay:".length).split(",").map(Number);
  return { shell, banana, fish };
}

/** Wares one by one. @param {{wares: Wares}} props */
export function Goods({ wares }) {
  return html`<span class="goods">${WARES.flatMap((ware) => Array.from({ length: wares[ware] }, (_, place) => html`<${Icon} key=${ware + place} kind=${ware} />`))}</span>`;
}

/** What a ship asks for, on its sail. @param {{ship: Ship}} props */
export function Sail({ ship }) {
  if (ship.sail === "specific") return html`<${Goods} wares=${ship.wares} />`;
  return html`<span class="goods flexible"><b>${ship.number}</b><${Icon} kind=${ship.sail === "any" ? "any" : "same"} /></span>`;
}

/**
 * How a ship stands with the viewer: `within` reach of the wares, `on` where it may be chosen.
 * @typedef {{target: string, on: boolean, chosen: boolean, within: boolean}} Standing
 */

/** @param {Scene} scene @param {Ship} ship @returns {Standing} */
function standOf({ view, own, lit, picked }, ship) {
  const target = `ship:${ship.id}`;
  const within = own !== null && affords(view.players[own].wares, ship);
  return { target, on: lit.has(target), chosen: picked.includes(target), within };
}

/** @type {(props: Standing & Pick<Scene, "own" | "pick" | "say"> & {ship: Ship}) => Shown} */
const ShipCard = pure(({ ship, own, pick, say, target, on, chosen, within }) => {
  const label = say("ship", { points: ship.points, asked: asked(ship, say) });
  const tag = own === null ? "div" : "button";
  return html`<${tag}
    type=${own === null ? null : "button"} class="ship ${on ? "lit" : ""}" data-target=${target} data-lit=${on || null} data-picked=${chosen || null}
    title=${label} onClick=${() => own !== null && pick(target)}
  >
    <span class="unseen">${label}</span>
    <span class="points" aria-hidden="true">${ship.points}</span>
    <svg class="hull" viewBox="0 0 100 108" preserveAspectRatio="none" aria-hidden="true">
      <path class="mast" d="M50 4V92" />
      <path class="sail" d="M12 10C34 4 66 4 88 10C95 32 95 52 88 72C66 66 34 66 12 72C19 52 19 32 12 10Z" />
      <path class="keel" d="M4 82H96C93 98 84 105 72 105H28C16 105 7 98 4 82Z" />
      <path class="wale" d="M6 89H94" />
    </svg>
    <span class="asks" aria-hidden="true"><${Sail} ship=${ship} />${ship.sail !== "specific" && html`<small>${say(`short.${ship.sail}`)}</small>`}</span>
    ${within && html`<span class="within" title=${say("within")} aria-hidden="true">✓</span>`}
  <//>`;
});

/** @type {(wares: Wares, ship: Ship) => boolean} */
function affords(wares, ship) {
  if (ship.sail === "specific") return WARES.every((ware) => wares[ware] >= ship.wares[ware]);
  return ship.sail === "any" ? total(wares) >= ship.number : WARES.some((ware) => wares[ware] >= ship.number);
}

/** @type {(props: Pick<Scene, "view" | "before" | "seats" | "own" | "say"> & {seat: number}) => Shown} */
const Player = pure(({ seat, view, before, seats, own, say }) => {
  const player = view.players[seat];
  const earlier = before?.players[seat]?.wares;
  const hidden = player.points === null;
  const secret = view.options.hidden_scores && view.phase !== "over" && seat === own;
  return html`<li class="player ${seat === own ? "own" : ""} ${view.active === seat && view.phase !== "over" ? "active" : ""}">
    <div class="row">
    <span class="who"><svg class="thing" viewBox="-12 -12 24 24" aria-hidden="true"><${Mark} seat=${seat} /></svg>
      <b>${seats[seat]?.name ?? ""}</b>${seat === own && html` <small>${say("you")}</small>`}</span>
    <span class="wares">${WARES.map((ware) => {
      const more = earlier ? player.wares[ware] - earlier[ware] : 0;
      return html`<span key=${ware} class="ware" title=${say(`count.${ware}`, { count: player.wares[ware] })}>
        <${Icon} kind=${ware} /><b>${player.wares[ware]}</b>${more !== 0 && html`<i class=${more > 0 ? "more" : "less"}>${more > 0 ? `+${more}` : `−${-more}`}</i>`}
      </span>`;
    })}</span>
    <span class="sum ${secret ? "private" : ""}">${hidden ? "?" : player.points}</span>
    </div>
    <div class="row">
    <span class="left" role="img" aria-label=${say("left", { count: player.islanders_left })} title=${say("left", { count: player.islanders_left })}>
      ${[0, 1, 2, 3].map((place) => html`<svg key=${place} class="pip" viewBox="-12 -12 24 24">${place < player.islanders_left ? html`<${Mark} seat=${seat} />` : html`<circle class="gone" r="7" />`}</svg>`)}
    </span>
    <span class="loaded ${secret ? "private" : ""}" title=${say("loaded", { count: player.loaded })}>
      <${Icon} kind="boat" /> ${player.loaded}${player.ships.map((ship) => html`<span key=${ship.id} class="worth" title=${asked(ship, say)}>${ship.points}</span>`)}
      ${hidden && player.loaded > 0 && html`<em>${say("hidden")}</em>`}${secret && html`<em>${say("secret")}</em>`}
    </span>
    </div>
  </li>`;
});

/**
 * Every feature with islanders on it: to be at one lights it on the board.
 * @type {(props: Pick<Scene, "view" | "seats" | "own" | "say">) => Shown | null}
 */
const AtWork = pure(({ view, seats, own, say }) => {
  const held = view.regions.filter((region) => region.crews.length);
  const mine = (/** @type {typeof held[0]} */ region) => Number(region.crews.some(({ seat }) => seat === own));
  held.sort((a, b) => mine(b) - mine(a));
  if (!held.length) return null;
  return html`<section class="at-work">
    <h3>${say("work")}</h3>
    <ul>${held.map(
      (region) => html`<li key=${region.number}>
      <button type="button" onPointerEnter=${() => take({ region: region.number })} onPointerLeave=${() => take({ region: null })}
        onFocus=${() => take({ region: region.number })} onBlur=${() => take({ region: null })} onClick=${() => take({ region: region.number })}>
        <${RegionTold} region=${region} seats=${seats} say=${say} />
      </button>
    </li>`,
    )}</ul>
  </section>`;
});

/** @param {Scene} scene */
function Scoring({ view, seats, say }) {
  const ranking = view.outcome?.ranking ?? [];
  return html`<section class="scoring">
    <h3>${say("scoring")}</h3>
    <table>
      <thead><tr><th scope="col">${say("place")}</th><th scope="col">${say("player")}</th><th scope="col">${say("score.ships")}</th><th scope="col">${say("score.wares")}</th><th scope="col">${say("score.total")}</th></tr></thead>
      <tbody>${ranking.map(
        ({ seat, place, points, scores }) => html`<tr key=${seat} class=${place === 1 ? "first" : ""}>
        <td>${place}.</td>
        <th scope="row"><svg class="thing" viewBox="-12 -12 24 24" aria-hidden="true"><${Mark} seat=${seat} /></svg> ${seats[seat]?.name ?? ""}</th>
        ${scores.map((one) => html`<td key=${one.category}>${one.points}</td>`)}<td><b>${points}</b></td>
      </tr>`,
      )}</tbody>
    </table>
    <p>${ranking.map(({ seat }) => `${seats[seat]?.name ?? ""}: ${inWords(view.players[seat].wares, say) || "–"}`).join(" · ")}</p>
  </section>`;
}
