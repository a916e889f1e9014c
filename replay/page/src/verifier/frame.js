// How a file is cut into records: log-format.md. The frame names no seat and no step.

import { malformed } from "./fault.js";
import { utf8 } from "./bytes.js";
import { PROTOCOL_VERSION, magic } from "./version.js";

const LOG = magic("log");
const EVIDENCE = magic("evidence");
const GENESIS = magic("genesis evidence");
const LONGEST = 131_072;
const LONGEST_LOG = 268_435_456;
const SIGNATURE = 64;

class Frames {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  get over() {
    return this.at === this.bytes.length;
  }

  get isWhole() {
    const left = this.bytes.length - this.at - 4;
    if (left < 0) return false;
    const length = this.length;
    return length > 0 && length <= LONGEST && length <= left;
  }

  get length() {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at).getUint32(0);
  }

  next(longest = LONGEST) {
    if (this.bytes.length - this.at < 4) throw malformed("the file ends within a length");
    const length = this.length;
    this.at += 4;
    if (length === 0 || length > longest) throw malformed("a length that is not allowed");
    if (length > this.bytes.length - this.at) throw malformed("the file ends within a frame");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  records() {
    const all = [];
    while (!this.over) all.push(record(this.next()));
    return all;
  }
}

function record(bytes) {
  if (bytes.length <= SIGNATURE) throw malformed("a record without a body");
  const end = bytes.length - SIGNATURE;
  return { bytes, body: bytes.subarray(0, end), signature: bytes.subarray(end) };
}

const begins = (bytes, line) => utf8(line).every((byte, i) => bytes[i] === byte);

function readLog(bytes) {
  const end = written(bytes);
  const frames = new Frames(bytes.subarray(0, end), LOG.length);
  const torn = end < bytes.length;
  return { kind: "log", header: frames.next(), records: frames.records(), torn };
}

/**
 * "Zeros at the end of a log, and a record whose whole signature they are, count as not written":
 * where what was written ends.
 */
function written(bytes) {
  let zeros = bytes.length;
  while (zeros > 0 && bytes[zeros - 1] === 0) zeros--;
  const frames = new Frames(bytes, LOG.length);
  for (let isHeader = true; frames.isWhole; isHeader = false) {
    const start = frames.at;
    frames.next();
    if (!isHeader && frames.at - SIGNATURE >= zeros) return start;
  }
  return frames.at >= zeros ? frames.at : bytes.length;
}

function readEvidence(bytes) {
  const frames = new Frames(bytes, EVIDENCE.length);
  const log = frames.next(LONGEST_LOG);
  if (!begins(log, LOG)) throw malformed("evidence without a log");
  return { ...readLog(log), kind: "evidence", beyond: frames.records() };
}

function readGenesis(bytes) {
  const frames = new Frames(bytes, GENESIS.length);
  return { kind: "genesis", proposal: frames.next(), records: frames.records() };
}

/** The parts of a log, an evidence file or one of a genesis. */
export function readFile(bytes) {
  if (begins(bytes, LOG)) return readLog(bytes);
  if (begins(bytes, EVIDENCE)) return readEvidence(bytes);
  if (begins(bytes, GENESIS)) return readGenesis(bytes);
  throw malformed(refusal(bytes));
}

/** "A log of another version [...] is refused in a sentence that names its version." */
function refusal(bytes) {
  const line = Array.from(bytes.subarray(0, 64), (byte) => String.fromCharCode(byte)).join("");
  const other = /^nodealer (log|evidence|genesis evidence) ([0-9]{1,9})\n/.exec(line);
  if (!other) return "no file of nodealer";
  const ours = `this verifier reads version ${PROTOCOL_VERSION} only`;
  return `this ${other[1]} is of version ${other[2]}, and ${ours}: use the nodealer that wrote it`;
}
