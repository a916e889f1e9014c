// Seats that leave or are lost, and in which order the rules are told of them: protocol.md section 5.

import { BadQuestions } from "../fault.js";
import { JOINT } from "../table.js";
import { farewell } from "./farewell.js";
import { Loss } from "./loss.js";

/** The seats that leave or are lost in a question, until the rules are told of them. */
export class Parting {
  constructor(table) {
    this.table = table;
    /** The entries by which seats said so. */
    this.leavers = [];
    this.loss = null;
    /** Those whose keys are out of the cards, and of whom the rules were not told yet. */
    this.told = [];
  }

  get isOver() {
    return !this.leavers.length && this.loss === null && !this.told.length;
  }

  /** Seats say so in these entries. */
  leave(entries) {
    this.leavers.push(...entries);
  }

  lose(seats, zones) {
    this.loss ??= new Loss(this.table);
    this.loss.add(seats, zones);
    this.leavers = this.leavers.filter(({ seat }) => !seats.includes(seat));
  }

  /** The steps up to the next of whom the rules are told: {left} or {lost}; null if nobody is gone. */
  *next() {
    while (!this.told.length && !this.isOver)
      this.told = this.loss === null ? yield* this.partFrom(this.leavers[0]) : yield* this.takeOut();
    return this.told.shift() ?? null;
  }

  *partFrom({ seat, step }) {
    if (!(yield* this.whole(farewell(this.table, seat)))) return [];
    this.leavers.shift();
    this.table.left.push({ seat, step });
    return [{ left: seat }];
  }

  *takeOut() {
    const { loss } = this;
    if (!(yield* this.whole(loss.takeOut()))) return [];
    loss.seats.forEach((seat) => this.table.lose(seat));
    this.loss = null;
    return loss.seats.map((seat) => ({ lost: seat }));
  }

  /** Whether these steps came to their end; else somebody (else) was lost in one of them. */
  *whole(steps) {
    for (let given; ; ) {
      const { done, value } = steps.next(given);
      if (done) return true;
      given = yield* this.table.noted(value);
      if (!given.lost) continue;
      this.lose(given.lost, []);
      return false;
    }
  }
}

/** The zones with slots of which shares may have been on the way, as the question tells them. */
export function zonesToMend(table, question) {
  const { zones } = question;
  if (zones === undefined) throw new BadQuestions("it is not told which zones are mended");
  const named = aboutJoint(table, question);
  const all = table.zone(zones.flat());
  if (named.some((handle) => !all.includes(handle)) || zones.some((zone) => !zone.some((one) => named.includes(one))))
    throw new BadQuestions("other zones are mended than those that the question was about");
  return zones;
}

/** The JOINT slots that a question is about; whoever decides has none. */
function aboutJoint(table, { slots = [], moves = [] }) {
  const about = table.zone([...slots, ...moves.map(([handle]) => handle)]);
  return about.filter((handle) => table.slot(handle).lock === JOINT);
}
