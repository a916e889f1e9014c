// The verdict on the page: a colour, a name, a reason, what was checked and what was not.

import { element, marked, only } from "./elements.js";

const data = JSON.parse(only("data").textContent);
const PHASES = { signatures: "signatures and chain", proofs: "shuffles, shares and oaths" };
const CLASSES = { complete: "good", "closed-without": "open", unfinished: "open" };
/** Where all have been told who is gone. */
const CLOSED = ["complete", "closed-without"];
const SHARE = { signatures: 0.2, proofs: 0.8 };
/** What is proven if nothing is wrong, in a sentence. */
const PROVEN =
  "every shuffle was fair, every card that was shown is the one that was dealt, and nothing was changed afterwards";
const SENTENCES = {
  complete: ["Proven", (report) => `${PROVEN}; ${signers(report)} signed this result.${lostOnes(report)}`],
  "closed-without": ["Proven in part", (report) => report.reason + dotted(lostOnes(report))],
  unfinished: [
    "Proven so far",
    (report) => `${PROVEN}; the game is not over: ${report.reason}.${lostOnes(report)}`,
  ],
};
const signers = ({ left, lost }) => (left.length + lost.length ? "all players who were left" : "all players");
const dotted = (more) => more && `.${more}`;

/** Whom the others went on without, and what is proven to whoever trusts nobody else. */
const lostOnes = ({ names, lost }) => lost.map((one) => ` ${lostOne(names, one)}`).join("");

function lostOne(names, { seat, step, last }) {
  const who = names[seat];
  const word = last === null ? `${who} signed no step, and all of it` : `what follows step ${last}, the last that ${who} signed,`;
  return `The others went on without ${who} from step ${step} on; ${word} is their word.`;
}
/** An accusation is as good as the questions that it was found under (log format, "Questions"). */
const TOLD = "This is judged by what this page claims that the rules asked.";
/** What the verifier cannot say, since it knows only the log. */
const NOT = [
  "The words and tables that tell the game: like the questions of the rules, they come from the program that made this page.",
  "This page itself: whoever gave it to you could have changed its programs. If that matters, save the log and check it with a program that you got elsewhere.",
  "What no check can show: two players on the telephone, and who really held the keys.",
];

/** Show how far the check is, or what it found. */
export function showVerdict({ progress, report, failed }) {
  if (progress) return showProgress(progress);
  if (failed) return announce("bad", "Not checked", `the check failed to run: ${failed}`);
  const false_ = falseStory(report);
  if (false_) return announce("bad", "False story", false_, report);
  if (report.verdict === null) return announce("open", "No verdict", undecided(report), report);
  const colour = CLASSES[report.verdict] ?? "bad";
  // Green is for what the verifier calls verified, whatever the name of the verdict.
  const sound = colour !== "good" || report.verified;
  if (sound && Object.hasOwn(SENTENCES, report.verdict)) {
    const [word, sentence] = SENTENCES[report.verdict];
    return announce(colour, word, sentence(report), report);
  }
  const told = colour === "bad" && report.seat !== null ? `. ${TOLD}` : "";
  const reason = where(report) + report.reason + told;
  return announce(sound ? colour : "open", report.verdict, reason, report);
}

/** Nothing wrong was found, but not all could be judged: what the maker of the page claims is told as such. */
function undecided({ reason, names }) {
  const { stopped } = data.questions;
  if (!stopped) return reason;
  const claim = `${stopped.verdict}: ${where({ ...stopped, names })}${stopped.reason}`;
  return `${reason}. The program that made this page says ${claim}`;
}

function showProgress({ phase, done, all }) {
  const before = phase === "proofs" ? SHARE.signatures : 0;
  only("progress").value = before + (SHARE[phase] * done) / Math.max(1, all);
  announce("waiting", "Checking", `${PHASES[phase]}, ${done} of ${all}`);
}

/** The page may not tell of other players or another result than the log that it carries. */
function falseStory({ verdict, names, bots, result, left, lost }) {
  if (names && names.join("\n") !== data.names.join("\n"))
    return "this page names other players than its log";
  if (bots && bots.join() !== data.bots.join())
    return "this page calls others bots than its log";
  const sound = Object.hasOwn(CLASSES, verdict);
  if (sound && result && JSON.stringify(result) !== JSON.stringify(data.result))
    return "this page tells another result than was signed";
  const gone = [...left, ...lost].map(({ seat }) => seat);
  if (CLOSED.includes(verdict) && gone.sort().join() !== emptyChairs().sort().join())
    return "this page leaves other chairs empty than its log";
  return null;
}

/** Whose chairs are empty at the end of the story. */
function emptyChairs() {
  const last = data.steps.at(-1);
  return last === undefined ? [] : [...data.tables[last.table].empty];
}

function where({ seat, step, names }) {
  const parts = [];
  if (seat !== null) parts.push(`seat ${seat}${names?.[seat] ? ` (${names[seat]})` : ""}`);
  if (step !== null && seat !== null) parts.push(`step ${step}`);
  return parts.length ? `${parts.join(", ")}: ` : "";
}

function announce(kind, word, reason, report) {
  only("verdict").className = kind;
  only("verdict").dataset.verdict = report ? (report.verdict ?? "none") : "";
  only("verdict-word").textContent = `${word}:`;
  only("verdict-reason").textContent = reason;
  if (!report) return;
  only("progress").hidden = true;
  only("checked").replaceChildren(...explain(report));
}

function explain({ checked, unchecked, table, names, bots, keys }) {
  const list = (lines) =>
    element(
      "ul",
      {},
      lines.map((line) => element("li", {}, [line])),
    );
  const parts = [
    element("p", {}, [
      "Checked in this browser, by a second program that was written from the description of the protocol by somebody who had not seen the first:",
    ]),
    list(checked.length ? checked : ["Nothing: the log could not be read so far."]),
    element("p", {}, ["Not checked here:"]),
    list([...unchecked, ...NOT]),
  ];
  if (data.audit)
    parts.push(
      element("p", {}, [
        `The program that made this page, which also ran the rules, says: ${data.audit}`,
      ]),
    );
  if (names) parts.push(seatsTable(marked(names, bots), keys, table));
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
