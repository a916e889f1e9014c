// The end of the game: protocol.md section 5, and section 8 "Names of faults".

import { equal } from "../bytes.js";
import { Fault } from "../fault.js";
import { array, binary, fields, integer, isInteger, same } from "../shape.js";

const otherState = (reason, seat) => new Fault("state-mismatch", reason, { seat });

/** All sign that the game is over, after how many steps and with which result. */
export function* close(table) {
  let first;
  const check = (entry) => {
    const { steps, head, result } = fields(entry.payload, "steps", "head", "result");
    integer(steps);
    binary(head);
    const numbers = array(result).every(isInteger);
    if (steps !== entry.step || !equal(head, entry.previous) || !numbers)
      throw otherState("a seat closes another log");
    first ??= { result };
    if (!same(first.result, result)) throw otherState("the seats signed different results", null);
    table.result = result;
  };
  yield { kind: "close", seats: table.everybody, check };
}
