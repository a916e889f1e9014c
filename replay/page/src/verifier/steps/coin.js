// A public random value: protocol.md section 4, "Coin"; what is drawn from it is for the rules.

import { u64 } from "../bytes.js";
import { hashToPoint } from "../group.js";
import { checkAllShares } from "./cards.js";
import { sharesOfLost } from "./partial.js";

const COIN = "coin";

/** "A coin that was void is not drawn anew", unless too few are left to end it. */
export function* coin(table) {
  if (table.everybody.length < table.least) table.begunCoin = null;
  const { a, seats } = (table.begunCoin ??= newCoin(table));
  yield { kind: COIN, seats: table.everybody, check: (entry) => checkAllShares(table, entry, [], [{ a }]) };
  const missing = seats.filter((seat) => !table.everybody.includes(seat));
  if (missing.length) yield* sharesOfLost(table, COIN, new Map(missing.map((seat) => [seat, [{ a }]])));
  table.begunCoin = null;
  table.counts.coins++;
}

function newCoin({ id, place: { step, previous }, everybody }) {
  return { a: hashToPoint("coin", id, u64(step), previous), seats: everybody };
}
