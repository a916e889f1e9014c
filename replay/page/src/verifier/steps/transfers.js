// Hand over and put back: protocol.md section 5, "Transfer" in section 4.

import { pieces } from "../bytes.js";
import { BadQuestions, blaming } from "../fault.js";
import { checkTransfer } from "../proofs/transfer.js";
import { readDeck } from "../proofs/shuffle.js";
import { binary, fields } from "../shape.js";
import { JOINT, OPEN } from "../table.js";
import { proofTranscript } from "../transcript.js";

/** Each holder moves its own slots; `moves` are {handle, lock, key} of what they come under. */
function* transfer(table, kind, moves) {
  const holders = moves.map(({ handle }) => table.slot(handle).lock);
  const seats = table.everybody.filter((seat) => holders.includes(seat));
  if (!seats.length) return;
  const movesOf = (seat) => moves.filter((_, i) => holders[i] === seat);
  const check = (entry) => {
    const moved = readMoves(entry.payload, movesOf(entry.seat).length);
    proveMoves(table, entry, movesOf(entry.seat), moved);
    return moved.deck;
  };
  const given = yield { kind, seats, check };
  for (const { entry, result } of given)
    blaming(entry.seat, entry.step, () => takeMoves(table, movesOf(entry.seat), result));
}

/** The shape of a map `deck`, `proofs` about n slots. */
export function readMoves(value, n) {
  const { deck, proofs } = fields(value, "deck", "proofs");
  return { deck: readDeck(deck, n), proofs: pieces(binary(proofs, 96 * n), 96) };
}

/** Each slot is the same card as before, by the seat of the entry. */
export function proveMoves(table, entry, moves, { deck, proofs }) {
  moves.forEach(({ handle, key }, i) => {
    const transcript = proofTranscript(table, entry, entry.kind, [handle]);
    checkTransfer(transcript, table.keys[entry.seat], key, table.slot(handle), deck[i], proofs[i]);
    table.counts.transfers++;
  });
}

/** The slots come under their new keys, each with a history of its own. */
export function takeMoves(table, moves, deck) {
  moves.forEach(({ handle, lock }, i) => {
    table.refresh("bad-transfer", [deck[i]]);
    table.recipher(handle, deck[i], lock, table.newHistory());
  });
}

export function* handOver(table, { moves }) {
  table.zone(moves.map(([handle]) => handle));
  table.present(moves.map(([, to]) => to));
  if (moves.some(([handle]) => table.slot(handle).lock === JOINT))
    throw new BadQuestions("a card that nobody holds is handed over");
  const held = moves.filter(([handle]) => table.slot(handle).lock !== OPEN);
  yield* transfer(
    table, "hand-over", held.map(([handle, to]) => ({ handle, lock: to, key: table.keys[to] })),
  );
}

export function* putBack(table, { slots }) {
  const moves = table.zone(slots).map((handle) => ({ handle, lock: JOINT, key: table.jointKey }));
  yield* transfer(table, "put-back", moves);
}
