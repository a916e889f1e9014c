// Proofs that no slot of a hand is a forbidden card: protocol.md section 4, "Oath".

import { concat, fromBigEndian, pieces } from "../bytes.js";
import { Fault, malformed, naming } from "../fault.js";
import { decodePoints, decodeScalar, encodePoints, G, IDENTITY, Zeros } from "../group.js";
import { checkShares } from "./shares.js";
import { checkShuffle, encodeDeck, readDeck, readShuffleProof, shuffleProofLength } from "./shuffle.js";

const badOath = (reason) => new Fault("bad-oath", reason);

/**
 * Checks the oath `bytes` under `key`: `slots` are ciphers, `allowed` and `forbidden` points of cards.
 * Gives the commitment of the shuffle in it, or null. Whatever is wrong is `bad-oath`.
 */
export function checkOath(transcript, key, slots, allowed, forbidden, bytes) {
  return naming("bad-oath", () => {
    transcript
      .appendPoints("oath by", key)
      .append("oath slots", encodeDeck(slots))
      .append("oath allowed", encodePoints(allowed))
      .append("oath forbidden", encodePoints(forbidden));
    if (slots.length * forbidden.length > allowed.length)
      return byShuffle(transcript, key, slots, allowed, bytes);
    byPairs(transcript, key, slots, forbidden, bytes);
    return null;
  });
}

const PAIR_POINTS = 96;
const PAIR_SCALARS = 64;

function byPairs(transcript, key, slots, forbidden, bytes) {
  const pairs = slots.flatMap((slot) => forbidden.map((card) => ({ slot, card })));
  if (bytes.length !== pairs.length * (PAIR_POINTS + PAIR_SCALARS))
    throw badOath("the oath has another length");
  const split = pairs.length * PAIR_POINTS;
  const points = decodePoints(bytes.subarray(0, split), true);
  const scalars = pieces(bytes.subarray(split), 32).map((piece) => decodeScalar(piece, badOath));
  const e = transcript.append("oath commitments", bytes.subarray(0, split)).challenge("oath challenge");
  const zeros = new Zeros();
  pairs.forEach((pair, i) => {
    const answer = { e, st: scalars[2 * i], su: scalars[2 * i + 1] };
    addPair(zeros, key, pair, points.slice(3 * i, 3 * i + 3), answer);
  });
  if (!zeros.hold) throw badOath("a slot may be a forbidden card");
}

/** e C + T = s_t (b - M) - s_u a, and V = s_t Y - s_u G, with C not the identity. */
function addPair(zeros, key, { slot, card }, [c, t, v], { e, st, su }) {
  if (c.is0()) throw badOath("a pair of an oath says nothing");
  zeros.add([slot.b, card, slot.a, c, t], [st, -st, -su, -e, -1n]);
  zeros.add([key, G, v], [st, -su, -1n]);
}

function byShuffle(transcript, key, slots, allowed, bytes) {
  const lengths = [64 * allowed.length, shuffleProofLength(allowed.length), 2 * slots.length, 64];
  const ends = lengths.map((_, i) => lengths.slice(0, i + 1).reduce((sum, one) => sum + one, 0));
  if (!allowed.length || bytes.length !== ends[3]) throw badOath("the oath has another length");
  const fresh = allowed.map((card) => ({ a: IDENTITY, b: card }));
  const deck = readDeck(bytes.subarray(0, ends[0]), allowed.length);
  const proof = readShuffleProof(bytes.subarray(ends[0], ends[1]), allowed.length);
  const positions = readPositions(bytes.subarray(ends[1], ends[2]), allowed.length);
  checkShuffle(transcript, key, fresh, deck, proof);
  transcript.appendNumbers("oath positions", ...positions);
  const pairs = slots.map((slot, i) => difference(slot, deck[positions[i]]));
  checkShares(transcript, key, pairs, bytes.subarray(ends[2]));
  return proof.commitment;
}

function readPositions(bytes, count) {
  const positions = pieces(bytes, 2).map((piece) => Number(fromBigEndian(concat(piece))));
  if (positions.some((position) => position >= count) || new Set(positions).size < positions.length)
    throw malformed("positions that are none, or stand twice");
  return positions;
}

const difference = (slot, out) => [slot.a.subtract(out.a), slot.b.subtract(out.b)];
