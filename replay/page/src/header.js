// The header: what all seats signed before the first card (protocol section 3).

import { bigEndian, framed, hash32, hex, same, sha512 } from "./bytes.js";
import { BASE, combine, decodePoint, decodeScalars, sumOf } from "./group.js";
import { exactly, octets, pack, take, unpack } from "./messagepack.js";
import { blaming, demand } from "./refusal.js";
import { checkSignature, identityKey } from "./signature.js";
import { delays, raceCap } from "./delays.js";
import { Transcript } from "./transcript.js";

export const PURPOSE = "nodealer header v1\0";
const PROPOSAL = {
  version: "int",
  token: "bin",
  game: "str",
  rules: "int",
  options: "map",
  policy: "str",
  seats: "list",
  race: "map",
};
const KEY = { commitment: "bin", opening: "bin", public: "bin", proof: "bin" };
const PING_MAX = 60_000_000;
const NAME_MAX = 24;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** The header with every key, proof and signature in it checked. */
export function readHeader(data) {
  const { body, signatures } = take(unpack(data), { body: "bin", signatures: "list" });
  const inner = take(unpack(body), { proposal: "bin", keys: "list", pings: "list" });
  const proposal = readProposal(inner.proposal);
  const count = proposal.seats.length;
  const counts = [inner.keys.length, inner.pings.length, signatures.length];
  demand(
    counts.every((length) => length === count),
    "malformed",
    "not one key, pings, signature a seat",
  );
  proposal.identities.forEach((identity, seat) =>
    blaming({ seat }, () =>
      checkSignature(identity, PURPOSE, body, octets(signatures[seat], 64, "a signature")),
    ),
  );
  const publics = readKeys(proposal, inner.keys);
  const pings = inner.pings.map((row, seat) => readPings(row, seat, count));
  const apart = delays(pings);
  return {
    ...proposal,
    table: hash32("nodealer table v1\0", body),
    publics: publics.map((key) => key.often()),
    joint: jointKey(publics).often(),
    delays: apart,
    raceCap: raceCap(proposal.race.cap, apart),
  };
}

/** What was proposed, checked. */
export function readProposal(data) {
  const fields = take(unpack(data), PROPOSAL);
  demand(fields.version === 1, "malformed", "this is another version of the protocol");
  demand(fields.policy === "wait", "malformed", "this is an unknown policy for lost players");
  const seats = fields.seats.map(readSeat);
  demand(seats.length >= 2, "malformed", "a table has two seats or more");
  const identities = seats.map(([identity]) => identity);
  const distinct = new Set(identities.map(hex)).size === identities.length;
  demand(distinct, "bad-key", "one identity holds two seats");
  octets(fields.token, 16, "the table token");
  const race = take(fields.race, { cap: "int", hold: "int" });
  demand(race.cap >= 1_000 && race.cap <= 250_000, "malformed", "the race cap is out of range");
  demand(race.hold >= 0 && race.hold <= 5_000_000, "malformed", "the hold is out of range");
  return { ...fields, seats, identities, names: seats.map(([, name]) => name), race };
}

function readSeat(seat) {
  demand(Array.isArray(seat) && seat.length === 2, "malformed", "a seat is an identity and a name");
  const [identity, name] = seat;
  identityKey(exactly(identity, "bin", "an identity key"));
  const length = [...exactly(name, "str", "a name")].length;
  const fits = length > 0 && length <= NAME_MAX && !UNPRINTABLE.test(name);
  demand(fits, "malformed", "a name is 1 to 24 printable characters");
  return [identity, name];
}

function readKeys(proposal, keys) {
  const read = keys.map((key) => {
    const { commitment, opening, public: encoded, proof } = take(key, KEY);
    octets(commitment, 64, "a key commitment");
    octets(opening, 32, "a key opening");
    octets(proof, 64, "a proof of possession");
    return { commitment, opening, proof, point: decodePoint(encoded) };
  });
  const commitments = read.map((key) => key.commitment);
  read.forEach((key, seat) => blaming({ seat }, () => checkKey(proposal, seat, key, commitments)));
  return read.map((key) => key.point);
}

/** Refuses unless a table key is the one committed to, and its holder knows the secret. */
export function checkKey(
  { token, identities },
  seat,
  { commitment, opening, proof, point },
  commitments,
) {
  const parts = [token, bigEndian(seat, 8), identities[seat], point.bytes, opening].map(framed);
  const announced = sha512("nodealer key commitment", ...parts);
  demand(same(announced, commitment), "bad-key", "the table key is not the one committed to");
  const [challenge, answer] = decodeScalars(proof, 2, "bad-key");
  const nonce = combine([BASE, point], [answer, challenge]);
  const transcript = new Transcript("nodealer proof of possession")
    .append("token", token)
    .appendNumbers("seat", seat)
    .append("identity", identities[seat])
    .append("public", point.bytes)
    .append("commitments", ...commitments)
    .append("nonce", nonce.bytes);
  const proven = transcript.challenge("possession") === challenge;
  demand(proven, "bad-key", "the proof of possession of the table key is false");
}

/** The sum of all table keys. */
export function jointKey(publics) {
  const distinct = new Set(publics.map((point) => hex(point.bytes))).size === publics.length;
  demand(distinct, "bad-key", "two seats have one table key");
  const joint = sumOf(publics);
  demand(!joint.isIdentity, "bad-key", "the table keys cancel out");
  return joint;
}

/** The header body that the seats sign at the end of genesis. */
export function encodeHeader(proposal, commitments, revealed) {
  const keys = revealed.map(({ opening, public: point, proof }, seat) => ({
    commitment: commitments[seat],
    opening,
    public: point,
    proof,
  }));
  return pack({ proposal, keys, pings: revealed.map(({ pings }) => pings) });
}

/** The round trips that a seat states. */
export function readPings(row, seat, count) {
  exactly(row, "list", "the pings of a seat");
  demand(row.length === count, "malformed", "not one ping a seat");
  demand(row[seat] === null, "malformed", "a seat states a ping to itself");
  for (const ping of row) {
    if (ping === null) continue;
    exactly(ping, "int", "a ping");
    demand(ping > 0 && ping <= PING_MAX, "malformed", "a ping is out of range");
  }
  return row;
}
