// ristretto255 (RFC 9496) as protocol section 1 uses it.

import { mulAddUnsafe, pippenger } from "@noble/curves/abstract/curve.js";
import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import {
  bigEndian,
  framed,
  fromLittleEndian,
  joined,
  littleEndian,
  sha512,
  utf8,
} from "./bytes.js";
import { demand } from "./refusal.js";

const Point = ristretto255.Point;
export const ORDER = Point.Fn.ORDER;
// Up to so many points one doubling chain for all is faster than buckets (measured).
const FEW = 64;
const WINDOW = 6;

/** A group element with its encoding, each made from the other when it is needed. */
export class Element {
  #point;
  #bytes;
  known = false;

  constructor(point, bytes) {
    this.#point = point;
    this.#bytes = bytes;
  }

  get point() {
    return this.#point;
  }

  get bytes() {
    this.#bytes ??= this.#point.toBytes();
    return this.#bytes;
  }

  /** The same point, to be multiplied often: the seats' keys. */
  often() {
    this.#point.precompute(WINDOW, false);
    this.known = true;
    return this;
  }

  get isIdentity() {
    return this.#point.is0();
  }

  plus(other) {
    return new Element(this.#point.add(other.point));
  }

  minus(other) {
    return new Element(this.#point.subtract(other.point));
  }

  equals(other) {
    return this.#point.equals(other.point);
  }
}

export const IDENTITY = new Element(Point.ZERO);
export const BASE = new Element(Point.BASE);
BASE.known = true;

/** The residue of a number, 0 to ORDER - 1. */
export const reduced = (number) => Point.Fn.create(number);

/** 1 / number. */
export const inverse = (number) => Point.Fn.inv(reduced(number));

/** The sum of scalars[i] points[i]. */
export function combine(points, scalars) {
  const terms = [];
  const factors = [];
  let total = Point.ZERO;
  points.forEach((element, at) => {
    const factor = reduced(scalars[at]);
    if (factor === 0n) return;
    if (element.known) {
      total = total.add(element.point.multiplyUnsafe(factor));
    } else {
      terms.push(element.point);
      factors.push(factor);
    }
  });
  const multiply = terms.length <= FEW ? mulAddUnsafe : pippenger;
  if (terms.length) total = total.add(multiply(Point, terms, factors));
  return new Element(total);
}

/** The sum of points. */
export const sumOf = (points) => points.reduce((sum, point) => sum.plus(point), IDENTITY);

/** So many points, one behind the other; `malformed` for a bad encoding or the identity. */
export function decodePoints(data, count, identityToo = false) {
  const fits = data instanceof Uint8Array && data.length === 32 * count;
  demand(fits, "malformed", "the points have another length");
  return Array.from({ length: count }, (_, at) =>
    decodePoint(data.subarray(32 * at, 32 * at + 32), identityToo),
  );
}

/** One point. */
export function decodePoint(data, identityToo = false) {
  demand(data instanceof Uint8Array && data.length === 32, "malformed", "a point has 32 bytes");
  let point = null;
  try {
    point = Point.fromBytes(data);
  } catch {
    demand(false, "malformed", "a point is not a ristretto255 encoding");
  }
  demand(identityToo || !point.is0(), "malformed", "a point is zero");
  return new Element(point, data.slice());
}

/** So many scalars below ORDER; `verdict` for anything else. */
export function decodeScalars(data, count, verdict = "malformed") {
  const fits = data instanceof Uint8Array && data.length === 32 * count;
  demand(fits, verdict, "the scalars have another length");
  const scalars = [];
  for (let at = 0; at < data.length; at += 32)
    scalars.push(fromLittleEndian(data.subarray(at, at + 32)));
  demand(
    scalars.every((scalar) => scalar < ORDER),
    verdict,
    "a scalar is out of range",
  );
  return scalars;
}

export const encodeScalar = (scalar) => littleEndian(scalar, 32);

/** H2P(label, parts...). */
export function hashToPoint(label, ...parts) {
  const uniform = sha512("nodealer group", framed(label), ...parts.map(framed));
  return new Element(ristretto255_hasher.deriveToCurve(uniform));
}

/** to-scalar(64 bytes): never zero. */
export const toScalar = (uniform) => (fromLittleEndian(uniform) % (ORDER - 1n)) + 1n;

/** The points of all cards of a deck. */
export function cardPoints(deck, count) {
  return Array.from({ length: count }, (_, card) =>
    hashToPoint("nodealer card", utf8(deck), bigEndian(card, 4)),
  );
}

/** The encodings of points, joined. */
export const packed = (points) => joined(...points.map((point) => point.bytes));
