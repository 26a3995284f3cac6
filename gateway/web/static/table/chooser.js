/** What may be chosen, as buttons; what is picked so far; and the question before what is weighty. */

import { Dialog } from "../core/dialog.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../core/html.js";
import { say } from "../core/words.js";

/**
 * @param {object} props
 * @param {import("./turn.js").Turn} props.turn
 * @param {string} props.prompt      what is to be done, in words
 * @param {boolean} props.confirmAll
 * @param {(all: boolean) => void} props.setConfirmAll
 */
export function Chooser({ turn, prompt, confirmAll, setConfirmAll }) {
  const { sending, refused, held } = turn.choosing.get();
  const scene = turn.scene();
  const { trail, lit, picked } = turn.choice();
  const waiting = turn.waiting;
  const listed = sending || held !== null ? [] : [...lit.values()];
  const box = useKeptFocus(`${picked.join()}|${waiting !== null}|${sending}`);
  return html`<section class="chooser panel" ref=${box} aria-labelledby="chooser-title" onKeyDown=${escaped(turn)}>
    <h2 id="chooser-title" tabindex="-1">${sending ? say("table.sending") : prompt}</h2>
    ${refused ? html`<${Explanation} refused=${refused} close=${turn.dismiss} />` : null}
    ${
      trail.length
        ? html`<ol class="trail" aria-label=${say("table.picked")}>
          ${trail.map((label, place) => html`<li key=${place}><bdi>${label}</bdi></li>`)}
        </ol>`
        : null
    }
    ${
      waiting !== null || picked.length
        ? html`<div class="confirm-bar">
          ${waiting === null ? null : html`<p>${held === null ? say("table.confirm.ask") : inWords(turn, held)}</p>`}
          <div class="actions">
            ${
              waiting === null
                ? null
                : html`<button type="button" class="primary" data-do="confirm" onClick=${turn.confirm}>
                  ${say("table.confirm")}
                </button>`
            }
            <button type="button" data-do="back" disabled=${sending} onClick=${turn.back}>${say("table.back")}</button>
          </div>
        </div>`
        : null
    }
    <ul class="choices" aria-label=${say("table.choices")}>
      ${listed.map(
        ({ target, label }) => html`<li key=${target}>
          <button type="button" data-choice=${target} onClick=${() => turn.pick(target)}><bdi>${label}</bdi></button>
        </li>`,
      )}
    </ul>
    <${Forms} turn=${turn} scene=${scene} />
    <label class="check confirm-all">
      <input
        type="checkbox"
        data-do="confirm-all"
        checked=${confirmAll}
        onChange=${(/** @type {any} */ event) => setConfirmAll(event.currentTarget.checked)}
      />
      ${say("table.confirm.all")}
    </label>
  </section>`;
}

/** @param {import("./turn.js").Turn} turn @param {any} move */
function inWords(turn, move) {
  const steps = turn.game.steps(move, turn.situation?.view, turn.say);
  return say("table.confirm.move", { move: steps.map((step) => step.label).join(" · ") });
}

/** @param {import("./turn.js").Turn} turn */
function escaped(turn) {
  return (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (turn.choosing.get().refused) turn.dismiss();
    else turn.back();
  };
}

/** The focus stays here though the button that had it is gone. @param {string} step */
function useKeptFocus(step) {
  /** @type {{current: HTMLElement | null}} */
  const box = useRef(null);
  const inside = useRef(false);
  useEffect(() => {
    const mine = /** @type {HTMLElement} */ (box.current);
    const noted = (/** @type {FocusEvent} */ event) => {
      // A button that is taken off the page loses the focus to nothing.
      inside.current = mine.contains(/** @type {Node | null} */ (event.target));
    };
    document.addEventListener("focusin", noted);
    return () => document.removeEventListener("focusin", noted);
  }, []);
  useLayoutEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return;
    const next = box.current?.querySelector("[data-do=confirm]") ?? box.current?.querySelector("[data-choice]");
    const title = box.current?.querySelector("h2");
    /** @type {HTMLElement | null | undefined} */ (next ?? title)?.focus({ preventScroll: true });
  }, [step]);
  return box;
}

/** @param {{refused: import("./explaining.js").Explained, close: () => void}} props */
function Explanation({ refused, close }) {
  return html`<div role="alert" class="refusal">
    <p>${refused.said}</p>
    ${
      refused.rule ? html`<p class="rule-text"><strong class="rule">${refused.rule}</strong> ${refused.text}</p>` : null
    }
    <button type="button" class="plain small" data-do="understood" onClick=${close}>${say("table.understood")}</button>
  </div>`;
}

/** What a game calls a form of its own. @param {string} family @param {import("../core/types.js").Say} sayGame */
function titled(family, sayGame) {
  const found = sayGame(`form.${family}`);
  return found === `form.${family}` ? family.replaceAll("_", " ") : found;
}

/** Families that the game has a form for. @param {{turn: import("./turn.js").Turn, scene: any}} props */
function Forms({ turn, scene }) {
  const [open, setOpen] = useState(/** @type {string | null} */ (null));
  const { game, situation, say: sayGame } = turn;
  const { sending } = turn.choosing.get();
  const families = sending ? [] : (situation?.families ?? []).filter((family) => game.forms[family]);
  const shown = open !== null && families.includes(open) ? open : null;
  if (!families.length) return null;
  const close = () => setOpen(null);
  const send = (/** @type {any} */ move) => {
    close();
    turn.send(move);
  };
  const props = {
    view: scene.view,
    seats: scene.seats,
    own: turn.own,
    legal: situation?.moves ?? [],
    send,
    close,
    say: sayGame,
  };
  return html`<div class="actions forms">
    ${families.map(
      (family) => html`<button type="button" data-open=${family} onClick=${() => setOpen(family)}>
        ${titled(family, sayGame)}
      </button>`,
    )}
    ${
      shown
        ? html`<${Dialog} name=${shown} title=${titled(shown, sayGame)} close=${close}>
          <div class=${game.name}><${game.forms[shown]} ...${props} /></div>
        <//>`
        : null
    }
  </div>`;
}
