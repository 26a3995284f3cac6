/** What stands above every page: ways to go, the language, and who one is. */

import { Dialog } from "./dialog.js";
import { html, useState } from "./html.js";
import { nameOf } from "./names.js";
import { reasonOf } from "./refusals.js";
import { place } from "./router.js";
import { rename, session } from "./session.js";
import { useStore } from "./store.js";
import { choose, languages, say, useLanguage } from "./words.js";

/** As gateway/limits.py has it. */
const MAX_NAME = 40;

export function Header() {
  const tag = useLanguage();
  const { path } = useStore(place);
  const who = useStore(session);
  const [naming, setNaming] = useState(false);
  /** @param {string} to @param {string} text */
  const link = (to, text) => html`<a href=${to} aria-current=${path === to ? "page" : null}>${text}</a>`;
  return html`<header class="top">
    <a class="brand" href="/"><img src="/static/icon.svg" alt="" width="28" height="28" /><span>Tidelog</span></a>
    <nav aria-label=${say("nav")}>
      ${link("/", say("nav.lobby"))} ${link("/verify", say("nav.verify"))}
      ${who ? link(`/player/${encodeURIComponent(who.player)}`, say("nav.me")) : null}
    </nav>
    <div class="self">
      <label class="unseen" for="language">${say("language")}</label>
      <select id="language" name="language" value=${tag} onChange=${(/** @type {any} */ event) => choose(event.target.value).catch(console.warn)}>
        ${languages.map((each) => html`<option key=${each.tag} value=${each.tag} lang=${each.tag} selected=${each.tag === tag}>${each.name}</option>`)}
      </select>
      <button type="button" class="plain me" data-do="name" onClick=${() => setNaming(true)}>
        <span class="unseen">${say("name.yours")}: </span>
        <bdi class="name">${who ? nameOf(who) : say("name.none")}</bdi>
      </button>
    </div>
    ${naming ? html`<${Naming} close=${() => setNaming(false)} />` : null}
  </header>`;
}

/** @param {{close: () => void}} props */
function Naming({ close }) {
  const [name, setName] = useState(session.get()?.name ?? "");
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState("");
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await rename(name.trim());
      close();
    } catch (error) {
      setRefused(reasonOf(error));
      setBusy(false);
    }
  };
  return html`<${Dialog} name="name" title=${say("name.change")} close=${close}>
    <form onSubmit=${save}>
      <label class="field">
        <span>${say("name.shown")}</span>
        <input name="name" maxlength=${MAX_NAME} value=${name} autocomplete="nickname" autofocus dir="auto"
          onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      </label>
      <p class="hint">${say("name.hint")}</p>
      ${refused ? html`<p role="alert" class="refusal">${refused}</p>` : null}
      <div class="actions">
        <button type="submit" class="primary" disabled=${busy}>${say("save")}</button>
      </div>
    </form>
  <//>`;
}
