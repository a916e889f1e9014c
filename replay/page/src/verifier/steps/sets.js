// Sets: lay a set, lay sets together; and choices made together. protocol.md sections 4 and 5.

import { encode } from "@msgpack/msgpack";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat, equal, framed, utf8 } from "../bytes.js";
import { Fault, illegal } from "../fault.js";
import { array, binary, fields, integer, typedFields } from "../shape.js";
import { OPEN } from "../table.js";
import { after, checkCardNumber, checkShown, checkSlots, NO_EFFECT, proveMerge, readMerge, readShown, take } from "./hand.js";

/** "Secret choice": what a seat commits to before it knows what others choose. */
function choiceCommitment(table, name, entry, nonce, choice) {
  const context = encode([name, table.id, entry.step, entry.seat]);
  const parts = [context, nonce, encode(choice)].map(framed);
  return sha512(concat(utf8("nodealer choice"), ...parts));
}

/** The step of the commitments; gives [seat, entry of the commitment]. */
function* committed(kind, seats) {
  const check = (entry) => binary(entry.payload, 64);
  const given = yield { kind, seats, check, decides: true };
  return new Map(given.map(({ entry }) => [entry.seat, entry]));
}

const inOrder = (seats) => [...seats].sort((i, j) => i - j);

/** An opening that does not fit, or an index not offered, is a forfeit and no fault. */
export function* together(table, { seats, options }) {
  if (!seats.length) return;
  const commitments = yield* committed("commit", inOrder(seats));
  const check = (entry) => {
    const { nonce, choice } = fields(entry.payload, "nonce", "choice");
    integer(choice);
    binary(nonce, 32);
    const commitment = commitments.get(entry.seat);
    const offered = choice >= 0 && choice < options[seats.indexOf(entry.seat)];
    return offered && equal(choiceCommitment(table, "choice", commitment, nonce, choice), commitment.payload);
  };
  const given = yield { kind: "reveal", seats: inOrder(seats), check };
  for (const { result } of given) table.counts[result ? "openings" : "forfeits"]++;
}

const SET = { slots: "array", shown: "nil or map", merge: "nil or map" };

/**
 * The fields `slots`, `shown`, `merge` of a set: its effect. Its cards, null where it lies face down,
 * go to `open`: whether it is the set that was committed to is asked before its proofs.
 */
function checkSet(table, entry, { zone, sizes }, value, open = () => {}) {
  const set = typedFields(value, SET);
  const slots = checkSlots(table.zone(zone), array(set.slots));
  if (slots.length < sizes[0] || slots.length > sizes[1]) throw illegal("a set of another size");
  const hidden = table.hidden(entry.seat, zone);
  if (slots.some((handle) => !hidden.includes(handle) && table.slot(handle).lock !== OPEN))
    throw illegal("a slot that the seat does not hold");
  const laid = slots.filter((handle) => hidden.includes(handle));
  const shown = set.shown === null ? null : readShownSet(table, set.shown, laid.length);
  const merge = readMerge(table, hidden, laid.length > 0, set.merge);
  open(shown && slots.map((handle) => table.slot(handle).card ?? shown.cards[laid.indexOf(handle)]));
  proveMerge(table, entry, merge);
  if (shown === null) return { ...NO_EFFECT, merge, apart: slots };
  checkShown(table, entry, "lay-set", laid, after(table, merge, laid), shown);
  return { ...NO_EFFECT, merge, opened: laid.map((handle, i) => [handle, shown.cards[i]]) };
}

function readShownSet(table, value, n) {
  const shown = fields(value, "cards", "shares", "proof");
  const cards = array(shown.cards, n).map((card) => checkCardNumber(table, card));
  return readShown({ ...shown, cards }, n);
}

export function* laySet(table, question) {
  const check = (entry) =>
    entry.payload === null ? NO_EFFECT : checkSet(table, entry, question, entry.payload);
  const [{ result }] = yield { kind: "lay-set", seats: [question.seat], check, decides: true };
  take(table, question.seat, result);
}

/** Sets laid at once: what is turned up has to be what was committed to, else bad-opening. */
export function* layTogether(table, { claims }) {
  if (!claims.length) return;
  const seats = inOrder(claims.map(({ seat }) => seat));
  const commitments = yield* committed("set-commit", seats);
  const check = (entry) => {
    const question = claims.find(({ seat }) => seat === entry.seat);
    return checkSetReveal(table, entry, question, commitments.get(entry.seat));
  };
  const given = yield { kind: "set-reveal", seats, check };
  for (const { entry, result } of given) take(table, entry.seat, result);
}

function checkSetReveal(table, entry, question, commitment) {
  const { nonce, laid } = fields(entry.payload, "nonce", "laid");
  binary(nonce, 32);
  const open = (cards) => {
    const own = choiceCommitment(table, "set", commitment, nonce, cards);
    if (!equal(own, commitment.payload))
      throw new Fault("bad-opening", "the opening is not the set that was committed to");
    table.counts.openings++;
  };
  if (laid === null) return open(null), NO_EFFECT;
  return checkSet(table, entry, question, laid, (cards) => {
    if (cards === null) throw illegal("a set that has to be shown lies face down");
    open(cards);
  });
}
