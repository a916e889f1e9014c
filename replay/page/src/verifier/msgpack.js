// MessagePack in the one strict form of protocol.md section 1.
// Read by hand: a lenient decoder would hide long forms, repeated keys and broken UTF-8.

import { malformed } from "./fault.js";

const DEPTH = 6;
const ITEMS = 4096;

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.items = 0;
  }

  /** "At most 4,096 items in all arrays and maps of it together, keys and values counted." */
  enter(count, depth) {
    this.items += count;
    if (depth >= DEPTH) throw malformed("nested too deep");
    if (this.items > ITEMS) throw malformed("too many items");
  }

  take(count) {
    if (count > this.bytes.length - this.at) throw malformed("MessagePack ends too early");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  unsigned(size) {
    this.take(size);
    const at = this.at - size;
    if (size === 1) return this.view.getUint8(at);
    if (size === 2) return this.view.getUint16(at);
    if (size === 4) return this.view.getUint32(at);
    return narrow(this.view.getBigUint64(at));
  }

  negative(size) {
    this.take(size);
    const at = this.at - size;
    if (size === 1) return this.view.getInt8(at);
    if (size === 2) return this.view.getInt16(at);
    if (size === 4) return this.view.getInt32(at);
    return narrow(this.view.getBigInt64(at));
  }

  /** A number that needed the form it came in: anything below `least` has a shorter one. */
  shortest(size, least) {
    const value = this.unsigned(size);
    if (value < least) throw malformed("not the shortest form");
    return value;
  }
}

const narrow = (big) => (big >= -(2n ** 53n) && big <= 2n ** 53n ? Number(big) : big);

/** The value that `bytes` are, all of them; maps as Map, binaries as Uint8Array. */
export function unpack(bytes) {
  const reader = new Reader(bytes);
  const value = item(reader, 0);
  if (reader.at !== bytes.length) throw malformed("bytes behind the MessagePack value");
  return value;
}

function item(reader, depth) {
  const tag = reader.unsigned(1);
  if (tag <= 0x7f) return tag;
  if (tag <= 0x8f) return map(reader, tag & 15, depth);
  if (tag <= 0x9f) return array(reader, tag & 15, depth);
  if (tag <= 0xbf) return text(reader, tag & 31);
  if (tag >= 0xe0) return tag - 256;
  return tagged(reader, tag, depth);
}

function tagged(reader, tag, depth) {
  switch (tag) {
    case 0xc0: return null;
    case 0xc2: return false;
    case 0xc3: return true;
    case 0xc4: return reader.take(reader.unsigned(1));
    case 0xc5: return reader.take(reader.shortest(2, 0x100));
    case 0xc6: return reader.take(reader.shortest(4, 0x10000));
    case 0xcc: return reader.shortest(1, 0x80);
    case 0xcd: return reader.shortest(2, 0x100);
    case 0xce: return reader.shortest(4, 0x10000);
    case 0xcf: return reader.shortest(8, 0x100000000);
    case 0xd0: return below(reader.negative(1), -0x20);
    case 0xd1: return below(reader.negative(2), -0x80);
    case 0xd2: return below(reader.negative(4), -0x8000);
    case 0xd3: return below(reader.negative(8), -0x80000000);
    case 0xd9: return text(reader, reader.shortest(1, 32));
    case 0xda: return text(reader, reader.shortest(2, 0x100));
    case 0xdb: return text(reader, reader.shortest(4, 0x10000));
    case 0xdc: return array(reader, reader.shortest(2, 16), depth);
    case 0xdd: return array(reader, reader.shortest(4, 0x10000), depth);
    case 0xde: return map(reader, reader.shortest(2, 16), depth);
    case 0xdf: return map(reader, reader.shortest(4, 0x10000), depth);
    default: throw malformed("a type that is not allowed");
  }
}

function below(value, limit) {
  if (value >= limit) throw malformed("not the shortest form");
  return value;
}

function text(reader, length) {
  const bytes = reader.take(length);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed("a string that is not UTF-8");
  }
}

function array(reader, count, depth) {
  reader.enter(count, depth);
  const items = [];
  for (let i = 0; i < count; i++) items.push(item(reader, depth + 1));
  return items;
}

function map(reader, count, depth) {
  reader.enter(2 * count, depth);
  const entries = new Map();
  for (let i = 0; i < count; i++) {
    const key = item(reader, depth + 1);
    if (typeof key !== "string") throw malformed("a key that is no string");
    if (entries.has(key)) throw malformed("a key stands twice");
    entries.set(key, item(reader, depth + 1));
  }
  return entries;
}
