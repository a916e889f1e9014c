// The proposal of a table: protocol.md section 3.

import { hash32 } from "./group.js";
import { hex, utf8 } from "./bytes.js";
import { Fault, malformed } from "./fault.js";
import { folded, nameFault } from "./names.js";
import { array, binary, boolean, fields, integer, string, unpackFields } from "./shape.js";
import { IdentityKey } from "./signature.js";
import { PROTOCOL_VERSION, label } from "./version.js";

const WAIT = "wait";
const FEWEST = 2;
const MOST = 16;
const LEAST_CLOCK = 5;
const MOST_CLOCK = 3600;
const TERMS = ["options", "policy", "seats", "race", "clock"];
const FIELDS = ["version", "token", "game", "rules", ...TERMS];

/** Reads and checks a proposal; `identities` are the keys of the seats. */
export function readProposal(bytes) {
  const proposal = unpackFields(bytes, ...FIELDS);
  integer(proposal.version, PROTOCOL_VERSION, PROTOCOL_VERSION);
  binary(proposal.token, 16);
  string(proposal.game);
  integer(proposal.rules, 0);
  if (!(proposal.options instanceof Map)) throw malformed("options that are no map");
  string(proposal.policy);
  const race = fields(proposal.race, "cap", "hold");
  integer(race.cap, 1000, 250_000);
  integer(race.hold, 0, 5_000_000);
  if (proposal.clock !== 0) integer(proposal.clock, LEAST_CLOCK, MOST_CLOCK);
  const seats = readSeats(proposal.seats);
  return {
    bytes,
    id: hash32(utf8(`${label("proposal")}\0`), bytes),
    token: proposal.token,
    game: proposal.game,
    cap: race.cap,
    least: readPolicy(proposal.policy, seats.names.length),
    ...seats,
  };
}

/** How many seats go on together at least; 0 if all wait. */
function readPolicy(policy, seats) {
  if (policy === WAIT) return 0;
  const least = Number(/^carry-on ([1-9][0-9]?)$/.exec(policy)?.[1]);
  if (!(2 * least > seats && least < seats)) throw malformed("a policy that such a table cannot have");
  return least;
}

function readSeats(value) {
  const seats = array(value).map((seat) => array(seat, 3));
  if (seats.length < FEWEST) throw malformed("too few seats");
  if (seats.length > MOST) throw malformed("too many seats");
  const identities = seats.map(([key]) => new IdentityKey(binary(key, 32)));
  if (new Set(identities.map((key) => hex(key.bytes))).size < seats.length)
    throw new Fault("bad-key", "two seats have one identity key", { seat: null });
  const names = seats.map(([, name]) => checkName(name));
  if (new Set(names.map(folded)).size < names.length) throw malformed("two seats go by one name");
  const bots = [...seats.keys()].filter((seat) => boolean(seats[seat][2]));
  return { identities, names, bots };
}

function checkName(name) {
  const fault = nameFault(string(name));
  if (fault !== null) throw malformed(fault);
  return name;
}
