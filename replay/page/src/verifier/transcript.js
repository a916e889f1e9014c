// The transcript behind every proof: protocol.md section 1, and its beginning in section 4.

import { sha512 } from "@noble/hashes/sha2.js";
import { concat, framed, fromLittleEndian, littleEndian, pieces, u32, u64, utf8 } from "./bytes.js";
import { encode, toScalar } from "./group.js";
import { PROTOCOL_VERSION } from "./version.js";

const WEIGHT_BYTES = 16;

export class Transcript {
  constructor(label) {
    this.state = sha512(concat(utf8("nodealer transcript"), framed(utf8(label))));
  }

  /** A transcript that has come to this state. */
  static at(state) {
    const transcript = new Transcript("");
    transcript.state = state;
    return transcript;
  }

  append(label, ...data) {
    const head = [this.state, Uint8Array.of(0), framed(utf8(label)), u32(data.length)];
    this.state = sha512(concat(...head, ...data.map(framed)));
    return this;
  }

  appendNumbers(label, ...numbers) {
    return this.append(label, ...numbers.map(u64));
  }

  appendPoints(label, ...points) {
    return this.append(label, ...points.map(encode));
  }

  draw(label) {
    const named = framed(utf8(label));
    const drawn = sha512(concat(this.state, Uint8Array.of(1), named));
    this.state = sha512(concat(this.state, Uint8Array.of(2), named));
    return drawn;
  }

  challenge(label) {
    return toScalar(this.draw(label));
  }

  challenges(label, count) {
    const seed = this.draw(label);
    const stream = [];
    for (let block = 0; block * 64 < count * WEIGHT_BYTES; block++)
      stream.push(sha512(concat(seed, u32(block))));
    return pieces(concat(...stream), WEIGHT_BYTES).slice(0, count).map(fromLittleEndian);
  }
}

/** What every proof of an entry begins with: `table` has id and key set, `entry` previous, step, seat. */
export function proofTranscript(table, entry, operation, slots) {
  return new Transcript("nodealer proof")
    .append("protocol", littleEndian(4, PROTOCOL_VERSION))
    .append("table", table.id)
    .append("previous", entry.previous)
    .append("step", littleEndian(8, entry.step))
    .append("seat", littleEndian(2, entry.seat))
    .append("operation", utf8(operation))
    .append("slots", ...slots.map((slot) => littleEndian(4, slot)))
    .append("keys", ...table.everybody.map((seat) => encode(table.keys[seat])));
}
