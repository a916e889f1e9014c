// Shuffles (protocol section 4): Groth's argument, one equation at a time.

import { bigEndian } from "./bytes.js";
import {
  BASE,
  ORDER,
  combine,
  decodePoints,
  decodeScalars,
  encodeScalar,
  hashToPoint,
  inverse,
  packed,
  reduced,
} from "./group.js";
import { take } from "./messagepack.js";
import { demand } from "./refusal.js";
import { joined } from "./bytes.js";

const LABEL = "nodealer shuffle generator";
const POINTS = 7;
const SINGLES = 3;
const generators = [];
let blinding = null;

function generatorsOf(count) {
  blinding ??= hashToPoint(LABEL, "blinding");
  while (generators.length < count)
    generators.push(hashToPoint(LABEL, bigEndian(generators.length, 4)));
  return [...generators.slice(0, count), blinding];
}

/** A deck of so many slots `{a, b}`. */
export function readDeck(data, count) {
  const points = decodePoints(data, 2 * count);
  return Array.from({ length: count }, (_, at) => ({ a: points[2 * at], b: points[2 * at + 1] }));
}

export const packDeck = (deck) => packed(deck.flatMap(({ a, b }) => [a, b]));

/** How many bytes the proof of a shuffle of so many cards has. */
export const proofSize = (count) => 32 * (POINTS + SINGLES + 3 * count - 1);

/** The payload of a shuffle: `{deck, proof}`. */
export function readShuffle(payload, count) {
  const { deck, proof } = take(payload, { deck: "bin", proof: "bin" });
  return { deck: readDeck(deck, count), proof: readProof(proof, count) };
}

/** The proof of a shuffle of so many cards, with the names of the paper. */
export function readProof(data, count) {
  demand(count > 0, "malformed", "a shuffle of no cards has no proof");
  const split = 32 * POINTS;
  const [c, cd, ea, eb, cb, cx, cp] = decodePoints(data.subarray(0, split), POINTS);
  const scalars = decodeScalars(data.subarray(split), SINGLES + 3 * count - 1);
  const [Z, z, zp] = scalars;
  const lists = scalars.slice(SINGLES);
  return {
    c,
    cd,
    ea,
    eb,
    cb,
    cx,
    cp,
    Z,
    z,
    zp,
    f: lists.slice(0, count),
    F: lists.slice(count, 2 * count),
    P: lists.slice(2 * count),
  };
}

/** Refuses unless `after` is `before`, re-encrypted under `key` and permuted. */
export function checkShuffle(key, before, after, proof, transcript) {
  const refuse = (ok, reason) => demand(ok, "bad-shuffle", reason);
  refuse(after.length === before.length, "the shuffle changes the number of cards");
  refuse(
    after.every(({ a }) => !a.isIdentity),
    "the shuffle leaves a card for everybody to see",
  );
  const { c, cd, ea, eb, cb, cx, cp, Z, z, zp, f, F, P } = proof;
  const count = before.length;
  transcript.append("shuffle key", key.bytes);
  transcript.append("shuffle generators", LABEL);
  transcript.append("deck before", packDeck(before));
  transcript.append("deck after", packDeck(after));
  transcript.append("shuffle commitments", c.bytes, cd.bytes, ea.bytes, eb.bytes);
  const t = transcript.challenges("card weights", count);
  transcript.append("masked weights", joined(...f.map(encodeScalar)));
  transcript.append("masked factor", encodeScalar(Z));
  const l = transcript.challenge("rank weight");
  const x = transcript.challenge("evaluation point");
  transcript.append("content commitments", cb.bytes, cx.bytes, cp.bytes);
  const e = transcript.challenge("answer");

  const minus = (numbers) => numbers.map((number) => -number);
  const half = (side, mask, target) =>
    combine(
      [...after.map((slot) => slot[side]), ...before.map((slot) => slot[side]), mask, target],
      [...f, ...minus(t), 1n, -Z],
    ).isIdentity;
  refuse(half("a", ea, BASE) && half("b", eb, key), "the shuffle does not hold the same cards");

  const bases = generatorsOf(count);
  const contents = combine(
    [c, cd, cb, ...bases],
    [e * l, e, 1n, ...F.map((value, i) => e * f[i] - value), -z],
  );
  refuse(contents.isIdentity, "the shuffle's commitments are not opened");
  const products = combine([cp, cx, ...bases], [e, 1n, ...minus(P), 0n, -zp]);
  refuse(products.isIdentity, "the shuffle's product is not opened");
  refuse(isProduct(t, l, x, e, F, P), "the shuffle does not hold each card once");
}

function isProduct(t, l, x, e, F, P) {
  const divided = inverse(e);
  const shift = (e * x) % ORDER;
  let chained = reduced(F[0] - shift);
  for (let i = 0; i < P.length; i++)
    chained = reduced((chained * reduced(F[i + 1] - shift) + P[i]) * divided);
  let product = e;
  t.forEach((weight, i) => {
    product = reduced(product * reduced(l * BigInt(i + 1) + weight - x));
  });
  return chained === product;
}
