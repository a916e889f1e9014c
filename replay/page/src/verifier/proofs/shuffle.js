// Groth's proof that one deck is the other, shuffled: protocol.md section 4, "Shuffle".

import { pieces, utf8 } from "../bytes.js";
import { Fault, malformed } from "../fault.js";
import {
  blindingGenerator, decodePoint, decodePoints, decodeScalar, encodePoints, G, inverse, modulo,
  shuffleGenerator, Zeros,
} from "../group.js";
import { binary } from "../shape.js";

const POINTS = 7;
const badShuffle = (reason) => new Fault("bad-shuffle", reason);

export const shuffleProofLength = (n) => 32 * (POINTS + 3 + 3 * n - 1);

/** n ciphers (a, b) as they stand in a payload; the identity is no part of any. */
export function readDeck(value, n) {
  const points = decodePoints(binary(value, 64 * n));
  return Array.from({ length: n }, (_, i) => ({ a: points[2 * i], b: points[2 * i + 1] }));
}

/** The parts of a proof about n slots; their shape only. */
export function readShuffleProof(value, n) {
  const parts = pieces(binary(value, shuffleProofLength(n)), 32);
  const [c, cd, ea, eb, cb, cx, cp] = parts.slice(0, POINTS).map((part) => decodePoint(part));
  const [Z, z, zp, ...rest] = parts.slice(POINTS).map((part) => decodeScalar(part, malformed));
  return {
    c, cd, ea, eb, cb, cx, cp, Z, z, zp,
    f: rest.slice(0, n), F: rest.slice(n, 2 * n), P: rest.slice(2 * n),
    commitment: parts[0], fBytes: value.subarray(32 * (POINTS + 3), 32 * (POINTS + 3 + n)),
    zBytes: parts[POINTS],
  };
}

export const encodeDeck = (deck) => encodePoints(deck.flatMap(({ a, b }) => [a, b]));

function drawChallenges(transcript, key, before, after, proof) {
  transcript
    .appendPoints("shuffle key", key)
    .append("shuffle generators", utf8("nodealer shuffle generator"))
    .append("deck before", encodeDeck(before))
    .append("deck after", encodeDeck(after))
    .appendPoints("shuffle commitments", proof.c, proof.cd, proof.ea, proof.eb);
  const t = transcript.challenges("card weights", before.length);
  transcript.append("masked weights", proof.fBytes).append("masked factor", proof.zBytes);
  const l = transcript.challenge("rank weight");
  const x = transcript.challenge("evaluation point");
  transcript.appendPoints("content commitments", proof.cb, proof.cx, proof.cp);
  return { t, l, x, e: transcript.challenge("answer") };
}

/** Whether `after` is `before` in another order, encrypted anew under `key`; else bad-shuffle. */
export function checkShuffle(transcript, key, before, after, proof) {
  if (!areShuffles([{ transcript, key, before, after, proof }]))
    throw badShuffle("the shuffle does not hold each card once");
}

/** Whether all of these are right: together they cost less than one by one. */
export function areShuffles(statements) {
  const zeros = new Zeros();
  return statements.every((statement) => collect(zeros, statement)) && zeros.hold;
}

/** Adds equations 1 to 3, and says whether the rest holds. */
function collect(zeros, { transcript, key, before, after, proof }) {
  const drawn = drawChallenges(transcript, key, before, after, proof);
  addCards(zeros, key, before, after, proof, drawn);
  addContents(zeros, proof, drawn);
  addProducts(zeros, proof, drawn);
  // In a log the shape of the deck has refused an identity before.
  return after.every(({ a }) => !a.is0()) && productAgrees(proof, drawn);
}

/** Equation 1, both halves. */
function addCards(zeros, key, before, after, { f, Z, ea, eb }, { t }) {
  const scalars = [...f, ...t.map((weight) => -weight), 1n, -Z];
  const ciphers = [...after, ...before];
  zeros.add([...ciphers.map(({ a }) => a), ea, G], scalars);
  zeros.add([...ciphers.map(({ b }) => b), eb, key], scalars);
}

/** Equation 2. */
function addContents(zeros, { c, cd, cb, F, f, z }, { e, l }) {
  const generators = F.map((_, i) => shuffleGenerator(i));
  const scalars = F.map((value, i) => value - e * f[i]);
  zeros.add([...generators, blindingGenerator(), c, cd, cb], [...scalars, z, -e * l, -e, -1n]);
}

/** Equation 3. */
function addProducts(zeros, { cp, cx, P, zp }, { e }) {
  const generators = P.map((_, i) => shuffleGenerator(i));
  zeros.add([...generators, blindingGenerator(), cp, cx], [...P, zp, -e, -1n]);
}

/** Equation 4: the same product, whatever the order of its factors. */
function productAgrees({ F, P }, { t, l, x, e }) {
  const divided = inverse(e);
  let v = modulo(F[0] - e * x);
  P.forEach((product, i) => {
    v = modulo((v * modulo(F[i + 1] - e * x) + product) * divided);
  });
  const wanted = t.reduce((total, weight, i) => modulo(total * modulo(l * BigInt(i + 1) + weight - x)), e);
  return v === modulo(wanted);
}
