// Votes, and what they decide: protocol.md section 5, "Lost players".

import { equal } from "./bytes.js";
import { illegal, malformed } from "./fault.js";
import { array, fields, integer, isInteger } from "./shape.js";

const VOTE = "vote";
const ROUNDS = 64;
const LONGEST = 512;

export const isVote = ({ kind }) => kind === VOTE;

/** The round that a vote names, whatever else is wrong in it; -1 if it names none. */
export function roundOf({ payload }) {
  const round = payload instanceof Map ? payload.get("round") : null;
  return isInteger(round) ? round : -1;
}

/** Whom a vote names, whatever else is wrong in it. */
export function namedIn({ payload }) {
  const absent = payload instanceof Map ? payload.get("absent") : null;
  return Array.isArray(absent) ? absent : [];
}

/** The shape of a vote at a table of so many seats; the fields of the entry are checked before. */
export function readVote(entry, seats) {
  if (entry.record.bytes.length > LONGEST) throw malformed("a vote is too long");
  const { round, absent } = fields(entry.payload, "round", "absent");
  integer(round, 0, ROUNDS - 1);
  array(absent).forEach((seat) => integer(seat, 0, seats - 1));
  integer(entry.step, 0);
  integer(entry.seat, 0, seats - 1);
  if (absent.some((seat, i) => i && seat <= absent[i - 1])) throw malformed("seats out of order");
  if (entry.state.some((byte) => byte !== 0)) throw malformed("a vote says nothing about the state");
  return { entry, round, absent };
}

const sameSet = (one, other) => one.length === other.length && one.every((seat, i) => seat === other[i]);

/** What is said about one step: `left` are the seats that vote about it, `least` so many have to stay. */
export class Poll {
  constructor({ previous, left, least }) {
    this.previous = previous;
    this.left = left;
    this.least = least;
    this.votes = [];
  }

  /** Counts a vote; one of another history counts nowhere. */
  take({ entry, round, absent }) {
    if (!equal(entry.previous, this.previous)) return false;
    if (!this.mayBe(entry.seat, absent)) throw illegal("a vote that the seat does not have");
    this.votes.push({ entry, round, absent });
    return true;
  }

  /** Only about others who are left, and about no more than leave enough. */
  mayBe(seat, absent) {
    const others = this.left.filter((one) => one !== seat);
    const room = Math.max(0, this.left.length - this.least);
    return this.left.includes(seat) && absent.length <= room && absent.every((one) => others.includes(one));
  }

  /** Whom the others go on without, and their votes in seat order; null as long as not all agree. */
  get decision() {
    for (const { round, absent } of this.votes) {
      if (!absent.length) continue;
      const agree = this.votes.filter((one) => one.round === round && sameSet(one.absent, absent));
      const seats = agree.map(({ entry }) => entry.seat).sort((i, j) => i - j);
      if (!sameSet(seats, this.left.filter((seat) => !absent.includes(seat)))) continue;
      const entries = agree.map(({ entry }) => entry).sort((one, other) => one.seat - other.seat);
      return { absent, entries };
    }
    return null;
  }
}
