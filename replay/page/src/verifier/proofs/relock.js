// Proofs that slots got one more layer and keep their cards: protocol.md section 4, "Relock".

import { Fault } from "../fault.js";
import { combine, decodeScalar, G } from "../group.js";
import { encodeDeck } from "./shuffle.js";

export const RELOCK_PROOF = 96;
const badTransfer = (reason) => new Fault("bad-transfer", reason);

/** Checks `c || s || s'` of who has the key `by`: the slots `before` are now `after`, under `under`. */
export function checkRelock(transcript, by, under, before, after, proof) {
  // In a log the shape of the slots has refused this before.
  if (after.some(({ a }) => a.is0())) throw badTransfer("a card lies there for all");
  const [c, s, t] = [0, 32, 64].map((at) => decodeScalar(proof.subarray(at, at + 32), badTransfer));
  transcript
    .appendPoints("relock by", by)
    .appendPoints("relock under", under)
    .appendNumbers("relock count", before.length)
    .append("slots before", encodeDeck(before))
    .append("slots after", encodeDeck(after));
  const weights = transcript.challenges("relock weights", before.length);
  const old = combine(before.map(({ a }) => a), weights);
  const first = combine(before.map(({ a }, i) => after[i].a.subtract(a)), weights);
  const second = combine(before.map(({ b }, i) => after[i].b.subtract(b)), weights);
  const owner = combine([G, by], [s, c]);
  const blinding = combine([G, first], [t, c]);
  const content = combine([under, old, second], [t, s, c]);
  transcript.appendPoints("relock commitments", owner, blinding, content);
  if (transcript.challenge("relock challenge") !== c) throw badTransfer("a relocked card is another one");
}
