// Types of what was unpacked. A wrong shape is `malformed` (protocol.md section 8).

import { malformed } from "./fault.js";
import { unpack } from "./msgpack.js";

/** A boolean is no integer: unpack() keeps them apart. */
export const isInteger = (value) => typeof value === "number" || typeof value === "bigint";

/** A map with exactly these keys, in any order, as a plain object. */
export function fields(value, ...names) {
  if (!(value instanceof Map)) throw malformed("no map where one should be");
  if (value.size !== names.length || !names.every((name) => value.has(name)))
    throw malformed(`a map with other fields than ${names.join(", ")}`);
  return Object.fromEntries(value);
}

const TYPES = {
  nil: (value) => value === null,
  integer: isInteger,
  binary: (value) => value instanceof Uint8Array,
  array: Array.isArray,
  map: (value) => value instanceof Map,
  string: (value) => typeof value === "string",
};

/** A map whose fields have these types; what they hold is looked at later (section 8, "Order"). */
export function typedFields(value, types) {
  const read = fields(value, ...Object.keys(types));
  for (const [name, allowed] of Object.entries(types))
    if (!allowed.split(" or ").some((type) => TYPES[type](read[name])))
      throw malformed(`the field ${name} has another type`);
  return read;
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

export function integer(value, least = -Infinity, most = Infinity) {
  if (!isInteger(value)) throw malformed("no integer where one should be");
  if (value < least || value > most) throw malformed("an integer out of range");
  return value;
}

export function string(value) {
  if (typeof value !== "string") throw malformed("no string where one should be");
  return value;
}

export function boolean(value) {
  if (typeof value !== "boolean") throw malformed("no boolean where one should be");
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
