// Byte strings as protocol.md, introduction and section 1, builds them.

const encoder = new TextEncoder();

export const utf8 = (text) => encoder.encode(text);

export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function integer(bytes, number, littleEndian) {
  const whole = new Uint8Array(bytes);
  let rest = BigInt(number);
  for (let i = 0; i < bytes; i++, rest >>= 8n)
    whole[littleEndian ? i : bytes - 1 - i] = Number(rest & 255n);
  return whole;
}

/** Integers in hashes are big-endian unless said otherwise. */
export const u32 = (number) => integer(4, number, false);
export const u64 = (number) => integer(8, number, false);
/** The exceptions: the fields every proof begins with (section 4). */
export const littleEndian = (bytes, number) => integer(bytes, number, true);

export const framed = (bytes) => concat(u32(bytes.length), bytes);

export function equal(one, other) {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromLittleEndian(bytes) {
  let number = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) number = (number << 8n) | BigInt(bytes[i]);
  return number;
}

export function fromBigEndian(bytes) {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  return number;
}

/** Cuts bytes into pieces of one size; the length has been checked before. */
export function pieces(bytes, size) {
  const cut = [];
  for (let at = 0; at < bytes.length; at += size) cut.push(bytes.subarray(at, at + size));
  return cut;
}
