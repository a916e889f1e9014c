// Proofs without a log around them: the tests ask about forgeries that fail in one place each.

import { Fault } from "./fault.js";
import { decodePoint, decodePoints } from "./group.js";
import { checkOath } from "./proofs/oath.js";
import { checkRelock } from "./proofs/relock.js";
import { checkShares } from "./proofs/shares.js";
import { areShuffles, readShuffleProof } from "./proofs/shuffle.js";
import { checkTransfer } from "./proofs/transfer.js";
import { checkComplaint, readOne, readShown } from "./sealing.js";
import { imageAt } from "./sharing.js";
import { Transcript } from "./transcript.js";

const bytes = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const bound = (state) => Transcript.at(bytes(state));
const point = (text) => decodePoint(bytes(text), true);
const points = (text) => decodePoints(bytes(text), true);

function pairs(text) {
  const all = points(text);
  return Array.from({ length: all.length / 2 }, (_, i) => [all[2 * i], all[2 * i + 1]]);
}

const ciphers = (text) => pairs(text).map(([a, b]) => ({ a, b }));

function shuffles({ key, decks, proofs, states }) {
  const read = decks.map(ciphers);
  const made = proofs.map((proof, i) => readShuffleProof(bytes(proof), read[i].length));
  const statements = () =>
    made.map((proof, i) => ({
      transcript: bound(states[i]), key: point(key), before: read[i], after: read[i + 1], proof,
    }));
  const alone = statements().every((statement) => areShuffles([statement]));
  if (areShuffles(statements()) !== alone)
    throw new Error("shuffles are judged otherwise together than one by one");
  if (!alone) throw new Fault("bad-shuffle", "one of the shuffles is false");
}

const KINDS = {
  shares: ({ key, pairs: told, proof, state }) =>
    checkShares(bound(state), point(key), pairs(told), bytes(proof)),
  shuffles,
  transfer({ key, slots, to, proof, state }) {
    const [before, after] = ciphers(slots);
    checkTransfer(bound(state), point(key), point(to), before, after, bytes(proof));
  },
  relock: ({ key, to, decks, proof, state }) =>
    checkRelock(bound(state), point(key), point(to), ...decks.map(ciphers), bytes(proof)),
  complaint({ keys, images, place, sealed, shown, state }) {
    const errand = { state: bytes(state), keys: points(keys), image: imageAt(points(images), place) };
    checkComplaint(errand, readOne(bytes(sealed)), readShown(bytes(shown)));
  },
  oath: ({ key, slots, allowed, forbidden, data, state }) =>
    checkOath(
      bound(state), point(key), ciphers(slots), points(allowed), points(forbidden), bytes(data),
    ),
};

/** The verdict on a recorded proof; null where it is right. */
export function judgeProof(recorded) {
  try {
    KINDS[recorded.kind](recorded);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.verdict;
    throw error;
  }
}
