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

export const NO_MERGE = { ciphers: new Map(), commitment: null, read: null };
export const NO_EFFECT = { merge: NO_MERGE, opened: [], apart: [], oath: null };

const areMixed = (table, hidden) =>
  new Set(table.ciphers(hidden).map(({ history }) => history)).size >= 2;

/**
 * The ciphers that a merge gives to the hidden slots, not proven yet. It is owed exactly when there
 * are two or more histories, and (`asked`) the act is one that asks for it.
 */
export function readMerge(table, hidden, asked, payload) {
  const owed = asked && areMixed(table, hidden);
  if (owed !== (payload !== null)) throw illegal(owed ? "a merge is owed" : "a merge that is not owed");
  if (!owed) return NO_MERGE;
  const read = readShuffle(payload, hidden.length);
  const ciphers = new Map(hidden.map((handle, i) => [handle, read.deck[i]]));
  return { ciphers, commitment: read.proof.commitment, read };
}

export function proveMerge(table, entry, { ciphers, read }) {
  if (!read) return;
  const hidden = [...ciphers.keys()];
  checkOneShuffle(table, entry, "merge", hidden, table.keys[entry.seat], table.ciphers(hidden), read);
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
  if (table.lowest[card] !== card) throw malformed("a copy, where its face has a lower number");
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
  checkSharesOf(table, entry, operation, slots, ciphers, { shares: points, proof });
  ciphers.forEach(({ b }, i) => {
    if (!b.subtract(points[i]).equals(table.cards[cards[i]]))
      throw new Fault("bad-share", "the share does not open the card that was named");
  });
}

/**
 * The oath that is owed about these slots, or null: what was sworn before the entry counts, and where
 * it merges slots, what was sworn of all of those (section 8).
 */
export function owedOath(table, slots, named, merged = []) {
  const forbidden = table.closedFaces(named).sort((i, j) => i - j);
  if (!slots.length || !forbidden.length) return null;
  const sworn = table.swornOfAll(merged.length ? merged : slots);
  return forbidden.every((card) => sworn.has(card)) ? null : { slots, forbidden };
}

/** The oath that has to come with an act, not proven yet: it is there exactly where it is owed. */
export function readOath(table, slots, named, merge, payload) {
  const oath = owedOath(table, slots, named, [...merge.ciphers.keys()]);
  if ((oath === null) !== (payload === null))
    throw illegal(oath ? "an oath is owed" : "an oath that is not owed");
  return oath && { ...oath, named, bytes: binary(payload) };
}

/** What an oath comes to, if it is right. */
export function proveOath(table, entry, oath, merge) {
  if (oath === null) return null;
  const commitment = checkThisOath(table, entry, oath, after(table, merge, oath.slots));
  return { ...oath, commitment };
}

function checkThisOath(table, entry, { slots, forbidden, named, bytes }, ciphers) {
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
  const merged = [[...merge.ciphers.keys()], [...merge.ciphers.values()]];
  if (merged[0].length) blaming(seat, undefined, () => table.permute(...merged, seat, history));
  for (const [handle, card] of opened) table.turnUp(handle, card);
  for (const handle of apart)
    if (table.slot(handle).lock !== OPEN) table.slot(handle).history = table.newHistory();
  if (oath) table.swear(oath.slots, oath.forbidden);
}
