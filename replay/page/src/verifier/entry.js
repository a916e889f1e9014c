// Entries, votes and ballots: protocol.md sections 2 and 5.

import { sha512 } from "@noble/hashes/sha2.js";
import { concat, utf8 } from "./bytes.js";
import { Fault, malformed } from "./fault.js";
import { hash32 } from "./group.js";
import { binary, fields, integer, isInteger, string } from "./shape.js";
import { label } from "./version.js";
import { isVote } from "./votes.js";

const ENTRY_PURPOSE = label("entry");
const VOTE_PURPOSE = label("vote");
const BALLOT_PURPOSE = label("ballot");

/** The shape of an entry. Whether its step and its seat are there is a matter of its place. */
export function readEntry(value, record) {
  const entry = fields(value, "table", "step", "seat", "kind", "payload", "previous", "state");
  binary(entry.table, 32);
  integer(entry.step, 0);
  integer(entry.seat);
  string(entry.kind);
  if (!isPayload(entry.payload)) throw malformed("a payload of another type");
  binary(entry.previous, 32);
  binary(entry.state, 16);
  return { ...entry, record };
}

const isPayload = (value) =>
  value === null || isInteger(value) || value instanceof Uint8Array || Array.isArray(value) ||
  value instanceof Map;

const BALLOT = ["table", "step", "seat", "absent", "previous"];

/** "A record with the keys of a ballot is one." */
export const isBallot = (value) =>
  value instanceof Map && value.size === BALLOT.length && BALLOT.every((key) => value.has(key));

export function readBallot(value) {
  const ballot = fields(value, ...BALLOT);
  binary(ballot.table, 32);
  integer(ballot.step, 0);
  integer(ballot.seat);
  integer(ballot.absent);
  binary(ballot.previous, 32);
  return ballot;
}

function checkSigned(identities, purpose, signed, record) {
  if (!identities[signed.seat].signed(purpose, record.body, record.signature))
    throw new Fault("bad-signature", `a signature is not that of seat ${signed.seat}`, { seat: null });
}

export const checkEntrySigned = (identities, entry) =>
  checkSigned(identities, isVote(entry) ? VOTE_PURPOSE : ENTRY_PURPOSE, entry, entry.record);
export const checkBallotSigned = (identities, ballot, record) =>
  checkSigned(identities, BALLOT_PURPOSE, ballot, record);

/** The hash of a complete step; its entries in seat order. */
export function stepHash(before, entries) {
  const bodies = entries.map((entry) => sha512(entry.record.body));
  return hash32(utf8(`${label("step")}\0`), before, concat(...bodies));
}
