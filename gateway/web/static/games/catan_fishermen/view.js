/** What the server tells of this game, as the pictures read it. Nothing here runs. */

/** @typedef {"brick" | "lumber" | "wool" | "grain" | "ore"} Resource */
/** @typedef {Record<Resource, number>} Cards */
/** @typedef {{one: number, two: number, three: number}} Fish */
/** @typedef {"robber" | "steal" | "resource" | "road" | "development"} Benefit */
/** @typedef {{card: string, fresh: boolean}} Unplayed */
/** @typedef {{q: number, r: number, vertices: number[], terrain: string, number: number}} Hex */
/** @typedef {{numbers: number[], vertices: number[], catches: number[]}} Water */
/** @typedef {{seat: number, answer: "accepted" | "declined" | "countered", give: Cards, take: Cards}} Reply */
/**
 * @typedef {object} Player
 * @property {number} seat
 * @property {number} points
 * @property {number} cards
 * @property {Cards} known
 * @property {number} developments
 * @property {number} knights
 * @property {number} road_length
 * @property {number[]} roads
 * @property {number[]} settlements
 * @property {number[]} cities
 * @property {number} roads_left
 * @property {number} settlements_left
 * @property {number} cities_left
 * @property {Cards} rates
 * @property {number} due
 * @property {number} fish
 * @property {number} needed
 * @property {{points: number, developments: Unplayed[], fish: Fish, seen?: number | null} | null} [own]
 */
/**
 * The view of `engines/catan_fishermen`.
 * @typedef {object} View
 * @property {{fishermen: "spielbox" | "lake" | "no_ships" | "none", victory_points: number}} options
 * @property {string} phase
 * @property {number} turn
 * @property {number} active
 * @property {number[]} owed
 * @property {boolean} rolled
 * @property {boolean} development_played
 * @property {number} free_roads
 * @property {number} offers_left
 * @property {Hex[]} hexes
 * @property {{ends: number[]}[]} edges
 * @property {{edge: number, trades: Resource | "any"}[]} harbours
 * @property {Cards} bank
 * @property {number} pile
 * @property {Player[]} players
 * @property {Water[]} waters
 * @property {number} fish_supply
 * @property {Fish} fish_spent
 * @property {number[]} dice
 * @property {{seat: number, cards: Cards}[]} paid
 * @property {number | null} [robber]
 * @property {number | null} [longest_road]
 * @property {number | null} [largest_army]
 * @property {number | null} [boot]
 * @property {{give: Cards, take: Cards, replies: Reply[]} | null} [offer]
 * @property {number | null} [viewer]
 * @property {{ranking: {seat: number, place: number, points: number}[]} | null} [outcome]
 */
/** @typedef {{kind: string} & Record<string, any>} Move */
/** @typedef {import("../../core/types.js").Step} Step */
/** @typedef {import("../../core/types.js").Say} Say */
/** @typedef {import("../../core/types.js").Scene<View, Move>} Scene */

export {};
