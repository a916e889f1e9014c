// The cards of a table as everybody can follow them: ciphers, locks, histories, oaths.

import { hex, littleEndian } from "./bytes.js";
import { IDENTITY, cardPoints } from "./group.js";
import { demand } from "./refusal.js";
import { Transcript } from "./transcript.js";

export const JOINT = -1;
export const OPEN = -2;
const VERSION = 1;

export class Cards {
  constructor(header) {
    this.header = header;
    this.points = [];
    this.slots = [];
    this.oaths = [];
    this.parts = new Set();
  }

  /** A new deck: slot i is physical card i, and everybody knows it. */
  layFresh(deck, count) {
    this.points = cardPoints(deck, count);
    this.numberOf = new Map(this.points.map((point, number) => [hex(point.bytes), number]));
    this.slots = this.points.map((point, number) => ({
      cipher: { a: IDENTITY, b: point },
      lock: OPEN,
      number,
      history: 0,
    }));
    this.oaths = [];
  }

  /** The slot of a handle that the questions name. */
  slot(handle) {
    demand(
      this.slots[handle] !== undefined,
      "malformed",
      "the questions name a slot that is not there",
    );
    return this.slots[handle];
  }

  cipher(handle) {
    return this.slot(handle).cipher;
  }

  lock(handle) {
    return this.slot(handle).lock;
  }

  /** The slot as it enters a shuffle: a card that all know becomes (identity, M). */
  entering(handle) {
    const { number, cipher } = this.slot(handle);
    return number === null ? cipher : { a: IDENTITY, b: this.points[number] };
  }

  /** These slots hold new ciphers under the lock; nobody has sworn about them yet. */
  hide(handles, ciphers, lock, history) {
    handles.forEach((handle, at) => {
      Object.assign(this.slot(handle), { cipher: ciphers[at], number: null, lock, history });
    });
    const gone = new Set(handles);
    this.oaths = this.oaths.filter((oath) => ![...oath.slots].some((handle) => gone.has(handle)));
  }

  /** The slot's card is known to all from now on. */
  show(handle, number) {
    Object.assign(this.slot(handle), { number, lock: OPEN });
  }

  /** The physical card of a plaintext. */
  identify(point) {
    const number = this.numberOf.get(hex(point.bytes));
    demand(number !== undefined, "bad-share", "the shares open no card of this deck");
    return number;
  }

  /** The hidden slots of a zone that `seat` alone can read. */
  hidden(zone, seat) {
    return zone.filter((handle) => this.lock(handle) === seat);
  }

  /** Whether slots of two or more histories lie among these. */
  mixed(handles) {
    return new Set(handles.map((handle) => this.slot(handle).history)).size > 1;
  }

  /** What has to be sworn about these slots: `{slots, allowed, forbidden}`, or null. */
  owed(handles, named) {
    const open = new Set(
      this.slots.map(({ number }) => number).filter((number) => number !== null),
    );
    const forbidden = named.filter((number) => !open.has(number)).sort((one, other) => one - other);
    if (!handles.length || !forbidden.length || this.#sworn(handles, forbidden)) return null;
    const names = new Set(named);
    const allowed = this.points.map((_, number) => number).filter((number) => !names.has(number));
    return { slots: handles, allowed, forbidden };
  }

  #sworn(handles, numbers) {
    return this.oaths.some(
      (oath) =>
        handles.every((handle) => oath.slots.has(handle)) &&
        numbers.every((number) => oath.none.has(number)),
    );
  }

  /** A verified oath stands. */
  swear({ slots, forbidden }) {
    this.oaths.push({ slots: new Set(slots), none: new Set(forbidden) });
  }

  /** A part prepared for one shuffle is used once. */
  usePart(commitment) {
    const name = hex(commitment.bytes);
    demand(!this.parts.has(name), "bad-shuffle", "an offline part was used twice");
    this.parts.add(name);
  }

  /** The transcript of a proof (protocol section 4). */
  bind(step, seat, operation, handles) {
    const { table, publics } = this.header;
    return new Transcript("nodealer proof")
      .append("protocol", littleEndian(VERSION, 4))
      .append("table", table)
      .append("previous", step.previous)
      .append("step", littleEndian(step.number, 8))
      .append("seat", littleEndian(seat, 2))
      .append("operation", operation)
      .append("slots", ...handles.map((handle) => littleEndian(handle, 4)))
      .append("keys", ...publics.map((key) => key.bytes));
  }
}
