// All records of a log: encoding, place, signature (protocol.md sections 2 and 8, "Order").
// Whoever holds a file can change it: what is wrong here falls on nobody.

import { equal } from "./bytes.js";
import { checkEntrySigned, isBallot, readEntry, stepHash } from "./entry.js";
import { Fault } from "./fault.js";
import { unpack } from "./msgpack.js";
import { same } from "./shape.js";
import { isVote } from "./votes.js";

export const broken = (reason, step) => new Fault("broken-chain", reason, { seat: null, step });

/** Reads the records in order and remembers where it is. */
class Chain {
  constructor(table, counts) {
    this.table = table;
    this.counts = counts;
    this.entries = [];
    this.step = null;
    this.inStep = [];
    this.previous = table.id;
  }

  add(record, value) {
    const entry = readEntry(value, record);
    this.place(entry);
    checkEntrySigned(this.table.identities, entry);
    this.counts.signatures++;
    this.inStep.push(entry);
    this.entries.push(entry);
  }

  /** "The step of the record before or the next one, there a higher seat that the table has." */
  place(entry) {
    if (entry.step !== this.step && entry.step !== this.following) throw broken("a step out of order");
    if (entry.step !== this.step) this.begin(entry.step);
    const last = this.inStep.at(-1)?.seat ?? -1;
    if (entry.seat <= last || entry.seat >= this.table.seats) throw broken("a seat out of order");
    if (!equal(entry.table, this.table.id)) throw broken("an entry of another table");
    if (!equal(entry.previous, this.previous)) throw broken("an entry that follows from something else");
    if (this.inStep.length && !areAlike(this.inStep.at(-1), entry))
      throw broken("a step is all votes that agree, or none");
  }

  get following() {
    return this.step === null ? 0 : this.step + 1;
  }

  begin(step) {
    if (this.inStep.length) this.previous = stepHash(this.previous, this.inStep);
    this.inStep = [];
    this.step = step;
  }
}

/** Both are entries, or votes that say the same. */
const areAlike = (one, other) =>
  isVote(one) === isVote(other) && (!isVote(one) || same(one.payload, other.payload));

/**
 * The entries of a log, those of the last step there is (with the hash before it), and the records
 * that are ballots: "from the first on all are". `told(done, all)` is called on the way.
 */
export function readChain(table, records, counts, told) {
  const chain = new Chain(table, counts);
  let read = 0;
  for (; read < records.length; read++) {
    told(read, records.length);
    if (!readingIn(chain, () => addUnlessBallot(chain, records[read]))) break;
  }
  const { entries, inStep, previous, step } = chain;
  return { entries, last: { entries: inStep, previous, step }, ballots: records.slice(read) };
}

function addUnlessBallot(chain, record) {
  const value = unpack(record.body);
  if (isBallot(value)) return false;
  chain.add(record, value);
  return true;
}

/** A fault is found in the step of which an entry was read last, 0 before the first. */
function readingIn(chain, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) Object.assign(error, { seat: null, step: chain.step ?? 0 });
    throw error;
  }
}
