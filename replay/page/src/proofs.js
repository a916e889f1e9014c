// Proofs of shares and of transfers, coins and commitments (protocol section 4).

import { bigEndian, framed, fromLittleEndian, joined, same, sha512 } from "./bytes.js";
import { BASE, combine, decodeScalars, hashToPoint, packed, sumOf } from "./group.js";
import { octets, pack } from "./messagepack.js";
import { demand } from "./refusal.js";

/** Refuses unless D = x a in every pair, for the x of `key`: batched DLEQ. */
export function checkShares(key, pairs, proof, transcript) {
  demand(pairs.length > 0, "malformed", "there are no shares");
  const [challenge, answer] = decodeScalars(proof, 2, "bad-share");
  const elements = pairs.map(([a]) => a);
  const images = pairs.map(([, share]) => share);
  transcript.append("share key", key.bytes);
  transcript.appendNumbers("share count", pairs.length);
  transcript.append("shares", packed(pairs.flat()));
  const weights = transcript.challenges("share weights", pairs.length);
  const element = combine(elements, weights);
  const image = combine(images, weights);
  const first = combine([BASE, key], [answer, challenge]);
  const second = combine([element, image], [answer, challenge]);
  const sums = [element, image, first, second];
  transcript.append("share sums and commitments", ...sums.map((point) => point.bytes));
  const proven = transcript.challenge("share challenge") === challenge;
  demand(proven, "bad-share", "a decryption share is false");
}

/** Refuses unless `after` under `to` holds the card that `before` holds under `from`. */
export function checkTransfer(from, before, after, to, proof, transcript) {
  demand(!after.a.isIdentity, "bad-transfer", "the moved card is there for all");
  const [challenge, keyAnswer, factorAnswer] = decodeScalars(proof, 3, "bad-transfer");
  transcript.append("transfer from", from.bytes);
  transcript.append("transfer to", to.bytes);
  const slots = [before.a, before.b, after.a, after.b];
  transcript.append("slot before and after", ...slots.map((point) => point.bytes));
  const commitments = [
    combine([BASE, from], [keyAnswer, challenge]),
    combine([BASE, after.a], [factorAnswer, challenge]),
    combine([before.a, to, before.b.minus(after.b)], [keyAnswer, -factorAnswer, challenge]),
  ];
  transcript.append("transfer commitments", ...commitments.map((point) => point.bytes));
  const proven = transcript.challenge("transfer challenge") === challenge;
  demand(proven, "bad-transfer", "the moved card is not the one named");
}

/** The point P of the coin of a step. */
export const coinPoint = (table, step) => hashToPoint("coin", table, bigEndian(step, 8));

/** The value of a coin from everybody's share of its point. */
export const coinValue = (shares) => sha512("nodealer coin value", sumOf(shares).bytes);

/** Draw k of a coin below `sides`. */
export function draw(value, k, sides) {
  const below = BigInt(sides);
  const fair = (1n << 512n) - ((1n << 512n) % below);
  for (let attempt = 0; ; attempt++) {
    const digest = sha512("nodealer draw", value, bigEndian(k, 8), bigEndian(attempt, 8));
    const drawn = fromLittleEndian(digest.reverse());
    if (drawn < fair) return Number(drawn % below);
  }
}

/** Whether nonce and choice open a commitment that `seat` made in step `made`. */
export function opens(commitment, label, table, made, seat, nonce, choice) {
  octets(nonce, 32, "a nonce");
  const context = pack([label, table, made, seat]);
  const parts = [context, nonce, pack(choice)].map(framed);
  return same(sha512(joined("nodealer choice", ...parts)), commitment);
}
