// Table keys: their commitments and proofs of possession, and what makes shares of them; protocol.md section 3.

import { sha512 } from "@noble/hashes/sha2.js";
import { concat, equal, framed, hex, u64, utf8 } from "./bytes.js";
import { Fault } from "./fault.js";
import { combine, decodePoint, decodePoints, decodeScalar, encode, G, sum } from "./group.js";
import { binary } from "./shape.js";
import { imageOf } from "./sharing.js";
import { Transcript } from "./transcript.js";

const KEY = { opening: 32, public: 32, proof: 64 };
const badKey = (reason, seat) => new Fault("bad-key", reason, { seat });

/** What a seat reveals of its key, and how many bytes each has; `least` have to go on together, or 0. */
const sizes = (least) => (least ? { ...KEY, sealing: 32, possession: 64, further: 32 * (least - 1) } : KEY);
export const keyFields = (least) => Object.keys(sizes(least));

/** The shape of these fields. */
export function readKey(key, least) {
  for (const [name, size] of Object.entries(sizes(least))) binary(key[name], size);
  return key;
}

/** The points of a key that may not be the identity, whoever else cheats. */
export const decodeKey = (key) => ({
  ...key,
  point: decodePoint(key.public),
  sealingPoint: key.sealing && decodePoint(key.sealing),
});

/**
 * Checks a key of `decodeKey`; gives the commitments to the polynomial whose shares make it, of which
 * the first is the key itself.
 */
export function checkKey(proposal, seat, key, commitments) {
  if (!equal(commitment(proposal, seat, key), commitments[seat]))
    throw badKey("the table key does not open its commitment", seat);
  const bound = { proposal, seat, commitments };
  checkPossession(bound, TABLE_KEY, key.public, key.point, key.proof);
  if (!key.sealing) return [key.point];
  checkPossession(bound, SEALING_KEY, key.sealing, key.sealingPoint, key.possession);
  const promised = [key.point, ...decodePoints(key.further)];
  if (commitments.some((_, other) => imageOf(promised, other).is0())) throw badKey("the share of a seat is zero", seat);
  return promised;
}

/** With shares, the key is committed to together with all that belongs to them. */
function commitment({ token, identities }, seat, key) {
  const whole = key.sealing ? concat(key.public, key.sealing, key.further) : key.public;
  const parts = [token, u64(seat), identities[seat].bytes, whole, key.opening];
  return sha512(concat(utf8("nodealer key commitment"), ...parts.map(framed)));
}

const TABLE_KEY = { label: "nodealer proof of possession", nonce: "nonce", challenge: "possession" };
const SEALING_KEY = { label: "nodealer sealing key", nonce: "first", challenge: "knowledge" };

function checkPossession({ proposal, seat, commitments }, use, key, point, proof) {
  const refusal = (reason) => badKey(reason, seat);
  const c = decodeScalar(proof.subarray(0, 32), refusal);
  const s = decodeScalar(proof.subarray(32), refusal);
  const challenge = new Transcript(use.label)
    .append("token", proposal.token)
    .appendNumbers("seat", seat)
    .append("identity", proposal.identities[seat].bytes)
    .append("public", key)
    .append("commitments", ...commitments)
    .appendPoints(use.nonce, combine([G, point], [s, c]))
    .challenge(use.challenge);
  if (challenge !== c) throw badKey("the secret of a key is not proven to be known", seat);
}

/** "Two equal table keys, and keys that sum to the identity, are bad-key, on nobody's account." */
export function checkKeysTogether(points) {
  if (new Set(points.map((point) => hex(encode(point)))).size < points.length)
    throw badKey("two seats have one table key", null);
  if (sum(points).is0()) throw badKey("the table keys sum to nothing", null);
}
