/** Black Fleet in pictures. */

import { Board } from "./board.js";
import { forms } from "./forms.js";
import { attempt, scores, steps, weighty } from "./moves.js";
import { Panel } from "./panel.js";

/** @type {import("../../core/types.js").Game<import("./view.js").View, import("./view.js").Move>} */
export const GAME = {
  name: "black_fleet",
  Board,
  Panel,
  steps,
  weighty,
  attempt,
  forms,
  duty: (view, own, say) => (view.owed.includes(own) ? say(`duty.${view.phase}`, { count: view.due }) : ""),
  scores,
};
