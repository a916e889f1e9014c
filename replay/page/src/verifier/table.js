// What is known of the cards while a log is read: slots, locks, histories, standing oaths.
// protocol.md sections 4, 5 and 8.

import { hex } from "./bytes.js";
import { BadQuestions, Fault } from "./fault.js";
import { cardPoint, encode, IDENTITY, keyPoint } from "./group.js";

export const JOINT = "joint";
export const OPEN = "open";
const REMEMBERED = 16;
const NOTHING = new Set();

const openSlot = (point, card, sworn) => ({ a: IDENTITY, b: point, lock: OPEN, card, sworn });

export class Table {
  /** `header` is what readHeader() gives. */
  constructor(header, counts) {
    Object.assign(this, header);
    this.counts = counts;
    this.slots = [];
    this.cards = [];
    this.faces = new Map();
    this.commitments = new Set();
    this.used = new Set();
    this.credited = new Map();
    this.disputes = 0;
    this.disputesOf = new Map();
    this.histories = 0;
    this.steps = [];
    /** The seats that are not there any more. */
    this.gone = [];
    /** Those of them that left for good, {seat, step}: the step in which it said so. */
    this.left = [];
    /** Those without which the others went on, {seat, step, last}: the step of the votes, the last signed. */
    this.lost = [];
  }

  /** Asks for a step, which the table notes, for races look back to it. */
  *noted(step) {
    const { kind, seats } = step;
    this.steps = [...this.steps, { kind, seats }].slice(-REMEMBERED);
    return yield step;
  }

  /** The seats that are left: of the others nothing is owed any more. */
  get everybody() {
    return this.keys.map((_, seat) => seat).filter((seat) => !this.gone.includes(seat));
  }

  /** Questions of whoever is gone are none that rules ask. */
  present(seats) {
    if (seats.some((seat) => this.gone.includes(seat)))
      throw new BadQuestions("a question is about a seat that is gone");
  }

  /** The joint key without that of a seat. */
  keyWithout(seat) {
    return this.jointKey.subtract(this.keys[seat]);
  }

  /** The others go on without these seats, whose keys are still in the cards. */
  miss(seats) {
    this.gone.push(...seats);
    for (const seat of seats) this.forgetRecordsOf(seat);
  }

  /** A seat is gone, and its key is out of every hidden card (section 5). */
  lose(seat) {
    this.jointKey = keyPoint(this.keyWithout(seat));
    if (!this.gone.includes(seat)) this.miss([seat]);
  }

  /** A seat that is gone passes no records on. */
  forgetRecordsOf(seat) {
    for (const pair of this.unlinked) pair.between = pair.between.filter((one) => one !== seat);
    this.unlinked = this.unlinked.filter(({ seats, between }) => between.length && !seats.includes(seat));
  }

  /** "Slot i is card i, OPEN, known to all." A card's number is the lowest with its face. */
  fresh(name, lowest) {
    this.lowest = lowest;
    this.cards = lowest.map((card) => cardPoint(name, card));
    this.faces = new Map(this.cards.map((card, i) => [hex(encode(card)), lowest[i]]));
    this.slots = this.cards.map((card, i) => openSlot(card, lowest[i], NOTHING));
  }

  slot(handle) {
    const slot = this.slots[handle];
    if (!slot) throw new BadQuestions(`there is no slot ${handle}`);
    return slot;
  }

  /** The slots of a question: all there, none twice. */
  zone(handles) {
    if (new Set(handles).size < handles.length) throw new BadQuestions("a slot stands twice");
    handles.forEach((handle) => this.slot(handle));
    return handles;
  }

  ciphers(handles) {
    return handles.map((handle) => this.slot(handle));
  }

  /** "Hidden" are the slots of a zone under the seat's own key, in the order of the zone. */
  hidden(seat, zone) {
    return zone.filter((handle) => this.slot(handle).lock === seat);
  }

  /** All slots under this lock, ascending. */
  lockedTo(lock) {
    return [...this.slots.keys()].filter((handle) => this.slots[handle].lock === lock);
  }

  newHistory() {
    return ++this.histories;
  }

  /** What is sworn is about ciphers: of another cipher nothing is (section 8, "Oaths"). */
  recipher(handle, { a, b }, lock, history, sworn = NOTHING) {
    this.slots[handle] = { a, b, lock, card: null, history, sworn };
  }

  /** Ciphers that somebody made: none has a point a that a slot has had ("Points used twice"). */
  refresh(verdict, ciphers) {
    for (const { a } of ciphers) {
      const seen = hex(encode(a));
      if (this.used.has(seen)) throw new Fault(verdict, "a point that has hidden a card before");
      this.used.add(seen);
    }
  }

  /** One seat shuffled these slots: of each cipher that holds which was sworn of all of them. */
  permute(handles, ciphers, lock, history) {
    this.refresh("bad-shuffle", ciphers);
    const common = this.swornOfAll(handles);
    handles.forEach((handle, i) => this.recipher(handle, ciphers[i], lock, history, common));
  }

  /** One layer comes off: it is the cipher of the same card, and all that is known of it stays. */
  strip(handle, share) {
    const slot = this.slot(handle);
    this.slots[handle] = { ...slot, b: slot.b.subtract(share) };
  }

  swornOfAll(handles) {
    const [first, ...others] = handles.map((handle) => this.slot(handle).sworn);
    return new Set([...first].filter((card) => others.every((sworn) => sworn.has(card))));
  }

  swear(handles, cards) {
    for (const handle of handles) {
      const slot = this.slot(handle);
      slot.sworn = new Set([...slot.sworn, ...cards]);
    }
  }

  /** From now on all know the card: the slot is (identity, M). What was sworn of it holds on. */
  turnUp(handle, card) {
    this.slots[handle] = openSlot(this.cards[card], card, this.slot(handle).sworn);
  }

  /** The card of a plaintext, or undefined. */
  cardOf(point) {
    return this.faces.get(hex(encode(point)));
  }

  /** Those of the cards that are the number of a face, and of which not every copy lies open. */
  closedFaces(cards) {
    const open = this.slots.filter((slot) => slot.lock === OPEN).map((slot) => slot.card);
    const many = (list, card) => list.filter((one) => one === card).length;
    return cards.filter(
      (card) => this.lowest[card] === card && many(open, card) < many(this.lowest, card),
    );
  }

  /** Section 8, "Offline parts": no commitment c may be there twice. */
  rememberCommitment(commitment) {
    const seen = hex(commitment);
    if (this.commitments.has(seen)) throw new Fault("bad-shuffle", "a commitment that was used before");
    this.commitments.add(seen);
  }
}
