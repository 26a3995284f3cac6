/** What a list of games to choose from holds. */

import { titleOf } from "../core/games.js";
import { html } from "../core/html.js";

/** @param {{games: {name: string}[], game: string}} props `game` is the one chosen */
export function GameOptions({ games, game }) {
  return games.map(
    ({ name }) => html`<option key=${name} value=${name} selected=${name === game}>${titleOf(name)}</option>`,
  );
}
