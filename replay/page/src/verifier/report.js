// What a reader of the report is told: counts, and sentences about what was and was not checked.

import { hex } from "./bytes.js";

export const newCounts = () => ({
  keys: 0, signatures: 0, beyond: 0, ballots: 0, votes: 0, entries: 0, steps: 0, shuffles: 0, shares: 0, transfers: 0,
  oaths: 0, openings: 0, forfeits: 0, coins: 0, races: 0, contested: 0, disputes: 0,
});

const CHECKED = [
  ["keys", "Keys of the seats, each proven to be held"],
  ["signatures", "Signatures, each over everything that came before it"],
  ["beyond", "Records beyond a log, each with the signature of its seat"],
  ["ballots", "Ballots, one of each seat that stayed about each that was gone"],
  ["votes", "Votes by which all others went on without a seat that was gone"],
  ["steps", "Whole steps, none missing, doubled or moved"],
  ["shuffles", "Shuffles, each proven to keep every card and to add none"],
  ["shares", "Shares of decryption, each proven to come from the right key"],
  ["transfers", "Cards moved to another key, each proven to stay the same card"],
  ["oaths", "Oaths about cards that are not held, each proven"],
  ["coins", "Public random values, made of everybody's proven shares"],
  ["openings", "Secrets that were opened, each as it had been committed to"],
  ["forfeits", "Secret choices that were forfeited: not opened as committed to"],
  ["contested", "Contested races, decided again from what the witnesses signed"],
];

/** Sentences about what held; nothing is said of what was not met. */
const checkedSentences = (counts) =>
  CHECKED.filter(([name]) => counts[name]).map(([name, words]) => `${words}: ${counts[name]}`);

const RULES =
  "The rules of the game: whether they asked these questions (a claim of whoever made them; proofs are bound to the slots that they name, so they fail if these are others), which cards a rule names, and whether an act was allowed beyond its proofs.";
const DIGESTS =
  "The digests of the public state, beyond that all entries of a step carry the same one.";
const RESULTS = {
  complete: "The result, beyond that all seats that were left signed the same one.",
  "closed-without": "The result, beyond that the seats that stayed signed the same one.",
};

/** Section 8, "Without the rules it stays open"; nothing is said of what was not met. */
const openQuestions = (verdict, { entries }, result) =>
  [RULES, entries && DIGESTS, result && (RESULTS[verdict] ?? "The result.")].filter(Boolean);

/** Whose table it is, as far as it was read: the id, a name and an identity key a seat, bots, who left or was lost. */
function told({ id, names, identities, bots, result, left, lost }) {
  return {
    table: id ? hex(id) : null,
    names: names ?? null,
    keys: identities?.map(({ bytes }) => hex(bytes)) ?? null,
    bots: bots ?? null,
    result: result?.map(Number) ?? null,
    left: left ?? [],
    lost: lost ?? [],
  };
}

const NOTHING_READ = { verdict: null, seat: null, step: null, provenTo: null, reason: "" };

/** A reason that names a seat by its number names its player, if the file says who that is. */
const named = (reason, names) => reason.replace(/\bseat (\d+)\b/g, (said, seat) => names?.[seat] ?? said);

/** `found` is {verdict, seat, step, provenTo, reason}, without the fields that have nothing to say. */
export function makeReport(found, { counts, table }, unchecked = []) {
  return {
    ...NOTHING_READ,
    ...found,
    reason: named(found.reason ?? "", table.names),
    ...told(table),
    verified: found.verdict === "complete" && !unchecked.length,
    counts,
    checked: checkedSentences(counts),
    unchecked: [...unchecked, ...openQuestions(found.verdict, counts, table.result)],
  };
}
