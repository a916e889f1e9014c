// What is known of the cards while a log is read: slots, locks, histories, standing oaths.
// protocol.md sections 4, 5 and 8.

import { hex } from "./bytes.js";
import { BadQuestions, Fault } from "./fault.js";
import { cardPoint, encode, IDENTITY } from "./group.js";

export const JOINT = "joint";
export const OPEN = "open";

export class Table {
  /** `header` is what readHeader() gives. */
  constructor(header, counts) {
    Object.assign(this, header);
    this.counts = counts;
    this.slots = [];
    this.cards = [];
    this.faces = new Map();
    this.oaths = [];
    this.commitments = new Set();
    this.credited = new Map();
    this.disputes = 0;
    this.histories = 0;
  }

  get everybody() {
    return this.keys.map((_, seat) => seat);
  }

  /** "Slot i is card i, OPEN, known to all." */
  fresh(name, count) {
    this.cards = Array.from({ length: count }, (_, i) => cardPoint(name, i));
    this.faces = new Map(this.cards.map((card, i) => [hex(encode(card)), i]));
    this.slots = this.cards.map((card, i) => ({ a: IDENTITY, b: card, lock: OPEN, card: i }));
    this.oaths = [];
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

  newHistory() {
    return ++this.histories;
  }

  /** A new cipher ends every oath about its slot, as a whole (section 8, "Oaths"). */
  recipher(handle, { a, b }, lock, history) {
    this.slots[handle] = { a, b, lock, card: null, history };
    this.oaths = this.oaths.filter((oath) => !oath.slots.includes(handle));
  }

  /** From now on all know the card: the slot is (identity, M). Oaths about it stand. */
  turnUp(handle, card) {
    this.slots[handle] = { a: IDENTITY, b: this.cards[card], lock: OPEN, card };
  }

  /** The card of a plaintext, or undefined. */
  cardOf(point) {
    return this.faces.get(hex(encode(point)));
  }

  get openCards() {
    return new Set(this.slots.filter((slot) => slot.lock === OPEN).map((slot) => slot.card));
  }

  /** Section 8, "Offline parts": no commitment c may be there twice. */
  rememberCommitment(commitment) {
    const seen = hex(commitment);
    if (this.commitments.has(seen)) throw new Fault("bad-shuffle", "a commitment that was used before");
    this.commitments.add(seen);
  }
}
