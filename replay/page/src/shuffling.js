// Steps of shuffles and of slots that change their lock.

import { JOINT } from "./cards.js";
import { octets, take } from "./messagepack.js";
import { blaming } from "./refusal.js";
import { checkTransfer } from "./proofs.js";
import { openCut } from "./sharing.js";
import { checkShuffle, readDeck, readShuffle } from "./shuffle.js";

/** One step with a shuffle of `deck` by `seat`: the deck after it, and the check of its proof. */
function one(walk, kind, handles, deck, seat, key) {
  const said = walk.step(kind, [seat], (_, payload, step) => {
    const { deck: after, proof } = readShuffle(payload, deck.length);
    walk.cards.usePart(proof.c);
    const transcript = walk.cards.bind(step, seat, kind, handles);
    const check = () =>
      blaming({ seat, step: step.number }, () => checkShuffle(key, deck, after, proof, transcript));
    return { deck: after, check };
  });
  return said.get(seat);
}

/** The shuffles of all seats are judged when the last is there. */
function byEverybody(walk, kind, handles) {
  let deck = handles.map((handle) => walk.cards.entering(handle));
  const checks = walk.seats.map((seat) => {
    const shuffled = one(walk, kind, handles, deck, seat, walk.header.joint);
    deck = shuffled.deck;
    return shuffled.check;
  });
  for (const check of checks) check();
  walk.count("shuffles", checks.length);
  return deck;
}

/** Everybody shuffles. */
export function shuffle(walk, { slots }) {
  const deck = byEverybody(walk, "shuffle", slots);
  walk.cards.hide(slots, deck, JOINT, walk.at);
}

/** A shuffled copy is opened in part and dropped. */
export function cut(walk, { slots, count }) {
  openCut(walk, byEverybody(walk, "cut", slots).slice(0, count));
}

/** One seat shuffles its own or public slots under its key. */
export function reshuffle(walk, { slots, seat }) {
  const start = slots.map((handle) => walk.cards.entering(handle));
  const { deck, check } = one(walk, "reshuffle", slots, start, seat, walk.header.publics[seat]);
  check();
  walk.count("shuffles");
  walk.cards.hide(slots, deck, seat, walk.at);
}

/** Slots come under the keys of other seats. */
export function handOver(walk, { moves }) {
  const to = new Map(moves);
  const handles = moves.map(([handle]) => handle);
  move(walk, "hand-over", handles, (handle) => to.get(handle));
}

/** Slots come back under everybody's key. */
export function putBack(walk, { slots }) {
  move(walk, "put-back", slots, () => JOINT);
}

function move(walk, kind, handles, lockOf) {
  const { cards, header } = walk;
  const todo = new Map(
    walk.seats.map((seat) => [seat, cards.hidden(handles, seat)]).filter(([, mine]) => mine.length),
  );
  const keyOf = (lock) => (lock === JOINT ? header.joint : header.publics[lock]);
  const decks = walk.step(kind, [...todo.keys()], (seat, payload, step) => {
    const { deck, proofs } = take(payload, { deck: "bin", proofs: "bin" });
    const mine = todo.get(seat);
    octets(proofs, 96 * mine.length, "transfer proofs");
    const after = readDeck(deck, mine.length);
    mine.forEach((handle, at) => {
      const proof = proofs.subarray(96 * at, 96 * at + 96);
      const transcript = cards.bind(step, seat, kind, [handle]);
      const key = keyOf(lockOf(handle));
      checkTransfer(header.publics[seat], cards.cipher(handle), after[at], key, proof, transcript);
    });
    walk.count("transfers", mine.length);
    return after;
  });
  for (const [seat, mine] of todo)
    mine.forEach((handle, at) =>
      cards.hide([handle], [decks.get(seat)[at]], lockOf(handle), `${walk.at} ${handle}`),
    );
}
