// Entries, the chain of steps, and ballots (protocol sections 2 and 5).

import { hash32, same, sha512 } from "./bytes.js";
import { exactly, octets, take, unpack } from "./messagepack.js";
import { blaming, demand } from "./refusal.js";
import { checkSignature } from "./signature.js";

const ENTRY_PURPOSE = "nodealer entry v1\0";
const BALLOT_PURPOSE = "nodealer ballot v1\0";
const ENTRY = {
  table: "bin",
  step: "int",
  seat: "int",
  kind: "str",
  payload: null,
  previous: "bin",
  state: "bin",
};
const BALLOT = { table: "bin", step: "int", seat: "int", absent: "int", previous: "bin" };
const SIGNATURE = 64;

/** An entry, its signature not yet checked. */
export function readEntry(record) {
  demand(record.length > SIGNATURE, "malformed", "a record has an impossible length");
  const body = record.subarray(0, -SIGNATURE);
  const fields = takeEntry(unpack(body));
  return { ...fields, body, signature: record.subarray(-SIGNATURE) };
}

function takeEntry(value) {
  const { payload, ...rest } = value ?? {};
  demand(payload !== undefined, "malformed", "a message has not the fields it should have");
  const { payload: _, ...shape } = ENTRY;
  take(rest, shape);
  exactly(payload, "nil|int|bin|list|map", "the payload");
  octets(rest.table, 32, "the table id");
  octets(rest.previous, 32, "the previous hash");
  octets(rest.state, 16, "the state digest");
  return value;
}

/** The hash of a step (protocol section 2). */
export const stepHash = (before, bodies) =>
  hash32("nodealer step v1\0", before, ...bodies.map((body) => sha512(body)));

/**
 * The steps of a log, each `{number, previous, entries}`, and the ballots at its end.
 * `checked(done, all)` is called as it goes on.
 */
export function readChain(header, records, checked = () => {}) {
  const steps = [];
  let current = { number: 0, previous: header.table, entries: [] };
  for (let at = 0; at < records.length; at++) {
    if (blaming({ step: current.number }, () => isBallot(records[at]))) {
      if (current.entries.length) steps.push(current);
      return { steps, ballots: records.slice(at) };
    }
    const entry = blaming({ step: current.number }, () => readEntry(records[at]));
    if (current.entries.length && entry.step === current.number + 1) {
      steps.push(current);
      const bodies = current.entries.map(({ body }) => body);
      current = { number: entry.step, previous: stepHash(current.previous, bodies), entries: [] };
    }
    admit(header, current, entry);
    current.entries.push(entry);
    checked(at + 1, records.length);
  }
  if (current.entries.length) steps.push(current);
  return { steps, ballots: [] };
}

function admit(header, { number, previous, entries }, entry) {
  const last = entries.length ? entries.at(-1).seat : -1;
  const ordered = entry.step === number && last < entry.seat && entry.seat < header.seats.length;
  demand(ordered, "broken-chain", "entries are out of order", null, number);
  const linked = same(entry.table, header.table) && same(entry.previous, previous);
  demand(linked, "broken-chain", "an entry does not follow from what is before", null, number);
  checkSigned(header, entry);
}

/** Refuses unless the seat that an entry names signed it; in a log the fault falls on it. */
export function checkSigned(header, { seat, step, body, signature }, blamed = { seat, step }) {
  blaming(blamed ?? {}, () =>
    checkSignature(header.identities[seat], ENTRY_PURPOSE, body, signature),
  );
}

/**
 * Adds what was signed beyond the steps of a log to them; the two-faced entries among it,
 * which contradict what the same seat signed in the log.
 */
export function extend(header, steps, records) {
  const contradictions = [];
  for (const record of records) {
    const entry = readEntry(record);
    const seated =
      same(entry.table, header.table) && entry.seat >= 0 && entry.seat < header.seats.length;
    demand(seated, "malformed", "an entry of another table or seat");
    const known = steps[entry.step]?.entries.find(({ seat }) => seat === entry.seat);
    if (known && same(known.body, entry.body) && same(known.signature, entry.signature)) continue;
    checkSigned(header, entry, null);
    if (known) contradictions.push(entry);
    else place(header, steps, entry);
  }
  return contradictions;
}

function place(header, steps, entry) {
  const last = steps.at(-1) ?? { number: -1, previous: null, entries: [] };
  if (entry.step === last.number + 1) {
    const bodies = last.entries.map(({ body }) => body);
    const previous = steps.length ? stepHash(last.previous, bodies) : header.table;
    if (same(entry.previous, previous))
      steps.push({ number: entry.step, previous, entries: [entry] });
  } else if (steps[entry.step] && same(entry.previous, steps[entry.step].previous)) {
    steps[entry.step].entries.push(entry);
    steps[entry.step].entries.sort((one, other) => one.seat - other.seat);
  }
}

function isBallot(record) {
  const value = unpack(record.subarray(0, -SIGNATURE));
  const keys = value === null || typeof value !== "object" ? [] : Object.keys(value);
  return keys.length === 5 && keys.every((key) => Object.hasOwn(BALLOT, key));
}

/**
 * The seats whose missing close signature the ballots stand for: for each of them in order,
 * one ballot of each other seat in order, and nothing else.
 */
export function checkBallots(header, { number, previous }, missing, ballots) {
  const present = header.seats.map((_, seat) => seat).filter((seat) => !missing.includes(seat));
  const due = missing.flatMap((absent) => present.map((seat) => ({ absent, seat })));
  demand(
    due.length === ballots.length && due.length > 0,
    "broken-chain",
    "the ballots are not one a seat",
    null,
    number,
  );
  ballots.forEach((record, at) => {
    const body = record.subarray(0, -SIGNATURE);
    const ballot = take(unpack(body), BALLOT);
    const { seat, absent } = due[at];
    const fits =
      ballot.seat === seat &&
      ballot.absent === absent &&
      ballot.step === number &&
      same(ballot.table, header.table) &&
      same(ballot.previous, previous);
    demand(fits, "broken-chain", "the ballots are not one a seat", null, number);
    checkSignature(header.identities[seat], BALLOT_PURPOSE, body, record.subarray(-SIGNATURE));
  });
  return missing;
}
