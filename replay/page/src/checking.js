// Runs the verifier beside the page: in a worker, or here where there can be none.

import { only } from "./elements.js";

function logBytes() {
  const text = atob(only("log").textContent.trim());
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Offer the log as a file, and check it; `told({progress})`, then once `told({report})`. */
export function startCheck({ questions, file }, told) {
  const log = logBytes();
  only("save").href = URL.createObjectURL(new Blob([log], { type: "application/octet-stream" }));
  only("save").download = file;
  const here = () => setTimeout(() => told({ report: globalThis.nodealerVerify(log, questions) }));
  told({ progress: { phase: "signatures", done: 0, all: 1 } });
  try {
    const source = new Blob([only("verifier").textContent], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data }) => told(data);
    worker.onerror = ({ message }) => told({ failed: message });
    worker.postMessage({ log, questions });
  } catch {
    here();
  }
}
