// Shares that lost seats would owe, made from partial ones by those who are left: protocol.md section 5.

import { malformed } from "../fault.js";
import { combine } from "../group.js";
import { array } from "../shape.js";
import { imageAt, placeOf, weightsAt } from "../sharing.js";
import { proofTranscript } from "../transcript.js";
import { proveShares, readShares } from "./cards.js";

/** An array with one item for each of these; what each is, `read` says. */
export function readParts(payload, owed, read) {
  const parts = array(payload);
  if (parts.length !== owed.length) throw malformed("not one part for each that is owed");
  return parts.map((part, i) => read(part, owed[i]));
}

/**
 * One step, in which everybody gives partial shares: `owed` are ciphers by lost seat. Gives the shares
 * x_s a of each lost seat, or null if another seat is lost in a step that `settles` a question.
 */
export function* sharesOfLost(table, kind, owed, { settles = false } = {}) {
  const parts = [...owed].map(([lost, ciphers]) => ({ lost, ciphers }));
  const check = (entry) => {
    const given = readParts(entry.payload, parts, (part, { ciphers }) => readShares(part, ciphers.length));
    parts.forEach((part, i) => provePartial(table, entry, kind, part, given[i]));
    return given.map(({ shares }) => shares);
  };
  const given = yield { kind, seats: table.everybody, check, settles };
  if (given.lost) return null;
  return new Map(parts.map(({ lost }, i) => [lost, whole(table, lost, given, i)]));
}

/** Partial shares are shares under the image of f_s(d). */
function provePartial(table, entry, kind, { lost, ciphers }, read) {
  const image = imageAt(table.images[lost], placeOf(lost, entry.seat, table.seats));
  proveShares(table, proofTranscript(table, entry, `${kind} of seat ${lost}`, []), image, ciphers, read);
}

/** "Any T of them", each with its weight at 0. */
function whole({ least, seats }, lost, given, part) {
  const some = given.slice(0, least);
  const weights = weightsAt(0, some.map(({ entry }) => placeOf(lost, entry.seat, seats)));
  return some[0].result[part].map((_, i) => combine(some.map(({ result }) => result[part][i]), weights));
}
