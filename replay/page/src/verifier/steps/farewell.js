// Seats that leave for good: protocol.md section 5, "Leaving".

import { blaming, malformed } from "../fault.js";
import { typedFields } from "../shape.js";
import { JOINT } from "../table.js";
import { checkSharesOf, readShares } from "./cards.js";
import { proveMoves, readMoves, takeMoves } from "./transfers.js";

const LEAVE = "leave";
const FAREWELL = "farewell";

export const isLeave = (entry) => entry.kind === LEAVE;
export const isFarewell = (entry) => entry.kind === FAREWELL;

/** "nil", and nothing else. */
export function readLeave({ payload }) {
  if (payload !== null) throw malformed("who leaves says no more");
  return null;
}

/** The one step in which a seat takes its key out of the cards; then it has left. */
export function* farewell(table, seat) {
  const joint = table.lockedTo(JOINT);
  const moves = table
    .lockedTo(seat)
    .map((handle) => ({ handle, lock: JOINT, key: table.keyWithout(seat) }));
  const check = (entry) => checkFarewell(table, entry, joint, moves);
  const [{ entry, result }] = yield { kind: FAREWELL, seats: [seat], check };
  joint.forEach((handle, i) => table.strip(handle, result.shares[i]));
  blaming(seat, entry.step, () => takeMoves(table, moves, result.deck));
  table.lose(seat);
}

/** Both parts are read before one is proven. */
function checkFarewell(table, entry, joint, moves) {
  const payload = typedFields(entry.payload, { released: "nil or map", put_back: "nil or map" });
  checkPart(payload.released, joint);
  checkPart(payload.put_back, moves);
  const released = joint.length ? readShares(payload.released, joint.length) : null;
  const moved = moves.length ? readMoves(payload.put_back, moves.length) : null;
  if (released)
    checkSharesOf(table, entry, FAREWELL, joint, table.ciphers(joint), released);
  if (moved) proveMoves(table, entry, moves, moved);
  return { shares: released?.shares ?? [], deck: moved?.deck ?? [] };
}

/** "Each is nil if there is no such slot." */
function checkPart(part, slots) {
  if ((part !== null) !== slots.length > 0) throw malformed("not what the leaving seat owes");
}
