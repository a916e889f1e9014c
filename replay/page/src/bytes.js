// Byte strings: joined, compared, counted, framed, hashed.

import { sha512 as hashOf } from "@noble/hashes/sha2.js";

const encoder = new TextEncoder();

/** Text as UTF-8. */
export const utf8 = (text) => encoder.encode(text);

/** Byte strings and texts, one behind the other. */
export function joined(...parts) {
  const arrays = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const whole = new Uint8Array(arrays.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of arrays) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether two byte strings are the same. */
export function same(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** A number as so many bytes, the highest first. */
export function bigEndian(number, size) {
  const bytes = new Uint8Array(size);
  let rest = BigInt(number);
  for (let at = size - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

/** A number as so many bytes, the lowest first. */
export const littleEndian = (number, size) => bigEndian(number, size).reverse();

/** The number that bytes stand for, the lowest first. */
export function fromLittleEndian(bytes) {
  let digits = "0x";
  for (let at = bytes.length - 1; at >= 0; at--) digits += bytes[at].toString(16).padStart(2, "0");
  return bytes.length ? BigInt(digits) : 0n;
}

/** The bytes in hexadecimal: also the key under which they stand in sets and maps. */
export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** framed(x) of protocol section 1. */
export function framed(part) {
  const bytes = typeof part === "string" ? utf8(part) : part;
  return joined(bigEndian(bytes.length, 4), bytes);
}

/** SHA-512 over everything that is given, joined: 64 bytes. */
export const sha512 = (...parts) => hashOf(joined(...parts));

/** "hash" of protocol section 1: the first 32 bytes of SHA-512. */
export const hash32 = (...parts) => sha512(...parts).slice(0, 32);
