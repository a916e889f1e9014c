// The verifier (verifier/) as it stands in a page: in a worker it answers messages, elsewhere it is
// a function.

import { judgeProof } from "./verifier/recorded.js";
import { verify } from "./verifier/verify.js";

const EVERY_MS = 100;

globalThis.nodealerVerify = verify;
globalThis.nodealerJudgeProof = judgeProof;

if (typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope) {
  globalThis.onmessage = ({ data: { log, questions } }) => {
    let told = 0;
    const progress = (state) => {
      if (performance.now() - told < EVERY_MS) return;
      told = performance.now();
      globalThis.postMessage({ progress: state });
    };
    globalThis.postMessage({ report: verify(log, questions, progress) });
  };
}
