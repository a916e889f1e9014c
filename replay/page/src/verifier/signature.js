// Ed25519 (RFC 8032) as protocol.md section 1 narrows it: no cofactor, one encoding of everything.

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat, equal, fromLittleEndian, hex, utf8 } from "./bytes.js";
import { Fault } from "./fault.js";
import { Remembered } from "./remembered.js";

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const TABLE_WIDTH = 6;

/** A key that is canonical, on the curve and of prime order. */
export class IdentityKey {
  constructor(bytes) {
    this.bytes = bytes;
    this.point = soundPoint(bytes);
  }

  /** Whether this key signed `message` for `purpose` (its zero byte is added here). */
  signed(purpose, message, signature) {
    const s = fromLittleEndian(signature.subarray(32));
    if (s >= ORDER) return false;
    const first = signature.subarray(0, 32);
    const digest = sha512(concat(first, this.bytes, utf8(`${purpose}\0`), message));
    const name = hex(digest) + hex(signature.subarray(32));
    return judged.of(name, () => {
      const k = fromLittleEndian(digest) % ORDER;
      const again = Point.BASE.multiplyUnsafe(s).subtract(this.point.multiplyUnsafe(k));
      return equal(again.toBytes(), first);
    });
  }
}

// Who judges thousands of altered copies of one log pays once for what was not altered: a key
// gets its table once, and a signature is judged once. The digest binds R, the key and the message; s
// is the rest.
const KEYS = 64;
const SIGNATURES = 20_000;
const points = new Remembered(KEYS);
const judged = new Remembered(SIGNATURES);

const soundPoint = (bytes) => points.of(hex(bytes), () => decodeSound(bytes));

const badKey = (reason) => new Fault("bad-key", reason, { seat: null });

function decodeSound(bytes) {
  let point;
  try {
    point = Point.fromBytes(bytes, false);
  } catch {
    throw badKey("an identity key that is no point");
  }
  if (point.is0() || !point.isTorsionFree())
    throw badKey("an identity key that is not of prime order");
  return point.precompute(TABLE_WIDTH, true);
}
