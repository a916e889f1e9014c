// The proposal of a table: protocol.md section 3.

import { hash32 } from "./group.js";
import { hex, utf8 } from "./bytes.js";
import { Fault, malformed } from "./fault.js";
import { folded, nameFault } from "./names.js";
import { unpack } from "./msgpack.js";
import { array, binary, boolean, fields, integer, string, typedFields } from "./shape.js";
import { IdentityKey } from "./signature.js";
import { PROTOCOL_VERSION, label } from "./version.js";

const WAIT = "wait";
const FEWEST = 2;
const MOST = 16;
const LEAST_CLOCK = 5;
const MOST_CLOCK = 3600;

const TYPES = {
  version: "integer",
  revision: "binary",
  token: "binary",
  game: "string",
  rules: "integer",
  options: "map",
  policy: "string",
  seats: "array",
  race: "map",
  clock: "integer",
};

/**
 * Reads and checks a proposal, in the order of section 3, "The order"; `identities` are the keys of
 * the seats. Nothing of `rules` and `options` can be said without the rules.
 */
export function readProposal(bytes) {
  const proposal = typedFields(unpack(bytes), TYPES);
  integer(proposal.version, PROTOCOL_VERSION, PROTOCOL_VERSION);
  const seats = readSeats(proposal.seats);
  if (seats.names.length < FEWEST) throw malformed("too few seats");
  const least = readPolicy(proposal.policy, seats.names.length);
  binary(proposal.token, 16);
  const race = fields(proposal.race, "cap", "hold");
  integer(race.cap, 1000, 250_000);
  integer(race.hold, 0, 5_000_000);
  if (proposal.clock !== 0) integer(proposal.clock, LEAST_CLOCK, MOST_CLOCK);
  binary(proposal.revision, 3);
  return {
    bytes,
    id: hash32(utf8(`${label("proposal")}\0`), bytes),
    token: proposal.token,
    game: proposal.game,
    cap: race.cap,
    least,
    ...seats,
  };
}

/** The revision that a proposal names, and who sits there: all that other revisions have in common. */
export function readSigners(bytes) {
  const proposal = unpack(bytes);
  if (!(proposal instanceof Map)) throw malformed("a proposal that is no map");
  const seats = array(proposal.get("seats"));
  if (seats.length > MOST) throw malformed("too many seats");
  return {
    revision: hex(binary(proposal.get("revision"), 3)),
    identities: seats.map((seat) => new IdentityKey(binary(array(seat, 3)[0]))),
  };
}

/** How many seats go on together at least; 0 if all wait. */
function readPolicy(policy, seats) {
  if (policy === WAIT) return 0;
  const least = Number(/^carry-on ([1-9][0-9]?)$/.exec(policy)?.[1]);
  if (!(2 * least > seats && least < seats)) throw malformed("a policy that such a table cannot have");
  return least;
}

function readSeats(listed) {
  if (listed.length > MOST) throw malformed("too many seats");
  const seats = listed.map(readSeat);
  if (new Set(seats.map(({ identity }) => hex(identity.bytes))).size < seats.length)
    throw new Fault("bad-key", "two seats have one identity key", { seat: null });
  const names = seats.map(({ name }) => name);
  if (new Set(names.map(folded)).size < names.length) throw malformed("two seats go by one name");
  const bots = [...seats.keys()].filter((seat) => seats[seat].bot);
  return { identities: seats.map(({ identity }) => identity), names, bots };
}

function readSeat(value) {
  const [key, name, bot] = array(value, 3);
  const identity = new IdentityKey(binary(key));
  return { identity, name: checkName(name), bot: boolean(bot) };
}

function checkName(name) {
  const fault = nameFault(string(name));
  if (fault !== null) throw malformed(fault);
  return name;
}
