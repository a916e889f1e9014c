// Records beyond a log, and files of a table that never began: log-format.md "Evidence",
// protocol.md section 8 "Evidence".

import { equal, hex } from "./bytes.js";
import { checkEntrySigned, readEntry } from "./entry.js";
import { Fault, malformed } from "./fault.js";
import { owedNone } from "./judge.js";
import { unpack } from "./msgpack.js";
import { isVote, readVote, roundOf } from "./votes.js";

const AHEAD = 8;

/** What each seat signed for each step: a second thing is equivocation, whatever else it is. */
class Said {
  constructor() {
    this.records = new Map();
  }

  before(entry) {
    return this.records.get(placeOf(entry));
  }

  /** Whether these very bytes are there. */
  has(entry) {
    const before = this.before(entry);
    return before !== undefined && equal(before, entry.record.bytes);
  }

  /** "So are two signatures over one body." */
  add(entry) {
    if (this.before(entry) && !this.has(entry))
      throw new Fault("equivocation", "the seat signed two entries for one step, or two votes of a round", entry);
    this.records.set(placeOf(entry), entry.record.bytes);
  }
}

/** Where a seat signs once: an entry of each step, a vote of each round about it. */
const placeOf = (entry) => `${entry.step} ${entry.seat}` + (isVote(entry) ? ` ${roundOf(entry)}` : "");

/** An entry or vote that its seat signed for this table. Until that is shown a fault falls on nobody. */
function readSigned({ id, identities }, record) {
  try {
    const entry = readEntry(unpack(record.body), record);
    if (!equal(entry.table, id)) throw malformed("an entry of another table");
    if (entry.seat < 0 || entry.seat >= identities.length) throw malformed("a seat that is not there");
    checkEntrySigned(identities, entry);
    if (isVote(entry)) readVote(entry, identities.length);
    return entry;
  } catch (error) {
    if (error instanceof Fault) Object.assign(error, { seat: null, step: null });
    throw error;
  }
}

/** "Unless it ends with a close step that all seats signed." */
export const endsWithClose = ({ seats }, last) =>
  last.entries.length === seats && last.entries.every(({ kind }) => kind === "close");

/** The entries beyond a log that it does not hold: all that is checked before the first proof. */
export function readBeyond(table, log, records) {
  const said = new Said();
  log.forEach((entry) => said.add(entry));
  const signed = new Map();
  for (const record of records) signed.set(hex(record.bytes), readSigned(table, record));
  const entries = [...signed.values()].filter((entry) => !said.has(entry));
  table.counts.beyond = entries.length;
  entries.forEach((entry) => said.add(entry));
  return entries;
}

/** Judges them as they would be in play: those of the step that goes on, later ones in time. */
export function judgeBeyond(judge, entries) {
  const waiting = [];
  for (const entry of entries) {
    if (judge.closed) return;
    if (isPast(judge, entry)) throw owedNone(entry);
    if (entry.step <= judge.step + AHEAD) waiting.push(entry);
    judgeWaiting(judge, waiting);
  }
}

/** An entry for a step that is complete without it, and in the same history; in a void step none counts. */
function isPast(judge, entry) {
  const past = isVote(entry) ? undefined : judge.passed[entry.step];
  return past !== undefined && !past.isVoid && equal(entry.previous, past.previous);
}

/** "A foreign `previous` alone is nobody's guilt": such an entry is set aside. */
function judgeWaiting(judge, waiting) {
  for (let entry = nextOf(judge, waiting); entry && judge.asked; entry = nextOf(judge, waiting)) {
    waiting.splice(waiting.indexOf(entry), 1);
    if (isVote(entry)) judge.hear(readVote(entry, judge.table.seats));
    else judge.offer(entry);
  }
}

/** Of all that is due: first the entries of the step, by seat; then votes, by step, seat and round. */
function nextOf(judge, waiting) {
  const entries = waiting.filter(
    (one) => !isVote(one) && one.step === judge.step && equal(one.previous, judge.previous),
  );
  const votes = waiting.filter((one) => isVote(one) && judge.mayVoteAt(one.step));
  const order = (one, other) =>
    one.step - other.step || one.seat - other.seat || Number(roundOf(one)) - Number(roundOf(other));
  return entries.sort(order)[0] ?? votes.sort(order)[0];
}
