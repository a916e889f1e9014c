// Proofs that a slot keeps its card under another key: protocol.md section 4, "Transfer".

import { Fault } from "../fault.js";
import { combine, decodeScalar, G } from "../group.js";

const badTransfer = (reason) => new Fault("bad-transfer", reason);

/** Checks `c || s || s'` for the slot `before` under `from`, `after` under `to`. */
export function checkTransfer(transcript, from, to, before, after, proof) {
  // In a log the shape of the slot has refused this before.
  if (after.a.is0()) throw badTransfer("a moved card lies there for all");
  const [c, s, t] = [0, 32, 64].map((at) => decodeScalar(proof.subarray(at, at + 32), badTransfer));
  transcript
    .appendPoints("transfer from", from)
    .appendPoints("transfer to", to)
    .appendPoints("slot before", before.a, before.b)
    .appendPoints("slot after", after.a, after.b);
  const owner = combine([G, from], [s, c]);
  const blinding = combine([G, after.a], [t, c]);
  const content = combine([before.a, to, before.b, after.b], [s, -t, c, -c]);
  transcript.appendPoints("transfer commitments", owner, blinding, content);
  if (transcript.challenge("transfer challenge") !== c) throw badTransfer("a moved card is another one");
}
