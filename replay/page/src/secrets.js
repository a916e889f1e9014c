// Secret choices and sets laid at once: commit, then reveal.

import { Hand, cardNumber } from "./hand.js";
import { decodePoints } from "./group.js";
import { exactly, octets, take } from "./messagepack.js";
import { opens } from "./proofs.js";
import { demand } from "./refusal.js";

const SET = { slots: "list", shown: "nil|map", merge: "nil|map" };
const SHOWN = { cards: "list", shares: "bin", proof: "nil|bin" };

const commitment = (_, payload) => octets(payload, 64, "a commitment");

/** Seats choose in secret; one that opens something else than it committed to forfeits. */
export function together(walk, { seats, options }) {
  const made = walk.next.number;
  const commitments = walk.step("commit", seats, commitment);
  walk.step("reveal", seats, (seat, payload) => {
    const { nonce, choice } = take(payload, { nonce: "bin", choice: "int" });
    octets(nonce, 32, "a nonce");
    const { table } = walk.header;
    const held = opens(commitments.get(seat), "choice", table, made, seat, nonce, choice);
    const offered = choice >= 0 && choice < options[seats.indexOf(seat)];
    walk.count(held && offered ? "openings" : "forfeits");
  });
}

/** What one seat lays as a set, open or face down, or a pass. */
class SetClaim {
  constructor(walk, { seat, zone, sizes }) {
    this.walk = walk;
    this.sizes = sizes;
    this.hand = new Hand(walk, seat, zone);
  }

  /** The shape of a set; null for a pass. */
  read(payload) {
    if (payload === null) return null;
    const { hand } = this;
    const { slots, shown, merge } = take(payload, SET);
    slots.forEach((handle) => exactly(handle, "int", "a slot"));
    const there = slots.every((handle) => hand.zone.includes(handle));
    demand(
      there && new Set(slots).size === slots.length,
      "illegal-move",
      "that card is not there to be laid",
    );
    const [least, most] = this.sizes;
    const fits = slots.length >= least && slots.length <= most;
    demand(fits, "illegal-move", "a set of another size is asked for");
    const hidden = slots.filter((handle) => hand.hidden.includes(handle));
    const open = shown === null ? null : this.#readShown(hidden, shown);
    const merged = hand.readMerge(merge, hidden.length > 0);
    return { slots, hidden, open, numbers: open && open.numbers, merged };
  }

  /** Refuses unless the proofs of a set hold. */
  prove(set, step) {
    if (set === null) return set;
    const { hidden, open, merged } = set;
    this.hand.checkMerge(merged, step);
    if (open !== null && hidden.length)
      this.hand.faces(hidden, open.numbers, open.shares, open.proof, merged, step, "lay-set");
    return set;
  }

  #readShown(hidden, shown) {
    const { cards, shares, proof } = take(shown, SHOWN);
    demand(
      cards.length === hidden.length,
      "malformed",
      "a set laid open names the face of each of its hidden cards",
    );
    demand(
      (proof !== null) === hidden.length > 0,
      "malformed",
      "a set with hidden cards comes with a proof, any other without",
    );
    const numbers = cards.map((number) => cardNumber(this.walk, number));
    if (hidden.length) octets(proof, 64, "a proof of shares");
    return { numbers, shares: decodePoints(shares, hidden.length), proof };
  }

  /** The physical cards of a set laid open, in the order of its slots. */
  numbers({ slots, hidden, numbers }) {
    const { cards } = this.walk;
    return slots.map((handle) => {
      const at = hidden.indexOf(handle);
      return at < 0 ? cards.slot(handle).number : numbers[at];
    });
  }

  settle(laid) {
    if (laid === null) return;
    const { walk, hand } = this;
    hand.settle(laid.merged, null);
    if (laid.numbers !== null)
      laid.hidden.forEach((handle, at) => walk.cards.show(handle, laid.numbers[at]));
    else for (const handle of laid.slots) walk.cards.slot(handle).history = `${walk.at} ${handle}`;
  }
}

export function laySet(walk, question) {
  const claim = new SetClaim(walk, question);
  const { seat } = question;
  const laid = walk.step("lay-set", [seat], (_, payload, step) =>
    claim.prove(claim.read(payload), step),
  );
  claim.settle(laid.get(seat));
}

/** Sets chosen in secret and turned up at once. */
export function layTogether(walk, { claims }) {
  const seats = claims.map(({ seat }) => seat);
  const sides = new Map(claims.map((claim) => [claim.seat, new SetClaim(walk, claim)]));
  const made = walk.next.number;
  const commitments = walk.step("set-commit", seats, commitment);
  const laid = walk.step("set-reveal", seats, (seat, payload, step) => {
    const fields = take(payload, { nonce: "bin", laid: "nil|map" });
    octets(fields.nonce, 32, "a nonce");
    const claim = sides.get(seat);
    const set = claim.read(fields.laid);
    demand(
      set === null || set.numbers !== null,
      "illegal-move",
      "sets laid together are laid open",
    );
    const chosen = set === null ? null : claim.numbers(set);
    const held = opens(
      commitments.get(seat),
      "set",
      walk.header.table,
      made,
      seat,
      fields.nonce,
      chosen,
    );
    demand(held, "bad-opening", "the opening is not the choice committed to");
    walk.count("openings");
    return claim.prove(set, step);
  });
  for (const seat of seats) sides.get(seat).settle(laid.get(seat));
}
