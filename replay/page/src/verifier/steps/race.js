// Races: claims, what witnesses say of them, and the coin. protocol.md section 5, "Races".

import { Fault, malformed } from "../fault.js";
import { array, fields, integer, isInteger } from "../shape.js";
import { FLOOR, heldPair, lowerMedian } from "./held.js";
import { checkChoice, checkPlay } from "./play.js";
import { coin } from "./coin.js";
import { isLeave } from "./farewell.js";
import { NO_EFFECT, take } from "./hand.js";

const LONGEST = 86_400_000_000;
const TIE = 10_000;
const AGREEMENT = 40_000;
const RACING = ["race", "witness", "coin"];
const DISPUTES = 3;
const DISPUTES_BETWEEN = 6;

/** nil for a pass; "where a seat may do either, the type tells which", and any other type is wrong. */
function checkClaim(table, entry, question, aside) {
  const { payload } = entry;
  if (payload === null) return null;
  if (isInteger(payload)) {
    if (question.options === null) throw malformed("a choice where only a card can be claimed");
    const competes = !aside.includes(checkChoice(payload, question.options));
    return { competes, card: false, effect: NO_EFFECT };
  }
  if (!(payload instanceof Map)) throw malformed("a claim of another type");
  if (question.zone === null) throw malformed("a card where only a choice can be claimed");
  return { competes: true, card: true, effect: checkPlay(table, entry, question, payload) };
}

/** Choices that are *aside* compete with nothing; two or more claims of others are decided. */
export function* race(table, { claims, aside }) {
  const seats = claims.map(({ seat }) => seat).sort((i, j) => i - j);
  if (!seats.length) return;
  const questionOf = (entry) => claims.find(({ seat }) => seat === entry.seat);
  const check = (entry) => checkClaim(table, entry, questionOf(entry), aside);
  // A seat that leaves has passed: its result is null.
  const given = yield { kind: "race", seats, check, decides: true, leaverPasses: true };
  const made = given.filter(({ result }) => result !== null);
  if (given.some(({ entry }) => !isLeave(entry))) table.counts.races++;
  const seatsOf = (chosen) => made.filter(({ result }) => chosen(result)).map(({ entry }) => entry.seat);
  const rivals = seatsOf(({ competes }) => competes);
  if (rivals.length > 1) yield* decide(table, rivals, seatsOf(({ card }) => card));
  takeClaims(table, made);
}

/** Each card that was claimed with lies open. */
function takeClaims(table, given) {
  for (const { entry, result } of given) if (result !== null) take(table, entry.seat, result.effect);
}

/** Two or more claims: a `witness` step says who is first together, a coin who of those. */
function* decide(table, claimants, cards) {
  const disputes = table.disputes;
  const { first, times } = yield* compared(table, claimants);
  const later = cards.filter((seat) => !first.includes(seat));
  // Which order the coin chooses is for the rules; here it is enough that the coin is owed and right.
  if (first.length > 1 || haveTie(later, (seat) => times[claimants.indexOf(seat)])) yield* coin(table);
  table.counts.contested++;
  table.counts.disputes += table.disputes - disputes;
}

/** The claims of seats that are lost before the end come after all others, together. */
function* compared(table, claimants) {
  const rivals = claimants.filter((seat) => table.everybody.includes(seat));
  if (rivals.length < 2) return { first: rivals.length ? rivals : claimants, times: [] };
  if (byCoin(table, rivals)) return { first: rivals, times: [] };
  const found = yield* witnessed(table, rivals);
  if (found === null) return yield* compared(table, claimants);
  return { first: found.first, times: claimants.map((seat) => found.times[rivals.indexOf(seat)] ?? Infinity) };
}

/** Whether any of these come together, when the first of them go again and again. */
function haveTie(seats, timeOf) {
  if (!seats.length) return false;
  const first = leastOf(seats, seats.map(timeOf));
  return first.length > 1 || haveTie(seats.filter((seat) => !first.includes(seat)), timeOf);
}

/** Two seats, or two that have not left. */
const areTwo = (table) => table.everybody.length === 2;

/** After too many disputes: of two seats always, else where a claimant had to do with them. */
function byCoin(table, claimants) {
  if (areTwo(table)) return table.disputes >= DISPUTES;
  return claimants.some((seat) => inDoubt(table, seat));
}

/** Three of one pair that the seat is of or between, or six of any pairs that it is between. */
function inDoubt(table, seat) {
  const disputed = [...table.disputesOf];
  const between = disputed.filter(([pair]) => pair.between.includes(seat));
  const concerned = disputed.filter(([pair]) => pair.seats.includes(seat)).concat(between);
  const all = between.reduce((sum, [, count]) => sum + count, 0);
  return all >= DISPUTES_BETWEEN || concerned.some(([, count]) => count >= DISPUTES);
}

function* witnessed(table, claimants) {
  const check = (entry) => checkWitness(table, entry, claimants);
  const given = yield { kind: "witness", seats: table.everybody, check, settles: true };
  if (given.lost) return null;
  const said = [];  // By seat; it has no item for a seat that has left.
  for (const { entry, result } of given) said[entry.seat] = result;
  const rows = said.map(({ claims }) => claims);
  rows.forEach((row, witness) =>
    claimants.forEach((claimant, i) => table.credited.set(`${witness} ${claimant}`, row[i].credit)),
  );
  return areTwo(table) ? firstOfTwo(table, claimants, rows) : firstOfMany(table, claimants, said);
}

function checkWitness(table, entry, claimants) {
  const payload = fields(entry.payload, "claims", "parts");
  const claims = array(payload.claims, claimants.length).map((told) => {
    const [seen, late, credit] = array(told, 3);
    return { seen: checkTime(seen), late: checkTime(late), credit: integer(credit) };
  });
  claims.forEach(({ credit }, i) => {
    if (credit < 0 || credit > allowed(table, entry.seat, claimants[i]))
      throw new Fault("bad-witness", `seat ${claimants[i]} is credited with ${credit} us`);
  });
  return { claims, parts: checkParts(payload.parts, entry.seat, table.seats) };
}

function checkParts(value, own, seats) {
  const parts = array(value, seats);
  if (parts[own] !== null) throw malformed("a seat tells of its own part");
  return parts.map((part) => (part === null ? null : integer(part, -LONGEST, LONGEST)));
}

function checkTime(value) {
  return value === null ? null : integer(value, 0, LONGEST);
}

/** The delay between the two, and never more than the witness has credited the claimant with before. */
function allowed(table, witness, claimant) {
  const before = table.credited.get(`${witness} ${claimant}`) ?? Infinity;
  return Math.min(table.credits[witness][claimant], before);
}

/** Three seats or more: the lower median of what all others saw, unless records were held. */
function firstOfMany(table, claimants, said) {
  const by = said.map(({ claims }) => claims.map(timeBy));
  const times = claimants.map((claimant, i) =>
    lowerMedian(by.filter((_, witness) => witness !== claimant).map((row) => row[i])),
  );
  const first = leastOf(claimants, times);
  const pair = heldPair(table, { claimants, said, by, times, first, showed: showed(table) });
  if (pair === null) return { first, times };
  table.disputes++;
  table.disputesOf.set(pair, (table.disputesOf.get(pair) ?? 0) + 1);
  return { first: claimants, times };
}

/** The seats whose entries showed what the race was about; its claims, then its witnesses are the last. */
function showed({ steps }) {
  const claims = steps.findLastIndex(({ kind }) => kind !== "witness");
  const before = steps.slice(0, claims).reverse();
  const shown = before.find(({ kind }) => !RACING.includes(kind));
  return (shown?.kind === "open" ? shown : before[0])?.seats ?? [];
}

function timeBy({ seen, late, credit }) {
  if (seen === null || late === null) return Infinity;
  return Math.max(FLOOR, seen - credit) + Math.max(0, late - credit);
}

/** Two seats: each says its own time, and the other has to agree with it. */
function firstOfTwo(table, claimants, rows) {
  const own = claimants.map((claimant, i) => rows[claimant][i].seen);
  const other = (claimant) => table.everybody.find((seat) => seat !== claimant);
  const agreed = claimants.every((claimant, i) => agrees(own[i], rows[other(claimant)][i]));
  if (agreed) return { first: leastOf(claimants, own), times: own };
  table.disputes++;
  return { first: claimants, times: own };
}

const agrees = (own, { seen, late, credit }) =>
  own !== null && seen !== null && late !== null &&
  Math.abs(own - (seen + late - 2 * credit)) <= AGREEMENT;

/** Those within a tie of the least; if all are infinite, all of them. */
function leastOf(claimants, times) {
  const floored = times.map((time) => Math.max(time, FLOOR));
  const least = Math.min(...floored);
  return claimants.filter((_, i) => floored[i] === least || floored[i] <= least + TIE);
}
