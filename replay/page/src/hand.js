// A seat's hidden cards in a zone: the reshuffle that an entry owes, faces, oaths.

import { checkOath } from "./oath.js";
import { checkShares } from "./proofs.js";
import { demand } from "./refusal.js";
import { checkShuffle, readShuffle } from "./shuffle.js";

export class Hand {
  constructor(walk, seat, zone) {
    this.walk = walk;
    this.seat = seat;
    this.zone = zone;
    this.hidden = walk.cards.hidden(zone, seat);
    this.owesMerge = walk.cards.mixed(this.hidden);
  }

  get key() {
    return this.walk.header.publics[this.seat];
  }

  /** The shape of the entry's own reshuffle; null where none is owed. */
  readMerge(payload, namesHidden = true) {
    const due = this.owesMerge && namesHidden;
    demand(
      (payload !== null) === due,
      "illegal-move",
      "cards of different histories have to be reshuffled, and only those",
    );
    return due ? readShuffle(payload, this.hidden.length) : null;
  }

  /** Refuses unless that reshuffle is one. */
  checkMerge(merged, step) {
    if (merged === null) return;
    const { cards } = this.walk;
    const before = this.hidden.map((handle) => cards.cipher(handle));
    const transcript = cards.bind(step, this.seat, "merge", this.hidden);
    checkShuffle(this.key, before, merged.deck, merged.proof, transcript);
    this.walk.count("shuffles");
  }

  /** The cipher of a hidden slot behind the entry's own reshuffle. */
  cipher(handle, merged) {
    const at = this.hidden.indexOf(handle);
    return merged === null ? this.walk.cards.cipher(handle) : merged.deck[at];
  }

  /** Refuses unless the shares open these slots as these cards. */
  faces(handles, numbers, shares, proof, merged, step, kind) {
    const { cards } = this.walk;
    const ciphers = handles.map((handle) => this.cipher(handle, merged));
    const opened = ciphers.every(({ b }, at) =>
      b.minus(shares[at]).equals(cards.points[numbers[at]]),
    );
    demand(opened, "bad-share", "the shares do not open the cards that were named");
    const pairs = ciphers.map(({ a }, at) => [a, shares[at]]);
    checkShares(this.key, pairs, proof, cards.bind(step, this.seat, kind, handles));
    this.walk.count("shares", shares.length);
  }

  /** Refuses unless `oath` is there exactly where `owed` is. */
  expectOath(owed, oath) {
    const due = (owed !== null) === (oath !== null);
    demand(due, "illegal-move", "an oath is owed and not there, or not owed");
  }

  /** Refuses unless the oath that is owed holds; what it comes to, null where none is. */
  oath(owed, oath, merged, step) {
    const { cards } = this.walk;
    if (owed === null) return null;
    const slots = owed.slots.map((handle) => this.cipher(handle, merged));
    const points = (numbers) => numbers.map((number) => cards.points[number]);
    const transcript = cards.bind(step, this.seat, "oath", owed.slots);
    const part = checkOath(
      this.key,
      slots,
      points(owed.allowed),
      points(owed.forbidden),
      oath,
      transcript,
    );
    this.walk.count("oaths");
    return { owed, part };
  }

  /** A checked reshuffle and oath take effect. */
  settle(merged, sworn) {
    const { cards, at } = this.walk;
    if (merged !== null) {
      cards.usePart(merged.proof.c);
      cards.hide(this.hidden, merged.deck, this.seat, `merge ${at}`);
    }
    if (sworn === null) return;
    if (sworn.part !== null) cards.usePart(sworn.part);
    cards.swear(sworn.owed);
  }
}

/** A physical card that an entry names. */
export function cardNumber(walk, number) {
  const known = Number.isInteger(number) && number >= 0 && number < walk.cards.points.length;
  demand(known, "malformed", "there is no such card in this deck");
  return number;
}
