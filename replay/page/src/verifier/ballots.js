// Ballots behind a close step that lacks signatures: protocol.md section 5 "Ballot", log-format.md.

import { equal } from "./bytes.js";
import { broken } from "./chain.js";
import { checkBallotSigned, readBallot } from "./entry.js";
import { Fault } from "./fault.js";
import { unpack } from "./msgpack.js";

/**
 * The seats that the table was closed without: one ballot of each present seat about each missing
 * one, in order. `last` is the last step of the chain, `staying` are the seats that have not left,
 * `step` is the one that a fault is found in.
 */
export function readBallots(table, { last, staying, records }, step) {
  try {
    return missingSeats(table, last, staying, records);
  } catch (error) {
    if (error instanceof Fault) Object.assign(error, { seat: null, step });
    throw error;
  }
}

function missingSeats(table, last, staying, records) {
  const present = last.entries.map(({ seat }) => seat);
  const missing = staying.filter((seat) => !present.includes(seat));
  if (!present.length || !missing.length || last.entries.some(({ kind }) => kind !== "close"))
    throw broken("ballots where no signature of a close is missing");
  const expected = missing.flatMap((absent) => present.map((seat) => ({ seat, absent })));
  records.forEach((record, i) => {
    const ballot = readBallot(unpack(record.body));
    if (!expected[i] || !belongs(table, last, ballot, expected[i])) throw broken("a ballot out of place");
    checkBallotSigned(table.identities, ballot, record);
  });
  if (records.length < expected.length) throw broken("a ballot is missing");
  table.counts.ballots = records.length;
  return missing;
}

const belongs = (table, last, ballot, { seat, absent }) =>
  ballot.seat === seat && ballot.absent === absent && ballot.step === last.step &&
  equal(ballot.table, table.id) && equal(ballot.previous, last.previous);
