// Evidence of a table that never began: the proposal, and what was signed (protocol section 3).

import { hash32, same } from "./bytes.js";
import { checkSigned, readEntry, stepHash } from "./chain.js";
import { decodePoint } from "./group.js";
import { checkKey, encodeHeader, jointKey, readPings, readProposal, PURPOSE } from "./header.js";
import { octets, take } from "./messagepack.js";
import { blaming, demand } from "./refusal.js";
import { checkSignature } from "./signature.js";

const KINDS = ["commit", "reveal", "sign"];
const REVEAL = { opening: "bin", public: "bin", proof: "bin", pings: "list" };
const NOTHING = new Uint8Array(16);

/** The step before which the table never began; a refusal for a fault in what was signed. */
export function checkGenesis(proposed, records) {
  const proposal = readProposal(proposed);
  const table = hash32("nodealer proposal v1\0", proposed);
  const header = { ...proposal, table };
  const walk = { header, proposed, step: 0, previous: table, said: KINDS.map(() => new Map()) };
  for (const record of records) {
    const entry = readEntry(record);
    const seated =
      same(entry.table, table) && entry.seat >= 0 && entry.seat < proposal.seats.length;
    demand(seated, "malformed", "an entry of another table or seat");
    admit(walk, { ...entry, record });
  }
  return { header, step: walk.step };
}

function admit(walk, entry) {
  const { seat, step } = entry;
  const known = walk.said[step]?.get(seat);
  if (known && same(known.record, entry.record)) return;
  checkSigned(walk.header, entry, null);
  demand(!known, "equivocation", "the seat signed two different entries for one step", seat, step);
  if (step !== walk.step || !same(entry.previous, walk.previous)) return;
  blaming({ seat, step }, () => {
    demand(entry.kind === KINDS[step], "illegal-move", `nobody asked for this ${entry.kind}`);
    demand(
      same(entry.state, NOTHING),
      "state-mismatch",
      "the seat signed another state of the table",
    );
    CHECKS[step](walk, seat, entry.payload);
  });
  walk.said[step].set(seat, entry);
  if (walk.said[step].size === walk.header.seats.length) advance(walk);
}

const CHECKS = [
  (_, seat, payload) => octets(payload, 64, "a key commitment"),
  (walk, seat, payload) => {
    const fields = take(payload, REVEAL);
    readPings(fields.pings, seat, walk.header.seats.length);
    octets(fields.opening, 32, "a key opening");
    octets(fields.proof, 64, "a proof of possession");
    const commitments = payloads(walk, 0);
    const key = { ...fields, commitment: commitments[seat], point: decodePoint(fields.public) };
    checkKey(walk.header, seat, key, commitments);
  },
  (walk, seat, payload) => {
    octets(payload, 64, "a signature");
    checkSignature(walk.header.identities[seat], PURPOSE, walk.body, payload);
  },
];

const payloads = ({ header, said }, step) =>
  header.seats.map((_, seat) => said[step].get(seat).payload);

function advance(walk) {
  const bodies = walk.header.seats.map((_, seat) => walk.said[walk.step].get(seat).body);
  walk.previous = stepHash(walk.previous, bodies);
  walk.step += 1;
  if (walk.step !== 2) return;
  const commitments = payloads(walk, 0);
  const revealed = payloads(walk, 1);
  jointKey(revealed.map((key) => decodePoint(key.public)));
  walk.body = encodeHeader(walk.proposed, commitments, revealed);
}
