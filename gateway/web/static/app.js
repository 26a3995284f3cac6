/** The frame around every page: where one is, who one is, which language, and whether the server answers. */

import { Header } from "./core/header.js";
import { html, render, useEffect, useLayoutEffect, useState } from "./core/html.js";
import { lost } from "./core/link.js";
import { place, under } from "./core/router.js";
import { useStore } from "./core/store.js";
import { say, startWords, useLanguage } from "./core/words.js";
import { Component } from "./vendor/preact.js";

/** @typedef {(props: import("./core/router.js").PageProps) => import("./core/types.js").Shown} Page */

/** Each page's module exports `Page`, which shows one <main data-page>. */
const ROUTES = [
  ["/", "./lobby/lobby.js"],
  ["/table/:match", "./table/table.js"],
  ["/replay/:match", "./replay/replay.js"],
  ["/verify", "./replay/verify.js"],
  ["/player/:id", "./lobby/player.js"],
];

/** @param {string} path */
function routed(path) {
  for (const [pattern, module] of ROUTES) {
    const params = under(pattern, path);
    if (params) return { pattern, params, module };
  }
  return null;
}

/** Shows that a page failed instead of nothing; another place is a new attempt. */
class Guarded extends Component {
  /** @type {{failed: boolean}} */
  state = { failed: false };

  /** @param {unknown} error */
  componentDidCatch(error) {
    console.error(error);
    this.setState({ failed: true });
  }

  render() {
    return this.state.failed ? html`<${Failed} />` : this.props.children;
  }
}

function Failed() {
  return html`<main data-page="failed" class="narrow">
    <h1>${say("page.failed")}</h1>
    <p>${say("page.failed.why")}</p>
    <button type="button" class="primary" onClick=${() => location.reload()}>${say("again")}</button>
  </main>`;
}

function Unknown() {
  return html`<main data-page="unknown" class="narrow">
    <h1>${say("page.unknown")}</h1>
    <p><a class="button primary" href="/">${say("nav.lobby")}</a></p>
  </main>`;
}

function Shown() {
  const { path, query, fragment } = useStore(place);
  const route = routed(path);
  const [loaded, setLoaded] = useState(/** @type {{pattern: string, Page: Page | null} | null} */ (null));
  // What a page waits for is asked for before its present look is painted, here and in the pages.
  useLayoutEffect(() => {
    if (!route || loaded?.pattern === route.pattern) return;
    let current = true;
    const { pattern, module } = route;
    import(module).then(
      (/** @type {{Page: Page}} */ { Page }) => current && setLoaded({ pattern, Page }),
      (error) => {
        console.error(error);
        if (current) setLoaded({ pattern: "", Page: null });
      },
    );
    return () => {
      current = false;
    };
  }, [route?.pattern]);
  useEffect(arriving, [path, loaded]);
  if (!route) return html`<${Unknown} />`;
  if (loaded && !loaded.Page) return html`<${Failed} />`;
  if (loaded?.pattern !== route.pattern) return html`<main data-page="loading" aria-busy="true"></main>`;
  return html`<${Guarded} key=${path}><${loaded.Page} params=${route.params} query=${query} fragment=${fragment} /><//>`;
}

let arrived = "";

/** Moves the focus once the page stands there: a page may have things to ask for first. */
function arriving() {
  if (moveFocus()) return;
  const observer = new MutationObserver(() => moveFocus() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-page"] });
  return () => observer.disconnect();
}

/** Whoever went to another page goes on reading there; the first page is where the browser puts one. @returns {boolean} whether it stands there */
function moveFocus() {
  const main = document.querySelector("main");
  if (!main || main.dataset.page === "loading") return false;
  if (arrived === location.pathname) return true;
  if (arrived) {
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  arrived = location.pathname;
  return true;
}

function App() {
  useLanguage();
  const away = useStore(lost);
  return html`
    <a class="skip" href="#main" onClick=${toMain}>${say("skip")}</a>
    <${Header} />
    <div class="away" role="status">${away ? html`<p>${say("link.lost")}</p>` : null}</div>
    <${Shown} />
  `;
}

/** @param {Event} event */
function toMain(event) {
  event.preventDefault();
  const main = document.querySelector("main");
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
}

await startWords();
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
