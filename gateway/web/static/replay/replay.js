/** A match at any of its versions. Knows no game: what it shows comes from the game's module and the view. */

import { call, Refusal } from "../core/api.js";
import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../core/html.js";
import { styled } from "../core/looks.js";
import { Refused } from "../core/refusals.js";
import { title } from "../core/router.js";
import { session } from "../core/session.js";
import { useStore } from "../core/store.js";
import { say, tell, useLanguage } from "../core/words.js";
import { Rewound } from "../table/around.js";
import { seatsOf, statusOf } from "../table/facts.js";
import { loadedGame } from "../table/loading.js";
import { sentence } from "../table/log.js";
import { plainGame } from "../table/plain.js";
import { allowed, audienceOf, audienceWords } from "./audience.js";
import { Boards } from "./boards.js";
import { Chart } from "./chart.js";
import { Controls } from "./controls.js";
import { useAddress, usePlace, useWritten } from "./place.js";
import { useDrawn, usePlaying, useTale } from "./seeing.js";
import { Sharing } from "./sharing.js";
import { Story } from "./story.js";
import { turnsOf } from "./tale.js";
import { Views } from "./views.js";

/**
 * @typedef {import("../core/types.js").Game<any, any>} Game
 */

const OVER = ["finished", "aborted", "expired"];

/** The page stands once it has its look: what is scrolled into view is measured by it. */
const look = Promise.all([styled("/static/table/table.css"), styled("/static/replay/replay.css")]);

/** @param {import("../core/router.js").PageProps} props */
export function Page({ params, query }) {
  const matchId = params.match;
  useLanguage();
  const [found, setFound] = useState(/** @type {{match: any, game: Game} | null} */ (null));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const refresh = useCallback(async () => {
    try {
      const { match } = await call("MatchService", "GetMatch", { matchId });
      const game = await loadedGame(match.game).catch((failed) => {
        console.error(failed);
        return plainGame(match.game);
      });
      await look;
      setFound({ match, game });
    } catch (failed) {
      setError(failed);
    }
  }, [matchId]);
  useEffect(() => {
    refresh();
  }, [refresh]);
  if (found) return html`<${Replay} key=${matchId} ...${{ ...found, query, refresh }} />`;
  return html`<main id="main" data-page=${error ? "replay" : "loading"} data-match=${matchId} class="narrow" aria-busy=${error ? null : "true"}>
    ${error ? html`<h1>${say("replay.none")}</h1><${Refused} error=${error} /><p><a class="button" href="/">${say("nav.lobby")}</a></p>` : null}
  </main>`;
}

/** @param {{match: any, game: Game, query: URLSearchParams, refresh: () => void}} props */
function Replay({ match, game, query, refresh }) {
  const language = useLanguage();
  const me = useStore(session)?.player ?? "";
  const seats = useMemo(() => seatsOf(match), [match, language]);
  const seatName = useCallback((/** @type {number} */ seat) => seats[seat]?.name ?? "", [seats]);
  const may = useMemo(() => allowed(match, me), [match, me]);
  const address = useAddress(query);
  const { chosen, choose } = address;
  const audience = audienceOf(may, chosen);
  const views = useMemo(
    () => audience.seats.map((seat) => new Views(match.matchId, seat)),
    [match.matchId, audience.name],
  );
  const told = useTale(match.matchId, audience, views);
  const entries = told?.story.entries ?? [];
  const status = statusOf(entries, match);
  const over = OVER.includes(status);
  const last = told?.story.situation?.version ?? match.version;
  // With the end other seats may be looked at.
  useEffect(() => {
    if (over && !OVER.includes(statusOf([], match))) refresh();
  }, [over]);

  const place = usePlace(address, over, told);
  const version = place.live ? last : Math.min(place.version, last);
  const { drawn, error } = useDrawn(views, version, told);
  const [speed, pace] = useState("move");
  const playing = usePlaying({ place, told, drawn, speed, over });
  const go = useCallback((/** @type {number} */ to) => place.go(to), [place.go]);
  useWritten({ address, place, audience, version, may, quiet: playing.on });

  /** @type {{current: any}} */
  const main = useRef(null);
  useLayoutEffect(() => {
    const views = drawn?.views ?? [];
    if (main.current) main.current.shownView = audience.all ? views : (views[0] ?? null);
  });
  const gameTitle = tell(match.game, { key: "title", text: match.game }, seatName);
  useEffect(() => title(`${say("replay.title")} · ${gameTitle}`), [gameTitle, language]);

  const entry = entries[version - 1];
  const said = entry ? sentence(match.game, entry, seatName) : "";
  const turns = useMemo(() => turnsOf(told?.marks ?? []), [told?.marks]);
  return html`<main
    ref=${main}
    id="main"
    class="wide replay"
    data-page="replay"
    data-match=${match.matchId}
    data-version=${drawn?.version ?? null}
    data-last=${last}
    data-status=${status}
    data-audience=${audience.name}
    data-playing=${playing.on ? "" : null}
    data-known=${told && told.known > last ? "" : null}
    data-game=${game.name}
    aria-busy=${drawn?.version === version ? null : "true"}
  >
    <header class="wide-head replay-head">
      <h1>${gameTitle}</h1>
      <span class="badge">${say(`replay.status.${status}`)}</span>
      <label class="audience">
        <span>${say("replay.audience")}</span>
        <select name="audience" value=${audience.name} onChange=${(/** @type {any} */ event) => choose(event.currentTarget.value)}>
          ${may.map((name) => html`<option key=${name} value=${name} selected=${name === audience.name}>${audienceWords(name, seats, match, me)}</option>`)}
        </select>
      </label>
      <${Sharing} ...${{ match, audience, version, opened: may.includes("all") }} />
    </header>
    <${Refused} error=${error ?? refusalOf(told)} />
    <${Rewound} story=${told?.story} />
    <${Controls}
      ...${{ version, last, turns, over, speed, said, go, pace }}
      playing=${playing.on}
      live=${!over && version === last}
      play=${playing.set}
    />
    <p class="said"><span class="number">${version}</span> <bdi>${said}</bdi></p>
    <div class="replay-main">
      <${Boards} ...${{ game, drawn, audience, seats, begun: told ? told.begun : null, over, name: match.game }} />
    </div>
    <div class="replay-side">
      <${Story} ...${{ game: match.game, entries, seatName, version, go }} />
      <${Chart} ...${{ marks: told?.marks ?? [], seats, version, last, go }} whole=${Boolean(told && told.known > last)} />
    </div>
  </main>`;
}

/** Why nothing more is told, if so. @param {import("./tale.js").Told | null} told */
function refusalOf(told) {
  const why = told?.story.refusal;
  return why ? new Refusal(why.reason, why.message) : null;
}
