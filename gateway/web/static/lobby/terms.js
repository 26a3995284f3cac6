/** Under what a match is played beside the game's options: as fields of a form, as a request, and in words. */

import { html } from "../core/html.js";
import { levelName } from "../core/names.js";
import { spanOf } from "../core/times.js";
import { say } from "../core/words.js";

/** What the fields hold, as texts where they are typed. */
export const USUAL_TERMS = {
  private: false,
  clock: "none",
  moveSeconds: "90",
  moveDays: "3",
  bankMinutes: "20",
  incrementSeconds: "10",
  absence: "AUTOPILOT",
  policy: "",
  delay: "none",
  delayCount: "5",
};

/** @typedef {typeof USUAL_TERMS} TermsForm */

/** As protos/tidelog/v1/lifecycle.proto has them: [field, least, most]. @type {Record<string, [keyof TermsForm, number, number][]>} */
const CLOCKS = {
  none: [],
  move: [["moveSeconds", 1, 86_400]],
  bank: [
    ["bankMinutes", 1, 10_080],
    ["incrementSeconds", 0, 86_400],
  ],
  days: [["moveDays", 1, 30]],
};

/** @param {TermsForm} form @returns {object | null} a tidelog.v1.Clock */
export function clockOf({ clock, moveSeconds, moveDays, bankMinutes, incrementSeconds }) {
  if (clock === "move") return { moveMs: String(Number(moveSeconds) * 1000) };
  if (clock === "days") return { moveMs: String(Number(moveDays) * 86_400_000) };
  if (clock !== "bank") return null;
  return { bankMs: String(Number(bankMinutes) * 60_000), incrementMs: String(Number(incrementSeconds) * 1000) };
}

/** What the clock asks for beside: nothing without one. @param {TermsForm} form */
export function absenceOf({ clock, absence, policy }) {
  if (clock === "none") return {};
  return { absence: `ABSENCE_POLICY_${absence}`, ...(absence === "BOT" && { absencePolicy: policy }) };
}

/** @param {TermsForm} form @returns {object} a tidelog.v1.Terms */
export function termsOf(form) {
  const clock = clockOf(form);
  const count = form.delay === "TURN" ? {} : { count: Number(form.delayCount) };
  return {
    ...(form.private && { private: true }),
    ...(clock && { clock }),
    ...absenceOf(form),
    ...(form.delay !== "none" && { spectatorDelay: { unit: `DELAY_UNIT_${form.delay}`, ...count } }),
  };
}

/**
 * @param {object} props
 * @param {TermsForm} props.form
 * @param {string[]} props.policies
 * @param {(change: Partial<TermsForm>) => void} props.change
 */
export function ClockFields({ form, policies, change }) {
  return html`
    <label class="field">
      <span>${say("clock")}</span>
      <${Choice} name="clock" value=${form.clock} values=${Object.keys(CLOCKS)} prefix="clock." change=${change} />
    </label>
    ${CLOCKS[form.clock].map(([name, least, most]) => html`<${Count} key=${name} name=${name} form=${form} least=${least} most=${most} change=${change} />`)}
    ${
      form.clock === "none"
        ? null
        : html`<label class="field">
            <span>${say("absence")}</span>
            <${Choice} name="absence" value=${form.absence} prefix="absence." change=${change}
              values=${policies.length ? ["AUTOPILOT", "BOT", "FORFEIT"] : ["AUTOPILOT", "FORFEIT"]} />
          </label>`
    }
    ${
      form.clock !== "none" && form.absence === "BOT"
        ? html`<label class="field">
            <span>${say("absence.policy")}</span>
            <select name="policy" value=${form.policy} onChange=${(/** @type {any} */ event) => change({ policy: event.target.value })}>
              ${policies.map((policy) => html`<option key=${policy} value=${policy} selected=${policy === form.policy}>${levelName(policy)}</option>`)}
            </select>
          </label>`
        : null
    }`;
}

/** What spectators are told late. @param {{form: TermsForm, change: (change: Partial<TermsForm>) => void}} props */
export function DelayFields({ form, change }) {
  return html`
    <label class="field">
      <span>${say("delay")}</span>
      <${Choice} name="delay" value=${form.delay} values=${["none", "EVENTS", "SECONDS", "TURN"]} prefix="delay." change=${change} />
    </label>
    ${
      form.delay === "EVENTS" || form.delay === "SECONDS"
        ? html`<${Count} name="delayCount" form=${form} least=${1} most=${3600} change=${change} />`
        : null
    }`;
}

/** @param {{name: string, value: string, values: string[], prefix: string, change: (change: any) => void}} props */
function Choice({ name, value, values, prefix, change }) {
  return html`<select name=${name} value=${value} onChange=${(/** @type {any} */ event) => change({ [name]: event.target.value })}>
    ${values.map((each) => html`<option key=${each} value=${each} selected=${each === value}>${say(prefix + each)}</option>`)}
  </select>`;
}

/** @param {{name: keyof TermsForm, form: TermsForm, least: number, most: number, change: (change: any) => void}} props */
function Count({ name, form, least, most, change }) {
  return html`<label class="field">
    <span>${say(`terms.${name}`)}</span>
    <input type="number" name=${name} required min=${least} max=${most} step="1" value=${form[name]}
      onInput=${(/** @type {any} */ event) => change({ [name]: event.target.value })} />
  </label>`;
}

/** What of the terms is not the usual, a badge each. @param {{match: any}} props */
export function TermBadges({ match }) {
  const { terms = {}, imported, quarantined } = match;
  const { clock, spectatorDelay } = terms;
  /** @type {[string, string][]} */
  const badges = [];
  if (terms.private) badges.push(["private", say("badge.private")]);
  if (terms.quick) badges.push(["", say("badge.quick")]);
  if (terms.rematchOf) badges.push(["", say("badge.rematch")]);
  if (clock) badges.push(["", clockWords(clock)]);
  if (spectatorDelay)
    badges.push(["", say(`badge.delay.${spectatorDelay.unit}`, { count: spectatorDelay.count ?? 0 })]);
  if (match.logAfterEnd === "LOG_AFTER_END_CLOSED") badges.push(["", say("badge.closed")]);
  if (imported) badges.push(["", say("badge.imported")]);
  if (quarantined) badges.push(["warn", say("badge.quarantined")]);
  return badges.map(([kind, text]) => html`<span key=${text} class="badge ${kind}">${text}</span>`);
}

/** @param {{moveMs?: string, bankMs?: string, incrementMs?: string}} clock */
function clockWords({ moveMs = "0", bankMs = "0", incrementMs = "0" }) {
  if (Number(moveMs)) return say("badge.clock.move", { time: spanOf(Number(moveMs)) });
  const time = spanOf(Number(bankMs));
  if (!Number(incrementMs)) return say("badge.clock.bank", { time });
  return say("badge.clock.increment", { time, increment: spanOf(Number(incrementMs)) });
}
