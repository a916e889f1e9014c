// What a log is refused with: a verdict of protocol section 6, a reason, where and whom.

export class Refusal extends Error {
  constructor(verdict, reason, seat = null, step = null) {
    super(reason);
    this.verdict = verdict;
    this.reason = reason;
    this.seat = seat;
    this.step = step;
  }
}

/** The log ends here, and all before is right. */
export class Unfinished extends Error {}

/** Refuses unless `ok`. */
export function demand(ok, verdict, reason, seat = null, step = null) {
  if (!ok) throw new Refusal(verdict, reason, seat, step);
}

/** Runs `act`; a refusal in it gets the seat, step and verdict that it lacks or is given. */
export function blaming({ seat = null, step = null, verdict = null }, act) {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(
      verdict ?? error.verdict,
      error.reason,
      error.seat ?? seat,
      error.step ?? step,
    );
  }
}
