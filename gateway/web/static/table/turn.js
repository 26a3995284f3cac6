/** One person's choices at one table: what is picked, what waits to be confirmed, what is on its way. */

import { call, requestId } from "../core/api.js";
import { choose, paths } from "../core/choices.js";
import { store } from "../core/store.js";
import { sayOf } from "../core/words.js";
import { explained } from "./explaining.js";
import { deliver, unanswered } from "./sending.js";

/**
 * @typedef {import("../core/types.js").Game<any, any>} Game
 * @typedef {import("../core/follow.js").Story} Story
 * @typedef {import("../core/types.js").SeatShown} SeatShown
 * @typedef {import("./explaining.js").Explained} Explained
 */

/**
 * `held`: a move that waits to be confirmed though its steps were not picked (of a form, or meant by an unlit click).
 * `sending`: a move has no answer yet, or its entries have not come.
 * @typedef {{picked: readonly string[], held: any, sending: boolean, refused: Explained | null}} Choosing
 */

/** @type {Choosing} */
const NOTHING = { picked: [], held: null, sending: false, refused: null };

/** What was picked when the page was left, by what the choices stood on. @param {string} place @returns {Record<string, string[]>} */
function kept(place) {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} place @param {Record<string, readonly string[]>} picked */
function keep(place, picked) {
  try {
    if (Object.values(picked).some((each) => each.length)) sessionStorage.setItem(place, JSON.stringify(picked));
    else sessionStorage.removeItem(place);
  } catch {
    // A reload forgets it then.
  }
}

/**
 * The last value again while what it is made of is the same.
 * @template {any[]} From
 * @template T
 * @param {(...from: From) => T} make
 * @returns {(...from: From) => T}
 */
function once(make) {
  /** @type {{from: From, made: T} | null} */
  let last = null;
  return (...from) => {
    if (!last?.from.every((each, place) => each === from[place])) last = { from, made: make(...from) };
    return last.made;
  };
}

export class Turn {
  #abort = new AbortController();
  #awaited = 0;
  #live = false;
  /** Whether the log went back since a move was sent, and may have lost it. */
  #back = false;
  /** What the present choices stand on; others begin anew. */
  #ground = "";
  #paths = once(this.#stepped.bind(this));
  #choice = once(choose);
  #scene = once(this.#seen.bind(this));

  /**
   * @param {object} table
   * @param {string} table.matchId
   * @param {number | null} table.own
   * @param {Game} table.game
   * @param {string} table.gameName
   * @param {() => boolean} table.confirmsAll
   */
  constructor({ matchId, own, game, gameName, confirmsAll }) {
    this.matchId = matchId;
    this.own = own;
    this.game = game;
    this.gameName = gameName;
    this.confirmsAll = confirmsAll;
    /** @type {import("../core/store.js").Store<Choosing>} */
    this.choosing = store(NOTHING);
    /** @type {import("../core/follow.js").Situation | null} */
    this.situation = null;
    /** @type {any} */
    this.before = null;
    /** @type {SeatShown[]} */
    this.seats = [];
    this.say = sayOf(gameName);
  }

  /** A move that the tab had no answer to goes out again. */
  start() {
    const message = unanswered(this.matchId);
    if (message && this.own !== null) this.#deliver(message);
  }

  stop() {
    this.#abort.abort();
  }

  /** Changed as the story goes on; called before what it changes is shown. @param {Story} story */
  follow({ situation, live }) {
    const again = live && !this.#live;
    this.#live = live;
    if (!situation || situation === this.situation) return;
    if (this.situation && this.situation.cursor !== situation.cursor) this.before = this.situation.view;
    if (this.situation && situation.version < this.situation.version) this.#back = true;
    this.situation = situation;
    const { moves, decision } = situation;
    const ground = JSON.stringify([decision, moves]);
    const now = this.choosing.get();
    // All is told anew without the move that was answered: a log that went back has lost it.
    const arrived = now.sending && this.#awaited > 0 && (again || situation.version >= this.#awaited);
    if (arrived) this.#awaited = 0;
    if (ground !== this.#ground) {
      const first = this.#ground === "";
      this.#ground = ground;
      const refused = arrived || (live && now.refused?.passing) ? null : now.refused;
      const picked = first ? (kept(this.#place)[ground] ?? []) : [];
      this.#change({ picked, held: null, sending: now.sending && !arrived, refused });
    } else if (arrived) {
      this.#change({ picked: [], held: null, sending: false });
    }
  }

  /**
   * @param {import("../core/follow.js").Situation | null} situation
   * @param {import("../core/types.js").Say} say
   * @returns {import("../core/choices.js").Path<any>[]}
   */
  #stepped(situation, say) {
    return situation ? paths(situation.moves, (move) => this.game.steps(move, situation.view, say)) : [];
  }

  /** Where the person stands now. */
  choice() {
    return this.#choice(this.#paths(this.situation, this.say), this.choosing.get().picked);
  }

  /** What the game is shown, by the present state: the same object until that changes. */
  scene = () => {
    const { sending, held } = this.choosing.get();
    return this.#scene(this.situation, this.seats, this.say, this.choice(), !sending && held === null, held);
  };

  /**
   * @param {import("../core/follow.js").Situation | null} situation
   * @param {SeatShown[]} seats
   * @param {import("../core/types.js").Say} say
   * @param {import("../core/choices.js").Choice<any>} choice
   * @param {boolean} idle
   * @param {any} held
   * @returns {import("../core/types.js").Scene<any, any>}
   */
  #seen(situation, seats, say, { lit, picked, full }, idle, held) {
    return {
      view: situation?.view,
      before: this.before,
      seats,
      own: this.own,
      lit: idle && this.own !== null ? lit : new Map(),
      picked,
      full: held === null ? full : [held],
      pick: this.pick,
      back: this.back,
      say,
    };
  }

  /** The move that waits to be confirmed. */
  get waiting() {
    const { held, sending } = this.choosing.get();
    return sending ? null : (held ?? this.choice().complete);
  }

  /** @param {string} target */
  pick = (target) => {
    const { sending, held } = this.choosing.get();
    if (sending || this.own === null || !this.situation) return;
    if (held !== null) this.#change({ held: null });
    const { lit, picked } = this.choice();
    if (!lit.has(target)) {
      this.#attempt(target);
      return;
    }
    const next = [...picked, target];
    const { complete, lit: further } = choose(this.#paths(this.situation, this.say), next);
    const whole = complete !== null && !further.size;
    if (whole && !this.game.weighty(complete, this.situation.view) && !this.confirmsAll()) this.#submit(complete, next);
    else this.#change({ picked: next, refused: null });
  };

  back = () => {
    const { picked, held, sending } = this.choosing.get();
    if (sending) return;
    if (held !== null) this.#change({ held: null, refused: null });
    else this.#change({ picked: picked.slice(0, -1), refused: null });
  };

  confirm = () => {
    if (this.waiting !== null) this.#submit(this.waiting);
  };

  /** A move of a form. @param {any} move */
  send = (move) => {
    if (this.choosing.get().sending || !this.situation) return;
    if (this.game.weighty(move, this.situation.view) || this.confirmsAll()) {
      this.#change({ held: move, picked: [], refused: null });
    } else this.#submit(move);
  };

  dismiss = () => this.#change({ refused: null });

  /** @param {Partial<Choosing>} change */
  #change(change) {
    this.choosing.set({ ...this.choosing.get(), ...change });
    if (change.picked) keep(this.#place, { [this.#ground]: change.picked });
  }

  get #place() {
    return `tidelog.picked.${this.matchId}.${this.own}`;
  }

  /** @param {any} move @param {readonly string[]} picked */
  #submit(move, picked = this.choosing.get().picked) {
    const decision = this.situation?.decision ?? null;
    const message = {
      requestId: requestId(),
      matchId: this.matchId,
      seat: this.own,
      move: { json: JSON.stringify(move) },
      ...(decision === null ? {} : { decision }),
    };
    return this.#deliver(message, picked);
  }

  /** @param {any} message @param {readonly string[]} picked */
  async #deliver(message, picked = this.choosing.get().picked) {
    this.#awaited = 0;
    this.#back = false;
    // It is on its way before the page is drawn anew.
    const delivered = deliver(message, this.#abort.signal);
    this.#change({ picked, sending: true, refused: null });
    try {
      const { lastVersion } = await delivered;
      const come = (this.situation?.version ?? 0) >= lastVersion;
      if (come || this.#back) this.#change({ sending: false, held: null, picked: [] });
      else this.#awaited = lastVersion;
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#change({ sending: false, held: null, picked: [] });
      const refused = await explained(this.gameName, error);
      this.#change({ refused });
    }
  }

  /** What is not lit is explained by the rule against it. @param {string} target */
  async #attempt(target) {
    const { picked } = this.choice();
    const move = this.game.attempt(target, picked, this.scene());
    if (move === null) return;
    const ground = this.#ground;
    try {
      const asked = { matchId: this.matchId, seat: this.own, move: { json: JSON.stringify(move) } };
      const { refusal } = await call("MatchService", "ValidateMove", asked, { signal: this.#abort.signal });
      const refused = refusal ? await explained(this.gameName, refusal) : null;
      if (ground !== this.#ground || this.choosing.get().sending) return;
      this.#change(refused ? { refused } : { held: move, refused: null });
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#change({ refused: await explained(this.gameName, error) });
    }
  }
}
