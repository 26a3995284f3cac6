/** The sea: tiles, islanders and boats; where the tile drawn may lie; what is lit. */

import { html, useEffect, useRef } from "../../core/html.js";
import { aim, shownRotation, take, turnOn } from "./aim.js";
import { DEFS, layers } from "./art.js";
import { useCamera } from "./camera.js";
import { Dock, Told } from "./dock.js";
import { standing, tileAt } from "./moves.js";
import { cellOf, fishOf, fittingAt, Ghost, Glow, Islander, Spot, Stand, shift } from "./pieces.js";
import { featureAt, SIZE, turned } from "./tiles.js";

/**
 * @typedef {import("./moves.js").Scene} Scene
 * @typedef {import("./moves.js").View} View
 * @typedef {import("./moves.js").PlacedTile} PlacedTile
 * @typedef {import("../../core/types.js").Shown} Shown
 */

const HALF = SIZE / 2;
/** So many pixels of the lower edge lie under the dock. */
const DOCK = 104;

/** @param {Scene} scene */
export function Board(scene) {
  const { view, lit, picked, own, pick, back, say } = scene;
  const last = view.tiles[view.tiles.length - 1];
  const placing = view.phase === "placing_tile" && view.drawn !== null;
  const spots = placing ? view.spots : [];
  const asks = [...lit.keys()].some((target) => target.startsWith("feature:"));
  const camera = useCamera(
    boxOf([...view.tiles, ...spots]),
    asks ? { x: last.x * SIZE, y: last.y * SIZE } : null,
    placing ? DOCK : 0,
  );
  const cell = picked.find((target) => target.startsWith("cell:")) ?? null;
  const drawn = useRef(/** @type {Map<string, ReturnType<typeof layers>>} */ (new Map()));
  const acting = lit.size > 0 || picked.length > 0;
  const fitting = fittingAt(view, cellOf(cell));
  const turnPicked = picked.find((target) => target.startsWith("turn:"));

  useEffect(() => {
    // Before the page hears it: what is used up here moves no choice there.
    const heard = (/** @type {KeyboardEvent} */ event) => {
      const focus = document.activeElement;
      const room = camera.svg?.closest(".board") ?? camera.svg;
      if (event.ctrlKey || event.metaKey || event.altKey || (focus !== document.body && !room?.contains(focus))) return;
      const chooses = event.key.startsWith("Arrow") && lit.size > 0;
      if (event.key.toLowerCase() === "r" && placing && acting)
        turnOn(cell === null && aim.spot ? fittingAt(view, aim.spot) : fitting);
      else if (event.key === "," || event.key === ".") take({ region: next(view, event.key === "." ? 1 : -1) });
      else if ((chooses && !event.shiftKey) || !camera.key(event)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", heard, { capture: true });
    return () => document.removeEventListener("keydown", heard, { capture: true });
  });

  useEffect(() => {
    // The page marks the target that its arrow keys are at.
    const aimed = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof Element) || !target.hasAttribute("data-aimed")) continue;
        const name = target.getAttribute("data-target") ?? "";
        if (name.startsWith("cell:")) take({ spot: cellOf(name) });
        else take({ region: Number(target.getAttribute("data-region") ?? NaN) });
        camera.show(target.getBoundingClientRect());
      }
    });
    if (camera.svg) aimed.observe(camera.svg, { attributes: true, attributeFilter: ["data-aimed"], subtree: true });
    return () => aimed.disconnect();
  }, []);

  /** @param {PointerEvent} event */
  const hover = (event) => {
    camera.move(event);
    if (event.buttons && camera.dragged) return;
    const { x, y } = camera.spot(event);
    const at = { x: Math.round(x / SIZE), y: Math.round(y / SIZE) };
    const placed = tileAt(view, at.x, at.y);
    const feature = placed ? numberAt(placed, x, y) : -1;
    const open = spots.some((spot) => spot.x === at.x && spot.y === at.y);
    take({ region: placed && feature >= 0 ? placed.regions[feature] : null, spot: open && acting ? at : null });
  };

  /** @param {MouseEvent} event */
  const click = (event) => {
    if (camera.dragged || own === null) return;
    const target = event.target instanceof Element ? event.target.closest("[data-target]") : null;
    const { x, y } = camera.spot(event);
    const at = `cell:${Math.round(x / SIZE)},${Math.round(y / SIZE)}`;
    const chosen = target?.getAttribute("data-target") ?? (asks ? featureOf(last, x, y) : null) ?? at;
    if (!chosen.startsWith("cell:")) pick(chosen);
    else if (!placing || !acting) return;
    else if (cell === null) pick(chosen);
    else if (chosen === cell) pick(`turn:${shownRotation(fitting)}`);
    else {
      back();
      pick(chosen);
    }
  };

  const parts = view.tiles.map((placed) => {
    const name = `${placed.x},${placed.y},${placed.rotation},${placed.tile.id},${placed.tile.features.length}`;
    let art = drawn.current.get(name);
    if (!art) {
      const { shallows, land, things } = layers(placed.tile, placed.rotation);
      const at = shift(placed);
      art = {
        shallows: html`<g key=${name} transform=${at}>${shallows}</g>`,
        land: html`<g key=${name} transform=${at}>${land}</g>`,
        things: html`<g key=${name} transform=${at}>${things}</g>`,
      };
      drawn.current.set(name, art);
    }
    return art;
  });
  const squares = view.tiles.map(({ x, y }) => `M${x * SIZE - HALF} ${y * SIZE - HALF}h100v100h-100z`).join("");

  return html`<div class="south_seas sea-chart" data-pans>
    <svg
      ref=${(/** @type {SVGSVGElement} */ svg) => {
        camera.svg = svg;
      }}
      role="group" aria-label=${say("board")}
      onPointerDown=${camera.down} onPointerMove=${hover} onPointerUp=${camera.up} onPointerCancel=${camera.up}
      onPointerLeave=${() => take({ region: null, spot: null })} onClick=${click}
    >
      ${DEFS}
      <g class="world" ref=${(/** @type {SVGGElement} */ world) => {
        camera.world = world;
      }}>
        <path class="foam" d=${squares} />
        <path class="water" d=${squares} />
        <${Glow} view=${view} below=${true} />
        <g>${parts.map((art) => art.shallows)}</g>
        <g>${parts.map((art) => art.land)}</g>
        <path class="seams" d=${squares} />
        <${Glow} view=${view} below=${false} />
        <g>${parts.map((art) => art.things)}</g>
        ${view.covered.map((_, place) => html`<use key=${place} href="#ss-token" transform="translate(${fishOf(view, place)})" />`)}
        ${view.tiles.length > 1 && html`<rect class="latest" transform=${shift(last)} x="-48" y="-48" width="96" height="96" rx="6" />`}
        ${spots.map((spot) => html`<${Spot} key=${`${spot.x},${spot.y}`} spot=${spot} scene=${scene} cell=${cell} />`)}
        ${acting && html`<${Ghost} view=${view} cell=${cell} turnPicked=${turnPicked} />`}
        ${view.islanders.map((one) => html`<${Islander} key=${`${one.seat}:${standing(one)}`} at=${one} scene=${scene} />`)}
        ${view.phase === "moving_islander" && view.free.map((feature) => html`<${Stand} key=${feature} at=${{ x: last.x, y: last.y, feature }} scene=${scene} />`)}
      </g>
    </svg>
    <div class="tools">
      <button type="button" aria-label=${say("zoom.in")} title=${say("zoom.in")} onClick=${() => camera.zoom(1.3)}>+</button>
      <button type="button" aria-label=${say("zoom.out")} title=${say("zoom.out")} onClick=${() => camera.zoom(1 / 1.3)}>−</button>
      <button type="button" aria-label=${say("zoom.fit")} title=${say("zoom.fit")} onClick=${() => camera.fit()}>⤢</button>
    </div>
    <${Told} ...${scene} />
    ${placing && html`<${Dock} scene=${scene} fitting=${fitting} cell=${cell} />`}
  </div>`;
}

/** The feature of a tile at a point of the board, by number. @param {PlacedTile} placed @param {number} x @param {number} y */
function numberAt(placed, x, y) {
  return featureAt(placed.tile, turned([x - placed.x * SIZE, y - placed.y * SIZE], 4 - placed.rotation));
}

/** The target of the tile's feature at a point of the board. @param {PlacedTile} placed @param {number} x @param {number} y */
function featureOf(placed, x, y) {
  if (Math.round(x / SIZE) !== placed.x || Math.round(y / SIZE) !== placed.y) return null;
  const feature = placed.tile.features[numberAt(placed, x, y)]?.id;
  return feature ? `feature:${standing({ x: placed.x, y: placed.y, feature })}` : null;
}

/** @param {{x: number, y: number}[]} cells */
function boxOf(cells) {
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  const edge = HALF + 14;
  return {
    left: Math.min(...xs) * SIZE - edge,
    right: Math.max(...xs) * SIZE + edge,
    top: Math.min(...ys) * SIZE - edge,
    bottom: Math.max(...ys) * SIZE + edge,
  };
}

/** The region after the one that is lit, or before it. @type {(view: View, by: number) => number} */
function next(view, by) {
  const numbers = view.regions.map((region) => region.number);
  const at = numbers.indexOf(aim.region ?? NaN);
  return (
    numbers[(at < 0 ? (by > 0 ? 0 : -1) : at + by + numbers.length) % numbers.length] ?? numbers[numbers.length - 1]
  );
}
