// A table key in shares: protocol.md section 3, "Keys in shares"; section 5, "Lost players".

import { combine, inverse, modulo } from "./group.js";

/** At which place of the owner's polynomial the share of a seat is; 0 is the owner's own. */
export const placeOf = (owner, seat, seats) => (seat - owner + seats) % seats;

/** Lagrange: the weight of the value at each of these places in that at `place`. */
export function weightsAt(place, places) {
  return places.map((own) =>
    places
      .filter((other) => other !== own)
      .map((other) => modulo(BigInt(place - other) * inverse(modulo(BigInt(own - other)))))
      .reduce((product, factor) => modulo(product * factor), 1n),
  );
}

/** E_d, from E_0 (the table key), ..., E_(T-1). */
export function imageAt(images, place) {
  if (place < images.length) return images[place];
  return combine(images, weightsAt(place, [...images.keys()]));
}
