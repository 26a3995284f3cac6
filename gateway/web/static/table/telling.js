/** The story of a match as one seat is told it, woken by whatever happens to the page. */

import { follow } from "../core/api.js";
import { Following, UNTOLD } from "../core/follow.js";
import { useLayoutEffect, useState } from "../core/html.js";
import { dated } from "./storetime.js";

/** @typedef {import("../core/follow.js").Story} Story */
/** @typedef {import("./storetime.js").StoreTime} StoreTime */

/**
 * @param {string} matchId
 * @param {number | null} seat
 * @param {boolean} wanted
 * @param {StoreTime} time
 * @returns {{story: Story, seat: number | null}} the last story that was told, and to which seat
 */
export function useStory(matchId, seat, wanted, time) {
  const [told, setTold] = useState({ story: UNTOLD, seat });
  useLayoutEffect(() => {
    if (!wanted) return;
    let heard = UNTOLD.heard;
    let live = false;
    const tell = (/** @type {Story} */ story) => {
      if (!story.live && live) time.doubt();
      if (story.live && !live) {
        const last = story.entries.at(-1);
        if (last) time.atLeast(last.atMs);
        dated(time);
      }
      live = story.live;
      if (story.heard && story.heard !== heard) time.hear(story.heard);
      heard = story.heard;
      // Until the first story of another seat is there, the last one of this seat stands.
      if (story.situation || story.refusal) setTold({ story, seat });
    };
    const following = new Following({ stream: follow, matchId, seat, tell });
    following.start();
    const online = () => following.wake(true);
    const offline = () => following.cut();
    const seen = () => document.visibilityState === "visible" && following.wake();
    const shown = (/** @type {PageTransitionEvent} */ event) => event.persisted && following.wake(true);
    addEventListener("online", online);
    addEventListener("offline", offline);
    addEventListener("pageshow", shown);
    document.addEventListener("visibilitychange", seen);
    return () => {
      following.stop();
      removeEventListener("online", online);
      removeEventListener("offline", offline);
      removeEventListener("pageshow", shown);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [matchId, seat, wanted]);
  return told;
}
