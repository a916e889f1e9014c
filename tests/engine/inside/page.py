"""What goes on inside while tests run: `python -m tests.engine.inside.page` writes the page again.

Most tests look at what comes out in the end, and a search, a trap or a session does much before
that.  Here a line is a test of the engine: how many calls of the engine's functions it makes, and a
digest of what they are given, what they return and what methods make of their objects.  Whoever
changes something on purpose writes the page again; whoever did not mean to learns it here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.engine.inside.cases import call, tests_of
from tests.engine.inside.watching import Watch
from tests.protocol.constants import modules

HERE: Final = Path(__file__).parent
PAGE: Final = HERE / "page.txt"
ROOM: Final = HERE.parent
FILES: Final = (
    *(f"bots/test_{name}" for name in ("belief", "beside", "contest", "following", "levels")),
    *(f"bots/test_{name}" for name in ("reasons", "search", "tree", "trials", "worth")),
    *("env/test_playing", "env/test_seen"),
    *(f"test_{name}" for name in ("compiling", "easy", "either", "forks", "guards", "lay_all")),
    *(f"test_{name}" for name in ("leaving", "our_faults", "pick_blind", "plain", "race")),
    *(f"test_{name}" for name in ("races", "reference", "refused", "session", "sets", "simulate")),
    *(f"test_{name}" for name in ("study", "testing", "totals", "traps")),
)
"""Tests of the engine that are quick, and do not read the sources."""
SLOW: Final = (
    *(f"bots/test_{name}" for name in ("beside", "contest", "levels", "reasons", "search")),
    *("env/test_playing", "env/test_seen"),
    *(f"test_{name}" for name in ("leaving", "reference", "session", "simulate", "traps")),
)
NOT_WATCHED: Final = ("engine.games.", "engine.wording", "engine.plain", "engine.compiling")
"""Games have tests of their own; what is made of a class is made once."""


def watched() -> list[str]:
    """The modules of the engine without its games."""
    return [
        name
        for name in modules()
        if name.startswith("engine.") and not f"{name}.".startswith(NOT_WATCHED)
    ]


def lines(file: str) -> Iterator[str]:
    """A line for each test of a file."""
    for name in watched():
        import_module(name)
    for name, test, cases in tests_of(ROOM / f"{file}.py"):
        watch = Watch(watched())
        with watch.watching():
            for given in cases:
                call(test, given)
        yield f"{name}: {watch}"


def section(file: str) -> str:
    """What the page says of one file."""
    return "".join(f"{line}\n" for line in [f"# {file}", *lines(file), ""])


if __name__ == "__main__":
    PAGE.write_text("".join(map(section, FILES)), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
