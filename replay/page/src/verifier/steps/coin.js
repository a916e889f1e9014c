// A public random value: protocol.md section 4, "Coin"; what is drawn from it is for the rules.

import { u64 } from "../bytes.js";
import { hashToPoint } from "../group.js";
import { checkAllShares } from "./cards.js";
import { sharesOfLost } from "./partial.js";

const COIN = "coin";

/** "A coin is finished before anything else is asked": if seats are lost, the others make their shares. */
export function* coin(table) {
  const { id, place: { step, previous }, everybody: tossed } = table;
  const a = hashToPoint("coin", id, u64(step), previous);
  for (let whole = false; !whole; ) whole = yield* sharesOfAll(table, a, tossed);
  table.counts.coins++;
}

/** Whether the shares of all who tossed are there; not if another seat is lost meanwhile. */
function* sharesOfAll(table, a, tossed) {
  const check = (entry) => checkAllShares(table, entry, [], [{ a }]);
  const given = yield { kind: COIN, seats: table.everybody, check, settles: true };
  if (given.lost) return false;
  const missing = tossed.filter((seat) => !table.everybody.includes(seat));
  if (!missing.length) return true;
  const owed = new Map(missing.map((seat) => [seat, [{ a }]]));
  return (yield* sharesOfLost(table, COIN, owed, { settles: true })) !== null;
}
