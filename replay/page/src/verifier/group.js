// ristretto255 (RFC 9496) and hashes into it: protocol.md section 1.

import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat, framed, fromLittleEndian, hex, pieces, u32, utf8 } from "./bytes.js";
import { malformed } from "./fault.js";
import { often } from "./multiply.js";
import { Remembered } from "./remembered.js";

export { combine, Zeros } from "./multiply.js";

export const Point = ristretto255.Point;
export const G = Point.BASE;
export const IDENTITY = Point.ZERO;
export const ORDER = Point.Fn.ORDER;
export const modulo = (number) => Point.Fn.create(number);
export const inverse = (number) => Point.Fn.inv(number);

export const hash32 = (...parts) => sha512(concat(...parts)).subarray(0, 32);
export const toScalar = (bytes64) => (fromLittleEndian(bytes64) % (ORDER - 1n)) + 1n;

/** H2P: the one-way map of RFC 9496 4.3.4. */
export function hashToPoint(label, ...parts) {
  const named = [utf8(label), ...parts].map(framed);
  return ristretto255_hasher.deriveToCurve(sha512(concat(utf8("nodealer group"), ...named)));
}

const KEYS = 64;
const keys = new Remembered(KEYS);
const generators = new Map();

function remember(name, make) {
  if (!generators.has(name)) generators.set(name, make());
  return generators.get(name);
}

const SHUFFLE_GENERATOR = "nodealer shuffle generator";

/** Physical card i of a deck (section 4). */
export const cardPoint = (deck, i) => hashToPoint("nodealer card", utf8(deck), u32(i));
export const shuffleGenerator = (i) =>
  remember(i, () => hashToPoint(SHUFFLE_GENERATOR, u32(i)));
export const blindingGenerator = () =>
  remember("blinding", () => hashToPoint(SHUFFLE_GENERATOR, utf8("blinding")));

// An encoding costs as much as several additions, and a deck is encoded for each of its proofs.
const encodings = new WeakMap();

/** The 32 bytes of a point. */
export function encode(point) {
  let bytes = encodings.get(point);
  if (!bytes) encodings.set(point, (bytes = point.toBytes()));
  return bytes;
}

/** The identity encodes as zeros; section 8 lets it stand only where it is asked for. */
export function decodePoint(bytes, identityAllowed = false) {
  let point;
  try {
    point = Point.fromBytes(bytes);
  } catch {
    throw malformed("32 bytes that are no point");
  }
  if (!identityAllowed && point.is0()) throw malformed("the identity where a point should be");
  encodings.set(point, bytes);
  return point;
}

export const decodePoints = (bytes, identityAllowed = false) =>
  pieces(bytes, 32).map((piece) => decodePoint(piece, identityAllowed));

/** A scalar below the order, or the fault that `refusal` makes. */
export function decodeScalar(bytes, refusal) {
  const scalar = fromLittleEndian(bytes);
  if (scalar >= ORDER) throw refusal("a scalar out of range");
  return scalar;
}

export const encodePoints = (points) => concat(...points.map(encode));

/** A key: whoever judges many logs of one table makes its tables once. */
export const keyPoint = (point) => keys.of(hex(encode(point)), () => often(point));

export const sum = (points) => points.reduce((total, point) => total.add(point), IDENTITY);
