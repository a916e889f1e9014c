// Questions that the dealer answers: shuffle, cut, reshuffle, deal, open.
// protocol.md section 5. Each is a generator of steps {kind, seats, check}; a step gives back
// [{entry, result}] in seat order, `result` being what `check` made of the payload.

import { BadQuestions, blaming, Fault, malformed } from "../fault.js";
import { decodePoints, sum } from "../group.js";
import { checkShares } from "../proofs/shares.js";
import { areShuffles, checkShuffle, readDeck, readShuffleProof } from "../proofs/shuffle.js";
import { binary, fields } from "../shape.js";
import { JOINT, OPEN } from "../table.js";
import { proofTranscript } from "../transcript.js";

/** The shape of a map `deck`, `proof` about n slots. */
export function readShuffle(payload, n) {
  const { deck, proof } = fields(payload, "deck", "proof");
  return { deck: readDeck(deck, n), proof: readShuffleProof(proof, n) };
}

/** The same, where the commitment is compared as it comes (section 8, "Offline parts"). */
function readNewShuffle(table, payload, n) {
  const read = readShuffle(payload, n);
  table.rememberCommitment(read.proof.commitment);
  return read;
}

/** One shuffle by one seat. */
export function checkOneShuffle(table, entry, operation, slots, key, before, { deck, proof }) {
  const transcript = proofTranscript(table, entry, operation, slots);
  checkShuffle(transcript, key, before, deck, proof);
  table.counts.shuffles++;
}

/** One step a seat; all are judged when the last is there (section 8, "Order"). */
export function* shuffledByAll(table, kind, zone) {
  const turns = [];
  const check = (entry) => readNewShuffle(table, entry.payload, zone.length);
  for (const seat of table.everybody) turns.push(...(yield { kind, seats: [seat], check }));
  const decks = [table.ciphers(zone), ...turns.map(({ result }) => result.deck)];
  if (areAllShuffles(table, kind, zone, turns, decks)) table.counts.shuffles += turns.length;
  else judgeOneByOne(table, kind, zone, turns, decks);
  yield { kind: "confirm", seats: table.everybody, check: checkNil };
  return { deck: decks.at(-1), last: turns.at(-1).entry };
}

function checkNil({ payload }) {
  if (payload !== null) throw malformed("nothing is to be said here");
}

function areAllShuffles(table, kind, zone, turns, decks) {
  const statements = turns.map(({ entry, result }, i) => ({
    transcript: proofTranscript(table, entry, kind, zone),
    key: table.jointKey,
    before: decks[i],
    after: result.deck,
    proof: result.proof,
  }));
  return areShuffles(statements);
}

/** Somebody cheated: whose shuffle is the first that is wrong? */
function judgeOneByOne(table, kind, zone, turns, decks) {
  turns.forEach(({ entry, result }, i) =>
    blaming(entry.seat, entry.step, () =>
      checkOneShuffle(table, entry, kind, zone, table.jointKey, decks[i], result),
    ),
  );
}

function jointZone(table, handles) {
  const zone = table.zone(handles);
  if (table.ciphers(zone).some(({ lock }) => lock !== JOINT && lock !== OPEN))
    throw new BadQuestions("a shuffle by all of a card in a hand");
  return zone;
}

export function* shuffle(table, { slots }) {
  const zone = jointZone(table, slots);
  if (!zone.length) return;
  const { deck, last } = yield* shuffledByAll(table, "shuffle", zone);
  blaming(last.seat, last.step, () => table.refresh("bad-shuffle", deck));
  zone.forEach((handle, i) => table.recipher(handle, deck[i], JOINT));
}

/** "Nothing changes; each plaintext is a card of the deck." */
export function* cut(table, { slots, count }) {
  const zone = jointZone(table, slots);
  if (!count) throw new BadQuestions("a cut of nothing");
  const copy = (yield* shuffledByAll(table, "cut", zone)).deck.slice(0, count);
  const check = (entry) => checkAllShares(table, entry, [], copy);
  const given = yield { kind: "cut-open", seats: table.everybody, check };
  copy.forEach(({ b }, i) => plaintextCard(table, b, given.map(({ result }) => result[i])));
}

export function* reshuffle(table, { slots, seat }) {
  const zone = table.zone(slots);
  if (!zone.length) return;
  if (table.ciphers(zone).some(({ lock }) => lock !== seat && lock !== OPEN))
    throw new BadQuestions("a reshuffle of a card of somebody else");
  const check = (entry) => {
    const read = readNewShuffle(table, entry.payload, zone.length);
    checkOneShuffle(table, entry, "reshuffle", zone, table.keys[seat], table.ciphers(zone), read);
    return read.deck;
  };
  const [{ entry, result }] = yield { kind: "reshuffle", seats: [seat], check };
  blaming(seat, entry.step, () => table.permute(zone, result, seat, table.newHistory()));
}

/** The shape of a map `shares`, `proof` about n points. */
export function readShares(value, n) {
  const { shares, proof } = fields(value, "shares", "proof");
  return { shares: decodePoints(binary(shares, 32 * n)), proof: binary(proof, 64) };
}

/** Shares under `key` of ciphers, or of points that are no slots, proven for one operation. */
export function proveShares(table, transcript, key, ciphers, { shares, proof }) {
  checkShares(transcript, key, ciphers.map(({ a }, i) => [a, shares[i]]), proof);
  table.counts.shares += shares.length;
}

/** Shares that the seat of the entry gives of ciphers with its own key. */
export function checkSharesOf(table, entry, operation, slots, ciphers, read) {
  const transcript = proofTranscript(table, entry, operation, slots);
  proveShares(table, transcript, table.keys[entry.seat], ciphers, read);
}

/** Both for a whole payload; `slots` are those of the transcript. */
export function checkAllShares(table, entry, slots, ciphers) {
  const read = readShares(entry.payload, ciphers.length);
  checkSharesOf(table, entry, entry.kind, slots, ciphers, read);
  return read.shares;
}

function plaintextCard(table, b, shares) {
  const card = table.cardOf(b.subtract(sum(shares)));
  if (card === undefined) throw new Fault("bad-share", "what was opened is no card", { seat: null });
  return card;
}

export function* deal(table, { moves }) {
  const slots = table.zone(moves.map(([slot]) => slot));
  table.present(moves.map(([, to]) => to));
  if (table.ciphers(slots).some(({ lock }) => lock !== JOINT))
    throw new BadQuestions("a deal of a card that is not everybody's");
  const owedBy = (seat) => moves.filter(([, to]) => to !== seat).map(([slot]) => slot);
  const seats = table.everybody.filter((seat) => owedBy(seat).length);
  if (!seats.length) return;
  const check = (entry) => {
    const owed = owedBy(entry.seat);
    const shares = checkAllShares(table, entry, slots, table.ciphers(owed));
    return new Map(owed.map((handle, i) => [handle, shares[i]]));
  };
  const given = yield { kind: "deal", seats, check };
  // A deal mixes nothing: cards that could be told apart before it still can be after it.
  const histories = new Map();
  for (const [handle, receiver] of moves) {
    const shares = given.map(({ result }) => result.get(handle)).filter(Boolean);
    const { a, b, history } = table.slot(handle);
    if (!histories.has(history)) histories.set(history, table.newHistory());
    table.recipher(handle, { a, b: b.subtract(sum(shares)) }, receiver, histories.get(history));
  }
}

export function* open(table, { slots }) {
  const closed = table.zone(slots).filter((handle) => table.slot(handle).lock !== OPEN);
  const owedBy = (seat) => closed.filter((handle) => [JOINT, seat].includes(table.slot(handle).lock));
  const seats = table.everybody.filter((seat) => owedBy(seat).length);
  if (!seats.length) return;
  const check = (entry) => {
    const owed = owedBy(entry.seat);
    const shares = checkAllShares(table, entry, closed, table.ciphers(owed));
    return new Map(owed.map((handle, i) => [handle, shares[i]]));
  };
  const given = yield { kind: "open", seats, check };
  for (const handle of closed) {
    const shares = given.map(({ result }) => result.get(handle)).filter(Boolean);
    table.turnUp(handle, plaintextCard(table, table.slot(handle).b, shares));
  }
}
