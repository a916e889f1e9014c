// Step by step: is an entry owed, its state, its shape, its proofs (protocol.md section 8, "Order").
// Which steps there are follows from the questions (section 5).

import { equal } from "./bytes.js";
import { broken } from "./chain.js";
import { stepHash } from "./entry.js";
import { BadQuestions, blaming, Fault, illegal } from "./fault.js";
import * as cards from "./steps/cards.js";
import { close } from "./steps/close.js";
import { farewell, isLeave, readLeave } from "./steps/farewell.js";
import * as plays from "./steps/play.js";
import { race } from "./steps/race.js";
import { laySet, layTogether, together } from "./steps/sets.js";
import { handOver, putBack } from "./steps/transfers.js";

const HANDLERS = {
  fresh: function* (table, { deck, cards: lowest }) {
    table.fresh(deck, lowest);
  },
  shuffle: cards.shuffle,
  cut: cards.cut,
  reshuffle: cards.reshuffle,
  deal: cards.deal,
  open: cards.open,
  flip: (table) => cards.coin(table),
  "hand-over": handOver,
  "put-back": putBack,
  play: plays.play,
  "lay-all": plays.layAll,
  "lay-down": plays.layDown,
  swear: plays.swear,
  choose: plays.choose,
  together,
  race,
  "lay-set": laySet,
  "lay-together": layTogether,
};

/** The steps of a game, as its questions ask for them; gives whether it was closed. */
export function* gameSteps(table, { asked, over, leaving }) {
  let leavers = [];
  for (const [at, question] of asked.entries()) {
    // Nobody is asked what is void since a second seat leaves in the same step.
    if (!leavers.length) leavers = yield* answered(table, question, leaving);
    checkLeft(question, leavers, at === asked.length - 1 && !over);
    if (leavers.length) yield* noted(table, farewell(table, leavers.shift()));
  }
  if (over) yield* close(table);
  return over;
}

/** The steps of one question, up to one in which somebody leaves; gives who does, in seat order. */
function* answered(table, question, leaving) {
  const steps = noted(table, HANDLERS[question.kind](table, question));
  for (let given = []; ; ) {
    const { done, value } = steps.next(given);
    if (done) return [];
    table.present(value.seats);
    given = yield { ...value, mayLeave: leaving && value.decides };
    const leavers = given.filter(({ entry }) => isLeave(entry)).map(({ entry }) => entry.seat);
    if (!leavers.length) continue;
    value.whenVoid?.(given.filter(({ entry }) => !isLeave(entry)));
    return leavers;
  }
}

/** The last question of a game that is not over may be void already, and not be said to be. */
function checkLeft({ left }, [leaver], pending) {
  if (left !== leaver && !(left === undefined && pending))
    throw new BadQuestions("another seat left than the questions say");
}

/** The same steps; the table notes each, for races look back to them. */
function* noted(table, steps) {
  for (let given; ; ) {
    const { done, value } = steps.next(given);
    if (done) return value;
    table.note(value);
    given = yield value;
  }
}

/** Takes entries in order and knows which step goes on; a fault is thrown where it is met. */
export class Judge {
  /**
   * `steps` is a generator of {kind, seats, check, mayLeave} that takes [{entry, result}] back; in a
   * step that one may leave, the result of a seat that does is null.
   */
  constructor(table, steps) {
    this.table = table;
    this.steps = steps;
    this.step = 0;
    this.previous = table.id;
    /** The hash before each step that is complete. */
    this.passed = [];
    this.given = [];
    /** The last step of which each seat signed an entry. */
    this.signed = new Map();
    this.closed = false;
    /** Why the questions lead no further, or null. */
    this.lost = null;
    this.advance();
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
    this.signed.set(entry.seat, entry.step);
    this.table.counts.entries++;
    if (this.given.length === this.asked.seats.length) this.finish();
    return true;
  }

  /** The first step that not every seat that stays has confirmed: an entry signs all steps before its own. */
  get provenTo() {
    return Math.min(...this.table.everybody.map((seat) => this.signed.get(seat) ?? 0));
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

  finish() {
    this.passed.push(this.previous);
    const given = this.given.sort((one, other) => one.entry.seat - other.entry.seat);
    this.previous = stepHash(this.previous, given.map(({ entry }) => entry));
    this.given = [];
    this.table.counts.steps++;
    blaming(null, this.step, () => this.advance(given));
    this.step++;
  }

  advance(given) {
    this.led(() => {
      const { done, value } = this.steps.next(given);
      this.asked = done ? null : value;
      this.closed = done && value;
      if (done && !value) this.lost = "nothing more is asked";
    });
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
    judge.offer(entry);
  }
}

/** "Also for those who are past its step" (section 2): all that it owed are there. */
export const owedNone = (entry) => new Fault("illegal-move", "an entry of a seat that owed none", entry);
