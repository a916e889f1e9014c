// Which steps a game has: protocol.md section 5, from its questions (log-format.md "Questions").

import { BadQuestions } from "./fault.js";
import * as cards from "./steps/cards.js";
import { close } from "./steps/close.js";
import { coin } from "./steps/coin.js";
import { isLeave } from "./steps/farewell.js";
import { Parting, zonesToMend } from "./steps/parting.js";
import * as plays from "./steps/play.js";
import { race } from "./steps/race.js";
import { laySet, layTogether, together } from "./steps/sets.js";
import { handOver, putBack } from "./steps/transfers.js";

const HANDLERS = {
  fresh: function* () {},
  shuffle: cards.shuffle,
  cut: cards.cut,
  reshuffle: cards.reshuffle,
  deal: cards.deal,
  open: cards.open,
  flip: (table) => coin(table),
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
  const parting = new Parting(table);
  for (const question of asked) {
    // Nobody is asked what is void since somebody else is gone as well.  A fresh deck asks nobody.
    if (question.kind === "fresh") table.fresh(question.deck, question.cards);
    const isVoid = !parting.isOver || (yield* asks(table, question, leaving, parting));
    checkGone(question, isVoid ? yield* parting.next() : null);
  }
  if (over) yield* close(table);
  return over;
}

/** The steps of one question; whether it is void since seats leave or are lost, as the parting notes. */
function* asks(table, question, leaving, parting) {
  const steps = HANDLERS[question.kind](table, question);
  for (let given; ; ) {
    const { done, value } = steps.next(given);
    if (done) return false;
    table.present(value.seats);
    given = yield* table.noted({ ...value, mayLeave: leaving && value.decides });
    if (given.lost) {
      parting.lose(given.lost, value.settles ? [] : zonesToMend(table, question));
      if (!value.settles) return true;
    } else {
      const leavers = given.filter(({ entry }) => isLeave(entry)).map(({ entry }) => entry);
      parting.leave(leavers);
      if (leavers.length && !value.leaverPasses) return true;
    }
  }
}

/** The rules are told of at most one seat at a question, which is void then. */
function checkGone({ left, lost }, gone) {
  if (left !== gone?.left || lost !== gone?.lost)
    throw new BadQuestions("others are gone than the questions say");
}
