// The frame of a log and of an evidence file (log-format).

import { same, utf8 } from "./bytes.js";
import { RECORD_MAX } from "./messagepack.js";
import { demand } from "./refusal.js";

const LOG = utf8("nodealer log 1\n");
const EVIDENCE = utf8("nodealer evidence 1\n");
const GENESIS = utf8("nodealer genesis evidence 1\n");
const LOG_MAX = 256 * 1024 * 1024;

/** The header, the records, and what was signed beyond them (only in evidence). */
export function splitFile(data) {
  if (!begins(data, EVIDENCE)) return { ...splitLog(data), beyond: [] };
  const parts = frames(data, EVIDENCE.length, LOG_MAX);
  demand(parts.length > 0, "malformed", "the evidence holds no log");
  return { ...splitLog(parts[0]), beyond: parts.slice(1) };
}

/** The proposal and the records of evidence of a table that never began; null for another file. */
export function splitGenesis(data) {
  if (!begins(data, GENESIS)) return null;
  const [proposed, ...records] = frames(data, GENESIS.length, RECORD_MAX);
  demand(proposed !== undefined, "malformed", "nothing was proposed");
  return { proposed, records };
}

function splitLog(data) {
  demand(begins(data, LOG), "malformed", "this is not a nodealer log of version 1");
  const [header, ...records] = frames(data, LOG.length, RECORD_MAX);
  demand(header !== undefined, "malformed", "the log has no header");
  return { header, records };
}

const begins = (data, magic) => same(data.subarray(0, magic.length), magic);

function frames(data, start, largest) {
  const found = [];
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  for (let at = start; at < data.length;) {
    const size = data.length - at >= 4 ? view.getUint32(at) : 0;
    const whole = size > 0 && size <= largest && at + 4 + size <= data.length;
    demand(whole, "malformed", "the file is cut short or garbled");
    found.push(data.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return found;
}
