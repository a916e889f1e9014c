// What all acts from a hand have in common: its merge, the cards laid, the oath about the rest.
// protocol.md section 5 (below the table) and section 8.
//
// An act is judged against the table as it stands, and has its effect later: {merge, opened, apart,
// oath}. In between `after` shows the ciphers that the act's own merge leaves. The commitments in a
// merge and in an oath are compared with the effect (section 8, "Offline parts").

import { blaming, Fault, illegal, malformed } from "../fault.js";
import { decodePoints } from "../group.js";
import { checkOath } from "../proofs/oath.js";
import { binary, integer } from "../shape.js";
import { OPEN } from "../table.js";
import { proofTranscript } from "../transcript.js";
import { checkOneShuffle, checkSharesOf, readShuffle } from "./cards.js";

export const NO_MERGE = { ciphers: new Map(), commitment: null };
export const NO_EFFECT = { merge: NO_MERGE, opened: [], apart: [], oath: null };

/**
 * The ciphers that a merge gives to the hidden slots. It is owed exactly when there are two or
 * more histories, and (`if`) the act is one that asks for it.
 */
export function checkMerge(table, entry, hidden, asked, payload) {
  const histories = new Set(table.ciphers(hidden).map(({ history }) => history));
  const owed = asked && histories.size >= 2;
  if (owed !== (payload !== null)) throw illegal(owed ? "a merge is owed" : "a merge that is not owed");
  if (!owed) return NO_MERGE;
  const read = readShuffle(payload, hidden.length);
  const key = table.keys[entry.seat];
  checkOneShuffle(table, entry, "merge", hidden, key, table.ciphers(hidden), read);
  table.counts.merges++;
  const ciphers = new Map(hidden.map((handle, i) => [handle, read.deck[i]]));
  return { ciphers, commitment: read.proof.commitment };
}

export const after = (table, merge, handles) =>
  handles.map((handle) => merge.ciphers.get(handle) ?? table.slot(handle));

/** Slots named in a payload: in the zone, none twice. */
export function checkSlots(zone, handles) {
  handles.forEach((handle) => integer(handle));
  if (handles.some((handle) => !zone.includes(handle))) throw illegal("a slot that is not in the zone");
  if (new Set(handles).size < handles.length) throw illegal("a slot stands twice");
  return handles;
}

export function checkCardNumber(table, card) {
  integer(card);
  if (card < 0 || card >= table.cards.length) throw malformed("a card that the deck does not have");
  return card;
}

/** The shape of what shows n hidden slots; "`proof` (nil without one)". */
export function readShown({ cards, shares, proof }, n) {
  const points = decodePoints(binary(shares, 32 * n));
  if (n) binary(proof, 64);
  else if (proof !== null) throw malformed("a proof about nothing");
  return { cards, points, proof };
}

/** Hidden slots shown: shares with their proof, and "b - share is the card named, else bad-share". */
export function checkShown(table, entry, operation, slots, ciphers, { cards, points, proof }) {
  if (!slots.length) return;
  checkSharesOf(table, entry, operation, slots, ciphers, points, proof);
  ciphers.forEach(({ b }, i) => {
    if (!b.subtract(points[i]).equals(table.cards[cards[i]]))
      throw new Fault("bad-share", "the share does not open the card that was named");
  });
}

/** The oath that is owed about these slots, or null: what stood before the entry counts (section 8). */
export function owedOath(table, seat, slots, named) {
  const open = table.openCards;
  const closed = named.filter((card) => card < table.cards.length && !open.has(card));
  const forbidden = closed.sort((i, j) => i - j);
  const covers = (oath) =>
    oath.seat === seat &&
    slots.every((handle) => oath.slots.includes(handle)) &&
    forbidden.every((card) => oath.forbidden.includes(card));
  if (!slots.length || !forbidden.length || table.oaths.some(covers)) return null;
  return { seat, slots, forbidden };
}

/** Checks that an oath is there exactly where it is owed, and that it is right. */
export function checkOwedOath(table, entry, slots, named, merge, payload) {
  const oath = owedOath(table, entry.seat, slots, named);
  if ((oath === null) !== (payload === null))
    throw illegal(oath ? "an oath is owed" : "an oath that is not owed");
  if (oath === null) return null;
  const bytes = binary(payload);
  const commitment = checkThisOath(table, entry, oath, named, after(table, merge, slots), bytes);
  return { ...oath, commitment };
}

function checkThisOath(table, entry, { slots, forbidden }, named, ciphers, bytes) {
  const allowed = table.cards.filter((_, card) => !named.includes(card));
  const transcript = proofTranscript(table, entry, "oath", slots);
  const points = forbidden.map((card) => table.cards[card]);
  const key = table.keys[entry.seat];
  const commitment = checkOath(transcript, key, ciphers, allowed, points, bytes);
  table.counts.oaths++;
  return commitment;
}

/** Lets an act of a seat have its effect. */
export function take(table, seat, { merge, opened, apart, oath }) {
  for (const commitment of [merge.commitment, oath?.commitment])
    if (commitment) blaming(seat, undefined, () => table.rememberCommitment(commitment));
  const history = table.newHistory();
  for (const [handle, cipher] of merge.ciphers) table.recipher(handle, cipher, seat, history);
  for (const [handle, card] of opened) table.turnUp(handle, card);
  for (const handle of apart)
    if (table.slot(handle).lock !== OPEN) table.slot(handle).history = table.newHistory();
  if (oath) table.oaths.push(oath);
}
