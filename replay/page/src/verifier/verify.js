// A verifier of saved games of nodealer, from its specification alone.

import { readBallots } from "./ballots.js";
import { readChain } from "./chain.js";
import { endsWithClose, judgeBeyond, readBeyond } from "./evidence.js";
import { Fault, malformed } from "./fault.js";
import { readFile } from "./frame.js";
import { gameSteps } from "./game.js";
import { genesisSteps } from "./genesis.js";
import { readHeader, signedRevision } from "./header.js";
import { Judge, judgeLog } from "./judge.js";
import { readProposal, readSigners } from "./proposal.js";
import { readQuestions } from "./questions.js";
import { isFarewell } from "./steps/farewell.js";
import { makeReport, newCounts } from "./report.js";
import { Table } from "./table.js";
import { isVote, namedIn } from "./votes.js";

/**
 * Checks a file (log, evidence, evidence of a genesis). Never throws, whatever the file holds.
 * `progress({phase, done, all})` is called for each entry; phases are "signatures" and "proofs".
 */
export function verify(bytes, questions, progress = () => {}) {
  const run = { counts: newCounts(), table: {}, progress };
  let file = null;
  try {
    file = readFile(bytes);
    const { found, unchecked } =
      file.kind === "genesis" ? verifyGenesis(file, run) : verifyLog(file, questions, run);
    return makeReport(found, run, unchecked);
  } catch (error) {
    const found = otherRevision(file, questions?.revision) ?? foundFault(error);
    return makeReport(found, run, ["What comes after the fault."]);
  }
}

/**
 * What is a fault for this program may be none for the revision that wrote the file: no verdict.
 * Without a revision of its own this verifier judges all files.
 */
function otherRevision(file, ours) {
  try {
    const theirs = file.kind === "genesis" ? readSigners(file.proposal).revision : signedRevision(file.header);
    if (ours === undefined || theirs === ours) return null;
    return { reason: `written by revision ${theirs}, this program is revision ${ours}: no verdict` };
  } catch {
    return null;
  }
}

/** An error that is no fault is one of this program: it convicts nobody and verifies nothing. */
function foundFault(error) {
  if (!(error instanceof Fault)) return { reason: `this verifier failed: ${error?.message}` };
  const { verdict, seat = null, step = null, message } = error;
  return { verdict, seat, step, reason: message };
}

function verifyGenesis({ proposal: bytes, records }, run) {
  const proposal = readProposal(bytes);
  const { id, identities, names, bots } = proposal;
  run.table = { identities, names, bots };
  const table = { ...run.table, id, counts: run.counts };
  const entries = readBeyond(table, [], records);
  const judge = new Judge(table, genesisSteps(proposal, run.counts));
  judgeBeyond(judge, entries);
  return { found: { verdict: "unfinished", reason: "a table that never began", step: judge.step } };
}

function verifyLog({ kind, header, records, torn, beyond }, questions, run) {
  const { counts } = run;
  const table = (run.table = new Table(readHeader(header), counts));
  const told = (phase) => (done, all) => run.progress({ phase, done, all });
  counts.keys = table.seats;
  counts.signatures += table.seats;
  const { entries, last, ballots } = readChain(table, records, counts, told("signatures"));
  const more = kind === "evidence" && !endsWithClose(table, last) ? readBeyond(table, entries, beyond) : [];
  const judge = new Judge(table, askedSteps(table, questions));
  judgeLog(judge, entries, told("proofs"));
  const cast = { last, staying: stayingSeats(table, entries), records: ballots };
  const absent = ballots.length ? readBallots(table, cast, stepOf(judge, last)) : [];
  if (torn && (judge.closed || ballots.length)) throw malformed("zeros after the end of the log");
  judgeBeyond(judge, more);
  return conclude(judge, absent, questions);
}

/** Those who are left by the chain alone, for questions may not lead to its end. */
function stayingSeats({ keys }, entries) {
  const left = entries.filter(isFarewell).map(({ seat }) => seat);
  const gone = new Set([...left, ...entries.filter(isVote).flatMap(namedIn)]);
  return [...keys.keys()].filter((seat) => !gone.has(seat));
}

/** Where a fault of a ballot is: in the close step, or in the one that goes on. */
function stepOf(judge, last) {
  if (judge.lost !== null) return last.step;
  return judge.closed ? judge.step - 1 : judge.step;
}

/** Questions that cannot be read are as good as none: the chain is all that is checked then. */
function* askedSteps(table, questions) {
  return yield* gameSteps(table, readQuestions(questions, table.seats));
}

function conclude(judge, absent, questions) {
  if (judge.lost !== null) return unknown(judge, judge.lost);
  if (questions.stopped) return unknown(judge, "no fault is found, but the rules are said to refuse this log");
  const found = { verdict: "unfinished", provenTo: judge.provenTo };
  if (judge.closed)
    Object.assign(found, { verdict: "complete", provenTo: judge.step, reason: "the game is over, and closed by all who were left" });
  else if (absent.length)
    Object.assign(found, { verdict: "closed-without", reason: wordOfTheRest(judge, absent) });
  else Object.assign(found, { step: judge.step, reason: "the log ends before the game does" });
  return { found };
}

/** What is proven of a log without these seats: others can write anew what came after their last entries. */
function wordOfTheRest({ table, last: signed }, absent) {
  const named = (seats) => seats.map((seat) => table.names[seat]).join(", ");
  const rest = "and the result, is the word of those who stayed";
  const silent = absent.filter((seat) => !signed.has(seat));
  if (silent.length) return `${named(silent)} signed no step of this game: all of it, ${rest}`;
  const end = Math.min(...absent.map((seat) => signed.get(seat)));
  const first = absent.filter((seat) => signed.get(seat) === end);
  const lacks = first.length < absent.length ? `the close lacks ${named(absent)}; ` : "";
  return `${lacks}all is right up to step ${end}, the last that ${named(first)} signed; what follows, ${rest}`;
}

/** Neither a fault nor a good end: without the rules nothing more can be said of the log. */
function unknown(judge, reason) {
  const open = `The steps from ${judge.step} on, but for their signatures and their order.`;
  return { found: { reason }, unchecked: [open] };
}
