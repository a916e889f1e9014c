// A table that never began: the three steps of protocol.md section 3, as steps for the Judge.

import { encode } from "@msgpack/msgpack";
import { equal } from "./bytes.js";
import { Fault } from "./fault.js";
import { HEADER_PURPOSE } from "./header.js";
import { checkPings } from "./pings.js";
import { judgeComplaint, readComplaint, readSealed } from "./sealing.js";
import { binary, fields } from "./shape.js";
import { checkKey, checkKeysTogether, keyFields, readBeginning, readKey } from "./tablekeys.js";

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
  const began = results(yield step("commit", ({ payload }) => readBeginning(payload, proposal.least)));
  const bound = began.map(({ bytes }) => bytes);
  const keys = results(
    yield step("reveal", (entry) => {
      const revealed = checkReveal(proposal, entry, bound);
      counts.keys++;
      return { ...revealed, sealing: began[entry.seat].sealing };
    }),
  );
  checkKeysTogether(keys.map(({ images: [point] }) => point));
  const known = { proposal, bound, keys, body: headerBody(proposal, bound, keys) };
  yield step("sign", (entry) => checkHeaderSigned(known, entry));
  return true;
}

const results = (given) => given.map(({ result }) => result);

function checkReveal({ least, ...proposal }, { seat, payload }, bound) {
  const { pings, sealed, ...key } = fields(payload, ...keyFields(least), "pings", ...(least ? ["sealed"] : []));
  const stated = checkPings(pings, seat, bound.length);
  const shares = least ? readSealed(sealed, seat, bound.length) : null;
  const read = readKey(key, least);
  checkKey(proposal, seat, read, bound);
  return { key, pings: stated, sealed: shares, images: read.images };
}

/** The bytes that the header will have, in the key order given there. */
function headerBody(proposal, bound, revealed) {
  const names = keyFields(proposal.least);
  const keys = revealed.map(({ key }, seat) => ({
    commitment: bound[seat],
    ...Object.fromEntries(names.map((name) => [name, key[name]])),
  }));
  return encode({ proposal: proposal.bytes, keys, pings: revealed.map(({ pings }) => pings) });
}

/** A signature of the header, or with keys in shares a complaint, which is somebody's fault. */
function checkHeaderSigned(known, { seat, payload }) {
  const { proposal, keys, body } = known;
  if (proposal.least && Array.isArray(payload))
    judgeComplaint(known, seat, readComplaint(payload, seat, keys.length));
  if (!proposal.identities[seat].signed(HEADER_PURPOSE, body, binary(payload, 64)))
    throw new Fault("bad-signature", "a signature of another header");
}
