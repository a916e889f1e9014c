// Questions that one seat answers with cards of its hand: play, lay all, lay down, swear.
// protocol.md section 5.

import { BadQuestions, illegal, malformed } from "../fault.js";
import { array, binary, integer, typedFields } from "../shape.js";
import { OPEN } from "../table.js";
import {
  after, checkCardNumber, checkShown, checkSlots, NO_EFFECT, NO_MERGE, owedOath, proveMerge, proveOath,
  readMerge, readOath, readShown, take,
} from "./hand.js";

const PLAY = {
  slot: "integer", card: "nil or integer", share: "nil or binary", proof: "nil or binary",
  oath: "nil or binary", merge: "nil or map",
};

/** One card laid: the effect of a map of `play`, also as a claim in a race. */
export function checkPlay(table, entry, question, payload) {
  const play = typedFields(payload, PLAY);
  const zone = table.zone(question.zone);
  const [slot] = checkSlots(zone, [play.slot]);
  const hidden = table.hidden(entry.seat, zone);
  const shown = hidden.includes(slot) ? readLaid(table, play) : null;
  const card = shown ? play.card : publicCard(table, slot, play);
  const fits = question.fits.includes(card);
  if (!fits && (question.otherwise !== "sworn" || openlyCould(table, question)))
    throw illegal("a card that does not fit");
  const merge = readMerge(table, hidden, shown !== null, play.merge);
  const others = fits ? [] : hidden.filter((handle) => handle !== slot);
  const oath = readOath(table, others, question.fits, merge, play.oath);
  proveMerge(table, entry, merge);
  if (shown) checkShown(table, entry, "play", [slot], after(table, merge, [slot]), shown);
  return { ...NO_EFFECT, merge, opened: [[slot, card]], oath: proveOath(table, entry, oath, merge) };
}

/** Whether an open card of the zone is one of those that are asked for. */
const openlyCould = (table, { zone, fits }) =>
  table.ciphers(zone).some(({ lock, card }) => lock === OPEN && fits.includes(card));

const readLaid = (table, { card, share, proof }) =>
  readShown({ cards: [checkCardNumber(table, card)], shares: share, proof }, 1);

/** "A public slot has nil for card, share and proof." */
function publicCard(table, handle, { card, share, proof }) {
  const slot = table.slot(handle);
  if (slot.lock !== OPEN) throw illegal("a slot that the seat does not hold");
  if (card !== null || share !== null || proof !== null) throw malformed("a public card is shown again");
  return slot.card;
}

export function* play(table, question) {
  const check = (entry) => {
    if (entry.payload !== null) return checkPlay(table, entry, question, entry.payload);
    if (question.otherwise !== "pass") throw illegal("a card has to be laid");
    return NO_EFFECT;
  };
  const [{ result }] = yield { kind: "play", seats: [question.seat], check, decides: true };
  take(table, question.seat, result);
}

export function* layAll(table, { hands, fits }) {
  const hiddenOf = new Map(hands.map(([seat, zone]) => [seat, table.hidden(seat, table.zone(zone))]));
  const seats = table.everybody.filter((seat) => hiddenOf.get(seat)?.length);
  if (!seats.length) return;
  const check = (entry) => checkLayAll(table, entry, hiddenOf.get(entry.seat), fits);
  const given = yield { kind: "lay-all", seats, check };
  for (const { entry, result } of given) take(table, entry.seat, result);
}

const LAY_ALL = {
  slots: "array", cards: "array", shares: "binary", proof: "nil or binary",
  oath: "nil or binary", merge: "nil or map",
};

function checkLayAll(table, entry, hidden, fits) {
  const payload = typedFields(entry.payload, LAY_ALL);
  const slots = checkSlots(hidden, array(payload.slots));
  const cards = array(payload.cards, slots.length).map((card) => checkCardNumber(table, card));
  const shown = readShown({ ...payload, cards }, slots.length);
  if (hidden.filter((handle) => slots.includes(handle)).some((handle, i) => handle !== slots[i]))
    throw illegal("the slots are not in the order of the hand");
  if (!cards.every((card) => fits.includes(card))) throw illegal("a card that does not fit");
  const merge = readMerge(table, hidden, true, payload.merge);
  const staying = hidden.filter((handle) => !slots.includes(handle));
  const owed = readOath(table, staying, fits, merge, payload.oath);
  proveMerge(table, entry, merge);
  checkShown(table, entry, "lay-all", slots, after(table, merge, slots), shown);
  const oath = proveOath(table, entry, owed, merge);
  return { ...NO_EFFECT, merge, opened: slots.map((slot, i) => [slot, cards[i]]), oath };
}

export function* layDown(table, { seat, zone, count }) {
  if (count > zone.length) throw new BadQuestions("more cards than the zone has");
  const hidden = table.hidden(seat, table.zone(zone));
  const check = (entry) => {
    const payload = typedFields(entry.payload, { slots: "array", merge: "nil or map" });
    const slots = checkSlots(zone, array(payload.slots));
    if (slots.length !== count) throw illegal("another number of cards");
    if (slots.some((handle) => !hidden.includes(handle) && table.slot(handle).lock !== OPEN))
      throw illegal("a slot that the seat does not hold");
    const merge = readMerge(table, hidden, true, payload.merge);
    proveMerge(table, entry, merge);
    return { ...NO_EFFECT, merge, apart: slots };
  };
  const [{ result }] = yield { kind: "lay-down", seats: [seat], check, decides: true };
  take(table, seat, result);
}

/** The step is there only "if anything is owed". */
export function* swear(table, { seat, slots, none }) {
  const hidden = table.hidden(seat, table.zone(slots));
  if (!owedOath(table, hidden, none)) return;
  const check = (entry) => {
    // "A `swear` is there only where an oath is owed": nil has the wrong type (section 8).
    const oath = readOath(table, hidden, none, NO_MERGE, binary(entry.payload));
    return { ...NO_EFFECT, oath: proveOath(table, entry, oath, NO_MERGE) };
  };
  const [{ result }] = yield { kind: "swear", seats: [seat], check };
  take(table, seat, result);
}

export function* choose(table, { seat, options }) {
  const check = (entry) => checkChoice(entry.payload, options);
  yield { kind: "choose", seats: [seat], check, decides: true };
}

/** The index of a choice that was offered. */
export function checkChoice(payload, options) {
  integer(payload);
  if (payload < 0 || payload >= options) throw illegal("a choice that was not offered");
  return payload;
}
