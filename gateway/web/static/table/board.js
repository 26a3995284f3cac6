/** The board as something to be pointed at: by clicks, which the game hears itself, by drags, and by the arrow keys. */

import { announce } from "../core/announce.js";
import { html, useEffect, useLayoutEffect, useRef } from "../core/html.js";
import { say } from "../core/words.js";
import { Component } from "../vendor/preact.js";
import { nextTowards } from "./aiming.js";

/** A press that moves less than this is a click, in CSS pixels. */
const CLICK = 8;

/** @param {EventTarget | null} from @returns {HTMLElement | SVGElement | null} */
function targetAt(from) {
  return from instanceof Element ? /** @type {any} */ (from.closest("[data-target]")) : null;
}

/**
 * Shows the game's part, or that it failed: a game's fault takes no more of the page than its own room.
 * @extends {Component<{children?: any, fallback: any}, {failed: boolean}>}
 */
export class Guard extends Component {
  state = { failed: false };

  /** @param {unknown} error */
  componentDidCatch(error) {
    console.error(error);
    this.setState({ failed: true });
  }

  render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

/**
 * @param {object} props
 * @param {import("../core/types.js").Game<any, any>} props.game
 * @param {import("../core/types.js").Scene<any, any>} props.scene
 * @param {() => import("../core/types.js").Scene<any, any>} props.present   the scene as it is when something happens
 * @param {any} props.fallback   what is shown where the game fails
 */
export function Board({ game, scene, present, fallback }) {
  /** @type {{current: HTMLElement | null}} */
  const room = useRef(null);
  const now = useRef(present);
  now.current = present;
  /** @type {{current: string | null}} */
  const aimed = useRef(null);
  /** Where that is, or was: the keys go on from there. @type {{current: {x: number, y: number} | null}} */
  const spot = useRef(null);

  useEffect(() => {
    const place = /** @type {HTMLElement} */ (room.current);
    return dragging(place, () => now.current());
  }, []);

  // What is aimed at is marked on what the game draws, so it is looked for anew with each drawing; not later, as a key
  // that comes in between would be judged by what was lit before.
  useLayoutEffect(() => {
    if (aimed.current !== null && !scene.lit.has(aimed.current)) aimed.current = null;
    aim(aimed.current);
  });

  /** @param {string | null} target */
  const aim = (target) => {
    aimed.current = target;
    for (const each of room.current?.querySelectorAll("[data-aimed]") ?? []) each.removeAttribute("data-aimed");
    if (target === null) return;
    const drawn = room.current?.querySelector(`[data-target="${CSS.escape(target)}"]`);
    drawn?.setAttribute("data-aimed", "");
  };

  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const { lit, pick, back, picked } = present();
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow") && lit.size) {
      event.preventDefault();
      const found = nextTowards(/** @type {HTMLElement} */ (room.current), lit, spot.current, event.key);
      if (found === null) return;
      spot.current = found;
      aim(found.target);
      room.current
        ?.querySelector("[data-aimed]")
        ?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      announce(lit.get(found.target)?.label ?? "");
    } else if ((event.key === "Enter" || event.key === " ") && event.target === room.current) {
      event.preventDefault();
      if (aimed.current !== null && lit.has(aimed.current)) pick(aimed.current);
    } else if (event.key === "Escape" && picked.length) {
      event.preventDefault();
      aimed.current = picked.at(-1) ?? null;
      back();
    }
  };

  return html`<div
    class="board ${game.name}"
    ref=${room}
    tabindex="0"
    role="group"
    aria-label=${say("table.board")}
    aria-describedby="board-keys"
    onKeyDown=${key}
  >
    <${Guard} fallback=${fallback}><${game.Board} ...${scene} /><//>
    <p id="board-keys" class="unseen">${say("table.board.keys")}</p>
  </div>`;
}

/**
 * A press on something lit, and its release on something else, are two picks. Fingers scroll instead.
 * @param {HTMLElement} place
 * @param {() => import("../core/types.js").Scene<any, any>} scene
 */
function dragging(place, scene) {
  /** @type {{target: string, x: number, y: number} | null} */
  let from = null;
  const down = (/** @type {PointerEvent} */ event) => {
    from = null;
    if (event.pointerType === "touch" || event.button !== 0) return;
    const target = targetAt(event.target)?.getAttribute("data-target");
    const { lit, picked } = scene();
    if (target && (lit.has(target) || picked.at(-1) === target)) from = { target, x: event.clientX, y: event.clientY };
  };
  const up = (/** @type {PointerEvent} */ event) => {
    const start = from;
    from = null;
    if (!start || Math.hypot(event.clientX - start.x, event.clientY - start.y) < CLICK) return;
    const over = targetAt(document.elementFromPoint(event.clientX, event.clientY));
    const target = over && place.contains(over) ? over.getAttribute("data-target") : null;
    if (!target || target === start.target) return;
    // What lies under both hears a click now, and was not clicked.
    addEventListener("click", hushed, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", hushed, { capture: true }));
    if (scene().picked.at(-1) !== start.target) scene().pick(start.target);
    if (scene().picked.at(-1) !== start.target) return;
    if (scene().lit.has(target) || !over?.closest("[data-pans]")) scene().pick(target);
  };
  const hushed = (/** @type {Event} */ event) => event.stopPropagation();
  place.addEventListener("pointerdown", down);
  addEventListener("pointerup", up);
  return () => {
    place.removeEventListener("pointerdown", down);
    removeEventListener("pointerup", up);
  };
}
