// Runs the shipped bundle over logs: cases as JSON on stdin, reports as JSON on stdout.
//
// A case {proof} is one recorded proof (recorder.py), whose verdict is given, null where it holds.
// Any other case is {log: base64, questions}; with flips, [[place, mask], ...], the log is judged once
// for each, with that one byte changed.

import { readFileSync } from "node:fs";

await import(process.argv[2]);

const judge = ({ log, questions, flips, proof }) => {
  if (proof) return globalThis.nodealerJudgeProof(proof);
  const data = new Uint8Array(Buffer.from(log, "base64"));
  if (!flips) return globalThis.nodealerVerify(data, questions);
  return flips.map(([place, mask]) => {
    data[place] ^= mask;
    const { verdict, verified } = globalThis.nodealerVerify(data, questions);
    data[place] ^= mask;
    return { verdict, verified };
  });
};

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(judge)));
