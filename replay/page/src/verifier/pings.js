// Round trips that the seats stated, and the delays that follow: protocol.md section 3.

import { malformed } from "./fault.js";
import { array, integer } from "./shape.js";

const LONGEST = 60_000_000;
const LEAST_CAP = 1000;
const RELAY = 8_000;

/** One seat's statement: an item a seat, nil for oneself and where nothing was measured. */
export function checkPings(value, seat, seats) {
  return array(value, seats).map((ping, other) => {
    if (ping === null) return null;
    if (other === seat) throw malformed("a round trip to oneself");
    return integer(ping, 1, LONGEST);
  });
}

/** The delay of each pair of seats in microseconds, Infinity where it is unknown. */
function delays(pings) {
  const direct = pings.map((row, i) =>
    row.map((ping, j) => {
      const known = [ping, pings[j][i]].filter((trip) => trip !== null);
      return i === j || !known.length ? Infinity : Math.floor(Math.min(...known) / 2);
    }),
  );
  const around = shortestWays(direct);
  return direct.map((row, i) => row.map((delay, j) => (delay < Infinity ? delay : around[i][j])));
}

function shortestWays(direct) {
  const ways = direct.map((row) => [...row]);
  for (let by = 0; by < ways.length; by++)
    for (let i = 0; i < ways.length; i++)
      for (let j = 0; j < ways.length; j++)
        ways[i][j] = Math.min(ways[i][j], ways[i][by] + RELAY + ways[by][j]);
  return ways;
}

/** The pairs that stated no round trip to each other, in seat order, and who is between the two. */
export function unlinkedPairs(pings) {
  if (pings.length === 2) return [];
  const linked = (i, j) => i !== j && (pings[i][j] !== null || pings[j][i] !== null);
  const links = pings.map((_, i) => linksTo(pings.length, linked, i));
  const pairs = links.flatMap((_, i) => links.slice(i + 1).map((_, k) => [i, i + 1 + k]));
  return pairs
    .filter(([i, j]) => !linked(i, j))
    .map((seats) => ({ seats, between: between(links, seats) }));
}

/** How many links each seat is away from one, Infinity where no way is known. */
function linksTo(seats, linked, from) {
  const away = Array(seats).fill(Infinity);
  away[from] = 0;
  const near = [from];
  for (const seat of near)
    for (let other = 0; other < seats; other++)
      if (linked(seat, other) && away[other] === Infinity) {
        away[other] = away[seat] + 1;
        near.push(other);
      }
  return away;
}

/** All seats on the ways with the fewest links; where no way is known, all others. */
function between(links, [i, j]) {
  const others = [...links.keys()].filter((seat) => seat !== i && seat !== j);
  if (links[i][j] === Infinity) return others;
  return others.filter((seat) => links[i][seat] + links[j][seat] === links[i][j]);
}

/** What a witness may credit a claimant with, before any earlier credit: [witness][claimant]. */
export function allowedCredits(pings, proposedCap) {
  const between = delays(pings);
  const others = between.flatMap((row, i) => row.filter((_, j) => i !== j));
  const counted = others.map((delay) => (delay < Infinity ? delay : proposedCap));
  const largest = counted.reduce((most, delay) => Math.max(most, delay), 0);
  const cap = Math.max(LEAST_CAP, Math.min(proposedCap, largest));
  return between.map((row, i) => row.map((delay, j) => (i === j ? 0 : Math.min(delay, cap))));
}
