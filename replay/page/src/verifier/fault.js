// The verdicts of protocol.md section 6, as exceptions inside the verifier.

import { printable } from "./names.js";

const REASON_MAX = 120;

/** What was found. Without a seat nobody is to blame. Parts of the reason may be what a seat sent. */
export class Fault extends Error {
  constructor(verdict, reason, place = {}) {
    super(printable(reason, REASON_MAX));
    this.verdict = verdict;
    this.seat = place.seat;
    this.step = place.step;
  }
}

/** The questions do not fit the log: they are a claim, and nobody at the table is to blame. */
export class BadQuestions extends Error {}

export const malformed = (reason) => new Fault("malformed", reason);
export const illegal = (reason) => new Fault("illegal-move", reason);

/** Runs `check`; a fault that names nobody yet falls on this seat at this step. */
export function blaming(seat, step, check) {
  try {
    return check();
  } catch (error) {
    if (error instanceof Fault) {
      if (error.seat === undefined) error.seat = seat;
      if (error.step === undefined) error.step = step;
    }
    throw error;
  }
}

/** Runs `check`; whatever is wrong in it has this one name (section 8, "Names of faults"). */
export function naming(verdict, check) {
  try {
    return check();
  } catch (error) {
    if (error instanceof Fault) error.verdict = verdict;
    throw error;
  }
}
