/**
 * What the pages and the games have agreed on. Nothing here runs.
 *
 * A page knows no game: it takes a `Game` from `games/<name>/index.js` and gives it what it shows. A game knows no page
 * and asks the server nothing: it draws from the view alone, and says what was picked.
 */

/** @typedef {import("../vendor/preact.js").VNode<any>} Shown */

/**
 * A text of the catalogues by key: the game's own keys first, then the pages'. Arguments are shown as they are.
 * @typedef {(key: string, args?: Record<string, string | number>) => string} Say
 */

/**
 * A seat as people see it. `name` is what the player is called, or "Seat 1"; `mark` the letter shown beside its colour.
 * @typedef {{seat: number, name: string, mark: string, bot: boolean, vacant: boolean}} SeatShown
 */

/**
 * One of the choices that make up a move, in the order in which a person makes them. `target` names what is chosen, on
 * the board or beside it, unique in what is shown: `cell:12`, `tile:A3`, `card:7`, `do:pass`. `label` says it in words,
 * for the list of choices, for screen readers and for what is picked so far.
 * @typedef {{target: string, label: string}} Step
 */

/**
 * Something that may be chosen now. `last`: with it a move is complete.
 * @typedef {{target: string, label: string, last: boolean}} Lit
 */

/**
 * What a game is given to show. Its Board and Panel draw each target that they know with `data-target`; what is lit has
 * `data-lit` and the class `lit`, what is picked `data-picked`. They call `pick` on clicks alone: arrow keys and drags from
 * one target to another are the page's. A drag that begins on a target and ends on one that is not lit is explained as a
 * click would be, but not within an element with `data-pans`, whose ground is dragged too. The page marks what its keys
 * aim at with `data-aimed`. Whatever shows what the viewer alone sees has the class `private`.
 *
 *  `own` is the viewer's seat, null for a spectator and in replays; `lit` what may be chosen
 * now, by target, empty where nothing may; `picked` the targets chosen so far. `pick` is called with any target that is
 * clicked or entered, lit or not; a lit one is chosen, another is explained. `full`: moves of which `picked` is the
 * beginning or the whole, so that a ghost can be drawn; one is left once all is chosen and the move waits to be confirmed.
 * `before` is the view before this one, null at first: what has changed since may be shown to have.
 *
 * Whatever in a view is as it was in the view before is the same object, and `say` is another function only in another
 * language: a component that is `pure` (core/html.js) and is given such parts, not the scene, is drawn anew only where
 * they have changed.
 * @template V, M
 * @typedef {object} Scene
 * @property {V} view
 * @property {V | null} before
 * @property {SeatShown[]} seats
 * @property {number | null} own
 * @property {ReadonlyMap<string, Lit>} lit
 * @property {readonly string[]} picked
 * @property {readonly M[]} full
 * @property {(target: string) => void} pick
 * @property {() => void} back      takes the last choice back
 * @property {Say} say
 */

/**
 * What a form is given: it builds a move of a family of which not all are listed (an offer, a payment, a path). It stands
 * in a dialog that the page opens and entitles with the game's text `form.<family>`; its button has `data-do="send"`. `send`
 * plays it, or asks first. `close` puts the form away.
 * @template V, M
 * @typedef {object} FormProps
 * @property {V} view
 * @property {SeatShown[]} seats
 * @property {number} own
 * @property {readonly M[]} legal
 * @property {(move: M) => void} send
 * @property {() => void} close
 * @property {Say} say
 */

/**
 * One game in pictures: what `games/<name>/index.js` exports as `GAME`.
 * @template V, M
 * @typedef {object} Game
 * @property {string} name                                          as the server names it
 * @property {(scene: Scene<V, M>) => Shown} Board                  one <svg>, of any size, from the view alone
 * @property {(scene: Scene<V, M>) => Shown} Panel                  what lies beside the board: goods, cards, supplies, own secrets
 * @property {(move: M, view: V, say: Say) => Step[]} steps         never empty; two legal moves never have the same targets
 * @property {(move: M, view: V) => boolean} weighty                whether even its last click is to be confirmed
 * @property {(target: string, picked: readonly string[], scene: Scene<V, M>) => M | null} attempt  the move that a pick of what is not lit seems to mean: the server says which rule is against it
 * @property {Record<string, (props: FormProps<V, M>) => Shown>} forms   by family
 * @property {(view: V, own: number, say: Say) => string} duty      what that seat has to decide, said to who sits there; empty: nothing
 * @property {(view: V) => number[]} scores                         by seat, as far as this view tells: those of ListScores
 */

export {};
