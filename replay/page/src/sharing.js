// Steps of shares: deal, open, coin, and the end of a cut.

import { JOINT, OPEN } from "./cards.js";
import { decodePoints, sumOf } from "./group.js";
import { octets, take } from "./messagepack.js";
import { checkShares, coinPoint, coinValue, draw } from "./proofs.js";

/** One step in which seat j publishes x_j A for each point A of `owed.get(j)`. */
function publish(walk, kind, handles, owed) {
  return walk.step(kind, [...owed.keys()], (seat, payload, step) => {
    const fields = take(payload, { shares: "bin", proof: "bin" });
    const elements = owed.get(seat);
    const shares = decodePoints(fields.shares, elements.length);
    octets(fields.proof, 64, "a proof of shares");
    const transcript = walk.cards.bind(step, seat, kind, handles);
    const pairs = elements.map((element, at) => [element, shares[at]]);
    checkShares(walk.header.publics[seat], pairs, fields.proof, transcript);
    walk.count("shares", shares.length);
    return shares;
  });
}

/** For each seat the handles that it owes shares of; seats that owe none are left out. */
function duties(walk, handles, owes) {
  const all = walk.seats.map((seat) => [seat, handles.filter((handle) => owes(seat, handle))]);
  return new Map(all.filter(([, some]) => some.length));
}

const firsts = (walk, todo) =>
  new Map(
    [...todo].map(([seat, some]) => [seat, some.map((handle) => walk.cards.cipher(handle).a)]),
  );

/** What the given shares leave of the slot's cipher: `strip(handle)`. */
function stripped(walk, todo, shares, handle) {
  const given = [...todo]
    .filter(([, some]) => some.includes(handle))
    .map(([seat, some]) => shares.get(seat)[some.indexOf(handle)]);
  const { a, b } = walk.cards.cipher(handle);
  return { a, b: b.minus(sumOf(given)) };
}

/** JOINT slots become readable by one seat each. */
export function deal(walk, { moves }) {
  const handles = moves.map(([handle]) => handle);
  const to = new Map(moves);
  const todo = duties(walk, handles, (seat, handle) => to.get(handle) !== seat);
  const { number } = walk.next;
  const shares = publish(walk, "deal", handles, firsts(walk, todo));
  for (const [handle, seat] of moves)
    walk.cards.hide([handle], [stripped(walk, todo, shares, handle)], seat, number);
}

/** Slots are turned up for all. */
export function open(walk, { slots }) {
  const { cards } = walk;
  const hidden = slots.filter((handle) => cards.lock(handle) !== OPEN);
  const todo = duties(walk, hidden, (seat, handle) => [seat, JOINT].includes(cards.lock(handle)));
  if (!todo.size) return;
  const shares = publish(walk, "open", hidden, firsts(walk, todo));
  for (const handle of hidden)
    cards.show(handle, cards.identify(stripped(walk, todo, shares, handle).b));
}

/** Ciphers of no slot are opened, at the end of a cut. */
export function openCut(walk, ciphers) {
  const elements = ciphers.map(({ a }) => a);
  const shares = publish(walk, "cut-open", [], new Map(walk.seats.map((seat) => [seat, elements])));
  ciphers.forEach(({ b }, at) =>
    walk.cards.identify(b.minus(sumOf(walk.seats.map((seat) => shares.get(seat)[at])))),
  );
}

/** A public random value; draw k below `sides` of it. */
export function coin(walk) {
  const point = coinPoint(walk.header.table, walk.next.number);
  const shares = publish(walk, "coin", [], new Map(walk.seats.map((seat) => [seat, [point]])));
  walk.count("coins");
  const value = coinValue(walk.seats.map((seat) => shares.get(seat)[0]));
  return (k, sides) => draw(value, k, sides);
}
