// Races: claims, what the witnesses saw, who was first (protocol, races). Microseconds.

import { CardClaim, checkIndex } from "./laying.js";
import { exactly } from "./messagepack.js";
import { demand } from "./refusal.js";
import { coin } from "./sharing.js";

const FLOOR = 100_000;
const TIE = 10_000;
const AGREEMENT = 40_000;
const DISPUTES_MAX = 3;
const TIME_MAX = 86_400_000_000;

/** All who may claim say so or pass; between several that compete the witnesses decide. */
export function race(walk, { claims, aside }) {
  const sides = new Map(claims.map((claim) => [claim.seat, new Side(walk, claim)]));
  const said = walk.step("race", [...sides.keys()], (seat, payload, step) =>
    sides.get(seat).check(payload, step),
  );
  const claimants = [...said].filter(([, claim]) => claim !== null).map(([seat]) => seat);
  claimants.sort((one, other) => one - other);
  const rivals = claimants.filter((seat) => !aside.includes(said.get(seat)));
  if (rivals.length > 1) first(walk, rivals);
  for (const seat of claimants) sides.get(seat).settle(said.get(seat));
}

/** One seat's claim: a card, a call, or either. */
class Side {
  constructor(walk, claim) {
    this.card = claim.zone === null ? null : new CardClaim(walk, claim);
    this.options = claim.options;
  }

  check(payload, step) {
    const calls =
      this.options !== null &&
      (this.card === null || typeof payload === "number" || typeof payload === "boolean");
    if (!calls) return this.card.check(payload, step);
    return payload === null ? null : checkIndex(payload, this.options);
  }

  settle(claim) {
    if (claim !== null && typeof claim === "object") this.card.settle(claim);
  }
}

/** Who was first, by the witnesses, and by lot between equals. */
function first(walk, claimants) {
  walk.count("races");
  let foremost = claimants;
  if (walk.disputes < DISPUTES_MAX) {
    const found = judge(claimants, witness(walk, claimants));
    foremost = found.foremost;
    if (found.void) walk.disputes += 1;
  }
  return foremost.length === 1 ? foremost[0] : foremost[coin(walk)(0, foremost.length)];
}

/** sightings.get(j).get(i): what witness j says of the claim of i. */
function witness(walk, claimants) {
  const sightings = walk.step("witness", walk.seats, (seat, payload) => {
    exactly(payload, "list", "a witness entry");
    demand(payload.length === claimants.length, "malformed", "not one sighting a claim");
    return new Map(
      claimants.map((claimant, at) => [claimant, readSighting(walk, seat, claimant, payload[at])]),
    );
  });
  for (const [seat, row] of sightings)
    for (const [claimant, { credit }] of row) walk.credits[seat][claimant] = credit;
  return sightings;
}

function readSighting(walk, seat, claimant, row) {
  demand(
    Array.isArray(row) && row.length === 3,
    "malformed",
    "a sighting is two times and a credit",
  );
  const [seen, late, credit] = row;
  for (const time of [seen, late]) {
    exactly(time, "nil|int", "a time");
    demand(time === null || (time >= 0 && time <= TIME_MAX), "malformed", "a time out of range");
  }
  exactly(credit, "int", "a credit");
  const allowed = seat === claimant ? 0 : walk.credits[seat][claimant];
  demand(
    credit >= 0 && credit <= allowed,
    "bad-witness",
    "the seat credits more delay than by its own word it may",
  );
  return { seen: plainNumber(seen), late: plainNumber(late), credit: Number(credit) };
}

const plainNumber = (value) => (value === null ? null : Number(value));

/** The claimants that nothing parts, and whether two seats contradict each other. */
export function judge(claimants, sightings) {
  if (sightings.size === 2) return judgeTwo(claimants, sightings);
  const times = claimants.map((claimant) => agreedTime(claimant, sightings));
  return { foremost: foremostOf(claimants, times), void: false };
}

function agreedTime(claimant, sightings) {
  const others = [...sightings].filter(([seat]) => seat !== claimant);
  return lowerMedian(others.map(([, row]) => timeBy(row.get(claimant))));
}

function timeBy({ seen, late, credit }) {
  if (seen === null || late === null) return null;
  return Math.max(FLOOR, seen - credit) + Math.max(0, late - credit);
}

function judgeTwo(claimants, sightings) {
  let agreed = true;
  const times = claimants.map((claimant) => {
    const [other] = [...sightings.keys()].filter((seat) => seat !== claimant);
    const own = sightings.get(claimant).get(claimant).seen;
    const { seen, late, credit } = sightings.get(other).get(claimant);
    const heard = seen === null || late === null ? null : seen + late - 2 * credit;
    agreed &&= own !== null && heard !== null && Math.abs(own - heard) <= AGREEMENT;
    return own;
  });
  return { foremost: agreed ? foremostOf(claimants, times) : claimants, void: !agreed };
}

function foremostOf(claimants, times) {
  const counted = times.map((time) => (time === null ? null : Math.max(FLOOR, time)));
  const known = counted.filter((time) => time !== null);
  if (!known.length) return claimants;
  const limit = Math.min(...known) + TIE;
  return claimants.filter((_, at) => counted[at] !== null && counted[at] <= limit);
}

function lowerMedian(values) {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other);
  return known[Math.floor((values.length - 1) / 2)] ?? null;
}
