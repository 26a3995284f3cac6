/** Being paired with whoever asks for the same. */

import { call, requestId } from "../core/api.js";
import { Dialog } from "../core/dialog.js";
import { describe } from "../core/games.js";
import { html, useEffect, useRef, useState } from "../core/html.js";
import { Refused } from "../core/refusals.js";
import { say } from "../core/words.js";
import { GameField } from "./game_field.js";
import { absenceOf, ClockFields, clockOf, USUAL_TERMS } from "./terms.js";

/**
 * @param {object} props
 * @param {import("../core/games.js").Listed[]} props.games
 * @param {string} props.game
 * @param {() => void} props.close
 * @param {(match: any) => void} props.seated  the player holds a seat of it
 */
export function Quick({ games, game: first, close, seated }) {
  const [game, setGame] = useState(first || games[0]?.name || "");
  const [wanted, setWanted] = useState(0);
  const [policies, setPolicies] = useState(/** @type {string[]} */ ([]));
  const [terms, setTerms] = useState(USUAL_TERMS);
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const asked = useRef({ body: "", id: "" });
  const { leastSeats = 0, mostSeats = -1, unofficialSeats = [] } = games.find(({ name }) => name === game) ?? {};
  const numbers = Array.from({ length: mostSeats - leastSeats + 1 }, (_, index) => leastSeats + index);
  const seats = numbers.includes(wanted)
    ? wanted
    : (numbers.find((each) => !unofficialSeats.includes(each)) ?? leastSeats);
  useEffect(() => {
    describe(game).then(
      (described) => {
        setPolicies(described.policies ?? []);
        setTerms((before) => ({ ...before, policy: described.policies?.[0] ?? "" }));
      },
      (error) => setState({ busy: false, error }),
    );
  }, [game]);

  const search = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const clock = clockOf(terms);
    const body = { game, seats, ...(clock && { clock }), ...absenceOf(terms) };
    if (asked.current.body !== JSON.stringify(body)) asked.current = { body: JSON.stringify(body), id: requestId() };
    setState({ busy: true, error: null });
    try {
      const { match } = await call("LobbyService", "QuickMatch", { requestId: asked.current.id, ...body });
      close();
      seated(match);
    } catch (error) {
      setState({ busy: false, error });
    }
  };

  return html`<${Dialog} name="quick" title=${say("quick")} close=${close}>
    <form data-form="quick" onSubmit=${search}>
      <p class="hint">${say("quick.hint")}</p>
      <${GameField} games=${games} game=${game} choose=${setGame} />
      <label class="field">
        <span>${say("seats.number")}</span>
        <select name="seats" value=${seats} onChange=${(/** @type {any} */ event) => setWanted(Number(event.target.value))}>
          ${numbers.map((number) => html`<option key=${number} value=${number} selected=${number === seats}>${say(unofficialSeats.includes(number) ? "seats.unofficial" : "seats.count", { count: number })}</option>`)}
        </select>
      </label>
      <${ClockFields} form=${terms} policies=${policies}
        change=${(/** @type {Partial<typeof terms>} */ change) => setTerms((before) => ({ ...before, ...change }))} />
      <${Refused} error=${state.error} />
      <div class="actions">
        <button type="submit" class="primary" disabled=${state.busy}>${say("quick.do")}</button>
        <button type="button" onClick=${close}>${say("cancel")}</button>
      </div>
    </form>
  <//>`;
}
