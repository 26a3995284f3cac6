/** Names as people gave them: shown as text that touches nothing around it. */

import { html } from "./html.js";
import { has, say } from "./words.js";

/** What has no look of its own but changes that of its neighbours, save what joins pictures: controls, marks of direction. */
const UNSEEN =
  /(?!\u200d|\ufe0f)[\p{DI}\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?<![\p{ExtPict}\p{EMod}]\ufe0f?)\u200d/gu;

/** Stands before what the server plays, wherever it is named; in the names of people neither it nor its likes are shown. */
const OF_BOTS = "\u2699";
const LIKE_OF_BOTS = /[\u2699\u26ed-\u26ef\u{1f916}]\ufe0f?/gu;

/** More signs stacked on one letter than any language has. */
const STACKED = /(\p{M}{3})\p{M}+/gu;

/**
 * A name fit to be shown in one line; empty where nothing of it can be seen.
 * @param {string | undefined} name
 */
export function plainName(name) {
  const shown = (name ?? "").normalize("NFC").replace(LIKE_OF_BOTS, "").replace(UNSEEN, "");
  const kept = shown.replace(STACKED, "$1").replace(/\s+/g, " ").trim();
  return /[^\p{M}\p{Z}\u2800]/u.test(kept.replaceAll(/\u200d|\ufe0f/g, "")) ? kept : "";
}

/** What a bots' policy is called. @param {string} policy */
export function levelName(policy) {
  const key = `bot.level.${policy}`;
  return has(key) ? say(key) : policy;
}

/** A name of a bot within a text, which no name of a person looks like. @param {string} name */
export function signed(name) {
  return `${OF_BOTS} ${name}`;
}

/** @param {{name?: string, player?: string}} who */
function botName({ name = "", player = "" }) {
  return levelName(plainName(name) || player.slice(player.indexOf("|") + 1).replace(/^bot:/, ""));
}

/**
 * What a player is called: by name, a bot by its policy, one without a name by the end of the id.
 * @param {{name?: string, player?: string, bot?: boolean}} who
 */
export function nameOf({ name = "", player = "", bot = false }) {
  const subject = player.slice(player.indexOf("|") + 1);
  if (bot) return signed(say("bot.named", { name: botName({ name, player }) }));
  return plainName(name) || say("guest.named", { id: subject.slice(-4) });
}

/**
 * A name apart from what stands around it, whatever its direction. What the server plays is marked, and who gave no name
 * is set apart: nobody looks like either by choosing a name.
 * @param {{name?: string, player?: string, bot?: boolean, link?: boolean}} props
 */
export function Name({ name, player = "", bot = false, link = false }) {
  const shown = bot ? botName({ name, player }) : nameOf({ name, player });
  const text = html`<bdi class=${plainName(name) ? "name" : "name unnamed"} title=${shown}>${shown}</bdi>`;
  return html`${link && player ? html`<a class="who" href="/player/${encodeURIComponent(player)}">${text}</a>` : text}
    ${bot ? html`<span class="badge">${say("bot")}</span>` : null}`;
}
