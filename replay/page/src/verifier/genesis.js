// A table that never began: the three steps of protocol.md section 3, as steps for the Judge.

import { encode } from "@msgpack/msgpack";
import { equal } from "./bytes.js";
import { Fault } from "./fault.js";
import { HEADER_PURPOSE } from "./header.js";
import { checkPings } from "./pings.js";
import { binary, fields } from "./shape.js";
import { checkKey, checkKeysTogether, decodeKey, keyFields, readKey } from "./tablekeys.js";

const NO_STATE = new Uint8Array(16);

/** "The digest of the public state before the step; zeros during genesis." */
function withoutState(check) {
  return (entry) => {
    if (!equal(entry.state, NO_STATE)) throw new Fault("state-mismatch", "a state before the game");
    return check(entry);
  };
}

/** Gives whether all of them are whole; `counts.keys` are the keys that were proven. */
export function* genesisSteps(proposal, counts) {
  const seats = proposal.identities.map((_, seat) => seat);
  const step = (kind, check) => ({ kind, seats, check: withoutState(check) });
  const committed = yield step("commit", ({ payload }) => binary(payload, 64));
  const commitments = committed.map(({ result }) => result);
  const revealed = yield step("reveal", (entry) => {
    const revealed = checkReveal(proposal, entry, commitments);
    counts.keys++;
    return revealed;
  });
  checkKeysTogether(revealed.map(({ result }) => result.promised[0]));
  const body = headerBody(proposal, commitments, revealed.map(({ result }) => result));
  yield step("sign", (entry) => checkHeaderSigned(proposal, entry, body));
  return true;
}

function checkReveal(proposal, { seat, payload }, commitments) {
  const names = keyFields(proposal.least);
  const { pings, ...key } = fields(payload, ...names, "pings");
  const decoded = decodeKey(readKey(key, proposal.least));
  const stated = checkPings(pings, seat, commitments.length);
  const promised = checkKey(proposal, seat, decoded, commitments);
  return { key, pings: stated, decoded, promised };
}

/** The bytes that the header will have, in the key order given there. */
function headerBody(proposal, commitments, revealed) {
  const names = keyFields(proposal.least);
  const keys = revealed.map(({ key }, seat) => ({
    commitment: commitments[seat],
    ...Object.fromEntries(names.map((name) => [name, key[name]])),
  }));
  return encode({ proposal: proposal.bytes, keys, pings: revealed.map(({ pings }) => pings) });
}

function checkHeaderSigned(proposal, { seat, payload }, body) {
  if (!proposal.identities[seat].signed(HEADER_PURPOSE, body, binary(payload, 64)))
    throw new Fault("bad-signature", "a signature of another header");
}
