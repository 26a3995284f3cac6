/** The views of one version as pictures: one, or one for each seat beside each other. */

import { html, useState } from "../core/html.js";
import { say, sayOf } from "../core/words.js";
import { Guard } from "../table/board.js";
import { plainGame } from "../table/plain.js";
import { Sign } from "../table/seats.js";

/**
 * @typedef {import("../core/types.js").SeatShown} SeatShown
 * @typedef {import("./audience.js").Audience} Audience
 */

const NOTHING = new Map();
const nowhere = () => {};

/**
 * @param {object} props
 * @param {import("../core/types.js").Game<any, any>} props.game
 * @param {import("./seeing.js").Drawn | null} props.drawn
 * @param {Audience} props.audience
 * @param {SeatShown[]} props.seats
 * @param {number | null} props.begun   null: not known yet
 * @param {boolean} props.over
 * @param {string} props.name      of the game, as the server has it
 */
export function Boards({ game, drawn, audience, seats, begun, over, name }) {
  const [only, setOnly] = useState(/** @type {number | null} */ (null));
  if (!drawn || begun === null) return html`<div class="board" aria-busy="true"></div>`;
  if (begun === 0 && over) return html`<p class="notice">${say("replay.never")}</p>`;
  if (begun === 0 || drawn.version < begun) return html`<p class="notice">${say("replay.unbegun")}</p>`;
  const shown = audience.seats.filter((seat) => !audience.all || only === null || seat === only);
  return html`
    ${audience.all ? html`<${Tabs} ...${{ seats, only, setOnly }} />` : null}
    <div class=${audience.all && only === null ? "boards many" : "boards"}>
      ${shown.map((seat) => {
        const index = audience.seats.indexOf(seat);
        const view = drawn.views[index];
        const before = drawn.before?.[index] ?? null;
        return html`<${Seen} key=${seat ?? "spectator"} ...${{ game, view, before, seats, name }} seat=${audience.all ? seat : null} />`;
      })}
    </div>
  `;
}

/** @param {{game: import("../core/types.js").Game<any, any>, view: any, before: any, seats: SeatShown[], seat: number | null, name: string}} props */
function Seen({ game, view, before, seats, seat, name }) {
  const scene = {
    view,
    before,
    seats,
    own: null,
    lit: NOTHING,
    picked: [],
    full: [],
    pick: nowhere,
    back: nowhere,
    say: sayOf(name),
  };
  const plain = plainGame(name);
  const fallback = html`<${plain.Board} ...${scene} />`;
  return html`<section class="seen" data-seen=${seat} aria-label=${seat === null ? say("replay.board") : say("replay.board.of", { name: seats[seat].name })}>
    ${seat === null ? null : html`<h2><${Sign} seat=${seat} /> <bdi class="name">${seats[seat].name}</bdi></h2>`}
    <div class="board ${game.name}"><${Guard} fallback=${fallback}><${game.Board} ...${scene} /><//></div>
    <div class="table-panel ${game.name}"><${Guard} fallback=${null}><${game.Panel} ...${scene} /><//></div>
  </section>`;
}

/** @param {{seats: SeatShown[], only: number | null, setOnly: (seat: number | null) => void}} props */
function Tabs({ seats, only, setOnly }) {
  const choice = [{ seat: null, name: say("replay.audience.all") }, ...seats];
  return html`<div class="seating actions" role="group" aria-label=${say("replay.audience")}>
    ${choice.map(
      ({ seat, name }) => html`<button
        key=${seat}
        type="button"
        class="small"
        data-do="only"
        data-seat=${seat ?? "all"}
        aria-pressed=${only === seat ? "true" : "false"}
        onClick=${() => setOnly(seat)}
      >
        ${seat === null ? null : html`<${Sign} seat=${seat} />`} <bdi class="name">${name}</bdi>
      </button>`,
    )}
  </div>`;
}
