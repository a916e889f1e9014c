// Table keys: their commitments and proofs of possession, protocol.md section 3.

import { sha512 } from "@noble/hashes/sha2.js";
import { concat, equal, framed, hex, u64, utf8 } from "./bytes.js";
import { Fault } from "./fault.js";
import { combine, decodeScalar, encode, G, sum } from "./group.js";
import { Transcript } from "./transcript.js";

const badKey = (reason, seat) => new Fault("bad-key", reason, { seat });

/** Whether a table key, whose point is this, has its opening and its proof. */
export function checkTableKey(proposal, seat, key, point, commitments) {
  if (!equal(commitment(proposal, seat, key), commitments[seat]))
    throw badKey("the table key does not open its commitment", seat);
  checkPossession(proposal, seat, key, point, commitments);
}

function commitment(proposal, seat, key) {
  const parts = [proposal.token, u64(seat), proposal.identities[seat].bytes, key.public, key.opening];
  return sha512(concat(utf8("nodealer key commitment"), ...parts.map(framed)));
}

function checkPossession(proposal, seat, key, point, commitments) {
  const refusal = (reason) => badKey(reason, seat);
  const c = decodeScalar(key.proof.subarray(0, 32), refusal);
  const s = decodeScalar(key.proof.subarray(32), refusal);
  const challenge = new Transcript("nodealer proof of possession")
    .append("token", proposal.token)
    .appendNumbers("seat", seat)
    .append("identity", proposal.identities[seat].bytes)
    .append("public", key.public)
    .append("commitments", ...commitments)
    .appendPoints("nonce", combine([G, point], [s, c]))
    .challenge("possession");
  if (challenge !== c) throw badKey("the secret of a table key is not proven to be known", seat);
}

/** "Two equal table keys, and keys that sum to the identity, are bad-key, on nobody's account." */
export function checkKeysTogether(points) {
  if (new Set(points.map((point) => hex(encode(point)))).size < points.length)
    throw badKey("two seats have one table key", null);
  if (sum(points).is0()) throw badKey("the table keys sum to nothing", null);
}
