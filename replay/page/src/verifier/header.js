// The header of a log: protocol.md section 3, log-format.md "NAME.ndlog".

import { utf8 } from "./bytes.js";
import { blaming, Fault } from "./fault.js";
import { hash32, keyPoint, sum } from "./group.js";
import { allowedCredits, checkPings, unlinkedPairs } from "./pings.js";
import { readProposal, readSigners } from "./proposal.js";
import { array, binary, fields, unpackFields } from "./shape.js";
import { checkKey, checkKeysTogether, keyFields, readBeginning, readKey } from "./tablekeys.js";
import { label } from "./version.js";

export const HEADER_PURPOSE = label("header");

/**
 * The table that a header founds; in the order of section 8: shape, proposal, numbers of seats,
 * signatures, table keys, pings. A fault is nobody's and of no step, but a false opening or proof of
 * a table key is its seat's.
 */
export function readHeader(bytes) {
  const header = unpackFields(bytes, "body", "signatures");
  const body = unpackFields(binary(header.body), "proposal", "keys", "pings");
  const signatures = array(header.signatures).map((one) => binary(one, 64));
  const listed = array(body.keys);
  const pings = array(body.pings);
  const proposal = readProposal(binary(body.proposal));
  for (const list of [listed, pings, signatures]) array(list, proposal.identities.length);
  checkSignatures(proposal, header.body, signatures);
  const keys = listed.map((value) => readListed(value, proposal.least));
  return foundTable(proposal, header.body, keys, pings);
}

/** The revision in a header that all of its seats signed: the rest may be as that revision makes it. */
export function signedRevision(bytes) {
  const header = unpackFields(bytes, "body", "signatures");
  const body = unpackFields(binary(header.body), "proposal", "keys", "pings");
  const { revision, identities } = readSigners(binary(body.proposal));
  const signatures = array(header.signatures, identities.length).map((one) => binary(one, 64));
  checkSignatures({ identities, names: [] }, header.body, signatures);
  return revision;
}

function readListed(value, least) {
  const key = fields(value, "commitment", ...keyFields(least));
  return { began: readBeginning(key.commitment, least), ...readKey(key, least) };
}

function checkSignatures(proposal, body, signatures) {
  proposal.identities.forEach((identity, seat) => {
    if (!identity.signed(HEADER_PURPOSE, body, signatures[seat]))
      throw new Fault("bad-signature", `${proposal.names[seat]} did not sign this header`, { seat: null });
  });
}

function foundTable(proposal, body, keys, pings) {
  const bound = keys.map(({ began }) => began.bytes);
  keys.forEach((key, seat) => blaming(seat, null, () => checkKey(proposal, seat, key, bound)));
  const points = keys.map(({ images: [point] }) => point);
  checkKeysTogether(points);
  const stated = pings.map((row, seat) => checkPings(row, seat, keys.length));
  return {
    id: hash32(utf8(`${label("table")}\0`), body),
    identities: proposal.identities,
    names: proposal.names,
    bots: proposal.bots,
    least: proposal.least,
    seats: keys.length,
    keys: points.map(keyPoint),
    images: keys.map(({ images }) => images),
    jointKey: keyPoint(sum(points)),
    credits: allowedCredits(stated, proposal.cap),
    unlinked: unlinkedPairs(stated),
  };
}
