"""Remove one check at a time, or one call of a verifier, and run the tests marked with its name.

A pytest session of its own, in one process: the tests are collected once, and each marked test
is run for each name it is marked with, while that check refuses nothing (or weighs nothing), or
that call is not made.  `python -m tests.mutation.run check` (or `call`) prints one JSON object:
for each name the outcome, one of the constants below.  With `--as-they-are` each test is run
first with everything in place; that is not needed where these tests run anyway, since one that
fails for another reason is seen there.  With `--sample` one of sixteen names is removed; of the
others it is only checked that they have a test.  `tests.mutation.sample` describes
`python -m tests.mutation.run random`, and `tests.mutation.rule_runner` describes `rules`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial

import pytest
from _pytest.runner import runtestprotocol

from p2p import checks
from p2p.checks import Entropy
from tests.mutation import rule_runner, sample
from tests.mutation.calls import deletable
from tests.mutation.deletion import deleted
from tests.mutation.source import REPOSITORY, checks_in_source

NOTICED = "noticed"
UNNOTICED = "no marked test fails without it"
UNTESTED = "no test is marked with it"
BROKEN = "its marked test fails even with it: "
UNKNOWN = "a test is marked with it, but there is no such thing in the source: "
DIED = "the process that ran its tests died"
TIMEOUT_SECONDS = 20.0
LEFT_OUT = "a test is marked with it, which was not run"
AS_THEY_ARE, SAMPLE = "--as-they-are", "--sample"
SAMPLE_OF = 16


@dataclass(frozen=True)
class Mutation:
    """What may be removed: the marker that names it, all names, and how one is removed."""

    marker: str
    names: frozenset[str]
    removed: Callable[[str], AbstractContextManager[None]]


def _checks() -> Mutation:
    named = (check.name for check in checks_in_source())
    return Mutation("check", frozenset(name for name in named if name is not None), _removed)


def _calls() -> Mutation:
    calls = {call.name: call for call in deletable()}
    return Mutation("call", frozenset(calls), lambda name: deleted(calls[name]))


MUTATIONS = {"check": _checks, "call": _calls}


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

    def __init__(self, mutation: Mutation, *, as_they_are: bool, sample: bool) -> None:
        self.outcomes: dict[str, str] = {}
        self._mutation = mutation
        self._as_they_are = as_they_are
        self._sample = frozenset(sorted(mutation.names)[:: SAMPLE_OF if sample else 1])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        marked = defaultdict(list)
        # Tests over sockets wait; if a test in memory notices, they are not needed.
        for item in sorted(session.items, key=lambda item: "attacks" in item.path.parts):
            marks = item.iter_markers(self._mutation.marker)
            for name in dict.fromkeys(name for mark in marks for name in mark.args):
                marked[name].append(item)
        for name in sorted(self._mutation.names | set(marked)):
            self.outcomes[name] = self._known(name, marked[name]) or self._tried(name, marked[name])
        return True

    def _known(self, name: str, items: list[pytest.Item]) -> str:
        """The outcome if nothing has to be run for it, else ""."""
        if name not in self._mutation.names:
            return UNKNOWN + items[0].nodeid
        if not items:
            return UNTESTED
        return "" if name in self._sample else LEFT_OUT

    def _tried(self, name: str, items: list[pytest.Item]) -> str:
        return _in_a_child(partial(self._judge, name, items))

    def _judge(self, name: str, items: list[pytest.Item]) -> str:
        broken = next((item for item in items if self._as_they_are and _fails(item)), None)
        if broken is not None:
            return BROKEN + broken.nodeid
        with self._mutation.removed(name):
            noticed = any(_fails(item) for item in items)
        return NOTICED if noticed else UNNOTICED


def _in_a_child(judge: Callable[[], str]) -> str:
    """Return what `judge` says in a process that ends afterwards.

    Tests keep what is slow to make, and a header that was made without one check must not decide
    about the next.  A test that is interrupted as too slow leaves its event loop running.
    """
    if not hasattr(os, "fork"):
        return judge()
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(sink, judge().encode())
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(source, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said or DIED


def _files(marker: str) -> list[str]:
    """The files that mark a test with it: importing all others takes longer than the tests."""
    found = sorted((REPOSITORY / "tests").rglob("test_*.py"))
    mark = f"pytest.mark.{marker}("
    return [str(path) for path in found if mark in path.read_text("utf-8")]


def main() -> int:
    """Print the outcomes; the exit status says only that the session could run."""
    if sys.argv[1] == "random":
        return sample.main(sys.argv[2:])
    if sys.argv[1] == "rules":
        with _stdout_to_stderr():
            broken = rule_runner.main(sys.argv[2:])
        print(json.dumps(broken, indent=1))  # noqa: T201  the result
        return 0
    mutation = MUTATIONS[sys.argv[1]]()
    mutator = _Mutator(mutation, as_they_are=AS_THEY_ARE in sys.argv, sample=SAMPLE in sys.argv)
    # Nobody reads how a test failed, and telling it takes longer than many of the tests.
    arguments = [*_files(mutation.marker), "-m", mutation.marker, "--tb=no"]
    with _stdout_to_stderr():
        status = pytest.main([*arguments, "-p", "no:cacheprovider", "-p", "no:xdist"], [mutator])
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
