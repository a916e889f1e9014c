// Proofs without a log around them: the tests ask about forgeries that fail in one place each.

import { decodePoint, decodePoints } from "./group.js";
import { checkOath } from "./oath.js";
import { checkShares, checkTransfer } from "./proofs.js";
import { Refusal } from "./refusal.js";
import { checkShuffle, readProof } from "./shuffle.js";
import { Transcript } from "./transcript.js";

const bytes = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const bound = (state) => Transcript.resumed(bytes(state));

function points(text) {
  const data = bytes(text);
  return decodePoints(data, data.length / 32, true);
}

function pairs(text) {
  const all = points(text);
  return Array.from({ length: all.length / 2 }, (_, at) => [all[2 * at], all[2 * at + 1]]);
}

const slots = (text) => pairs(text).map(([a, b]) => ({ a, b }));

const KINDS = {
  shares({ key, pairs: told, proof, state }) {
    checkShares(decodePoint(bytes(key), true), pairs(told), bytes(proof), bound(state));
  },
  shuffles({ key, decks, proofs, states }) {
    const read = decks.map(slots);
    proofs.forEach((proof, at) => {
      const { length } = read[at];
      checkShuffle(
        decodePoint(bytes(key)),
        read[at],
        read[at + 1],
        readProof(bytes(proof), length),
        bound(states[at]),
      );
    });
  },
  transfer({ key, slots: told, to, proof, state }) {
    const [before, after] = slots(told);
    checkTransfer(
      decodePoint(bytes(key)),
      before,
      after,
      decodePoint(bytes(to)),
      bytes(proof),
      bound(state),
    );
  },
  oath({ key, slots: told, allowed, forbidden, data, state }) {
    checkOath(
      decodePoint(bytes(key)),
      slots(told),
      points(allowed),
      points(forbidden),
      bytes(data),
      bound(state),
    );
  },
};

/** The verdict on a recorded proof; null where it is right. */
export function judgeProof(recorded) {
  try {
    KINDS[recorded.kind](recorded);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.verdict;
    throw error;
  }
}
