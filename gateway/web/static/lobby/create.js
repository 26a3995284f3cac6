/** A new match, as a form. */

import { call, requestId } from "../core/api.js";
import { Dialog } from "../core/dialog.js";
import { describe } from "../core/games.js";
import { html, useEffect, useRef, useState } from "../core/html.js";
import { Mark } from "../core/marks.js";
import { levelName } from "../core/names.js";
import { Refused } from "../core/refusals.js";
import { navigate } from "../core/router.js";
import { say } from "../core/words.js";
import { GameField } from "./game_field.js";
import { chosen, OptionFields, optionsOf } from "./options.js";
import { ClockFields, DelayFields, termsOf, USUAL_TERMS } from "./terms.js";

/** @typedef {import("../core/games.js").Listed} Listed */

/** What `own` and `bot:<seat>` hold for a seat that waits for a person. */
const NOBODY = "";

/** @param {{games: Listed[], game: string, close: () => void}} props `game` as it stands in the filter */
export function Create({ games, game: first, close }) {
  const [game, setGame] = useState(first || games[0]?.name || "");
  return html`<${Dialog} name="create" title=${say("create")} close=${close}>
    <form data-form="create" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <${GameField} games=${games} game=${game} choose=${setGame} />
      <${Rest} key=${game} game=${game} close=${close} />
    </form>
  <//>`;
}

/** The fields of one game; another game has others, with its own usual values. @param {{game: string, close: () => void}} props */
function Rest({ game, close }) {
  const [described, setDescribed] = useState(/** @type {import("../core/games.js").Described | null} */ (null));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    describe(game).then(setDescribed, setError);
  }, [game]);
  if (error) return html`<${Refused} error=${error} />`;
  if (!described) return html`<p aria-busy="true">${say("loading")}</p>`;
  return html`<${Fields} described=${described} close=${close} />`;
}

/** @param {{described: import("../core/games.js").Described, close: () => void}} props */
function Fields({ described, close }) {
  const { game, editions = [], defaultEdition, policies = [], optionsSchema } = described;
  const { leastSeats, mostSeats, unofficialSeats = [] } = game;
  const options = optionsOf(optionsSchema);
  const numbers = Array.from({ length: mostSeats - leastSeats + 1 }, (_, index) => leastSeats + index);
  const [seats, setSeats] = useState(numbers.find((number) => !unofficialSeats.includes(number)) ?? leastSeats);
  const [own, setOwn] = useState("0");
  const [bots, setBots] = useState(/** @type {Record<number, string>} */ ({}));
  const [values, setValues] = useState(/** @type {Record<string, any>} */ ({}));
  const [terms, setTerms] = useState({ ...USUAL_TERMS, policy: policies[0] ?? "" });
  const [rest, setRest] = useState({ edition: defaultEdition, autoStart: true, closed: false });
  const [state, setState] = useState(/** @type {{busy: boolean, error: unknown}} */ ({ busy: false, error: null }));
  const asked = useRef({ body: "", id: "" });

  const changeTerms = (/** @type {Partial<typeof terms>} */ change) => setTerms((before) => ({ ...before, ...change }));
  const places = Array.from({ length: seats }, (_, seat) => seat);
  const mine = Number(own) < seats ? own : NOBODY;
  const botSeats = places
    .filter((seat) => bots[seat] && String(seat) !== mine)
    .map((seat) => ({ seat, policy: bots[seat] }));

  const create = async () => {
    const body = {
      game: game.name,
      seats,
      options: { json: JSON.stringify(chosen(options, values)) },
      autoStart: rest.autoStart,
      ...(rest.edition !== defaultEdition && { edition: rest.edition }),
      ...(rest.closed && { logAfterEnd: "LOG_AFTER_END_CLOSED" }),
      ...(mine !== NOBODY && { ownSeat: Number(mine) }),
      bots: botSeats,
      terms: termsOf(terms),
    };
    // Sent again because no answer came, it is the same request, and makes no second match.
    if (asked.current.body !== JSON.stringify(body)) asked.current = { body: JSON.stringify(body), id: requestId() };
    setState({ busy: true, error: null });
    try {
      const { receipt } = await call("MatchService", "CreateMatch", { requestId: asked.current.id, ...body });
      close();
      navigate(`/table/${receipt.matchId}`);
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const submitted = (/** @type {any} */ event) => {
    if (event.target.form.reportValidity()) create();
  };

  return html`
    <fieldset>
      <legend>${say("seats")}</legend>
      <label class="field">
        <span>${say("seats.number")}</span>
        <select name="seats" value=${seats} onChange=${(/** @type {any} */ event) => setSeats(Number(event.target.value))}>
          ${numbers.map((number) => html`<option key=${number} value=${number} selected=${number === seats}>${say(unofficialSeats.includes(number) ? "seats.unofficial" : "seats.count", { count: number })}</option>`)}
        </select>
      </label>
      ${unofficialSeats.includes(seats) ? html`<p class="hint">${say("seats.unofficial.hint")}</p>` : null}
      <ol class="seat-fields">
        ${places.map(
          (seat) => html`<li key=${seat}>
            <svg viewBox="-12 -12 24 24" width="28" height="28" aria-hidden="true"><${Mark} seat=${seat} /></svg>
            <label for="seat-${seat}">${say("seat.named", { number: seat + 1 })}</label>
            <select id="seat-${seat}" name="bot:${seat}" value=${String(seat) === mine ? "own" : (bots[seat] ?? NOBODY)}
              onChange=${(/** @type {any} */ event) => sit(seat, event.target.value)}>
              <option value="own" selected=${String(seat) === mine}>${say("seat.own")}</option>
              <option value="" selected=${String(seat) !== mine && !bots[seat]}>${say("seat.free")}</option>
              ${policies.map((policy) => html`<option key=${policy} value=${policy} selected=${String(seat) !== mine && bots[seat] === policy}>${say("seat.bot", { level: levelName(policy) })}</option>`)}
            </select>
          </li>`,
        )}
      </ol>
      <label class="check">
        <input type="checkbox" name="private" checked=${terms.private}
          onChange=${(/** @type {any} */ event) => changeTerms({ private: event.target.checked })} />
        <span>${say("private")}</span>
      </label>
    </fieldset>
    ${
      options.length
        ? html`<fieldset>
            <legend>${say("options")}</legend>
            <${OptionFields} game=${game.name} options=${options} seats=${seats} values=${values}
              change=${(/** @type {string} */ name, /** @type {any} */ value) => setValues((before) => ({ ...before, [name]: value }))} />
          </fieldset>`
        : null
    }
    <fieldset>
      <legend>${say("time")}</legend>
      <${ClockFields} form=${terms} policies=${policies} change=${changeTerms} />
    </fieldset>
    <details>
      <summary>${say("more.settings")}</summary>
      <${DelayFields} form=${terms} change=${changeTerms} />
      ${
        editions.length > 1
          ? html`<label class="field">
              <span>${say("edition")}</span>
              <select name="edition" value=${rest.edition} onChange=${(/** @type {any} */ event) => setRest({ ...rest, edition: event.target.value })}>
                ${editions.map(({ name }) => html`<option key=${name} value=${name} selected=${name === rest.edition}>${name}</option>`)}
              </select>
            </label>`
          : null
      }
      <label class="check">
        <input type="checkbox" name="autoStart" checked=${rest.autoStart}
          onChange=${(/** @type {any} */ event) => setRest({ ...rest, autoStart: event.target.checked })} />
        <span>${say("auto.start")}</span>
      </label>
      <label class="check">
        <input type="checkbox" name="closed" checked=${rest.closed}
          onChange=${(/** @type {any} */ event) => setRest({ ...rest, closed: event.target.checked })} />
        <span>${say("log.closed")}</span>
      </label>
    </details>
    <${Refused} error=${state.error} />
    <div class="actions">
      <button type="submit" class="primary" disabled=${state.busy} onClick=${submitted}>${say("create.do")}</button>
      <button type="button" onClick=${close}>${say("cancel")}</button>
    </div>`;

  /** One seat is one's own at most. @param {number} seat @param {string} who */
  function sit(seat, who) {
    if (who === "own") setOwn(String(seat));
    else {
      if (String(seat) === mine) setOwn(NOBODY);
      setBots((before) => ({ ...before, [seat]: who }));
    }
  }
}
