// The verdict on the page: a colour, a name, a reason, what was checked and what was not.

import { element, only } from "./elements.js";

const data = JSON.parse(only("data").textContent);
const PHASES = { signatures: "signatures and chain", proofs: "shuffles, shares and oaths" };
const CLASSES = { complete: "good", "closed-without": "good", unfinished: "open" };
const SHARE = { signatures: 0.2, proofs: 0.8 };
const COUNTED = [
  ["shuffles", "Shuffles, each proven to keep every card and to add none"],
  ["shares", "Shares of decryption, each proven to come from the right key"],
  ["transfers", "Cards moved to another key, each proven to stay the same card"],
  ["oaths", "Oaths about cards that are not held, each proven"],
  ["coins", "Public random values, made of everybody's proven shares"],
  ["openings", "Secret choices, each opened as it was committed to"],
  ["forfeits", "Secret choices that were forfeited: not opened as committed to"],
  ["races", "Contested races, decided again from what the witnesses signed"],
];
const NOT = [
  "The rules of the game: whose turn it was, whether an act was allowed, which oath was due, and the result. What the rules asked for was written into this page by the program that made it; proofs are bound to the slots that it names, so they fail if it names others.",
  "The digests of the public state, beyond that all seats signed the same one.",
  "The words and tables that tell the game: they too come from the program that made this page.",
  "This page itself: whoever gave it to you could have changed its programs. If that matters, save the log and check it with a program that you got elsewhere.",
  "What no check can show: two players on the telephone, and who really held the keys.",
];

/** Show how far the check is, or what it found. */
export function showVerdict({ progress, report, failed }) {
  if (progress) return showProgress(progress);
  if (failed) return announce("bad", "Not checked", `the check failed to run: ${failed}`);
  const false_ = falseStory(report);
  if (false_) return announce("bad", "False story", false_, report);
  return announce(
    CLASSES[report.verdict] ?? "bad",
    report.verdict,
    where(report) + report.reason,
    report,
  );
}

function showProgress({ phase, done, all }) {
  const before = phase === "proofs" ? SHARE.signatures : 0;
  only("progress").value = before + (SHARE[phase] * done) / Math.max(1, all);
  announce("waiting", "Checking", `${PHASES[phase]}, ${done} of ${all}`);
}

/** The page may not tell of other players or another result than the log that it carries. */
function falseStory({ names, result, verified }) {
  if (names && names.join("\n") !== data.names.join("\n"))
    return "this page names other players than its log";
  if (verified && result && JSON.stringify(result) !== JSON.stringify(data.result))
    return "this page tells another result than all seats signed";
  return null;
}

function where({ seat, step, names }) {
  const parts = [];
  if (seat !== null) parts.push(`seat ${seat}${names?.[seat] ? ` (${names[seat]})` : ""}`);
  if (step !== null && seat !== null) parts.push(`step ${step}`);
  return parts.length ? `${parts.join(", ")}: ` : "";
}

function announce(kind, word, reason, report) {
  only("verdict").className = kind;
  only("verdict").dataset.verdict = report ? report.verdict : "";
  only("verdict-word").textContent = `${word}:`;
  only("verdict-reason").textContent = reason;
  if (!report) return;
  only("progress").hidden = true;
  only("checked").replaceChildren(...explain(report));
}

function explain({ counts, signatures, steps, table, names, keys }) {
  const checked = COUNTED.filter(([name]) => counts[name]).map(
    ([name, words]) => `${words}: ${counts[name]}`,
  );
  const all = [
    `Keys of the seats, each proven to be held: ${names?.length ?? 0}`,
    `Signatures, each over everything that came before it: ${signatures}`,
    `Steps, none missing, doubled or moved: ${steps}`,
    ...checked,
  ];
  const list = (lines) =>
    element(
      "ul",
      {},
      lines.map((line) => element("li", {}, [line])),
    );
  const parts = [
    element("p", {}, [
      "Checked in this browser, by a second program that shares no code with the first:",
    ]),
    list(all),
    element("p", {}, ["Not checked here:"]),
    list(NOT),
  ];
  if (data.audit)
    parts.push(
      element("p", {}, [
        `The program that made this page, which also ran the rules, says: ${data.audit}`,
      ]),
    );
  if (names) parts.push(seatsTable(names, keys, table));
  return parts;
}

function seatsTable(names, keys, table) {
  const row = (one, other) =>
    element("tr", {}, [element("td", {}, [one]), element("td", {}, [other])]);
  return element("table", {}, [
    row("table id", table),
    ...names.map((name, seat) => row(`key of ${name}`, keys[seat])),
  ]);
}
