// Proofs that shares D_i = x a_i are right: protocol.md section 4, "Shares".

import { Fault, malformed } from "../fault.js";
import { combine, decodeScalar, encodePoints, G } from "../group.js";

const badShare = (reason) => new Fault("bad-share", reason);

/** Checks the proof `c || s` for pairs [a_i, D_i] under the key Y. */
export function checkShares(transcript, key, pairs, proof) {
  if (!pairs.length) throw malformed("shares of nothing");
  const c = decodeScalar(proof.subarray(0, 32), badShare);
  const s = decodeScalar(proof.subarray(32, 64), badShare);
  transcript
    .appendPoints("share key", key)
    .appendNumbers("share count", pairs.length)
    .append("shares", encodePoints(pairs.flat()));
  const weights = [1n, ...transcript.challenges("share weights", pairs.length - 1)];
  const a = combine(pairs.map(([point]) => point), weights);
  const z = combine(pairs.map(([, share]) => share), weights);
  const first = combine([G, key], [s, c]);
  const second = combine([a, z], [s, c]);
  transcript.appendPoints("share sums and commitments", a, z, first, second);
  if (transcript.challenge("share challenge") !== c) throw badShare("a share is false");
}
