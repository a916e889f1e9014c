"""A saved game as prose: who sat there, what happened, how it ended, what the audit says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Final

from engine.game import spell
from engine.wording import MarkKind, chairs_of, counted, listed, scores, with_chairs
from p2p.identity.keys import words
from p2p.protocol import step_kinds
from replay.audit import Report
from replay.departures import departures
from replay.game import SavedGame
from replay.marks import mark_of
from replay.narration import told
from replay.reader import SavedStep

WIDTH: Final = 80
MARGIN: Final = 6
"""Columns for the number of a step."""


def story(game: SavedGame, report: Report, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """The lines of the story; `report` is the audit's, of the same log."""
    yield from _told(game, ascii)
    yield from _ending(game, "Result" if report.verified else "Result, not proven")
    yield from _verdict(game, report)


def story_lines(game: SavedGame, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """The same without a verdict: nothing is verified."""
    yield from _told(game, ascii)
    yield from _ending(game, "Result")


def _told(game: SavedGame, ascii: bool) -> Iterator[str]:  # noqa: A002
    yield from _heading(game)
    for sentence in game.tell(game.opening, ascii=ascii):
        yield from _paragraph("", sentence)
    for shuffles, run in groupby(game.steps, key=_is_quiet_shuffle):
        if shuffles:
            yield from _shuffles(game, list(run))
            continue
        for step in run:
            yield from _step(game, step, ascii)
    yield ""


def _heading(game: SavedGame) -> Iterator[str]:
    proposal = game.header.proposal
    yield f"{proposal.game.title}, table {game.header.table.hex()[:16]}"
    yield ""
    yield "At the table, with the fingerprints of their keys:"
    for seat, name in enumerate(with_chairs(game.names, {}, game.beside)):
        yield f"  {seat}  {name}: {words(proposal.identities[seat])}"
    options = {**proposal.game.defaults(), **proposal.terms.options}
    if options:
        said = ", ".join(f"{name}={spell(value)}" for name, value in sorted(options.items()))
        yield from wrap(f"Options: {said}.", WIDTH)
    yield ""


def _is_quiet_shuffle(step: SavedStep) -> bool:
    return step.kind == step_kinds.SHUFFLE and not step.notes


def _shuffles(game: SavedGame, steps: list[SavedStep]) -> Iterator[str]:
    """Put everybody's shuffles of one deck into one sentence."""
    who = listed(game.names[step.seats[0]] for step in steps)
    asked = steps[0].question
    count = 0 if asked is None else len(asked.about())
    verb = "shuffles" if len(steps) == 1 else "shuffle"
    yield from _paragraph(steps[0].number, f"{who} {verb} {counted(count, 'card')}, with proof.")


def _step(game: SavedGame, step: SavedStep, ascii: bool) -> Iterator[str]:  # noqa: A002
    """One step; those in which only shares and the like were sent are left out."""
    is_quiet = step.kind.told and step.question is not None and step.race is None
    if is_quiet and not (step.notes or step.leavers or step.absent):
        return
    mark = mark_of(game, step)
    if mark is not None and mark.kind is MarkKind.ROUND:
        yield ""
    yield from _paragraph(step.number, " ".join(told(game, step, ascii=ascii)))


def _paragraph(number: int | str, text: str) -> list[str]:
    first = f"{number:>{MARGIN - 2}}  "
    return wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * MARGIN)


def _ending(game: SavedGame, result: str) -> Iterator[str]:
    if game.result is not None:
        names = with_chairs(game.names, chairs_of(game.session.table), game.beside)
        pairs = zip(names, scores(game.result), strict=True)
        yield f"{result}: " + ", ".join(f"{name} {points}" for name, points in pairs) + "."
    for one in departures(game):
        yield from wrap(one.told(game.names), WIDTH)
    yield from wrap(f"The log: {game.ending}.", WIDTH)


def _verdict(game: SavedGame, report: Report) -> Iterator[str]:
    sign = "verified" if report.verified else "NOT verified"
    where = "" if report.step is None else f", step {report.step}"
    who = "" if report.seat is None else f", seat {report.seat} ({game.names[report.seat]})"
    yield from wrap(f"The audit: {sign}, {report.verdict}{where}{who}: {report.reason}.", WIDTH)
