"""One page about the audit of one log, for people who were not there."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from engine.wording import counted, scores, with_chairs
from p2p.player.relay_words import resting
from p2p.text.names import BOT, called
from replay.audit import CLOSED_WITHOUT, COMPLETE, UNFINISHED, Report
from replay.tally import LostSeat

WIDTH: Final = 80
LABEL: Final = 13
CANNOT: Final = (
    (
        "Two players on the telephone. A player who tells another what he holds breaks no proof; "
        "no log of any game can show that."
    ),
    (
        "Who sat there. Names are what people called themselves; their keys are what signed. "
        "Compare fingerprint words (nodealer id) with people you know."
    ),
    (
        "That the seats were different people. Somebody who holds all the keys can play "
        "alone, fairly, and sign for everybody."
    ),
    "Whether a person or a program chose the moves.",
)
"""What no audit can tell; races are added if there were any."""
RACES: Final = (
    "What happened before a claim in a race reached the others. Who was first is what the "
    "witnesses say, by the rules that the seats agreed on."
)


_HOW_FAR: Final = {COMPLETE: "", CLOSED_WITHOUT: "", UNFINISHED: ", as far as the log goes"}


def page(report: Report) -> list[str]:
    """What was checked, what that shows, and what it cannot show: lines of 80 columns."""
    if not report.names:
        return []
    file = "log" if report.table else "evidence"
    fault = f", as far as the {file} is sound"
    lines = ["What was checked" + _HOW_FAR.get(report.verdict, fault)]
    for label, text in (*_table(report), *_signed(report), *_judged(report), *_ending(report)):
        body = wrap(text, WIDTH - LABEL - 2)
        lines += [f"  {label:{LABEL}}{body[0]}", *(" " * (LABEL + 2) + more for more in body[1:])]
    lines += ["", "What no audit can show"]
    for text in (*CANNOT, *([RACES] if report.tally.contested else [])):
        lines += wrap(text, WIDTH, initial_indent="  * ", subsequent_indent="    ")
    return lines


Lines = Iterator[tuple[str, str]]
"""Pairs of a label and a text; anything that did not occur is left out."""


def _table(report: Report) -> Lines:
    who = f"{report.game}: {', '.join(map(called, report.names))}"
    if report.table:
        yield "table", f"{report.table[:16]}, {who}"
        if not report.tally.signatures:
            yield "steps", "none: the records of this file cannot be told apart"
        return
    yield "proposal", f"{who}; no table began"
    if report.tally.steps:
        yield "steps", f"{report.tally.steps} of the 3 by which a table begins"


def _counts(*rows: tuple[int, str, str]) -> Lines:
    """The rows whose number is not 0: anything that did not occur is left out."""
    yield from ((label, said) for number, label, said in rows if number)


def _signed(report: Report) -> Lines:
    t = report.tally
    keys, beyond = counted(t.keys, "table key"), counted(t.beyond, "record")
    yield from _counts(
        (t.keys, "keys", f"{keys}, each proven to be held by its seat"),
        (t.signatures, "signatures", f"{t.signatures}, each over everything that came before it"),
        (t.beyond, "evidence", f"{beyond}, each with the signature of its seat"),
        (
            t.votes,
            "votes",
            f"{t.votes}, of each seat that stayed, to go on without who was gone",
        ),
        (t.ballots, "ballots", f"{t.ballots}, of each seat that stayed about each that was gone"),
    )


def _judged(report: Report) -> Lines:
    t = report.tally
    steps = t.steps if report.table else 0
    moved, chance = counted(t.transfers, "card"), counted(t.coins, "public random value")
    yield from _counts(
        (steps, "rules", f"{counted(steps, 'step')}, each what the rules asked for"),
        (t.shuffles, "shuffles", f"{t.shuffles}, each proven to keep every card, and to add none"),
        (t.shares, "shares", f"{t.shares} of decryption, each proven to come from the right key"),
        (t.transfers, "transfers", f"{moved} to another lock, proven the same"),
        (t.oaths, "oaths", f"{t.oaths} about cards that were not held, proven without showing any"),
        (t.openings, "secrets", f"{t.openings} opened, each what had been committed to before"),
        (t.forfeits, "forfeits", f"{t.forfeits}: not opened as committed to, so lost by the rules"),
        (t.coins, "chance", f"{chance} that nobody could bend"),
        (t.races, "races", _races(report)),
    )
    if t.races:
        names = tuple(map(called, report.names))
        yield from (("races", said) for said in resting(report.unlinked, names))


def _ending(report: Report) -> Lines:
    """How far all seats stand behind it."""
    for one in report.left:
        yield "left", f"{called(report.names[one.seat])}, for good, in step {one.step}"
    yield from (("lost", _lost(report, gone)) for gone in report.lost)
    if report.returns is not None:
        bots = dict.fromkeys(report.bots, BOT)
        names = with_chairs([*map(called, report.names)], report.empty, bots)
        pairs = zip(names, scores(report.returns), strict=True)
        yield "result", ", ".join(f"{name} {points}" for name, points in pairs)
    elif report.proven_to is not None:
        said = f"all seats stand behind everything before step {report.proven_to}"
        yield "proven to", said if report.proven_to else "all seats stand behind not a single step"
    if report.verdict == CLOSED_WITHOUT:
        yield "result", "not proven: the word of those who stayed"


def _lost(report: Report, one: LostSeat) -> str:
    """How far a lost seat stands behind the log."""
    who = f"{called(report.names[one.seat])}, voted out in step {one.step}; "
    if one.last is None:
        return f"{who}it signed no step of this game: all of it is the word of those who stayed"
    after = f"what follows step {one.last}, the last that it signed"
    return f"{who}{after}, is the word of those who stayed"


def _races(report: Report) -> str:
    tally, cap = report.tally, report.race_cap_us
    disputed = f", {tally.disputes} disputed" if tally.disputes else ""
    credit = "" if cap is None else f"; at most {cap / 1000:g} ms of delay credited"
    return f"{tally.races}, {tally.contested} with several claims, reckoned again{disputed}{credit}"
