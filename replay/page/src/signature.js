// Ed25519 (RFC 8032): sound keys, and the one signature of a message.

import { ed25519 } from "@noble/curves/ed25519.js";
import { fromLittleEndian, hex, joined, same, sha512 } from "./bytes.js";
import { demand } from "./refusal.js";

const Point = ed25519.Point;
const ORDER = Point.Fn.ORDER;
const soundKeys = new Map();
// A signature that was right is right again: whoever judges thousands of altered copies of one
// log (our tests) pays for it once. The hash binds R, key and message; the rest is s.
const verified = new Set();

/** The point of an identity key; `bad-key` unless canonical, on the curve, of prime order. */
export function identityKey(data) {
  demand(
    data instanceof Uint8Array && data.length === 32,
    "bad-key",
    "an identity key has 32 bytes",
  );
  const name = hex(data);
  if (!soundKeys.has(name)) soundKeys.set(name, soundPoint(data));
  const point = soundKeys.get(name);
  demand(point !== null, "bad-key", "an identity key is not canonical, or not of prime order");
  return point;
}

function soundPoint(data) {
  let point = null;
  try {
    point = Point.fromBytes(data);
  } catch {
    return null;
  }
  const sound = same(point.toBytes(), data) && !point.is0() && point.isTorsionFree();
  return sound ? point.precompute(6, false) : null;
}

/** Refuses unless `key` signed `message` for `purpose`: R is the encoding of s B - k A. */
export function checkSignature(key, purpose, message, signature) {
  const point = identityKey(key);
  demand(
    isSignature(point, key, joined(purpose, message), signature),
    "bad-signature",
    "a signature does not verify",
  );
}

function isSignature(point, key, signed, signature) {
  if (signature.length !== 64) return false;
  const first = signature.subarray(0, 32);
  const answer = fromLittleEndian(signature.subarray(32));
  if (answer >= ORDER) return false;
  const digest = sha512(first, key, signed);
  const name = hex(digest) + hex(signature.subarray(32));
  if (verified.has(name)) return true;
  const challenge = fromLittleEndian(digest) % ORDER;
  const left = answer === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(answer);
  const right = challenge === 0n ? Point.ZERO : point.multiplyUnsafe(challenge);
  const valid = same(left.subtract(right).toBytes(), first);
  if (valid) verified.add(name);
  return valid;
}
