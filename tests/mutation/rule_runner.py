"""Break each rule of `tests.mutation.rules`, and run the tests that must notice it.

`python -m tests.mutation.run rules` prints the outcome of each rule as one JSON object.  With
`--sample` it breaks a few of them, with `--only TEXT...` those whose name or module has one of
these texts in it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

import pytest

from tests.mutation.choosing import Timed
from tests.mutation.mutants import Mutant
from tests.mutation.rule import BrokenRule
from tests.mutation.rules import RULES
from tests.mutation.sample import OPTIONS, UNTESTED, Loaded, import_others

SAMPLE_OF: Final = 20
SECONDS: Final = 4.0
"""The processor time that a test takes, generously: far longer counts as an endless loop."""


class _Rules(Loaded):
    """A plugin: breaks rules in functions that are loaded, and runs their tests."""

    def __init__(self, broken: Sequence[BrokenRule], jobs: int) -> None:
        self._tests: dict[Mutant, list[Timed]] = {}
        super().__init__(self._tests, (), jobs)
        self._broken = broken

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Choose the collected tests of each rule, and judge it."""
        names = [item.nodeid for item in session.items]
        for one in self._broken:
            named = [name for test in one.tests for name in names if name.startswith(test)]
            self._tests[one] = [Timed(SECONDS, name) for name in dict.fromkeys(named)]
        return super().pytest_runtestloop(session)


def outcomes(broken: Sequence[BrokenRule], jobs: int) -> dict[str, str]:
    """Break each of these rules; return by name whether a test noticed it."""
    import_others()
    plugin = _Rules(broken, jobs)
    files = sorted({test.partition("::")[0] for one in broken for test in one.tests})
    pytest.main([*OPTIONS, *files], [plugin])
    return {one.name: plugin.outcomes.get(one, UNTESTED) for one in broken}


def main(arguments: Sequence[str]) -> dict[str, str]:
    """Return the outcomes of the rules that the arguments name."""
    parser = argparse.ArgumentParser(prog="tests.mutation.run rules")
    parser.add_argument("--sample", action="store_true", help="break a few rules")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of names or modules")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    wanted = [
        one for one in RULES if any(text in f"{one.module} {one.name}" for text in given.only)
    ]
    return outcomes(wanted[:: SAMPLE_OF if given.sample else 1], given.jobs)
