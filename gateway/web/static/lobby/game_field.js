/** Games to choose from. */

import { titleOf } from "../core/games.js";
import { html } from "../core/html.js";
import { say } from "../core/words.js";

/** What a list of them holds. @param {{games: {name: string}[], game: string}} props `game` is the one chosen */
export function GameOptions({ games, game }) {
  return games.map(
    ({ name }) => html`<option key=${name} value=${name} selected=${name === game}>${titleOf(name)}</option>`,
  );
}

/** The first field of a dialog. @param {{games: {name: string}[], game: string, choose: (game: string) => void}} props */
export function GameField({ games, game, choose }) {
  return html`<label class="field">
    <span>${say("game")}</span>
    <select name="game" value=${game} autofocus onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
      <${GameOptions} games=${games} game=${game} />
    </select>
  </label>`;
}
