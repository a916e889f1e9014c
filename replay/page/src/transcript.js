// The transcript of every proof (protocol section 1).

import { bigEndian, framed, fromLittleEndian, joined, sha512 } from "./bytes.js";
import { toScalar } from "./group.js";

const WIDTH = 16;
const BLOCK = 64;

export class Transcript {
  #state;

  constructor(label) {
    this.#state = sha512("nodealer transcript", framed(label));
  }

  /** A transcript that has come to this state. */
  static resumed(state) {
    const transcript = new Transcript("");
    transcript.#state = state;
    return transcript;
  }

  append(label, ...data) {
    const parts = data.map(framed);
    const count = bigEndian(data.length, 4);
    this.#state = sha512(this.#state, Uint8Array.of(0), framed(label), count, ...parts);
    return this;
  }

  appendNumbers(label, ...numbers) {
    return this.append(label, ...numbers.map((number) => bigEndian(number, 8)));
  }

  #draw(label) {
    const drawn = sha512(this.#state, Uint8Array.of(1), framed(label));
    this.#state = sha512(this.#state, Uint8Array.of(2), framed(label));
    return drawn;
  }

  challenge(label) {
    return toScalar(this.#draw(label));
  }

  challenges(label, count) {
    const seed = this.#draw(label);
    const blocks = Array.from({ length: Math.ceil((count * WIDTH) / BLOCK) }, (_, block) =>
      sha512(seed, bigEndian(block, 4)),
    );
    const stream = joined(...blocks);
    return Array.from({ length: count }, (_, at) =>
      fromLittleEndian(stream.subarray(WIDTH * at, WIDTH * (at + 1))),
    );
  }
}
