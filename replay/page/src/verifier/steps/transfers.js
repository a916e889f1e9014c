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
  const check = (entry) => checkMoves(table, entry, movesOf(entry.seat));
  const given = yield { kind, seats, check };
  for (const { entry, result } of given)
    movesOf(entry.seat).forEach(({ handle, lock }, i) => {
      blaming(entry.seat, entry.step, () => table.refresh("bad-transfer", [result[i]]));
      table.recipher(handle, result[i], lock, table.newHistory());
    });
}

function checkMoves(table, entry, moves) {
  const payload = fields(entry.payload, "deck", "proofs");
  const deck = readDeck(payload.deck, moves.length);
  const proofs = pieces(binary(payload.proofs, 96 * moves.length), 96);
  moves.forEach(({ handle, key }, i) => {
    const transcript = proofTranscript(table, entry, entry.kind, [handle]);
    checkTransfer(transcript, table.keys[entry.seat], key, table.slot(handle), deck[i], proofs[i]);
    table.counts.transfers++;
  });
  return deck;
}

export function* handOver(table, { moves }) {
  table.zone(moves.map(([handle]) => handle));
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
