// A table whose seats are all played here: it makes logs of questions that no vector asks.

import { encode } from "@msgpack/msgpack";
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat, framed, u32, u64, utf8 } from "../src/verifier/bytes.js";
import { encodePoints, G, hashToPoint } from "../src/verifier/group.js";
import { readHeader } from "../src/verifier/header.js";
import { gameSteps } from "../src/verifier/game.js";
import { Judge } from "../src/verifier/judge.js";
import { newCounts } from "../src/verifier/report.js";
import { encodeDeck } from "../src/verifier/proofs/shuffle.js";
import { JOINT, Table } from "../src/verifier/table.js";
import { proofTranscript, Transcript } from "../src/verifier/transcript.js";
import { PROTOCOL_VERSION, label, magic } from "../src/verifier/version.js";
import {
  proveOath, proveShares, proveShuffle, proveTransfer, randomScalar, scalarBytes, signFor, times,
} from "./prover.js";

/** A signed header of n seats with these pings; also the secrets behind it. */
export function makeTable(n, pings) {
  const identities = Array.from({ length: n }, () => ed25519.utils.randomSecretKey());
  const publics = identities.map((secret) => ed25519.getPublicKey(secret));
  const secrets = Array.from({ length: n }, randomScalar);
  const token = new Uint8Array(16);
  const proposal = encode({
    version: PROTOCOL_VERSION, revision: new Uint8Array(3), token, game: "test", rules: 1, options: {}, policy: "wait",
    seats: publics.map((key, i) => [key, `seat ${i}`, false]), race: { cap: 80000, hold: 0 },
    clock: 0,
  });
  const opened = secrets.map((secret, seat) =>
    commitKey(token, seat, publics[seat], times(G, secret).toBytes()),
  );
  const commitments = opened.map(({ commitment }) => commitment);
  const keys = opened.map((key, seat) => ({
    ...key, proof: possession(token, seat, publics[seat], secrets[seat], key.public, commitments),
  }));
  const body = encode({ proposal, keys, pings });
  const signatures = identities.map((secret) => signFor(label("header"), body, secret));
  return { header: encode({ body, signatures }), identities, secrets };
}

function commitKey(token, seat, identity, key) {
  const opening = new Uint8Array(32).fill(seat);
  const parts = [token, u64(seat), identity, key, opening].map(framed);
  return { commitment: sha512(concat(utf8("nodealer key commitment"), ...parts)), opening, public: key };
}

function possession(token, seat, identity, secret, key, commitments) {
  const k = randomScalar();
  const c = new Transcript("nodealer proof of possession")
    .append("token", token).appendNumbers("seat", seat).append("identity", identity)
    .append("public", key).append("commitments", ...commitments).appendPoints("nonce", times(G, k))
    .challenge("possession");
  return concat(scalarBytes(c), scalarBytes(k - c * secret));
}

/** The answer of a seat that leaves for good. */
export const LEAVES = Symbol("leaves");

/** Plays all seats: `answer(kind, seat, play)` gives the payload of what only a player decides. */
export class Play {
  constructor(made, questions, answer) {
    Object.assign(this, made, { answer, records: [] });
    this.table = new Table(readHeader(made.header), newCounts());
    this.judge = new Judge(this.table, gameSteps(this.table, questions));
    while (this.judge.asked) this.playStep();
  }

  playStep() {
    const { kind, seats } = this.judge.asked;
    this.head = { step: this.judge.step, previous: this.judge.previous };
    const payloads = seats.map((seat) => this.answer(kind, seat, this));
    seats.forEach((seat, i) => {
      const leaves = payloads[i] === LEAVES;
      this.judge.offer(this.sign(leaves ? "leave" : kind, seat, leaves ? null : payloads[i]));
    });
  }

  /** Signs an entry and keeps its record, whether it is owed or not. */
  sign(kind, seat, payload) {
    const entry = { table: this.table.id, ...this.head, seat, kind, payload, state: new Uint8Array(16) };
    const body = encode(entry);
    this.records.push(concat(body, signFor(label("entry"), body, this.identities[seat])));
    return { ...entry, payload: strict(payload), record: { body } };
  }

  get log() {
    const frames = [this.header, ...this.records].map((bytes) => concat(u32(bytes.length), bytes));
    return concat(utf8(magic("log")), ...frames);
  }

  transcript(seat, operation, slots) {
    return proofTranscript(this.table, { ...this.head, seat }, operation, slots);
  }

  shuffle(seat, operation, slots, key, before) {
    const { deck, proof } = proveShuffle(this.transcript(seat, operation, slots), key, before);
    this.deck = deck;
    return { deck: encodeDeck(deck), proof };
  }

  shares(seat, operation, slots, points) {
    const pairs = points.map((a) => [a, times(a, this.secrets[seat])]);
    const proof = proveShares(this.transcript(seat, operation, slots), this.secrets[seat], pairs);
    return { shares: encodePoints(pairs.map(([, share]) => share)), proof };
  }

  sharesOfSlots(seat, operation, slots, owed) {
    return this.shares(seat, operation, slots, this.table.ciphers(owed).map(({ a }) => a));
  }

  coin(seat) {
    return this.shares(seat, "coin", [], [hashToPoint("coin", this.table.id, u64(this.head.step), this.head.previous)]);
  }

  transfer(seat, operation, moves) {
    const made = moves.map(([slot, to]) => {
      const all = operation === "farewell" ? this.table.keyWithout(seat) : this.table.jointKey;
      const key = to === JOINT ? all : this.table.keys[to];
      const transcript = this.transcript(seat, operation, [slot]);
      return proveTransfer(transcript, this.secrets[seat], key, this.table.slot(slot));
    });
    const deck = encodeDeck(made.map(({ after }) => after));
    return { deck, proofs: concat(...made.map(({ proof }) => proof)) };
  }

  oath(seat, slots, named, ciphers = this.table.ciphers(slots)) {
    const { cards } = this.table;
    const forbidden = this.table.closedFaces(named).map((card) => cards[card]);
    const allowed = cards.filter((_, card) => !named.includes(card));
    return proveOath(this.transcript(seat, "oath", slots), this.secrets[seat], ciphers, allowed, forbidden);
  }

  /** Which card a slot is that all seats together can open. */
  peek(slot) {
    const { a, b, lock } = this.table.slot(slot);
    const secrets = lock === JOINT ? this.secrets : [this.secrets[lock]];
    return this.table.cardOf(b.subtract(times(a, secrets.reduce((sum, one) => sum + one))));
  }

  close() {
    return { steps: this.head.step, head: this.head.previous, result: [0] };
  }
}

/** A payload as unpack() would give it. */
const strict = (value) =>
  value && Object.getPrototypeOf(value) === Object.prototype
    ? new Map(Object.entries(value).map(([key, one]) => [key, strict(one)]))
    : value;

