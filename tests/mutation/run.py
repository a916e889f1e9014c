"""Remove one check at a time and run the tests that are marked with its name.

A pytest session of its own, in one process: the tests are collected once, and each marked test
is run for each check it is marked with, while that check refuses nothing (or weighs nothing).
`python -m tests.mutation.run` prints one JSON object: for each check the outcome, one of the
constants below.  With `--as-they-are` each is run first with all checks in place: where these
tests run anyway, one that fails for another reason is seen without it.
"""

from __future__ import annotations

import json
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from _pytest.runner import runtestprotocol

from p2p import checks
from p2p.checks import Entropy
from tests.mutation.source import REPOSITORY, checks_in_source

NOTICED = "noticed"
UNNOTICED = "no marked test fails without it"
UNTESTED = "no test is marked with it"
BROKEN = "its marked test fails even with it: "
UNKNOWN = "a test is marked with it, but there is no such check: "
TIMEOUT_SECONDS = 20.0
AS_THEY_ARE = "--as-they-are"


class _TooSlow(BaseException):
    """Not an Exception: a test that catches those must not swallow it."""


@contextmanager
def _removed(name: str) -> Iterator[None]:
    """The check `name` accepts everything, or weighs nothing, inside this block."""
    require, weight = checks.require, checks.weight

    def require_others(check: str, ok: bool, verdict: str, reason: str) -> None:
        if check != name:
            require(check, ok, verdict, reason)

    def weigh_others(check: str, entropy: Entropy) -> int:
        return 0 if check == name else weight(check, entropy)

    checks.require, checks.weight = require_others, weigh_others
    try:
        yield
    finally:
        checks.require, checks.weight = require, weight


@contextmanager
def _limited() -> Iterator[None]:
    """A test that waits for a refusal which never comes fails instead of hanging."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, TIMEOUT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _fails(item: pytest.Item) -> bool:
    """Run one test with fresh fixtures, whatever their scope: they may hold mutated results."""
    try:
        with _limited():
            reports = runtestprotocol(item, log=False, nextitem=None)
    except _TooSlow:
        return True
    return any(report.failed for report in reports)


class _Mutator:
    """A plugin that replaces the run loop of the session."""

    def __init__(self, *, as_they_are: bool) -> None:
        self.outcomes: dict[str, str] = {}
        self._as_they_are = as_they_are

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        marked = defaultdict(list)
        # Tests over sockets wait; where a test in memory notices, they are not needed.
        for item in sorted(session.items, key=lambda item: "attacks" in item.path.parts):
            for name in dict.fromkeys(mark.args[0] for mark in item.iter_markers("check")):
                marked[name].append(item)
        tried = marked.values() if self._as_they_are else ()
        broken = {item for items in tried for item in items if _fails(item)}
        known = {check.name for check in checks_in_source() if check.name is not None}
        for name in sorted(known | set(marked)):
            self.outcomes[name] = self._judge(name, marked[name], broken, name in known)
        return True

    @staticmethod
    def _judge(name: str, items: list[pytest.Item], broken: set[pytest.Item], known: bool) -> str:
        if not known:
            return UNKNOWN + items[0].nodeid
        if not items:
            return UNTESTED
        for item in items:
            if item in broken:
                return BROKEN + item.nodeid
        with _removed(name):
            noticed = any(_fails(item) for item in items)
        return NOTICED if noticed else UNNOTICED


def main() -> int:
    """Print the outcomes; the exit status says only that the session could run."""
    mutator = _Mutator(as_they_are=AS_THEY_ARE in sys.argv)
    arguments = ["tests", "--ignore=tests/mutation", "-m", "check", "-p", "no:cacheprovider"]
    with _stdout_to_stderr():
        status = pytest.main([*arguments, "-p", "no:xdist"], [mutator])
    print(json.dumps(mutator.outcomes, indent=1))  # noqa: T201  the result
    return int(status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED))


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    real, sys.stdout = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout = real


if __name__ == "__main__":
    sys.path.insert(0, str(REPOSITORY))
    sys.exit(main())
