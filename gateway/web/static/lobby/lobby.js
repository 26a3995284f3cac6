/** The lobby: matches that are open, played and over, and ways into one. */

import { announce } from "../core/announce.js";
import { call } from "../core/api.js";
import { games as listGames, titleOf } from "../core/games.js";
import { html, useEffect, useRef, useState } from "../core/html.js";
import { styled } from "../core/looks.js";
import { Refused } from "../core/refusals.js";
import { navigate, title } from "../core/router.js";
import { me as whoAmI } from "../core/session.js";
import { useNow } from "../core/times.js";
import { say } from "../core/words.js";
import { Card } from "./card.js";
import { Create } from "./create.js";
import { GameOptions } from "./game_field.js";
import { KINDS, keepLists, more, noLists } from "./list.js";
import { concern, Offers } from "./offers.js";
import { Quick } from "./quick.js";

/** @typedef {import("./list.js").Filter} Filter */
/** @typedef {import("./list.js").Kind} Kind */

await styled("/static/lobby/lobby.css");

/** Wide enough for the lists side by side. */
const WIDE = matchMedia("(min-width: 62rem)");

/** @type {("free" | "mine" | "invited")[]} */
const ONLY = ["free", "mine", "invited"];

/** @param {import("../core/router.js").PageProps} props the filter stands in the address: so it survives a reload, and can be shared */
export function Page({ query }) {
  const [me, setMe] = useState("");
  const [games, setGames] = useState(/** @type {import("../core/games.js").Listed[]} */ ([]));
  const [lists, setLists] = useState(noLists());
  const [concerning, setConcerning] = useState(/** @type {any[]} */ ([]));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const [open, setOpen] = useState("");
  const [attempt, setAttempt] = useState(0);
  const searching = useRef("");
  const shown = useRef("");
  const now = useNow();
  const awake = useAwake(concerning.some((match) => concern(match, me) === "waiting"));
  /** @type {Filter} */
  const filter = {
    game: games.some(({ name }) => name === query.get("game")) ? String(query.get("game")) : "",
    free: query.has("free"),
    mine: query.has("mine"),
    invited: query.has("invited"),
  };

  /** @param {any} match */
  const concerned = (match) =>
    setConcerning((before) => [match, ...before.filter(({ matchId }) => matchId !== match.matchId)]);

  useEffect(() => title(say("nav.lobby")));
  useEffect(() => {
    const failed = (/** @type {unknown} */ reason) => setError(reason);
    whoAmI().then(({ player }) => setMe(player), failed);
    listGames().then(setGames, failed);
  }, [attempt]);
  useEffect(() => {
    if (!me) return;
    const mine = { player: me, status: "MATCH_STATUS_OPEN" };
    for (const asked of [mine, { invited: true, status: "MATCH_STATUS_OPEN" }]) {
      call("MatchService", "ListMatches", asked).then(
        ({ matches = [] }) => matches.filter((/** @type {any} */ match) => concern(match, me)).map(concerned),
        setError,
      );
    }
  }, [me, attempt]);
  useEffect(() => {
    if (!me || !games.length || !awake) return;
    const going = new AbortController();
    if (shown.current !== String(query)) setLists(noLists());
    shown.current = String(query);
    const told = (/** @type {any} */ match) => {
      const what = concern(match, me);
      if (what === "begun" && searching.current === match.matchId) return navigate(`/table/${match.matchId}`);
      if (!what) return gone(match);
      concerned(match);
      if (what !== "waiting") announce(say(`offers.${what}`, { game: titleOf(match.game) }));
    };
    keepLists({ filter, me, signal: going.signal, show: setLists, told, failed: setError });
    return () => going.abort();
  }, [me, games, query.toString(), attempt, awake]);

  /** @param {any} match */
  const gone = (match) => setConcerning((before) => before.filter(({ matchId }) => matchId !== match.matchId));

  /** @param {any} match */
  const seated = (match) => {
    if (match.status === "MATCH_STATUS_RUNNING") return navigate(`/table/${match.matchId}`);
    searching.current = match.matchId;
    concerned(match);
    announce(say("offers.waiting", { game: titleOf(match.game), seats: match.seats.length, free: 0 }));
  };

  /** @param {Partial<Filter>} change */
  const choose = (change) => {
    const next = { ...filter, ...change };
    const set = new URLSearchParams();
    if (next.game) set.set("game", next.game);
    for (const each of ONLY) if (next[each]) set.set(each, "1");
    navigate(set.size ? `/?${set}` : "/", { replace: true });
  };

  /** @param {Kind} kind */
  const moreOf = (kind) =>
    more(lists[kind], kind, filter, me).then(
      (part) => setLists((before) => ({ ...before, [kind]: part })),
      (reason) => {
        setError(reason);
      },
    );

  return html`<main data-page="lobby" class="lobby">
    <div class="lobby-head">
      <h1>${say("nav.lobby")}</h1>
      <div class="actions">
        <button type="button" class="primary" data-do="create" disabled=${!games.length} onClick=${() => setOpen("create")}>${say("create")}</button>
        <button type="button" data-do="quick" disabled=${!games.length} onClick=${() => setOpen("quick")}>${say("quick")}</button>
      </div>
    </div>
    <${Refused} error=${error} again=${() => {
      setError(null);
      setAttempt(attempt + 1);
    }} />
    <${Offers} matches=${concerning} me=${me} gone=${gone} />
    <form class="filters" role="search" aria-label=${say("filter")} onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field">
        <span class="unseen">${say("game")}</span>
        <select name="filter-game" value=${filter.game} onChange=${(/** @type {any} */ event) => choose({ game: event.target.value })}>
          <option value="" selected=${!filter.game}>${say("filter.games")}</option>
          <${GameOptions} games=${games} game=${filter.game} />
        </select>
      </label>
      ${ONLY.map(
        (each) => html`<label key=${each} class="check">
          <input type="checkbox" name="filter-${each}" checked=${filter[each]}
            onChange=${(/** @type {any} */ event) => choose({ [each]: event.target.checked })} />
          <span>${say(`filter.${each}`)}</span>
        </label>`,
      )}
    </form>
    <${Lists} lists=${lists} me=${me} now=${now} more=${moreOf} />
    ${open === "create" ? html`<${Create} games=${games} game=${filter.game} close=${() => setOpen("")} />` : null}
    ${open === "quick" ? html`<${Quick} games=${games} game=${filter.game} close=${() => setOpen("")} seated=${seated} />` : null}
  </main>`;
}

/**
 * Whether the page is looked at, or is to be kept up all the same: a browser has few connections to a server, which
 * pages that nobody sees would take from those that somebody does.
 * @param {boolean} always
 */
function useAwake(always) {
  const [seen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const turned = () => setSeen(!document.hidden);
    document.addEventListener("visibilitychange", turned);
    return () => document.removeEventListener("visibilitychange", turned);
  }, []);
  return seen || always;
}

/**
 * Side by side where there is room, else one at a time.
 * @param {{lists: import("./list.js").Lists, me: string, now: number, more: (kind: Kind) => void}} props
 */
function Lists({ lists, me, now, more }) {
  const [wide, setWide] = useState(WIDE.matches);
  const [shown, setShown] = useState(/** @type {Kind} */ ("open"));
  useEffect(() => {
    const turned = () => setWide(WIDE.matches);
    WIDE.addEventListener("change", turned);
    return () => WIDE.removeEventListener("change", turned);
  }, []);
  /** @param {Kind} kind */
  const list = (kind) =>
    html`<${List} part=${lists[kind]} kind=${kind} me=${me} now=${now} more=${() => more(kind)} />`;
  if (wide) {
    return html`<div class="columns">
      ${KINDS.map(
        (kind) => html`<section key=${kind} data-list=${kind} aria-labelledby="list-${kind}">
          <h2 id="list-${kind}">${say(`list.${kind}`)}</h2>
          ${list(kind)}
        </section>`,
      )}
    </div>`;
  }
  const moved = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = KINDS[(KINDS.indexOf(shown) + step + KINDS.length) % KINDS.length];
    setShown(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${say("list")} onKeyDown=${moved}>
      ${KINDS.map(
        (
          kind,
        ) => html`<button key=${kind} type="button" role="tab" id="tab-${kind}" data-tab=${kind} aria-selected=${kind === shown ? "true" : "false"}
          aria-controls="list-shown" tabindex=${kind === shown ? 0 : -1} onClick=${() => setShown(kind)}>${say(`list.${kind}`)}</button>`,
      )}
    </div>
    <section id="list-shown" role="tabpanel" data-list=${shown} aria-labelledby="tab-${shown}">
      <h2 class="unseen">${say(`list.${shown}`)}</h2>
      ${list(shown)}
    </section>`;
}

/** @param {{part: import("./list.js").Part, kind: Kind, me: string, now: number, more: () => void}} props */
function List({ part, kind, me, now, more }) {
  if (!part.ready) return html`<p class="notice" aria-busy="true">${say("loading")}</p>`;
  return html`
    ${part.matches.length ? html`<ul class="matches">${part.matches.map((match) => html`<${Card} key=${match.matchId} match=${match} me=${me} now=${now} />`)}</ul>` : html`<p class="notice">${say(`list.${kind}.none`)}</p>`}
    ${part.next ? html`<p><button type="button" data-do="more" onClick=${more}>${say("list.more")}</button></p>` : null}`;
}
