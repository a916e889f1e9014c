// Oaths: none of a seat's slots is a forbidden card (protocol section 4).

import { packed, BASE, combine, decodePoints, decodeScalars, IDENTITY } from "./group.js";
import { checkShares } from "./proofs.js";
import { blaming, demand } from "./refusal.js";
import { checkShuffle, packDeck, proofSize, readDeck, readProof } from "./shuffle.js";

/** Whether an oath of these sizes is made by pairs. */
export const byPairs = (slots, allowed, forbidden) => slots * forbidden <= allowed;

/**
 * Refuses unless the oath of the holder of `key` holds; the commitment of the shuffle in it,
 * null in an oath by pairs.
 */
export function checkOath(key, slots, allowed, forbidden, data, transcript) {
  transcript.append("oath by", key.bytes);
  transcript.append("oath slots", packDeck(slots));
  transcript.append("oath allowed", packed(allowed));
  transcript.append("oath forbidden", packed(forbidden));
  return blaming({ verdict: "bad-oath" }, () => {
    if (!byPairs(slots.length, allowed.length, forbidden.length))
      return checkByShuffle(key, slots, allowed, data, transcript);
    checkByPairs(key, slots, forbidden, data, transcript);
    return null;
  });
}

function checkByPairs(key, slots, forbidden, data, transcript) {
  const pairs = slots.flatMap((slot) => forbidden.map((card) => ({ slot, card })));
  const split = 96 * pairs.length;
  demand(data.length === 160 * pairs.length, "bad-oath", "the oath has another length");
  const points = decodePoints(data.subarray(0, split), 3 * pairs.length, true);
  const answers = decodeScalars(data.subarray(split), 2 * pairs.length);
  transcript.append("oath commitments", data.subarray(0, split));
  const e = transcript.challenge("oath challenge");
  pairs.forEach(({ slot, card }, at) => {
    const [C, T, V] = points.slice(3 * at, 3 * at + 3);
    const [st, su] = answers.slice(2 * at, 2 * at + 2);
    demand(!C.isIdentity, "bad-oath", "a slot holds a forbidden card");
    const differs = combine([C, T, slot.b.minus(card), slot.a], [e, 1n, -st, su]).isIdentity;
    const keyed = combine([V, key, BASE], [1n, -st, su]).isIdentity;
    demand(differs && keyed, "bad-oath", "the oath is not proven");
  });
}

function checkByShuffle(key, slots, allowed, data, transcript) {
  const deckEnd = 64 * allowed.length;
  const proofEnd = deckEnd + proofSize(allowed.length);
  const placesEnd = proofEnd + 2 * slots.length;
  demand(data.length === placesEnd + 64, "bad-oath", "the oath has another length");
  const deck = readDeck(data.subarray(0, deckEnd), allowed.length);
  const proof = readProof(data.subarray(deckEnd, proofEnd), allowed.length);
  const places = slots.map((_, at) => 256 * data[proofEnd + 2 * at] + data[proofEnd + 2 * at + 1]);
  checkShuffle(
    key,
    allowed.map((b) => ({ a: IDENTITY, b })),
    deck,
    proof,
    transcript,
  );
  demand(
    places.every((place) => place < deck.length),
    "bad-oath",
    "the oath names no card of the list",
  );
  demand(
    new Set(places).size === places.length,
    "bad-oath",
    "the oath names one card for two slots",
  );
  transcript.appendNumbers("oath positions", ...places);
  const pairs = slots.map(({ a, b }, at) => [
    a.minus(deck[places[at]].a),
    b.minus(deck[places[at]].b),
  ]);
  checkShares(key, pairs, data.subarray(placesEnd), transcript);
  return proof.c;
}
