// A table key in shares: protocol.md section 3, "Keys in shares"; section 5, "Lost players".

import { combine, inverse, modulo } from "./group.js";

/** f_s(j + 1) G of a seat j, from the commitments to the coefficients of f_s, the first of which is Y_s. */
export function imageOf(promised, seat) {
  const at = BigInt(seat + 1);
  const powers = [1n];
  while (powers.length < promised.length) powers.push(modulo(powers.at(-1) * at));
  return combine(promised, powers);
}

/** Lagrange: the weight of f(j + 1) in f(0) for each of these seats j. */
export const weightsAtZero = (seats) =>
  seats.map((seat) =>
    seats
      .filter((other) => other !== seat)
      .map((other) => modulo(BigInt(other + 1) * inverse(modulo(BigInt(other - seat)))))
      .reduce((product, factor) => modulo(product * factor), 1n),
  );
