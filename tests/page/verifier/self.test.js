// Questions that no vector asks: put back, swear, two-seat races, one slot, evidence of old steps.

import assert from "node:assert/strict";
import test from "node:test";
import { concat, u32, utf8 } from "../src/verifier/bytes.js";
import { JOINT } from "../src/verifier/table.js";
import { verify } from "../src/verifier/verify.js";
import { PROTOCOL_VERSION, magic } from "../src/verifier/version.js";
import { LEAVES, makeTable, Play } from "./kit.js";

const PINGS = [[null, 20000], [30000, null]];
const all = (n) => Array.from({ length: n }, (_, i) => i);

/** What every player does alike, whatever the game. */
function dealer(kind, seat, play, slots) {
  const { table } = play;
  if (kind === "shuffle") {
    const before = seat === 0 ? table.ciphers(slots) : play.deck;
    return play.shuffle(seat, "shuffle", slots, table.jointKey, before);
  }
  if (kind === "confirm") return null;
  if (kind === "coin") return play.coin(seat);
  if (kind === "close") return play.close();
  throw new Error(kind);
}

const agreed = (report) => assert.equal(report.verified, true, `${report.verdict}: ${report.reason}`);

test("put back, swear by pairs and by shuffle, one slot reshuffled", () => {
  const moves = [[5, 0], [4, 0], [3, 1], [2, 1]];
  const oaths = [1, 3].map(() => ({ kind: "swear", seat: 0, slots: [5, 4], none: [] }));
  const asked = [
    { kind: "fresh", deck: "test", cards: all(6) },
    { kind: "shuffle", slots: all(6) },
    { kind: "deal", moves },
    ...oaths,
    { kind: "reshuffle", slots: [5], seat: 0 },
    { kind: "put-back", slots: [5, 3] },
    { kind: "shuffle", slots: [0, 1, 3, 5] },
    { kind: "open", slots: [4, 0] },
  ];
  const deal = (seat, play) => {
    const free = all(6).filter((card) => ![5, 4].some((slot) => play.peek(slot) === card));
    oaths.forEach((oath, i) => (oath.none = free.slice(0, i ? 3 : 1)));
    const owed = moves.filter(([, to]) => to !== seat).map(([slot]) => slot);
    return play.sharesOfSlots(seat, "deal", moves.map(([slot]) => slot), owed);
  };
  const swear = (play) => play.oath(0, [5, 4], oaths[play.head.step - 4].none);
  const answer = (kind, seat, play) => {
    if (kind === "deal") return deal(seat, play);
    if (kind === "swear") return swear(play);
    if (kind === "reshuffle") return play.shuffle(0, kind, [5], play.table.keys[0], play.table.ciphers([5]));
    if (kind === "put-back") return play.transfer(seat, kind, [[seat ? 3 : 5, JOINT]]);
    if (kind === "open") return play.sharesOfSlots(seat, kind, [4, 0], seat ? [0] : [4, 0]);
    return dealer(kind, seat, play, play.head.step < 4 ? all(6) : [0, 1, 3, 5]);
  };
  const questions = { asked, over: true, leaving: false, stopped: null };
  const play = new Play(makeTable(2, PINGS), questions, answer);
  const report = verify(play.log, questions);
  agreed(report);
  assert.equal(report.counts.oaths, 2);
  assert.equal(report.counts.transfers, 2);
});

const claim = (seat) => ({ seat, zone: null, fits: null, otherwise: "pass", options: 2 });
const race = { kind: "race", claims: [claim(0), claim(1)], aside: [] };

/** A witness entry of two seats, which compare no parts. */
const saying = (claims) => ({ claims, parts: [null, null] });

/** Two-seat races: what the other seat says it saw of claims made at 200 and 300 ms. */
function racing(told, races) {
  const questions = { asked: Array(races).fill(race), over: true, leaving: false, stopped: null };
  const answer = (kind, seat, play) => {
    if (kind === "race") return 1;
    if (kind !== "witness") return dealer(kind, seat, play);
    const own = [200_000 + 100_000 * seat, 0, 0];
    return saying(seat ? [told[0], own] : [own, told[1]]);
  };
  return verify(new Play(makeTable(2, PINGS), questions, answer).log, questions);
}

test("a coin for hands of many sizes", () => {
  const asked = [{ kind: "flip", sides: 11 * 13 * 16 * 17 * 19 * 21 * 23 * 25, times: 8 }];
  const questions = { asked, over: true, leaving: false, stopped: null };
  const report = verify(new Play(makeTable(2, PINGS), questions, dealer).log, questions);
  agreed(report);
  assert.equal(report.counts.coins, 1);
});

test("two seats that agree need no coin", () => {
  const report = racing([[210_000, 0, 10_000], [315_000, 0, 10_000]], 2);
  agreed(report);
  assert.equal(report.counts.coins, 0);
});

test("after three disputes coins decide alone", () => {
  const report = racing([[400_000, 0, 10_000], [315_000, 0, 10_000]], 5);
  agreed(report);
  assert.deepEqual([report.counts.disputes, report.counts.contested, report.counts.coins], [3, 5, 5]);
});

test("no more credit than before", () => {
  let credit = 5000;
  const answer = (kind, seat, play) => {
    if (kind !== "witness") return kind === "race" ? 1 : dealer(kind, seat, play);
    return saying([0, 1].map((claimant) => [200_000, 0, claimant === seat ? 0 : (credit += 500)]));
  };
  const questions = { asked: [race, race], over: true, leaving: false, stopped: null };
  assert.throws(() => new Play(makeTable(2, PINGS), questions, answer), { verdict: "bad-witness", seat: 0 });
});

/** Evidence: a log, and records beyond it. */
function evidence(log, records) {
  const parts = records.map((record) => concat(u32(record.length), record));
  return concat(utf8(magic("evidence")), u32(log.length), log, ...parts);
}

test("an entry for a step that is complete without it", () => {
  const questions = { asked: [{ kind: "choose", seat: 0, options: 3 }, race], over: false, leaving: false, stopped: null };
  const answer = (kind) => (kind === "race" ? null : 1);
  const play = new Play(makeTable(2, PINGS), questions, answer);
  const file = play.log;
  play.head = { step: 0, previous: play.table.id };
  play.sign("choose", 1, 1);
  const report = verify(evidence(file, [play.records.at(-1)]), questions);
  assert.deepEqual([report.verdict, report.seat, report.step], ["illegal-move", 1, 0]);
});

test("nothing that a caller passes makes it throw", () => {
  for (const bytes of [undefined, null, 7, "x", [], new Uint8Array(3), new Uint8Array(500)])
    for (const questions of [undefined, null, 7, {}, { asked: [null], over: 1, stopped: 2 }])
      assert.equal(verify(bytes, questions).verified, false);
});

test("a file of another version is refused in a sentence with both numbers", () => {
  for (const kind of ["log", "evidence", "genesis evidence"]) {
    const report = verify(utf8(`nodealer ${kind} 2\n`), { asked: [], over: true, leaving: false, stopped: null });
    const ours = `this verifier reads version ${PROTOCOL_VERSION} only`;
    const said = `this ${kind} is of version 2, and ${ours}: use the nodealer that wrote it`;
    assert.deepEqual([report.verdict, report.reason, report.verified], ["malformed", said, false]);
  }
});

/** A race in which choice 1 is aside; what each seat claims. */
function asideRace(claims) {
  const questions = { asked: [{ ...race, aside: [1] }], over: true, leaving: false, stopped: null };
  const answer = (kind, seat, play) => {
    if (kind === "race") return claims[seat];
    if (kind === "witness") return saying([0, 1].map((claimant) => [200_000, 0, claimant === seat ? 0 : 1]));
    return dealer(kind, seat, play);
  };
  return verify(new Play(makeTable(2, PINGS), questions, answer).log, questions).counts;
}

test("a claim aside competes with nothing", () => {
  assert.equal(asideRace([1, 0]).contested, 0);
  assert.equal(asideRace([1, 1]).contested, 0);
  assert.equal(asideRace([0, 0]).contested, 1);
});

test("what the maker of the questions claims is no finding", () => {
  const asked = [{ kind: "choose", seat: 0, options: 3 }];
  const honest = { asked, over: true, leaving: false, stopped: null };
  const answer = (kind, seat, play) => (kind === "choose" ? 1 : dealer(kind, seat, play));
  const file = new Play(makeTable(2, PINGS), honest, answer).log;
  agreed(verify(file, honest));
  const stopped = { verdict: "illegal-move", reason: "a lie", seat: 1, step: 0 };
  const report = verify(file, { ...honest, stopped });
  assert.deepEqual([report.verdict, report.seat, report.verified], [null, null, false]);
});

/** The third shuffle has the commitment of the first: found when it comes, before the fourth. */
test("a commitment that was used before", () => {
  const asked = [{ kind: "fresh", deck: "test", cards: all(2) }, ...Array(2).fill({ kind: "shuffle", slots: [0, 1] })];
  const made = [];
  const answer = (kind, seat, play) => {
    if (kind === "confirm") return null;
    if (made.length === 2) return made[0];
    made.push(dealer(kind, seat, play, [0, 1]));
    return made.at(-1);
  };
  const questions = { asked, over: true, leaving: false, stopped: null };
  assert.throws(() => new Play(makeTable(2, PINGS), questions, answer), { verdict: "bad-shuffle", seat: 0, step: 3 });
});

test("a seat leaves, and the others open its cards and the stock without it", () => {
  const moves = [[5, 0], [4, 1], [3, 1]];
  const asked = [
    { kind: "fresh", deck: "test", cards: all(6) },
    { kind: "shuffle", slots: all(6) },
    { kind: "deal", moves },
    { kind: "choose", seat: 1, options: 2, left: 1 },
    { kind: "open", slots: [0, 3, 4] },
  ];
  const questions = { asked, over: true, leaving: true, stopped: null };
  const answer = (kind, seat, play) => {
    if (kind === "choose") return LEAVES;
    if (kind === "farewell")
      return {
        released: play.sharesOfSlots(seat, kind, [0, 1, 2], [0, 1, 2]),
        put_back: play.transfer(seat, kind, [[3, JOINT], [4, JOINT]]),
      };
    if (kind === "open") return play.sharesOfSlots(seat, kind, [0, 3, 4], [0, 3, 4]);
    const owed = moves.filter(([, to]) => to !== seat).map(([slot]) => slot);
    if (kind === "deal") return play.sharesOfSlots(seat, kind, moves.map(([slot]) => slot), owed);
    return dealer(kind, seat, play, all(6));
  };
  const pings = all(3).map((i) => all(3).map((j) => (i === j ? null : 20000)));
  const play = new Play(makeTable(3, pings), questions, answer);
  const report = verify(play.log, questions);
  agreed(report);
  assert.deepEqual(report.left, [{ seat: 1, step: 5 }]);
  assert.deepEqual(play.table.everybody, [0, 2]);
  const lies = [{ ...questions, leaving: undefined }, { ...questions, asked: asked.with(3, { ...asked[3], left: 2 }) }];
  for (const lie of lies) assert.equal(verify(play.log, lie).verdict, null);
});
