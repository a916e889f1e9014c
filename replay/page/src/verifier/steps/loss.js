// The key of lost seats is taken out of the cards: protocol.md section 5, "Lost players".

import { BadQuestions, blaming } from "../fault.js";
import { sum } from "../group.js";
import { checkRelock, RELOCK_PROOF } from "../proofs/relock.js";
import { readDeck } from "../proofs/shuffle.js";
import { binary, fields } from "../shape.js";
import { JOINT } from "../table.js";
import { proofTranscript } from "../transcript.js";
import { shuffledByAll } from "./cards.js";
import { readParts, sharesOfLost } from "./partial.js";

const RELOCK = "relock";

/** What is still to be done until the keys of lost seats are out of all cards. */
export class Loss {
  constructor(table) {
    this.table = table;
    this.seats = [];
    this.zones = [];
    /** Whose layers are on each slot of a lost hand; a JOINT slot has those of all. */
    this.layers = new Map();
  }

  /** These seats are lost too; shares of slots in these zones may have been on the way. */
  add(absent, zones) {
    this.table.miss(absent);
    this.seats = [...this.seats, ...absent].sort((i, j) => i - j);
    this.zones.push(...zones);
    for (const seat of absent)
      for (const handle of this.table.lockedTo(seat)) this.layers.set(handle, [seat]);
  }

  /** All of it, from wherever it stands: a step may become void as well. */
  *takeOut() {
    for (; this.zones.length; this.zones.shift()) yield* mend(this.table, this.zones[0]);
    for (const seat of this.table.everybody) yield* this.relock(seat);
    yield* this.strip();
  }

  /** One step, in which a seat puts its own layer on every slot that lacks it. */
  *relock(seat) {
    const { table } = this;
    const groups = this.groupsWithout(seat);
    if (!groups.length) return;
    const check = (entry) => {
      const moved = readParts(entry.payload, groups, readRelocked);
      groups.forEach((group, i) => this.prove(entry, group, moved[i]));
      return moved.map(({ deck }) => deck);
    };
    const [{ entry, result }] = yield { kind: RELOCK, seats: [seat], check };
    groups.forEach(({ handles, layers }, i) =>
      handles.forEach((handle, at) => {
        blaming(seat, entry.step, () => table.refresh("bad-transfer", [result[i][at]]));
        table.recipher(handle, result[i][at], table.slot(handle).lock, table.newHistory());
        this.layers.set(handle, [...layers, seat].sort((one, other) => one - other));
      }),
    );
  }

  /** "In groups that have the same layers, in the order of their first slot." */
  groupsWithout(seat) {
    const groups = new Map();
    for (const [handle, layers] of [...this.layers].sort(([one], [other]) => one - other)) {
      if (layers.includes(seat)) continue;
      const group = groups.get(`${layers}`) ?? { layers, handles: [] };
      group.handles.push(handle);
      groups.set(`${layers}`, group);
    }
    return [...groups.values()];
  }

  prove(entry, { layers, handles }, { deck, proof }) {
    const { table } = this;
    const under = sum([...layers, entry.seat].map((seat) => table.keys[seat]));
    const transcript = proofTranscript(table, entry, RELOCK, handles);
    checkRelock(transcript, table.keys[entry.seat], under, table.ciphers(handles), deck, proof);
    table.counts.transfers += handles.length;
  }

  /** One step, in which all give partial shares of each lost layer; then slots of lost hands are JOINT. */
  *strip() {
    const { table } = this;
    const locked = new Map(this.seats.map((seat) => [seat, this.withLayerOf(seat)]));
    for (const [seat, handles] of locked) if (!handles.length) locked.delete(seat);
    if (!locked.size) return;
    const owed = new Map([...locked].map(([seat, handles]) => [seat, table.ciphers(handles)]));
    const layers = yield* sharesOfLost(table, "strip", owed);
    for (const [seat, handles] of locked)
      handles.forEach((handle, i) => table.strip(handle, layers.get(seat)[i]));
    for (const handle of this.layers.keys()) table.slot(handle).lock = JOINT;
  }

  withLayerOf(seat) {
    const has = (handle, lock) => this.layers.get(handle)?.includes(seat) ?? lock === JOINT;
    return [...this.table.slots.keys()].filter((handle) => has(handle, this.table.slot(handle).lock));
  }
}

function readRelocked(part, { handles }) {
  const { deck, proof } = fields(part, "deck", "proof");
  return { deck: readDeck(deck, handles.length), proof: binary(proof, RELOCK_PROOF) };
}

/** All JOINT slots of a zone, shuffled once by all who are left under the key that still has the lost ones. */
function* mend(table, zone) {
  if (table.ciphers(table.zone(zone)).some(({ lock }) => lock !== JOINT))
    throw new BadQuestions("a zone is mended that has other slots");
  const { deck, last } = yield* shuffledByAll(table, "mend", zone);
  blaming(last.seat, last.step, () => table.refresh("bad-shuffle", deck));
  zone.forEach((handle, i) => table.recipher(handle, deck[i], JOINT));
}
