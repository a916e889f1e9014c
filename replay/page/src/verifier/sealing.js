// Shares of table keys on their way, and complaints about them: protocol.md section 3, "Keys in shares".

import { pieces } from "./bytes.js";
import { blaming, Fault, malformed } from "./fault.js";
import { decodePoint, decodeScalar, encode, G, modulo } from "./group.js";
import { checkShares } from "./proofs/shares.js";
import { array, binary, integer } from "./shape.js";
import { imageAt, placeOf } from "./sharing.js";
import { Transcript } from "./transcript.js";

const SCALAR = 32;
const COMPLAINT = 96;
const badKey = (reason, seat) => new Fault("bad-key", reason, { seat });

/** What one seat has sealed for each other one: {bytes, scalar} by receiver. */
export function readSealed(value, seat, seats) {
  const parts = pieces(binary(value, SCALAR * (seats - 1)), SCALAR);
  const others = Array.from({ length: seats }, (_, other) => other).filter((other) => other !== seat);
  return new Map(others.map((other, i) => [other, readOne(parts[i])]));
}

export const readOne = (bytes) => ({ bytes, scalar: decodeScalar(bytes, malformed) });

/** The shape of a complaint by this seat. */
export function readComplaint(value, seat, seats) {
  const [about, shown] = array(value, 2);
  if (integer(about, 0, seats - 1) === seat) throw malformed("a complaint about oneself");
  return { sender: about, ...readShown(shown) };
}

/** The 96 bytes of a complaint. */
export function readShown(value) {
  const bytes = binary(value, COMPLAINT);
  return { shared: decodePoint(bytes.subarray(0, SCALAR)), proof: bytes.subarray(SCALAR) };
}

/** Throws whose fault a complaint shows: "in each case no table begins". `keys` is what all seats have shown. */
export function judgeComplaint({ proposal, bound, keys }, receiver, { sender, ...shown }) {
  const { images, sealing, sealed } = keys[sender];
  const between = new Transcript("nodealer sealed share")
    .append("token", proposal.token)
    .append("bound", ...bound)
    .appendPoints("promised", ...images)
    .appendNumbers("seats", sender, receiver);
  const errand = {
    state: between.state,
    keys: [sealing, keys[receiver].sealing],
    image: imageAt(images, placeOf(sender, receiver, keys.length)),
  };
  blaming(receiver, undefined, () => checkComplaint(errand, sealed.get(receiver), shown));
  throw badKey("a share of a key is not the promised one", sender);
}

/**
 * Whether a complaint is right: `state` is that of the transcript up to the seats, `keys` are the sealing
 * keys of sender and receiver, `image` is what the share has to fit.
 */
export function checkComplaint({ state, keys: [from, to], image }, sealed, { shared, proof }) {
  checkShares(Transcript.at(state).append("complaint", sealed.bytes), to, [[from, shared]], proof);
  const mask = Transcript.at(state).append("shared", encode(shared)).challenge("mask");
  const share = modulo(sealed.scalar - mask);
  if (share !== 0n && G.multiply(share).equals(image)) throw badKey("a complaint about a share that is right");
}
