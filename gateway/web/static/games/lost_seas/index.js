/** Lost Seas in pictures. */

import { Board, duty } from "./board.js";
import { FORMS } from "./forms.js";
import { attempt, steps, weighty } from "./moves.js";
import { Panel } from "./panel.js";

/** @typedef {import("./outlook.js").View} View */
/** @typedef {import("./moves.js").Move} Move */

/** @type {import("../../core/types.js").Game<View, Move>} */
export const GAME = {
  name: "lost_seas",
  Board,
  Panel,
  steps,
  weighty,
  attempt,
  forms: FORMS,
  duty,
  scores: ({ players }) => players.map(({ points }) => points),
};
