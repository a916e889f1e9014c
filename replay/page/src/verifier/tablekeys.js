// Table keys: their commitments and proofs of possession, protocol.md section 3.

import { sha512 } from "@noble/hashes/sha2.js";
import { concat, equal, framed, hex, u64, utf8 } from "./bytes.js";
import { Fault } from "./fault.js";
import { combine, decodePoint, decodePoints, decodeScalar, encode, G, sum } from "./group.js";
import { binary } from "./shape.js";
import { Transcript } from "./transcript.js";

const COMMITMENT = 64;
const POINT = 32;
const badKey = (reason, seat) => new Fault("bad-key", reason, { seat });

/** How a seat begins: its commitment, and its sealing key if `least` have to go on together (not 0). */
export function readBeginning(value, least) {
  const bytes = binary(value, least ? COMMITMENT + POINT : COMMITMENT);
  return { bytes, sealing: least ? decodePoint(bytes.subarray(COMMITMENT)) : null };
}

/** The fields of a key as it is revealed, and in the header. */
export const keyFields = (least) => ["opening", "public", "proof", ...(least ? ["images"] : [])];

/** The shape of these fields; `images` are those of its polynomial then, of which the first is the key itself. */
export function readKey(key, least) {
  binary(key.opening, 32);
  binary(key.proof, 64);
  const point = decodePoint(binary(key.public, POINT));
  const further = least ? binary(key.images, POINT * (least - 1)) : new Uint8Array();
  return { ...key, further, images: [point, ...decodePoints(further)] };
}

/** `bound` is how each seat began. */
export function checkKey(proposal, seat, key, bound) {
  if (!equal(commitment(proposal, seat, key), bound[seat].subarray(0, COMMITMENT)))
    throw badKey("the table key does not open its commitment", seat);
  checkPossession(proposal, seat, key, bound);
}

/** With shares, the images are committed to together with the key. */
function commitment({ token, identities }, seat, key) {
  const parts = [token, u64(seat), identities[seat].bytes, concat(key.public, key.further), key.opening];
  return sha512(concat(utf8("nodealer key commitment"), ...parts.map(framed)));
}

function checkPossession(proposal, seat, key, bound) {
  const refusal = (reason) => badKey(reason, seat);
  const c = decodeScalar(key.proof.subarray(0, 32), refusal);
  const s = decodeScalar(key.proof.subarray(32), refusal);
  const challenge = new Transcript("nodealer proof of possession")
    .append("token", proposal.token)
    .appendNumbers("seat", seat)
    .append("identity", proposal.identities[seat].bytes)
    .append("public", key.public)
    .append("commitments", ...bound)
    .appendPoints("nonce", combine([G, key.images[0]], [s, c]))
    .challenge("possession");
  if (challenge !== c) throw badKey("the secret of a table key is not proven to be known", seat);
}

/** "Two equal table keys, and keys that sum to the identity, are bad-key, on nobody's account." */
export function checkKeysTogether(points) {
  if (new Set(points.map((point) => hex(encode(point)))).size < points.length)
    throw badKey("two seats have one table key", null);
  if (sum(points).is0()) throw badKey("the table keys sum to nothing", null);
}
