// The header of a log: protocol.md section 3, log-format.md "NAME.ndlog".

import { utf8 } from "./bytes.js";
import { blaming, Fault } from "./fault.js";
import { decodePoint, hash32, keyPoint, sum } from "./group.js";
import { allowedCredits, checkPings, unlinkedPairs } from "./pings.js";
import { readProposal } from "./proposal.js";
import { array, binary, fields, unpackFields } from "./shape.js";
import { checkKeysTogether, checkTableKey } from "./tablekeys.js";
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
  const keys = array(body.keys).map(readKey);
  const pings = array(body.pings);
  const proposal = readProposal(binary(body.proposal));
  for (const list of [keys, pings, signatures]) array(list, proposal.identities.length);
  checkSignatures(proposal, header.body, signatures);
  return foundTable(proposal, header.body, keys, pings);
}

function readKey(value) {
  const key = fields(value, "commitment", "opening", "public", "proof");
  binary(key.commitment, 64);
  binary(key.opening, 32);
  binary(key.public, 32);
  binary(key.proof, 64);
  return key;
}

function checkSignatures(proposal, body, signatures) {
  proposal.identities.forEach((identity, seat) => {
    if (!identity.signed(HEADER_PURPOSE, body, signatures[seat]))
      throw new Fault("bad-signature", `seat ${seat} did not sign this header`, { seat: null });
  });
}

function foundTable(proposal, body, keys, pings) {
  const commitments = keys.map((key) => key.commitment);
  const of = (seat, check) => blaming(seat, null, check);
  const points = keys.map((key) => decodePoint(key.public));
  keys.forEach((key, seat) =>
    of(seat, () => checkTableKey(proposal, seat, key, points[seat], commitments)),
  );
  checkKeysTogether(points);
  const stated = pings.map((row, seat) => checkPings(row, seat, keys.length));
  return {
    id: hash32(utf8(`${label("table")}\0`), body),
    identities: proposal.identities,
    names: proposal.names,
    bots: proposal.bots,
    seats: keys.length,
    keys: points.map(keyPoint),
    jointKey: keyPoint(sum(points)),
    credits: allowedCredits(stated, proposal.cap),
    unlinked: unlinkedPairs(stated),
  };
}
