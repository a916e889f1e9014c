"""A file in which a study that was interrupted goes on (`simulate --resume`).

It is one object in JSON: which study it is, and what came of its games so far.  It is written anew
every second, and at the end, so that a crash leaves what was there before or all of the new one
(`p2p.disk.durable`).  Two programs that play one study at once do the same work twice, and either
file is right.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from engine.games import load
from engine.study import Study
from engine.totals import Totals
from p2p.disk.durable import write_file
from p2p.disk.outside import MEGABYTE, read_outside

FORMAT: Final = 1
KEPT_MAX: Final = 64 * MEGABYTE
EVERY_SECONDS: Final = 1.0


class StudyFileError(Exception):
    """A file in which this study cannot be kept: one sentence for the user."""


class StudyFile:
    """Where a study is kept; `read` tells what came of it so far.

    Every method raises StudyFileError for a file that cannot be read or written.
    """

    def __init__(
        self, path: Path, study: Study, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path: Final = path
        self._study: Final = study
        self._clock: Final = clock
        self._due = 0.0

    def read(self) -> list[Totals]:
        """What the file holds of each setting, and nothing if there is no file yet.

        StudyFileError also for a file of another study, or of more games than are wanted.
        """
        try:
            data = read_outside(self._path, KEPT_MAX)
        except FileNotFoundError:
            nothing = [Totals.none(setting.seats) for setting in self._study.settings]
            self._write(nothing)  # whoever has played for an hour is not told then
            return nothing
        except (OSError, ValueError) as error:
            raise self._refused(f"cannot be read: {getattr(error, 'strerror', error)}") from error
        return self._compared(_decoded(data))

    def keep(self, totals: Sequence[Totals], *, now: bool = False) -> None:
        """Write what came of each setting, if a second has gone by or it has to be `now`."""
        if now or self._clock() >= self._due:
            self._write(totals)

    def _write(self, totals: Sequence[Totals]) -> None:
        told = {**_described(self._study), "outcome": [_told(one) for one in totals]}
        text = json.dumps(told, sort_keys=True, indent=1) + "\n"
        try:
            write_file(self._path, text.encode("ascii"))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", error)
            raise self._refused(f"cannot be written: {why}") from error
        self._due = self._clock() + EVERY_SECONDS

    def _refused(self, why: str) -> StudyFileError:
        return StudyFileError(f"The study in {self._path} {why}.")

    def _compared(self, told: Mapping[str, Any]) -> list[Totals]:
        wanted = _described(self._study)
        if told.get("study") != FORMAT:
            raise StudyFileError(f"{self._path} is there already and is no study of this program.")
        differs = [name for name in wanted if told.get(name) != wanted[name]]
        if differs:
            raise self._refused(f"is another one (different: {', '.join(differs)})")
        try:
            totals = [_read(one) for one in told["outcome"]]
        except (LookupError, TypeError, ValueError) as error:
            raise self._refused(f"is damaged ({error})") from error
        if [one.seats for one in totals] != [one.seats for one in self._study.settings]:
            raise self._refused("is damaged (other seats)")
        most = max(one.games for one in totals)
        if most > self._study.games:
            raise self._refused(f"has {most:,} games already: ask for {most} or more with --games")
        return totals


def _decoded(data: bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _described(study: Study) -> dict[str, Any]:
    """What makes it this study; more games may be asked for later."""
    return {
        "study": FORMAT,
        "game": study.game,
        "rules": load(study.game).rules_version,
        "settings": [one.told() for one in study.settings],
        "seed": study.seed,
        "bots": study.bots,
        "leave": study.leave,
    }


def _told(totals: Totals) -> dict[str, Any]:
    return {
        "games": totals.games,
        "left": totals.left,
        "lengths": sorted(totals.lengths.items()),
        "points": totals.points,
        "squares": totals.squares,
        "won": totals.won,
    }


def _read(told: Mapping[str, Any]) -> Totals:
    """The totals; TypeError, ValueError or LookupError for anything else."""
    totals = Totals(
        _whole(told["games"]),
        _whole(told["left"]),
        {_whole(steps): _whole(games) for steps, games in told["lengths"]},
        tuple(map(_whole, told["points"])),
        tuple(map(_whole, told["squares"])),
        tuple(tuple(map(_whole, one)) for one in told["won"]),
    )
    seats = totals.seats
    if len(totals.squares) != seats or [len(one) for one in totals.won] != [seats] * seats:
        raise ValueError("other seats")
    if sum(totals.lengths.values()) != totals.games:
        raise ValueError("games are missing")
    return totals


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value
