// Sums of scalars times points, as fast as a browser can: nothing here is secret.

import { mulAddUnsafe } from "@noble/curves/abstract/curve.js";
import { ristretto255 } from "@noble/curves/ed25519.js";

const { Point } = ristretto255;
const BITS = 256;
// Above so many points buckets are faster than a table for each; then wider windows (measured).
const BUCKETS = 96;
const WIDE = 200;
const TABLE_WIDTH = 6;
const WEIGHT_BYTES = 16;

const tabled = new WeakSet([Point.BASE]);
const modulo = (number) => Point.Fn.create(number);

/** This point will be multiplied often (it is a key): it gets a table of its own. */
export function often(point) {
  point.precompute(TABLE_WIDTH, true);
  tabled.add(point);
  return point;
}

/** Sum of scalar times point. */
export function combine(points, scalars) {
  const some = [];
  const factors = [];
  let total = Point.ZERO;
  points.forEach((point, i) => {
    const factor = modulo(scalars[i]);
    if (factor === 0n) return;
    if (tabled.has(point)) total = total.add(point.multiplyUnsafe(factor));
    else factors.push(factor), some.push(point);
  });
  if (!some.length) return total;
  const sum = some.length < BUCKETS ? mulAddUnsafe(Point, some, factors) : inBuckets(some, factors);
  return total.add(sum);
}

/** Pippenger's buckets with signed digits, which need half as many of them. */
function inBuckets(points, scalars) {
  const width = points.length < WIDE ? 6 : 7;
  const digits = scalars.map((scalar) => signedDigits(scalar, width));
  let total = Point.ZERO;
  for (let place = digits[0].length - 1; place >= 0; place--) {
    for (let i = 0; i < width; i++) total = total.double();
    total = total.add(bucketSum(points, digits, place, width));
  }
  return total;
}

function bucketSum(points, digits, place, width) {
  const buckets = new Array((1 << (width - 1)) + 1).fill(null);
  points.forEach((point, i) => {
    const digit = digits[i][place];
    if (digit === 0) return;
    const bucket = Math.abs(digit);
    const term = digit > 0 ? point : point.negate();
    buckets[bucket] = buckets[bucket] ? buckets[bucket].add(term) : term;
  });
  let running = Point.ZERO;
  let sum = Point.ZERO;
  for (let i = buckets.length - 1; i > 0; i--) {
    if (buckets[i]) running = running.add(buckets[i]);
    sum = sum.add(running);
  }
  return sum;
}

/** Digits from -2^(width - 1) + 1 to 2^(width - 1), the least first. */
function signedDigits(scalar, width) {
  const bits = scalar.toString(2).padStart(BITS, "0");
  const digits = new Int32Array(Math.ceil(BITS / width) + 1);
  let carry = 0;
  for (let i = 0, end = BITS; end > 0 || carry; i++, end -= width) {
    const digit = (end > 0 ? parseInt(bits.slice(Math.max(0, end - width), end), 2) : 0) + carry;
    carry = digit > 1 << (width - 1) ? 1 : 0;
    digits[i] = digit - (carry << width);
  }
  return digits;
}

/**
 * Sums that should all be zero, checked at once: each has a random weight, so that one that is not
 * zero goes unnoticed with a chance of 2^-128 (Bellare, Garay and Rabin, "Fast batch verification").
 */
export class Zeros {
  constructor() {
    this.factors = new Map();
  }

  add(points, scalars) {
    const weight = randomWeight();
    points.forEach((point, i) => {
      const before = this.factors.get(point) ?? 0n;
      this.factors.set(point, modulo(before + weight * modulo(scalars[i])));
    });
  }

  get hold() {
    return combine([...this.factors.keys()], [...this.factors.values()]).is0();
  }
}

function randomWeight() {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(WEIGHT_BYTES));
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
