// Types of what was unpacked. A wrong shape is `malformed` (protocol.md section 8).

import { malformed } from "./fault.js";
import { unpack } from "./msgpack.js";

/** A map with exactly these keys, in any order, as a plain object. */
export function fields(value, ...names) {
  if (!(value instanceof Map)) throw malformed("no map where one should be");
  if (value.size !== names.length || !names.every((name) => value.has(name)))
    throw malformed(`a map with other fields than ${names.join(", ")}`);
  return Object.fromEntries(value);
}

export const unpackFields = (bytes, ...names) => fields(unpack(bytes), ...names);

export function binary(value, length) {
  if (!(value instanceof Uint8Array)) throw malformed("no binary where one should be");
  if (length !== undefined && value.length !== length)
    throw malformed(`${value.length} bytes where ${length} should be`);
  return value;
}

export function array(value, length) {
  if (!Array.isArray(value)) throw malformed("no array where one should be");
  if (length !== undefined && value.length !== length)
    throw malformed(`${value.length} items where ${length} should be`);
  return value;
}

/** A boolean is no integer: unpack() keeps them apart. */
export const isInteger = (value) => typeof value === "number" || typeof value === "bigint";

export function integer(value, least = -Infinity, most = Infinity) {
  if (!isInteger(value)) throw malformed("no integer where one should be");
  if (value < least || value > most) throw malformed("an integer out of range");
  return value;
}

export function string(value) {
  if (typeof value !== "string") throw malformed("no string where one should be");
  return value;
}

/** Equality of unpacked values, whatever the order of keys. */
export function same(one, other) {
  if (one instanceof Uint8Array || Array.isArray(one))
    return one.constructor === other?.constructor && one.length === other.length && every(one, other);
  if (one instanceof Map)
    return other instanceof Map && one.size === other.size &&
      [...one].every(([key, value]) => other.has(key) && same(value, other.get(key)));
  return one === other;
}

const every = (one, other) => Array.from(one).every((value, i) => same(value, other[i]));
