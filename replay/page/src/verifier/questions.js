// The questions that a verifier without the rules is told: log-format.md "Questions".
// They are a claim: their shape is checked here, and that they fit the table where they are used.

import { BadQuestions } from "./fault.js";

const MOST_QUESTIONS = 100_000;
const MOST_CARDS = 4096;
const MOST_CARDS_IN_ALL = 8192;
const LARGEST = 2 ** 32 - 1;

const wrong = (what) => new BadQuestions(`the questions have another shape: ${what}`);

function number(value, most = LARGEST) {
  if (!Number.isInteger(value) || value < 0 || value > most) throw wrong("a number");
}

function list(value, check, most = MOST_CARDS) {
  if (!Array.isArray(value) || value.length > most) throw wrong("a list");
  value.forEach(check);
}

/** Slots or cards: their numbers, none twice. */
function handles(value) {
  list(value, (handle) => number(handle));
  if (new Set(value).size < value.length) throw wrong("a number stands twice");
}

/** Slots in several zones, none twice. */
function zones(value) {
  list(value, handles);
  handles(value.flat());
}

/** The checks of one table: they know how many seats there are. */
class Shapes {
  constructor(seats) {
    this.seat = (value) => number(value, seats - 1);
    this.seats = seats;
  }

  distinctSeats(values) {
    list(values, this.seat, this.seats);
    if (new Set(values).size < values.length) throw wrong("a seat stands twice");
  }

  moves(value) {
    list(value, (move) => {
      if (!Array.isArray(move) || move.length !== 2) throw wrong("a move");
      number(move[0]);
      this.seat(move[1]);
    });
    handles(value.map(([slot]) => slot));
  }

  hand(value) {
    if (!Array.isArray(value) || value.length !== 2) throw wrong("a hand");
    this.seat(value[0]);
    handles(value[1]);
  }

  play(q) {
    this.seat(q.seat);
    handles(q.zone);
    handles(q.fits);
    if (!["nothing", "pass", "sworn"].includes(q.otherwise)) throw wrong("otherwise");
  }

  laySet(q) {
    this.seat(q.seat);
    handles(q.zone);
    list(q.sizes, (size) => number(size));
    if (q.sizes.length !== 2) throw wrong("sizes");
  }

  claim(q) {
    this.seat(q.seat);
    if (q.options !== null) number(q.options);
    if (q.zone !== null || q.fits !== null) this.play(q);
    else if (q.options === null) throw wrong("nothing can be claimed");
  }

  claims(q, check) {
    list(q.claims, check, this.seats);
    this.distinctSeats(q.claims.map((claim) => claim.seat));
  }

  together(q) {
    this.distinctSeats(q.seats);
    list(q.options, (count) => number(count), q.seats.length);
    if (q.options.length !== q.seats.length) throw wrong("options");
  }

  layAll(q) {
    list(q.hands, (hand) => this.hand(hand), this.seats);
    this.distinctSeats(q.hands.map(([seat]) => seat));
    handles(q.fits);
  }
}

const KINDS = {
  fresh: (q) => {
    if (typeof q.deck !== "string" || q.deck.length > 200) throw wrong("a deck");
    list(q.cards, (lowest, card) => number(lowest, card));
    if (q.cards.some((lowest) => q.cards[lowest] !== lowest)) throw wrong("the copies of a deck");
  },
  shuffle: (q) => handles(q.slots),
  open: (q) => handles(q.slots),
  "put-back": (q) => handles(q.slots),
  reshuffle: (q, shapes) => (handles(q.slots), shapes.seat(q.seat)),
  cut: (q) => (handles(q.slots), number(q.count, q.slots.length)),
  deal: (q, shapes) => shapes.moves(q.moves),
  "hand-over": (q, shapes) => shapes.moves(q.moves),
  // One coin may serve hands of many sizes: then `sides` is a multiple of them all.
  flip: (q) => (number(q.sides, Number.MAX_VALUE), number(q.times)),
  play: (q, shapes) => shapes.play(q),
  "lay-all": (q, shapes) => shapes.layAll(q),
  "lay-down": (q, shapes) => (shapes.seat(q.seat), handles(q.zone), number(q.count)),
  "lay-set": (q, shapes) => shapes.laySet(q),
  "lay-together": (q, shapes) => shapes.claims(q, (claim) => shapes.laySet(claim)),
  swear: (q, shapes) => (shapes.seat(q.seat), handles(q.slots), handles(q.none)),
  choose: (q, shapes) => (shapes.seat(q.seat), number(q.options)),
  together: (q, shapes) => shapes.together(q),
  race: (q, shapes) => {
    shapes.claims(q, (claim) => shapes.claim(claim));
    handles(q.aside);
  },
};

/** Checks the shape of all questions; gives `asked`, `over`, `leaving` and `stopped`. */
export function readQuestions(questions, seats) {
  if (questions == null) throw new BadQuestions("no questions were given");
  try {
    const { asked, over, leaving, stopped } = questions;
    if (typeof over !== "boolean" || (stopped !== null && typeof stopped !== "object")) throw wrong("its end");
    if (typeof leaving !== "boolean") throw wrong("whether a seat may leave");
    const shapes = new Shapes(seats);
    list(asked, (q) => checkQuestion(q, shapes, leaving), MOST_QUESTIONS);
    const cards = asked.reduce((all, q) => all + (q.kind === "fresh" ? q.cards.length : 0), 0);
    if (cards > MOST_CARDS_IN_ALL) throw wrong("too many cards");
    return { asked, over, leaving, stopped };
  } catch (error) {
    throw error instanceof BadQuestions ? error : wrong("a field is missing");
  }
}

function checkQuestion(q, shapes, leaving) {
  if (!Object.hasOwn(KINDS, q.kind)) throw wrong("a kind that this does not know");
  for (const gone of ["left", "lost"]) {
    if (!Object.hasOwn(q, gone)) continue;
    if (!leaving) throw wrong("nobody may leave");
    shapes.seat(q[gone]);
  }
  if (Object.hasOwn(q, "zones")) zones(q.zones);
  KINDS[q.kind](q, shapes);
}
