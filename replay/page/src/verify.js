// The verdict on a log, without running the rules of the game.
//
// `questions` is what the rules asked for, as the program that made the page found it (log
// format, questions). It is a claim: it says which slots an act is about, and these are bound
// into every proof, so a false one makes proofs fail. Whether the rules had to ask so is not
// checked here.

import { hex, same } from "./bytes.js";
import { checkBallots, extend, readChain } from "./chain.js";
import { splitFile, splitGenesis } from "./file.js";
import { checkGenesis } from "./genesis.js";
import { readHeader } from "./header.js";
import { choose, layAll, layDown, play, swear } from "./laying.js";
import { pack, take } from "./messagepack.js";
import { race } from "./racing.js";
import { Refusal, Unfinished, demand } from "./refusal.js";
import { laySet, layTogether, together } from "./secrets.js";
import { coin, deal, open } from "./sharing.js";
import { cut, handOver, putBack, reshuffle, shuffle } from "./shuffling.js";
import { Walk } from "./table.js";

const ACTS = {
  fresh: (walk, { deck, cards }) => walk.cards.layFresh(deck, cards),
  shuffle,
  reshuffle,
  cut,
  deal,
  open,
  flip: (walk) => void coin(walk),
  "hand-over": handOver,
  "put-back": putBack,
  play,
  "lay-all": layAll,
  "lay-down": layDown,
  "lay-set": laySet,
  "lay-together": layTogether,
  swear,
  choose,
  race,
  together,
};

/**
 * The verdict on the bytes of a log: `{verdict, verified, reason, step, seat, counts, ...}`.
 * `progress({phase, done, all})` is called now and then; phases are "signatures" and "proofs".
 */
export function verify(data, questions, progress = () => {}) {
  const report = { steps: 0, signatures: 0, counts: {} };
  try {
    const found = examine(data, questions, progress, report);
    return { ...report, ...found };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { verdict, reason, seat, step } = error;
    return { ...report, verdict, verified: false, reason, seat, step };
  }
}

function examine(data, questions, progress, report) {
  const genesis = splitGenesis(data);
  if (genesis) return examineGenesis(genesis, report);
  const { header: encoded, records, beyond } = splitFile(data);
  const header = readHeader(encoded);
  introduce(header, report);
  const told = (phase) => (done, all) => progress({ phase, done, all });
  const { steps, ballots } = readChain(header, records, told("signatures"));
  report.signatures = records.length + header.seats.length;
  const contradictions = extend(header, steps, beyond);
  report.steps = steps.length;
  const walk = new Walk(header, steps, told("proofs"));
  report.counts = walk.counts;
  const ended = finished(() => walkAll(walk, questions, report));
  if (!report.result) convict(contradictions);
  heed(questions);
  const asked = report.result || (ended && !beyond.length);
  if (asked && walk.at < steps.length) refuseTheRest(walk);
  return conclude(walk, Boolean(report.result), ballots);
}

function examineGenesis({ proposed, records }, report) {
  const { header, step } = checkGenesis(proposed, records);
  introduce(header, report);
  const reason = `the table never began; valid up to step ${step}`;
  return { verdict: "unfinished", verified: false, reason, step, seat: null };
}

function introduce(header, report) {
  report.table = hex(header.table);
  report.names = header.names;
  report.keys = header.identities.map(hex);
}

function finished(act) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    return false;
  }
  return true;
}

function walkAll(walk, { asked, over }, report) {
  for (const question of asked) {
    const act = ACTS[question.kind];
    demand(act !== undefined, "malformed", `a question of an unknown kind: ${question.kind}`);
    act(walk, question);
  }
  if (over) report.result = close(walk);
  else if (walk.at === walk.steps.length) throw new Unfinished();
}

/** All seats sign how many steps there were, the last hash, and the same result, which is returned. */
function close(walk) {
  const { number, previous, entries } = walk.next;
  const result = pack(entries[0].payload?.result ?? null);
  walk.step("close", walk.seats, (_, payload) => {
    const fields = take(payload, { steps: "int", head: "bin", result: "list" });
    const agreed =
      fields.steps === number && same(fields.head, previous) && same(pack(fields.result), result);
    demand(agreed, "state-mismatch", "the seat signed another result");
  });
  return entries[0].payload.result.map(Number);
}

/** What the rules refused is refused here, on the word of the program that ran them. */
function heed({ stopped }) {
  if (!stopped) return;
  const { verdict, reason, seat, step } = stopped;
  throw new Refusal(verdict, `the program that made this page says: ${reason}`, seat, step);
}

/** Entries are left that no question asks for. */
function refuseTheRest(walk) {
  throw new Refusal("broken-chain", "an entry that no step asked for", null, walk.next.number);
}

/** Two different entries of one seat for one step are guilt. */
function convict([entry]) {
  if (entry === undefined) return;
  throw new Refusal(
    "equivocation",
    "the seat signed two different entries for one step",
    entry.seat,
    entry.step,
  );
}

function conclude(walk, ended, ballots) {
  if (ended && ballots.length === 0)
    return {
      verdict: "complete",
      verified: true,
      reason: "every signature, share, shuffle and oath is right",
      step: null,
      seat: null,
    };
  if (ballots.length) {
    const last = walk.steps[walk.at];
    demand(
      !ended && last?.entries[0].kind === "close",
      "broken-chain",
      "ballots where no signature is missing",
      null,
      last?.number ?? walk.at,
    );
    const gone = checkBallots(walk.header, last, walk.missing, ballots).map(
      (seat) => walk.header.names[seat],
    );
    return {
      verdict: "closed-without",
      verified: true,
      reason: `all is right; the close lacks ${gone.join(", ")}`,
      step: null,
      seat: null,
    };
  }
  return {
    verdict: "unfinished",
    verified: false,
    reason: `valid up to step ${walk.at}`,
    step: walk.at,
    seat: null,
  };
}
