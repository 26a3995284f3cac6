/**
 * Zoom and pan of what is drawn in one <g>: wheel, pinch, drag and keys change its transform and nothing else, so no
 * drawing is made anew. Until a person moves it, it fits itself to what is there.
 */

import { useEffect, useLayoutEffect, useRef } from "../../core/html.js";

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

const [LEAST, MOST] = [0.12, 3];
const CLICK = 6;
/** A cell that is looked at is at least so large on the screen. */
const CLOSE = 0.72;

export class Camera {
  scale = 1;
  x = 0;
  y = 0;
  /** Whether a person has moved it. */
  held = false;
  /** @type {Box} */
  box = { left: 0, top: 0, right: 1, bottom: 1 };
  /** @type {{x: number, y: number} | null} */
  focus = null;
  /** What hangs over the lower edge is so high. */
  foot = 0;
  /** @type {SVGSVGElement | null} */
  svg = null;
  /** How large that is, as was seen last: to measure it while it is drawn anew would lay the page out once more. */
  room = { width: 0, height: 0 };
  /** @type {SVGGElement | null} */
  world = null;
  /** Where each finger or the mouse was last. @type {Map<number, {x: number, y: number}>} */
  #pointers = new Map();
  #moved = 0;
  #frame = 0;

  /** Shows all of the box, or where it is too small for fingers then, the cell looked at: at once, so that a click meets what is seen. */
  fit() {
    const { width, height: full } = this.room.width ? this.room : this.#size();
    const height = full - this.foot;
    const { left, top, right, bottom } = this.box;
    this.held = false;
    this.scale = Math.min(width / (right - left), height / (bottom - top), 1.4);
    let [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (this.focus && this.scale < CLOSE) {
      this.scale = CLOSE + 0.18;
      ({ x, y } = this.focus);
    }
    this.x = width / 2 - x * this.scale;
    this.y = height / 2 - y * this.scale;
    this.world?.classList.remove("eased");
    this.#write();
  }

  /** Larger or smaller about a point of the screen, the middle unless told. @param {number} factor @param {{x: number, y: number}} [about] */
  zoom(factor, about) {
    const { width, height } = this.#size();
    const { x, y } = about ?? { x: width / 2, y: height / 2 };
    const scale = Math.max(LEAST, Math.min(MOST, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.held = true;
    this.#apply(!about);
  }

  /** @param {number} dx @param {number} dy @param {boolean} [eased] */
  pan(dx, dy, eased = false) {
    this.x += dx;
    this.y += dy;
    this.held = true;
    this.#apply(eased);
  }

  /** Moves so that what is at this place of the page can be seen. @param {DOMRect} box */
  show(box) {
    const { left, top, right, bottom } = this.#size();
    const dx = Math.max(left + 20 - box.left, 0) || Math.min(right - 20 - box.right, 0);
    const dy = Math.max(top + 20 - box.top, 0) || Math.min(bottom - 20 - this.foot - box.bottom, 0);
    if (dx || dy) this.pan(dx, dy, true);
  }

  /** Where on the board a point of the page is. @param {{clientX: number, clientY: number}} event */
  spot({ clientX, clientY }) {
    const { left, top } = this.#size();
    return { x: (clientX - left - this.x) / this.scale, y: (clientY - top - this.y) / this.scale };
  }

  /** Whether what ends now was a drag, and no click. */
  get dragged() {
    return this.#moved > CLICK;
  }

  /** @param {WheelEvent} event */
  wheel = (event) => {
    event.preventDefault();
    const { left, top } = this.#size();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.zoom(Math.exp(-event.deltaY * lines * 0.0016), { x: event.clientX - left, y: event.clientY - top });
  };

  /** @param {PointerEvent} event */
  down = (event) => {
    if (event.button > 1) return;
    if (!this.#pointers.size) this.#moved = 0;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };

  /** @param {PointerEvent} event */
  move = (event) => {
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    this.#moved += Math.hypot(now.x - last.x, now.y - last.y);
    if (!this.dragged) {
      this.#pointers.set(event.pointerId, now);
      return;
    }
    if (!this.svg?.hasPointerCapture(event.pointerId)) {
      this.svg?.setPointerCapture(event.pointerId);
      this.world?.classList.add("held");
    }
    if (others.length) {
      const { left, top } = this.#size();
      const [other] = others;
      const spread = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(last.x - other.x, last.y - other.y);
      const middle = { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top };
      this.zoom(spread || 1, middle);
      this.pan((now.x - last.x) / 2, (now.y - last.y) / 2);
    } else this.pan(now.x - last.x, now.y - last.y);
    this.#pointers.set(event.pointerId, now);
  };

  /** @param {PointerEvent} event */
  up = (event) => {
    this.#pointers.delete(event.pointerId);
    if (!this.#pointers.size) this.world?.classList.remove("held");
  };

  /** Whether the key was one of its own. @param {KeyboardEvent} event */
  key(event) {
    const step = 60;
    const pans = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const pan = pans[/** @type {keyof typeof pans} */ (event.key)];
    if (pan) this.pan(pan[0], pan[1], true);
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else return false;
    return true;
  }

  #size() {
    return this.svg?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  }

  /** Once a frame, however many events it has. @param {boolean} eased */
  #apply(eased) {
    this.world?.classList.toggle("eased", eased);
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => this.#write());
  }

  #write() {
    this.#frame = 0;
    if (this.world) this.world.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }
}

/**
 * A camera for what is drawn, fitted anew when the box or what is looked at changes, unless a person has moved it.
 * @param {Box} box @param {{x: number, y: number} | null} focus @param {number} foot
 */
export function useCamera(box, focus, foot) {
  const held = useRef(/** @type {Camera | null} */ (null));
  held.current ??= new Camera();
  const camera = held.current;
  const key = JSON.stringify([box, focus, foot]);
  useLayoutEffect(() => {
    Object.assign(camera, { box, focus, foot });
    if (!camera.held) camera.fit();
  }, [key]);
  useEffect(() => {
    const { svg } = camera;
    if (!svg) return;
    const sized = new ResizeObserver(([{ contentRect }]) => {
      camera.room = contentRect;
      if (!camera.held) camera.fit();
    });
    sized.observe(svg);
    svg.addEventListener("wheel", camera.wheel, { passive: false });
    return () => {
      sized.disconnect();
      svg.removeEventListener("wheel", camera.wheel);
    };
  }, []);
  return camera;
}
