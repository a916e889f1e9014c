// The strict form of MessagePack (protocol section 1) and the shapes of maps.

import { decode, encode } from "@msgpack/msgpack";
import { same } from "./bytes.js";
import { demand } from "./refusal.js";

export const RECORD_MAX = 131_072;
const DEPTH_MAX = 6;
const ITEMS_MAX = 4096;
const SAFE = { useBigInt64: true };

/** The one encoding of a value. */
export const pack = (value) => encode(value, SAFE);

/** The value of a strict encoding; `malformed` for anything else. */
export function unpack(data) {
  demand(data.length <= RECORD_MAX, "malformed", "a message is too large");
  let value = null;
  let reason = "not the one encoding";
  let canonical = false;
  try {
    value = decode(data, {
      ...SAFE,
      maxExtLength: 0,
      maxArrayLength: ITEMS_MAX,
      maxMapLength: ITEMS_MAX,
    });
    canonical = same(pack(value), data);
  } catch {
    reason = "no MessagePack, or of a kind that is not used";
  }
  demand(canonical, "malformed", `a message cannot be read: ${reason}`);
  demand(plain(value, DEPTH_MAX), "malformed", "a message holds a forbidden type or is too deep");
  return value;
}

function plain(value, depth) {
  if (Array.isArray(value)) return depth > 0 && value.every((item) => plain(item, depth - 1));
  if (isMap(value)) {
    const parts = Object.entries(value);
    return depth > 0 && parts.every(([key, item]) => kinds.str(key) && plain(item, depth - 1));
  }
  if (typeof value === "bigint") return value > 0xffffffffn || value < -0x80000000n;
  return ["nil", "int", "str", "bin", "bool"].some((kind) => kinds[kind](value));
}

function isMap(value) {
  return (
    value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype
  );
}

const kinds = {
  nil: (value) => value === null,
  int: (value) => Number.isSafeInteger(value) || typeof value === "bigint",
  bool: (value) => typeof value === "boolean",
  // The library reads half of a surrogate pair as if it were a character; UTF-8 has none.
  str: (value) => typeof value === "string" && !/\p{Surrogate}/u.test(value),
  bin: (value) => value instanceof Uint8Array,
  list: (value) => Array.isArray(value),
  map: isMap,
};

/**
 * `value` as a map with exactly the keys of `shape`; each field is of one of the kinds named
 * there, "nil|bin" for instance.
 */
export function take(value, shape) {
  const keys = Object.keys(shape);
  const fits = isMap(value) && Object.keys(value).length === keys.length;
  demand(
    fits && keys.every((key) => Object.hasOwn(value, key)),
    "malformed",
    "a message has not the fields it should have",
  );
  for (const key of keys) exactly(value[key], shape[key], `the field ${key}`);
  return value;
}

/** `value` if it is of one of these kinds. */
export function exactly(value, allowed, what) {
  const known = allowed.split("|").some((kind) => kinds[kind](value));
  demand(known, "malformed", `${what} has the wrong type`);
  return value;
}

/** `value` if it is exactly so many bytes. */
export function octets(value, size, what) {
  demand(kinds.bin(value) && value.length === size, "malformed", `${what} has the wrong length`);
  return value;
}
