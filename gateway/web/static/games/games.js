/** The games that have a module here; any other is shown without pictures. */

/** @type {readonly string[]} */
export const PICTURED = ["black_fleet", "catan_fishermen", "lost_seas", "south_seas"];
