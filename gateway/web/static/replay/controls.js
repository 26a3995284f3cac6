/** What leads through the versions: the scrubber, steps, turns, playing at a speed. */

import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { SPEEDS } from "./pace.js";

/** Signs of the buttons, in a box of 24. */
const SIGNS = {
  first: "M5 5H8V19H5ZM20 5V19L9 12Z",
  "turn-back": "M12 5V19L2 12ZM22 5V19L12 12Z",
  previous: "M17 5V19L6 12Z",
  next: "M7 5V19L18 12Z",
  "turn-on": "M2 5V19L12 12ZM12 5V19L22 12Z",
  last: "M16 5H19V19H16ZM4 5V19L15 12Z",
  play: "M7 4V20L20 12Z",
  pause: "M6 4H10V20H6ZM14 4H18V20H14Z",
};

/** @param {keyof typeof SIGNS} name */
function sign(name) {
  return html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d=${SIGNS[name]} fill="currentColor" /></svg>`;
}

/**
 * @param {object} props
 * @param {number} props.version     the one that is wanted
 * @param {number} props.last
 * @param {readonly number[]} props.turns   versions with which turns begin
 * @param {boolean} props.playing
 * @param {boolean} props.live       at the end of a match that goes on
 * @param {boolean} props.over
 * @param {string} props.speed
 * @param {string} props.said        what happened with this version, in words
 * @param {(version: number) => void} props.go
 * @param {(playing: boolean) => void} props.play
 * @param {(speed: string) => void} props.pace
 */
export function Controls({ version, last, turns, playing, live, over, speed, said, go, play, pace }) {
  const before = turns.findLast((turn) => turn < version);
  const after = turns.find((turn) => turn > version);
  /** @param {keyof typeof SIGNS} name @param {number | undefined} to */
  const step = (name, to) => html`<button
    type="button"
    class="step"
    data-do=${name}
    aria-label=${say(`replay.${name}`)}
    title=${say(`replay.${name}`)}
    disabled=${to === undefined || to === version || to < 1 || to > last}
    onClick=${() => to !== undefined && go(to)}
  >
    ${sign(name)}
  </button>`;
  return html`<section class="controls panel" aria-label=${say("replay.controls")}>
    <div class="scrub">
      <input
        type="range"
        data-do="scrub"
        min="1"
        max=${Math.max(last, 1)}
        value=${version}
        aria-label=${say("replay.scrub")}
        aria-valuetext=${say("replay.scrub.at", { version, last, said })}
        onInput=${(/** @type {any} */ event) => go(Number(event.currentTarget.value))}
      />
      <output class="at">${say("replay.at", { version, last })}</output>
    </div>
    <div class="actions">
      <div class="steps" role="group" aria-label=${say("replay.steps")}>
        ${step("first", 1)} ${step("turn-back", before)} ${step("previous", version - 1)}
        <button type="button" class="primary play" data-do="play" aria-pressed=${playing ? "true" : "false"} onClick=${() => play(!playing)}>
          ${sign(playing ? "pause" : "play")} ${say(playing ? "replay.pause" : "replay.play")}
        </button>
        ${step("next", version + 1)} ${step("turn-on", after)} ${step("last", last)}
      </div>
      <label class="speed">
        <span>${say("replay.speed")}</span>
        <select name="speed" value=${speed} onChange=${(/** @type {any} */ event) => pace(event.currentTarget.value)}>
          ${SPEEDS.map((each) => html`<option key=${each} value=${each} selected=${each === speed}>${speedName(each)}</option>`)}
        </select>
      </label>
      ${over ? null : html`<span class=${live ? "badge good" : "badge"} data-live=${live ? "" : null}>${say(live ? "replay.live" : "replay.behind")}</span>`}
    </div>
  </section>`;
}

/** @param {string} speed */
function speedName(speed) {
  return speed === "move" ? say("replay.speed.move") : say("replay.speed.times", { times: speed });
}
