// One walk along the steps of a log: what is due, what was checked.

import { same } from "./bytes.js";
import { Cards } from "./cards.js";
import { Refusal, Unfinished, blaming, demand } from "./refusal.js";

export class Walk {
  constructor(header, steps, progress = () => {}) {
    this.header = header;
    this.steps = steps;
    this.cards = new Cards(header);
    this.at = 0;
    this.seats = header.seats.map((_, seat) => seat);
    this.credits = this.seats.map((j) =>
      this.seats.map((i) => Math.min(header.delays[j][i] ?? header.raceCap, header.raceCap)),
    );
    this.disputes = 0;
    this.missing = [];
    this.progress = progress;
    this.counts = {
      shuffles: 0,
      shares: 0,
      oaths: 0,
      transfers: 0,
      coins: 0,
      openings: 0,
      races: 0,
      forfeits: 0,
    };
  }

  /** The step that is due now: its number and the hash before it. */
  get next() {
    const step = this.steps[this.at];
    if (step === undefined) throw new Unfinished();
    return step;
  }

  /**
   * The next step, in which exactly the seats of `owed` say something of this kind, each
   * checked by `check(seat, payload, step)`; what that returned, by seat.
   */
  step(kind, owed, check) {
    const step = this.next;
    const { number, entries } = step;
    for (const { seat, kind: said } of entries) {
      const asked = owed.includes(seat) && said === kind;
      demand(asked, "illegal-move", `nobody asked for this ${said}`, seat, number);
    }
    const agreed = entries.every(({ state }) => same(state, entries[0].state));
    demand(agreed, "state-mismatch", "two seats signed different states", null, number);
    const found = new Map();
    for (const { seat, payload } of entries)
      found.set(
        seat,
        blaming({ seat, step: number }, () => check(seat, payload, step)),
      );
    this.#complete(step, owed);
    this.at += 1;
    this.progress(this.at, this.steps.length);
    return found;
  }

  #complete({ number, entries }, owed) {
    const missing = owed.filter((seat) => !entries.some((entry) => entry.seat === seat));
    if (!missing.length) return;
    if (this.at + 1 < this.steps.length)
      throw new Refusal("broken-chain", "an entry that no step asked for", null, number);
    this.missing = missing;
    throw new Unfinished();
  }

  count(what, more = 1) {
    this.counts[what] += more;
  }
}
