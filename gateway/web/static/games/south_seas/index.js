/** South Seas in pictures. */

import { Board } from "./board.js";
import { FORMS } from "./forms.js";
import { attempt, steps, total, weighty } from "./moves.js";
import { Panel } from "./panel.js";

const WARES_A_POINT = 3;

/** @type {import("../../core/types.js").Game<import("./moves.js").View, import("./moves.js").Move>} */
export const GAME = {
  name: "south_seas",
  Board,
  Panel,
  steps,
  weighty,
  attempt,
  forms: FORMS,
  duty: (view, own, say) => (view.owed.includes(own) ? say(`duty.${view.phase}`) : ""),
  /** Of ships that are hidden nothing is known. */
  scores: (view) => view.players.map(({ points, wares }) => points ?? Math.floor(total(wares) / WARES_A_POINT)),
};
