"""What `nodealer audit` finds to check, prints, and counts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from cli.failures import with_next_step
from cli.home.folders import named_or_own, no_log
from cli.kit.output import say, say_json
from cli.options.settings import Settings
from engine.wording import counted
from p2p.text.names import called, spelled
from p2p.version import other_writer
from replay.audit import CLOSED_WITHOUT, UNFINISHED, UNREADABLE, Report, UnreadableError
from replay.compare import Comparison
from replay.report import page
from replay.tables import Tables

PROOF: Final = (
    "Only a changed program signs twice, or one with a restored old data folder.",
    "Keep all these files: together they prove it to anybody who audits them.",
)
NO_PROOF: Final = (
    "This accuses nobody: whoever holds a file can change it.",
    "Ask each player for the log on their own machine, and audit all together.",
)
"""What to think, and to do, where a table has two histories; each line fits 80 columns."""


TAKEN_ONCE: Final = "nodealer: {} is named more than once, and taken once."
LINKED: Final = "nodealer: {} is the same file as {}, which is taken once."
OTHER_COPY: Final = "Each player of a table has its log: ask one of them for a copy."
NO_FAULT: Final = {UNFINISHED: "unfinished", CLOSED_WITHOUT: "partly"}
"""Logs in which everything is right, but that are not verified: what stands before their names."""


def logs_of(path: Path) -> list[Path]:
    """The logs that a path names; UserMistakeError if there are none."""
    if not os.path.isdir(path):  # the method raises for too long a name
        return [path]
    # Other programs may take folders away meanwhile: `walk` goes on without those.
    walked = ((Path(folder), (*inner, *names)) for folder, inner, names in os.walk(path))
    found = sorted(folder / name for folder, names in walked for name in names if _is_log(name))
    if not found:
        raise no_log(path)
    return found


def logs_of_all(paths: Sequence[str]) -> list[Path]:
    """The logs that these paths name, each file once; without any, one's own."""
    named = [named_or_own(path) for path in (paths or (None,))]
    files: dict[str, Path] = {}
    for log in (log for path in named for log in logs_of(path)):
        first = files.setdefault(os.path.realpath(log), log)
        if first is not log:
            said = TAKEN_ONCE if log == first else LINKED
            say(said.format(spelled(str(log)), spelled(str(first))), err=True)
    return [*files.values()]


def _is_log(name: str) -> bool:
    return name.endswith(".ndlog")


class Printer:
    """Prints each report as it comes and keeps only counts.

    `alone` says whether it is the only one, which is told in full.
    """

    def __init__(self, settings: Settings, as_json: bool, *, alone: bool) -> None:
        self._settings = settings
        self._as_json = as_json
        self._alone = alone
        self._logs = 0
        self._right = 0
        self._open = dict.fromkeys(NO_FAULT, 0)
        self._forked = 0
        self._tables: Final = Tables()
        self.unreadable = 0

    @property
    def verified(self) -> bool:
        """Whether every log so far is fair and finished, and no table has two histories."""
        return self._right == self._logs and not self._forked

    def take(self, report: Report) -> None:
        """Print one report."""
        self._logs += 1
        self._right += report.verified
        if report.verdict in NO_FAULT:
            self._open[report.verdict] += 1
        self._tables.take(report)
        if report.verdict == UNREADABLE:
            self.unreadable += 1
            say(unreadable(report.reason), err=True)
        if self._as_json:
            before = '{"logs": [' if self._logs == 1 else ", "
            say_json(as_json(report), before=before, end="")
        elif report.verdict != UNREADABLE:
            self._print(report)

    def _print(self, report: Report) -> None:
        lines = lines_of(report)
        if self._alone:
            lines += ["", *page(report)] if report.names else []
        for line in lines:
            say(self._settings.paint(line))

    def end(self) -> None:
        """Compare the logs of each table, and print what holds for all of them."""
        compared = list(self._tables.compared())
        self._forked = sum(not one.same for one in compared)
        if self._as_json:
            tables = [comparison_json(one) for one in compared]
            say_json(tables, before='], "tables": ', end="")
            say_json(self.verified, before=', "verified": ', end="}\n")
            return
        for one in compared:
            for line in comparison_lines(one):
                say(self._settings.paint(line))
        if self._logs > 1:
            forked = f", {counted(self._forked, 'table')} told in two ways" if self._forked else ""
            others = [f", {count} {NO_FAULT[kind]}" for kind, count in self._open.items() if count]
            twins = sum(one.twins for one in compared)
            others += [f", {counted(twins, 'file')} with the bytes of another"] if twins else []
            say(f"{self._right} of {self._logs} logs verified{''.join(others)}{forked}")


def lines_of(report: Report) -> list[str]:
    """One log in three lines; a game that was only left is no failure."""
    lines = [
        f"{NO_FAULT.get(report.verdict) or _sign(report.verified)} {spelled(report.path)}",
        f"     {report.verdict}{_where(report)}: {report.reason}",
        f"     {_extent(report)} {report.seconds:.2f} s",
    ]
    other = other_writer(report.revision) if report.revision else None
    lines += [f"     {other}"] if other else []
    return [*lines, f"     {OTHER_COPY}"] if _spoilt(report) else lines


def _spoilt(report: Report) -> bool:
    """Whether the file is at fault, and no seat: whoever held it can have changed it."""
    return not report.verified and report.verdict not in NO_FAULT and report.seat is None


def _sign(good: bool) -> str:
    return "ok  " if good else "FAIL"


def _extent(report: Report) -> str:
    """How much there was to check, as far as it could be read; what follows is the time."""
    if not report.game:
        return "checked in"
    seats = f"{report.game}, {report.seats} seats"
    if not report.table:
        return f"{seats}, no table, checked in"
    if not report.tally.signatures:
        return f"{seats}, no step was checked,"
    return f"{seats}, {report.steps} steps, {report.shuffles} shuffles, checked in"


def unreadable(reason: str) -> str:
    """A file that cannot be read, on the way through several: why, and what to do next."""
    return f"nodealer: {with_next_step(UnreadableError.__name__, reason)}"


def comparison_lines(found: Comparison) -> list[str]:
    """The result of comparing the logs of one table: a line, and more if they differ."""
    said = f"{_sign(found.same)} table {found.table[:16]}"
    if found.same:
        return [f"{said}: {found.reason}"]
    lines = [f"{said}: two histories", f"     {found.verdict}, step {found.step}: {found.reason}"]
    if len(found.paths) > 2 and len(found.sides) > 1:
        lines += [f"     one side: {', '.join(map(spelled, side))}" for side in found.sides]
    return [*lines, *(f"     {line}" for line in (PROOF if found.seats else NO_PROOF))]


def comparison_json(found: Comparison) -> dict[str, object]:
    """The same in the JSON output."""
    return {
        "table": found.table,
        "paths": list(found.paths),
        "same": found.same,
        "verdict": found.verdict,
        "step": found.step,
        "seats": [one._asdict() for one in found.seats],
        "sides": [list(side) for side in found.sides],
        "reason": found.reason,
    }


def _where(report: Report) -> str:
    """Where a fault is, and whose, if anybody's."""
    step = "" if report.step is None else f", step {report.step}"
    if report.seat is None:
        return step
    known = report.seat < len(report.names)
    return f"{step}, seat {report.seat}{f' ({called(report.names[report.seat])})' if known else ''}"


def as_json(report: Report) -> dict[str, object]:
    """One log in the JSON output (keys fixed by design: interface)."""
    return {
        "path": report.path,
        "verdict": report.verdict,
        "verified": report.verified,
        "game": report.game,
        "steps": report.steps,
        "shuffles": report.shuffles,
        "seats": report.seats,
        "revision": report.revision.hex(),
        "seconds": round(report.seconds, 4),
        "reason": report.reason,
        "step": report.step,
        "seat": report.seat,
        "proven_to": report.proven_to,
        "returns": None if report.returns is None else list(report.returns),
        "winners": list(report.winners),
        "race_cap_ms": None if report.race_cap_us is None else report.race_cap_us / 1_000,
        "checked": asdict(report.tally),
        "left": [one.seat for one in report.left],
        "lost": [one._asdict() for one in report.lost],
    }
