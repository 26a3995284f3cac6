/** What the server's views and moves look like here. Nothing here runs. */

/**
 * @typedef {"yellow" | "red" | "green" | "blue" | "purple"} Colour
 * @typedef {"sea" | "deep_sea" | "island" | "port" | "continent"} Terrain
 * @typedef {"navy" | "pirate" | "merchant"} Row
 * @typedef {{id: string, terrain: Terrain, hexes: {q: number, r: number}[], neighbours: string[]}} Place
 * @typedef {{id: string, name: string, goods: Colour, land: string, spaces: string[], buys: {colour: Colour, price: number}[]}} Port
 * @typedef {{navy: "yellow" | "purple", space: string}} NavyStart
 * @typedef {{places: Place[], ports: Port[], beaches: {space: string, value: number}[], lairs: string[], navy_starts: NavyStart[]}} Chart
 * @typedef {{effect: string, amount: number, ships: string | null}} Benefit
 * @typedef {{id: string, navy: "yellow" | "purple", navy_value: number, pirate_value: number, merchant_value: number, symbol: string}} Movement
 * @typedef {{id: string, name: string, text: string, when: string, benefits: Benefit[]}} Fortune
 * @typedef {{id: string, name: string, text: string, price: number, benefits: Benefit[], when: string | null}} Development
 * @typedef {{ship: string, space: string, cubes: number, colour: Colour | null}} Ship
 * @typedef {{ship: string, steps: number, moving: boolean, over: boolean, spent: boolean, cards: string[]}} Command
 * @typedef {{movement: Movement[], fortune: Fortune[], developments: Development[]}} Own
 */

/**
 * @typedef {object} Player
 * @property {number} seat
 * @property {number} doubloons
 * @property {number} movement_cards
 * @property {number} fortune_cards
 * @property {Development[]} developments
 * @property {number[]} face_down
 * @property {{id: string, price: number}} victory_card
 * @property {boolean} victor
 * @property {Own | null} own
 */

/**
 * @typedef {object} View
 * @property {string} phase
 * @property {number} turn
 * @property {number} first
 * @property {number} active
 * @property {number[]} owed
 * @property {Chart} chart
 * @property {Ship[]} ships
 * @property {{port: string, cubes: number}[]} cubes
 * @property {Command[]} commands
 * @property {number} navy_value
 * @property {number} pirate_value
 * @property {number} merchant_value
 * @property {string[]} in_force
 * @property {string[]} used
 * @property {number} due
 * @property {number} movement_pile
 * @property {string[]} movement_discards
 * @property {number} fortune_pile
 * @property {string[]} fortune_discards
 * @property {Player[]} players
 * @property {Movement | null} order
 * @property {string | null} cause
 * @property {number | null} viewer
 * @property {object | null} outcome
 */

/**
 * What fields a move has depends on its `kind`; those of a card are there where it asks for them.
 * @typedef {object} Move
 * @property {string} kind
 * @property {string} [space]
 * @property {string} [card]
 * @property {string | null} [ship]
 * @property {string | null} [target]
 * @property {string | null} [port]
 * @property {string[]} [path]
 * @property {Row[]} [rows]
 */

export {};
