/** A match that is played or watched live. Knows no game: what it shows comes from the game's module and the view. */

import { announce } from "../core/announce.js";
import { clocksOf, delayOf } from "../core/follow.js";
import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../core/html.js";
import { styled } from "../core/looks.js";
import { Refused } from "../core/refusals.js";
import { title } from "../core/router.js";
import { session } from "../core/session.js";
import { useStore } from "../core/store.js";
import { say, sayOf, tell, useLanguage } from "../core/words.js";
import { Notices, Resign, Seating } from "./around.js";
import { Board, Guard } from "./board.js";
import { Chooser } from "./chooser.js";
import { begunBy, seatsOf, statusOf, useFacts } from "./facts.js";
import { loadedGame } from "./loading.js";
import { Log, sentence } from "./log.js";
import { headline, Outcome } from "./outcome.js";
import { plainGame } from "./plain.js";
import { Seats } from "./seats.js";
import { StoreTime } from "./storetime.js";
import { useStory } from "./telling.js";
import { Terms } from "./terms.js";
import { Turn } from "./turn.js";
import { Waiting } from "./waiting.js";

/** @typedef {import("../core/follow.js").Story} Story */
/** @typedef {import("../core/types.js").Game<any, any>} Game */

const OVER = ["finished", "aborted", "expired"];
/** @type {ReadonlyMap<number, boolean>} */
const NOBODY = new Map();
const CONFIRM_KEY = "tidelog.confirm";

/** @param {import("../core/router.js").PageProps} props */
export function Page({ params, fragment }) {
  const matchId = params.match;
  const invitation = fragment.get("invitation") ?? "";
  const me = useStore(session)?.player ?? "";
  const { answer, error, invited, refresh, follow } = useFacts(matchId, invitation);
  const game = useGame(answer?.match.game ?? null);
  useLayoutEffect(() => {
    styled("/static/table/table.css");
  }, []);
  if (!answer && error) {
    return html`<main data-page="table" data-match=${matchId} id="main" class="narrow">
      <h1>${say("table.none")}</h1>
      <${Refused} error=${error} />
      <p><a class="button" href="/">${say("table.lobby")}</a></p>
    </main>`;
  }
  if (!answer || !game) {
    return html`<main data-page="loading" data-match=${matchId} id="main" aria-busy="true"></main>`;
  }
  const shown = { answer, game, me, invitation: invited ? invitation : "", refresh, follow, error };
  return html`<${Table} key=${matchId} ...${shown} />`;
}

/** Null until it is there. @param {string | null} name */
function useGame(name) {
  const [{ game, error }, setLoaded] = useState(
    /** @type {{game: Game | null, error: unknown}} */ ({ game: null, error: null }),
  );
  useLayoutEffect(() => {
    if (name === null) return;
    let current = true;
    loadedGame(name).then(
      (game) => current && setLoaded({ game, error: null }),
      (error) => current && setLoaded({ game: null, error }),
    );
    return () => {
      current = false;
    };
  }, [name]);
  if (error) throw error;
  return game;
}

/**
 * @param {object} props
 * @param {any} props.answer
 * @param {Game} props.game
 * @param {string} props.me
 * @param {string} props.invitation
 * @param {() => void} props.refresh
 * @param {(cursor: string) => void} props.follow
 * @param {unknown} props.error
 */
function Table({ answer, game, me, invitation, refresh, follow, error }) {
  const { match } = answer;
  const language = useLanguage();
  const seats = useMemo(() => seatsOf(match), [match, language]);
  /** Seats of which the server says so, before what spectators are told of the match does. */
  const [left, setLeft] = useState(/** @type {readonly number[]} */ ([]));
  const mine = useMemo(
    () =>
      seats
        .filter(({ seat, vacant }) => me && match.seats[seat].player === me && !vacant && !left.includes(seat))
        .map(({ seat }) => seat),
    [seats, me, left],
  );
  /** Who left has sat there all the same. */
  const held = seats.filter(({ seat }) => me && match.seats[seat].player === me).map(({ seat }) => seat);
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const wanted = chosen !== null && mine.includes(chosen) ? chosen : (mine[0] ?? null);
  const time = useMemo(() => new StoreTime(), []);
  // Whoever was invited sees a private match before taking a seat, but is not told it yet.
  const hidden = Boolean(match.terms?.private && !mine.length && match.creator !== me && invitation);
  const { story, seat: own } = useStory(match.matchId, wanted, !hidden, time);
  const { entries, situation } = story;
  useEffect(() => {
    if (own !== null && story.refusal?.reason === "NOT_YOUR_SEAT") setLeft((known) => [...known, own]);
  }, [own, story.refusal]);
  const version = situation?.version ?? 0;
  const cursor = situation?.cursor ?? "";
  useEffect(() => {
    if (cursor) follow(cursor);
  }, [cursor]);
  const status = statusOf(entries, match);
  const over = OVER.includes(status);
  const [confirmAll, setConfirmAll] = useConfirmAll();
  const turn = useTurn({ match, own, game, story, seats, confirmAll });
  const choosing = useStore(turn.choosing);
  const turns = useMemo(
    () => new Map((answer.turns ?? []).map((/** @type {any} */ each) => [each.seat ?? 0, each.owed ?? false])),
    [answer.turns],
  );
  const may = !over && situation !== null && situation.decision !== null;
  const active = status === "running" ? (may ? "own" : "others") : "none";
  const seatName = useCallback((/** @type {number} */ seat) => seats[seat]?.name ?? "", [seats]);
  const duty = may && own !== null ? game.duty(situation.view, own, sayOf(match.game)) : "";
  const prompt = promptOf({ status, may, owed: turns.get(own ?? -1) ?? true, own, turns, seats });
  const gameTitle = tell(match.game, { key: "title", text: match.game }, seatName);
  useEffect(() => title(active === "own" ? `● ${gameTitle}` : gameTitle), [gameTitle, active]);
  useAnnouncements({ game: match.game, story, seatName, prompt: duty ? `${prompt}: ${duty}` : prompt, may });

  /** @type {{current: any}} */
  const main = useRef(null);
  useLayoutEffect(() => {
    if (main.current) main.current.shownView = situation?.view ?? null;
  });

  const clocks = situation?.clocks.length ? situation.clocks : clocksOf(answer.clocks);
  const begun = begunBy(entries) > 0;
  const scores = !begun || !situation ? [] : game.scores(situation.view);
  const delay = story.delay ?? delayOf(answer.delay);
  const scene = turn.scene();
  const asked = duty || prompt;
  // What is the same value as before is not drawn anew: most of the page changes with few of its changes.
  const board = useMemo(() => pictured(game, scene, turn.scene), [game, scene]);
  const panel = useMemo(() => html`<${Guard} fallback=${null}><${game.Panel} ...${scene} /><//>`, [game, scene]);
  const chooser = useMemo(
    () => html`<${Chooser} ...${{ turn, prompt: asked, confirmAll, setConfirmAll }} />`,
    [turn, scene, choosing, asked, confirmAll],
  );
  const log = useMemo(
    () => (entries.length ? html`<${Log} ...${{ game: match.game, entries, seatName }} />` : null),
    [match.game, entries, seatName],
  );
  return html`<main
    ref=${main}
    id="main"
    class="wide table"
    data-page="table"
    data-match=${match.matchId}
    data-version=${situation ? version : null}
    data-status=${status}
    data-turn=${active}
    data-link=${story.live ? "live" : "lost"}
    data-game=${game.name}
    data-own=${own}
  >
    <header class="wide-head table-head">
      <h1>${gameTitle}</h1>
      <p class="prompt" data-turn=${active}>${over ? headline(status, match.outcome?.ranking ?? [], seats, held) : prompt}</p>
      <${Terms} match=${match} delay=${delay} own=${own} />
    </header>
    <${Notices} story=${story} entries=${entries} match=${match} error=${error} seatName=${seatName} />
    ${mine.length > 1 ? html`<${Seating} ...${{ mine, own, seats, turns, choose: setChosen }} />` : null}
    ${
      status === "open"
        ? html`<${Waiting} ...${{ match, me, seats, invitation, changed: refresh }} />${log}`
        : html`
          <div class="table-main">
            <div class="table-board">
              ${begun && situation ? board : null}
            </div>
            <div class="table-panel ${game.name}">
              ${begun && situation ? panel : null}
            </div>
          </div>
          <div class="table-side">
            ${over ? html`<${Outcome} ...${{ match, status, seats, mine: held, why: lastWords(match.game, entries, seatName) }} />` : null}
            ${own !== null && !over ? chooser : null}
            <${Seats} ...${{ seats, own, mine, turns: over ? NOBODY : turns, scores, clocks, time, over }} />
            ${log}
            ${own !== null && !over ? html`<${Resign} matchId=${match.matchId} seat=${own} name=${seatName(own)} />` : null}
          </div>
        `
    }
  </main>`;
}

/** @param {Game} game @param {import("../core/types.js").Scene<any, any>} scene @param {() => import("../core/types.js").Scene<any, any>} present */
function pictured(game, scene, present) {
  const plain = plainGame(game.name);
  return html`<${Board} ...${{ game, scene, present, fallback: html`<${plain.Board} ...${scene} />` }} />`;
}

/** @param {{match: any, own: number | null, game: Game, story: Story, seats: import("../core/types.js").SeatShown[], confirmAll: boolean}} table */
function useTurn({ match, own, game, story, seats, confirmAll }) {
  const confirms = useRef(confirmAll);
  confirms.current = confirmAll;
  const turn = useMemo(
    () =>
      new Turn({
        matchId: match.matchId,
        own,
        game,
        gameName: match.game,
        confirmsAll: () => confirms.current,
      }),
    [match.matchId, own, game],
  );
  useEffect(() => {
    turn.start();
    return () => turn.stop();
  }, [turn]);
  turn.seats = seats;
  turn.say = sayOf(match.game);
  turn.follow(story);
  return turn;
}

/** @returns {[boolean, (all: boolean) => void]} */
function useConfirmAll() {
  const [all, setAll] = useState(() => {
    try {
      return localStorage.getItem(CONFIRM_KEY) === "all";
    } catch {
      return false;
    }
  });
  const set = (/** @type {boolean} */ wanted) => {
    try {
      localStorage.setItem(CONFIRM_KEY, wanted ? "all" : "");
    } catch {
      // It holds for this page then.
    }
    setAll(wanted);
  };
  return [all, set];
}

/** @param {{status: string, may: boolean, owed: boolean, own: number | null, turns: Map<number, boolean>, seats: import("../core/types.js").SeatShown[]}} state */
function promptOf({ status, may, owed, own, turns, seats }) {
  if (status === "open") return say("table.prompt.open");
  if (may) return say(owed ? "table.prompt.own" : "table.prompt.may");
  const awaited = [...turns].filter(([seat, owes]) => owes && seat !== own).map(([seat]) => seats[seat]?.name);
  return awaited.length ? say("table.prompt.others", { names: awaited.join(", ") }) : say("table.prompt.wait");
}

/** @param {string} game @param {readonly import("../core/follow.js").Told[]} entries @param {(seat: number) => string} seatName */
function lastWords(game, entries, seatName) {
  const end = entries.findLast((entry) => /^match\.(aborted|expired)$/.test(entry.type));
  return end ? sentence(game, end, seatName) : "";
}

/** What is new is told to whoever listens, once it has come live. @param {{game: string, story: Story, seatName: (seat: number) => string, prompt: string, may: boolean}} told */
function useAnnouncements({ game, story, seatName, prompt, may }) {
  const said = useRef({ version: -1, prompt: "" });
  useEffect(() => {
    const { entries, situation } = story;
    if (!situation) return;
    const first = said.current.version < 0;
    const news = first ? [] : entries.slice(said.current.version).map((entry) => sentence(game, entry, seatName));
    const turn = may && prompt !== said.current.prompt ? [prompt] : [];
    said.current = { version: entries.length, prompt: may ? prompt : "" };
    if (news.length || turn.length) announce([...news.slice(-6), ...turn].join(" "));
  }, [story.entries, prompt, may]);
}
