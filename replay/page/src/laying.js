// Steps in which a seat lays cards, swears, or chooses.

import { Hand, cardNumber } from "./hand.js";
import { decodePoint, decodePoints } from "./group.js";
import { exactly, octets, take } from "./messagepack.js";
import { demand } from "./refusal.js";

const PLAY = {
  slot: "int",
  card: "nil|int",
  share: "nil|bin",
  proof: "nil|bin",
  oath: "nil|bin",
  merge: "nil|map",
};
const LAY_ALL = {
  slots: "list",
  cards: "list",
  shares: "bin",
  proof: "nil|bin",
  oath: "nil|bin",
  merge: "nil|map",
};

/** One card laid open, or a pass: the entry of a turn, and a claim in a race. */
export class CardClaim {
  constructor(walk, { seat, zone, fits, otherwise }) {
    this.walk = walk;
    this.hand = new Hand(walk, seat, zone);
    this.fits = new Set(fits);
    this.otherwise = otherwise;
  }

  check(payload, step) {
    if (payload === null) {
      demand(this.otherwise === "pass", "illegal-move", "a card has to be laid");
      return null;
    }
    const { walk, hand } = this;
    const fields = take(payload, PLAY);
    const { slot, share, proof } = fields;
    demand(hand.zone.includes(slot), "illegal-move", "that card is not there to be laid");
    const open = walk.cards.slot(slot).number;
    const given = [fields.card, share, proof].map((field) => field !== null);
    demand(
      given.every((there) => there === (open === null)),
      "malformed",
      "a hidden card comes with face, share and proof, a public one without",
    );
    const number = open ?? cardNumber(walk, fields.card);
    const point = open === null ? decodePoint(share) : null;
    if (open === null) octets(proof, 64, "a proof of a share");
    const fits = this.fits.has(number);
    demand(fits || this.otherwise === "sworn", "illegal-move", "that card does not fit");
    const merged = hand.readMerge(fields.merge, open === null);
    const others = hand.hidden.filter((handle) => handle !== slot);
    const owed = fits ? null : walk.cards.owed(others, [...this.fits]);
    hand.expectOath(owed, fields.oath);
    hand.checkMerge(merged, step);
    if (open === null) hand.faces([slot], [number], [point], proof, merged, step, "play");
    return { slot, number, merged, sworn: hand.oath(owed, fields.oath, merged, step) };
  }

  settle(laid) {
    if (laid === null) return;
    this.hand.settle(laid.merged, laid.sworn);
    this.walk.cards.show(laid.slot, laid.number);
  }
}

export function play(walk, question) {
  const claim = new CardClaim(walk, question);
  const { seat } = question;
  const laid = walk.step("play", [seat], (_, payload, step) => claim.check(payload, step));
  claim.settle(laid.get(seat));
}

/** Owners of hands lay every card that fits and swear about the others. */
export function layAll(walk, { hands, fits }) {
  const owing = new Map(
    hands
      .map(([seat, zone]) => [seat, new Hand(walk, seat, zone)])
      .filter(([, hand]) => hand.hidden.length),
  );
  if (!owing.size) return;
  const laid = walk.step(
    "lay-all",
    [...owing.keys()].sort((one, other) => one - other),
    (seat, payload, step) => checkForced(walk, owing.get(seat), fits, payload, step),
  );
  for (const [seat, { slots, numbers, merged, sworn }] of laid) {
    owing.get(seat).settle(merged, sworn);
    slots.forEach((handle, at) => walk.cards.show(handle, numbers[at]));
  }
}

function checkForced(walk, hand, fits, payload, step) {
  const { slots, cards, shares, proof, oath, merge } = take(payload, LAY_ALL);
  slots.forEach((handle) => exactly(handle, "int", "a slot"));
  const ordered = hand.hidden.filter((handle) => slots.includes(handle));
  const named =
    slots.length === ordered.length && slots.every((handle, at) => handle === ordered[at]);
  demand(named, "illegal-move", "hidden cards of the hand are laid, each once and in its order");
  const numbers = cards.map((number) => cardNumber(walk, number));
  demand(
    numbers.every((number) => fits.includes(number)),
    "illegal-move",
    "a card is laid that does not fit",
  );
  const complete = numbers.length === slots.length && (proof === null) === (slots.length === 0);
  demand(complete, "malformed", "each card laid comes with its face, and all of them with a proof");
  const points = decodePoints(shares, slots.length);
  if (slots.length) octets(proof, 64, "a proof of shares");
  const owed = walk.cards.owed(
    hand.hidden.filter((handle) => !slots.includes(handle)),
    fits,
  );
  hand.expectOath(owed, oath);
  const merged = hand.readMerge(merge);
  hand.checkMerge(merged, step);
  if (slots.length) hand.faces(slots, numbers, points, proof, merged, step, "lay-all");
  return { slots, numbers, merged, sworn: hand.oath(owed, oath, merged, step) };
}

/** Cards are laid face down: only their slots are named. */
export function layDown(walk, { seat, zone, count }) {
  const hand = new Hand(walk, seat, zone);
  const laid = walk.step("lay-down", [seat], (_, payload, step) => {
    const { slots, merge } = take(payload, { slots: "list", merge: "nil|map" });
    slots.forEach((handle) => exactly(handle, "int", "a slot"));
    const named =
      slots.length === count &&
      new Set(slots).size === count &&
      slots.every((handle) => zone.includes(handle));
    demand(named, "illegal-move", "other cards are laid down than can be");
    const merged = hand.readMerge(merge);
    hand.checkMerge(merged, step);
    return { slots, merged };
  });
  const { slots, merged } = laid.get(seat);
  hand.settle(merged, null);
  for (const handle of slots) walk.cards.slot(handle).history = `${walk.at} ${handle}`;
}

/** An oath of its own. */
export function swear(walk, { seat, slots, none }) {
  const hand = new Hand(walk, seat, slots);
  const owed = walk.cards.owed(hand.hidden, none);
  if (owed === null) return;
  const sworn = walk.step("swear", [seat], (_, payload, step) =>
    hand.oath(owed, exactly(payload, "bin", "an oath"), null, step),
  );
  hand.settle(null, sworn.get(seat));
}

/** An open choice. */
export function choose(walk, { seat, options }) {
  walk.step("choose", [seat], (_, payload) => checkIndex(payload, options));
}

/** The index of one of so many options. */
export function checkIndex(payload, options) {
  exactly(payload, "int", "a choice");
  demand(payload >= 0 && payload < options, "illegal-move", "that is not one of the choices");
  return payload;
}
