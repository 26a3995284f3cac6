/** Catan with the Fishermen in pictures. */

import { Board } from "./board.js";
import { forms } from "./forms.js";
import { attempt, pointsOf, steps, weighty } from "./moves.js";
import { duty, Panel } from "./panel.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Move} Move */

/** @type {import("../../core/types.js").Game<View, Move>} */
export const GAME = {
  name: "catan_fishermen",
  Board,
  Panel,
  steps,
  weighty,
  attempt,
  forms,
  duty,
  scores: (view) => view.players.map(({ seat }) => pointsOf(view, seat)),
};
