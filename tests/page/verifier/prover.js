// The other side of the proofs, for tests only: what section 4 of protocol.md accepts, made from secrets.

import { ed25519 } from "@noble/curves/ed25519.js";
import { concat, littleEndian, utf8 } from "../src/verifier/bytes.js";
import {
  blindingGenerator, combine, encodePoints, G, IDENTITY, modulo, shuffleGenerator,
} from "../src/verifier/group.js";
import { encodeDeck } from "../src/verifier/proofs/shuffle.js";

export const scalarBytes = (scalar) => littleEndian(32, modulo(scalar));

export function randomScalar() {
  const bytes = crypto.getRandomValues(new Uint8Array(48));
  return modulo(BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
}

const randomScalars = (n) => Array.from({ length: n }, randomScalar);
const times = (point, scalar) => combine([point], [scalar]);

export const signFor = (purpose, message, secret) => ed25519.sign(concat(utf8(`${purpose}\0`), message), secret);

/** c || s for pairs [a_i, x a_i]. */
export function proveShares(transcript, secret, pairs) {
  const key = times(G, secret);
  transcript.appendPoints("share key", key).appendNumbers("share count", pairs.length);
  transcript.append("shares", encodePoints(pairs.flat()));
  const weights = [1n, ...transcript.challenges("share weights", pairs.length - 1)];
  const [a, z] = [0, 1].map((side) => combine(pairs.map((pair) => pair[side]), weights));
  const k = randomScalar();
  transcript.appendPoints("share sums and commitments", a, z, times(G, k), times(a, k));
  const c = transcript.challenge("share challenge");
  return concat(scalarBytes(c), scalarBytes(k - c * secret));
}

/** The new cipher under `to`, and c || s || s'. */
export function proveTransfer(transcript, secret, to, before) {
  const from = times(G, secret);
  const r = randomScalar();
  const plain = before.b.subtract(times(before.a, secret));
  const after = { a: times(G, r), b: plain.add(times(to, r)) };
  transcript.appendPoints("transfer from", from).appendPoints("transfer to", to);
  transcript.appendPoints("slot before", before.a, before.b);
  transcript.appendPoints("slot after", after.a, after.b);
  const [j, k] = randomScalars(2);
  transcript.appendPoints("transfer commitments", times(G, j), times(G, k), combine([before.a, to], [j, -k]));
  const c = transcript.challenge("transfer challenge");
  return { after, proof: concat(...[c, j - c * secret, k - c * r].map(scalarBytes)) };
}

function permutation(n) {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const commit = (values, blinding) =>
  combine([...values.map((_, i) => shuffleGenerator(i)), blindingGenerator()], [...values, blinding]);

/** A shuffled deck, its order, and Groth's proof. */
export function proveShuffle(transcript, key, before) {
  const n = before.length;
  const order = permutation(n);
  const R = randomScalars(n);
  const after = order.map((from, i) => ({
    a: before[from].a.add(times(G, R[i])),
    b: before[from].b.add(times(key, R[i])),
  }));
  const [r, rd, rb, rp, rx, Rd] = randomScalars(6);
  const d = randomScalars(n);
  const hidden = (side, base) =>
    combine([...after.map((cipher) => cipher[side]), base], [...d.map((value) => -value), Rd]);
  const c = commit(order.map((from) => BigInt(from + 1)), r);
  const cd = commit(d.map((value) => -value), rd);
  const [ea, eb] = [hidden("a", G), hidden("b", key)];
  transcript
    .appendPoints("shuffle key", key)
    .append("shuffle generators", utf8("nodealer shuffle generator"))
    .append("deck before", encodeDeck(before))
    .append("deck after", encodeDeck(after))
    .appendPoints("shuffle commitments", c, cd, ea, eb);
  const t = transcript.challenges("card weights", n);
  const f = order.map((from, i) => t[from] + d[i]);
  const Z = order.reduce((total, from, i) => total + t[from] * R[i], Rd);
  transcript.append("masked weights", concat(...f.map(scalarBytes))).append("masked factor", scalarBytes(Z));
  const l = transcript.challenge("rank weight");
  const x = transcript.challenge("evaluation point");
  const m = order.map((from) => l * BigInt(from + 1) + t[from]);
  const chain = blindProducts(m.map((value) => modulo(value - x)));
  const cb = commit(chain.b, rb);
  const cp = commit(chain.linear, rp);
  const cx = commit(chain.constant, rx);
  const e = transcript.appendPoints("content commitments", cb, cx, cp).challenge("answer");
  const scalars = [
    Z, e * (l * r + rd) + rb, e * rp + rx, ...f,
    ...m.map((value, i) => e * value + chain.b[i]),
    ...chain.linear.map((value, i) => e * value + chain.constant[i]),
  ];
  const proof = concat(encodePoints([c, cd, ea, eb, cb, cx, cp]), ...scalars.map(scalarBytes));
  return { deck: after, order, R, proof };
}

/** v_i = e A_i + D_i with D_1 = b_1 and D_n = 0; P_i is linear in e. */
function blindProducts(u) {
  const n = u.length;
  const b = randomScalars(n);
  if (n === 1) b[0] = 0n;
  const D = [b[0], ...randomScalars(Math.max(0, n - 2)), ...(n > 1 ? [0n] : [])];
  const linear = [];
  const constant = [];
  for (let i = 0, A = u[0]; i < n - 1; i++, A = modulo(A * u[i])) {
    linear.push(modulo(D[i + 1] - A * b[i + 1] - D[i] * u[i + 1]));
    constant.push(modulo(-D[i] * b[i + 1]));
  }
  return { b, linear, constant };
}

/** The oath of section 4, by pairs or by shuffle. */
export function proveOath(transcript, secret, slots, allowed, forbidden) {
  const key = times(G, secret);
  transcript
    .appendPoints("oath by", key)
    .append("oath slots", encodeDeck(slots))
    .append("oath allowed", encodePoints(allowed))
    .append("oath forbidden", encodePoints(forbidden));
  const pairs = slots.length * forbidden.length <= allowed.length;
  return pairs ? byPairs(transcript, secret, slots, forbidden) : byShuffle(transcript, secret, slots, allowed);
}

/** C = t (b - M) - u a with u = t x: t times the difference of the card and M. */
function byPairs(transcript, secret, slots, forbidden) {
  const key = times(G, secret);
  const made = slots.flatMap((slot) =>
    forbidden.map((card) => {
      const [t, j, k] = randomScalars(3);
      const bases = [slot.b.subtract(card), slot.a];
      const C = combine(bases, [t, -t * secret]);
      return { t, j, k, points: [C, combine(bases, [j, -k]), combine([key, G], [j, -k])] };
    }),
  );
  const points = encodePoints(made.flatMap((one) => one.points));
  const e = transcript.append("oath commitments", points).challenge("oath challenge");
  const scalars = made.flatMap(({ t, j, k }) => [j + e * t, k + e * t * secret]);
  return concat(points, ...scalars.map(scalarBytes));
}

function byShuffle(transcript, secret, slots, allowed) {
  const key = times(G, secret);
  const fresh = allowed.map((card) => ({ a: IDENTITY, b: card }));
  const { deck, order, proof } = proveShuffle(transcript, key, fresh);
  const positions = slots.map((slot) => {
    const plain = slot.b.subtract(times(slot.a, secret));
    return order.findIndex((from) => allowed[from].equals(plain));
  });
  transcript.appendNumbers("oath positions", ...positions);
  const pairs = slots.map((slot, i) => {
    const out = deck[positions[i]];
    return [slot.a.subtract(out.a), slot.b.subtract(out.b)];
  });
  const places = positions.map((position) => Uint8Array.of(position >> 8, position & 255));
  return concat(encodeDeck(deck), proof, ...places, proveShares(transcript, secret, pairs));
}

export { times };
