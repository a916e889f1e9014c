// Step by step: is an entry owed, its state, its shape, its proofs (protocol.md section 8, "Order").

import { equal } from "./bytes.js";
import { broken } from "./chain.js";
import { stepHash } from "./entry.js";
import { BadQuestions, blaming, Fault, illegal } from "./fault.js";
import { isLeave, readLeave } from "./steps/farewell.js";
import { isVote, Poll, readVote } from "./votes.js";

const CLOSE = "close";

/** Takes entries in order and knows which step goes on; a fault is thrown where it is met. */
export class Judge {
  /**
   * `steps` is a generator of {kind, seats, check, mayLeave} that takes [{entry, result}] back, or
   * {lost} for a step of votes; in a step that one may leave, the result of a seat that does is null.
   * The table is told the `place` of the step that goes on: {step, previous}.
   */
  constructor(table, steps) {
    this.table = table;
    this.steps = steps;
    /** What is known of each step that is over: the hash before it, who was left, whether it is void. */
    this.passed = [];
    this.given = [];
    /** The last whole step that each seat signed. */
    this.signed = new Map();
    this.closed = false;
    /** Why the questions lead no further, or null. */
    this.lost = null;
    table.place = { step: 0, previous: table.id };
    this.advance();
  }

  get step() {
    return this.table.place.step;
  }

  get previous() {
    return this.table.place.previous;
  }

  /** Judges an entry of the step that goes on; one at which a fault is found counts for nothing. */
  offer(entry) {
    const { counts } = this.table;
    const before = { ...counts };
    let held = false;
    try {
      held = this.take(entry);
    } finally {
      if (!held) Object.assign(counts, before);
    }
  }

  /** Whether the entry could be judged. */
  take(entry) {
    blaming(entry.seat, entry.step, () =>
      this.led(() => this.given.push({ entry, result: this.judged(entry) })),
    );
    if (this.lost !== null) return false;
    this.table.counts.entries++;
    if (this.given.length === this.asked.seats.length) this.complete();
    return true;
  }

  /** The last step that each seat signed, also where that is not whole; its votes do not count then. */
  get last() {
    return new Map([...this.signed, ...this.given.map(({ entry }) => [entry.seat, entry.step])]);
  }

  /** The first step that not every seat that is left has confirmed: an entry signs all steps before its own. */
  get provenTo() {
    const { last } = this;
    return Math.min(...this.table.everybody.map((seat) => last.get(seat) ?? 0));
  }

  judged(entry) {
    const { kind, seats, check, mayLeave } = this.asked;
    const leaves = mayLeave && isLeave(entry);
    if (!seats.includes(entry.seat)) throw owedNone(entry);
    if (entry.kind !== kind && !leaves) throw illegal(`a ${entry.kind} where a ${kind} is asked for`);
    if (this.given.length && !equal(this.given[0].entry.state, entry.state))
      throw new Fault("state-mismatch", "the seats signed different states", { seat: null });
    return leaves ? readLeave(entry) : check(entry);
  }

  complete() {
    const given = this.given.sort((one, other) => one.entry.seat - other.entry.seat);
    this.pass(given.map(({ entry }) => entry), given);
  }

  /** Whether votes about this step count: somebody can be voted out, but not at the close. */
  mayVoteAt(step) {
    const begun = step < this.step || (step === this.step && this.asked?.kind !== CLOSE);
    return this.table.least > 0 && begun;
  }

  /** Counts a vote about the step that goes on or one before; whether it is one of that history. */
  hear(vote) {
    const { seat, step } = vote.entry;
    const poll = step < this.step ? this.pollOf(this.passed[step]) : this.poll;
    if (!blaming(seat, step, () => poll.take(vote))) return false;
    if (poll === this.poll && poll.decision !== null) this.decide(poll.decision);
    return true;
  }

  pollOf({ previous, left }) {
    return new Poll({ previous, left, least: this.table.least });
  }

  /** The step is these votes; whatever else was said in it is void. */
  decide({ absent, entries }) {
    const { counts, lost } = this.table;
    Object.assign(counts, this.begun, { votes: counts.votes + entries.length });
    for (const seat of absent) lost.push({ seat, step: this.step, last: this.signed.get(seat) ?? null });
    this.pass(entries, { lost: absent });
  }

  /** A step is over, and consists of these entries or votes. */
  pass(entries, given) {
    const { step, previous } = this.table.place;
    this.passed.push({ previous, left: this.poll.left, isVoid: !Array.isArray(given) });
    for (const { seat } of entries) this.signed.set(seat, step);
    this.given = [];
    this.table.counts.steps++;
    this.table.place = { step: step + 1, previous: stepHash(previous, entries) };
    blaming(null, step, () => this.advance(given));
  }

  advance(given) {
    this.led(() => {
      const { done, value } = this.steps.next(given);
      this.asked = done ? null : value;
      this.closed = done && value;
      if (done && !value) this.lost = "nothing more is asked";
    });
    this.poll = this.pollOf({ previous: this.previous, left: this.table.everybody });
    this.begun = { ...this.table.counts };
  }

  /** Questions that do not fit the table end what can be judged; they convict nobody. */
  led(lead) {
    try {
      lead();
    } catch (error) {
      if (!(error instanceof BadQuestions)) throw error;
      this.asked = null;
      this.lost = error.message;
    }
  }
}

/** Judges the entries of a log, which stand in order; `told(done, all)` on the way. */
export function judgeLog(judge, entries, told) {
  for (const [i, entry] of entries.entries()) {
    told(i, entries.length);
    if (entry.step < judge.step) throw owedNone(entry);
    if (judge.closed) throw broken("entries behind the close step", judge.step - 1);
    if (judge.asked === null) return;
    if (entry.step !== judge.step) throw broken("a step lacks an entry", judge.step);
    if (isVote(entry)) judgeVote(judge, entry);
    else judge.offer(entry);
  }
}

/** "Whoever holds the file" can put another one there: only one that its seat does not have is its fault. */
function judgeVote(judge, entry) {
  const vote = blaming(null, entry.step, () => readVote(entry, judge.table.seats));
  if (!judge.mayVoteAt(entry.step)) throw broken("a vote where nobody can be voted out", entry.step);
  judge.hear(vote);
}

/** "Also for those who are past its step" (section 2): all that it owed are there. */
export const owedNone = (entry) => new Fault("illegal-move", "an entry of a seat that owed none", entry);
