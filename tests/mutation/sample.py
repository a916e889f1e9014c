"""A random sample of small mistakes, and whether some test notices each.

`python -m tests.mutation.run random --seed 1 --count 200` draws from all mistakes that can be put
into the engine, the protocol and the cryptography (`tests.mutation.mutants`).  For each it runs
the tests that run that line, until one fails.  Which tests those are is measured once
(`tests.mutation.choosing`) and kept in `.contexts`, or where `--contexts` says; remove that folder
when much has changed.  A test that fails counts only if it passes without the mistake.

Each mistake is tried in a process of its own: in functions that are loaded already, and, if it runs
at the import and survived, with everything imported again.  Tests that start processes do not help
here: those processes import the files unchanged.
"""

from __future__ import annotations

import argparse
import ast
import gc
import mmap
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.choosing import NOT_FULL, Contexts, Timed, contexts_in
from tests.mutation.deletion import replaced
from tests.mutation.mutants import Mutant, all_mutants, mutant, source_of
from tests.mutation.rewriting import rewritten
from tests.mutation.source import REPOSITORY

CONTEXTS: Final = REPOSITORY / ".contexts"
OURS: Final = ("engine", "p2p", "replay", "cli", "tests")
OF_OTHERS: Final = ("cryptography", "msgpack", "rbcl", "rich", "trio")
FIRST_FILES: Final = 5
"""To import what other files need takes longer than most tests, so these are tried first."""
ALL_SECONDS: Final = 60.0
"""So long the tests of one mistake may take in all; a page of what whole games tell takes 10."""
WAITING: Final = 20
"""A test that waits for something may last this many times longer than its processor time."""
HANGS: Final = 5.0
"""A test may take so many seconds of the processor, and five times what it takes without the
mistake: a loop without an end is seen soon."""
KILLED, SURVIVED, TIME_OUT, UNTESTED = "killed", "survived", "time out", "no test runs it"
ELSEWHERE: Final = "not in a loaded function"
OUT_OF_PLACE: Final = 99
"""The exit status that says so."""
SAID: Final[dict[int, str]] = {
    pytest.ExitCode.OK: SURVIVED,
    pytest.ExitCode.NO_TESTS_COLLECTED: UNTESTED,
    OUT_OF_PLACE: ELSEWHERE,
    -signal.SIGPROF: TIME_OUT,
    -signal.SIGXCPU: TIME_OUT,
    -signal.SIGKILL: TIME_OUT,
}
NOTICED: Final = (KILLED, TIME_OUT)
OPTIONS: Final = ("--tb=no", *NOT_FULL, "-p", "no:cacheprovider", "-p", "no:xdist")
Outcome = tuple[Mutant, str]
Run = Callable[[Sequence[Timed]], int]
"""Runs tests until one fails, in this process; how it ends is the exit status."""


class _Now:
    """Which test runs now, said to the process that waits."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Shared from here on with processes that are forked from this one only."""
        self._shared = mmap.mmap(-1, 8)

    def say(self, number: int) -> None:
        """The test of this number begins."""
        self._shared[:] = (number + 1).to_bytes(8, "big")

    def last(self) -> int:
        """The number of the last that began; -1 if none has."""
        return int.from_bytes(self._shared[:], "big") - 1


NOW: Final = _Now()


class _Picked:
    """A plugin: keeps only these of the collected tests, in this order, and ends one that hangs."""

    def __init__(self, tests: Sequence[Timed]) -> None:
        self._rank = {timed.test: n for n, timed in enumerate(tests)}
        self._timed = {timed.test: timed for timed in tests}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the others out."""
        items[:] = [item for item in items if item.nodeid in self._rank]
        items.sort(key=lambda item: self._rank[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """From here on, the time of this test counts."""
        NOW.say(self._rank[nodeid])
        _limit(self._timed[nodeid])


def _limit(timed: Timed) -> None:
    """From now on, this process dies if it takes far longer than this test does."""
    signal.setitimer(signal.ITIMER_PROF, HANGS + 5 * timed.seconds)


def stages(tests: Sequence[Timed]) -> list[list[Timed]]:
    """Those of a few files, and then the others."""
    first_files = list(dict.fromkeys(timed.file for timed in tests))[:FIRST_FILES]
    first = [timed for timed in tests if timed.file in first_files]
    return [stage for stage in (first, [timed for timed in tests if timed not in first]) if stage]


def within(seconds: float, tests: Iterable[Timed]) -> list[Timed]:
    """Those that end in so much processor time; what takes too long is left out."""
    found, spent = [], 0.0
    for timed in tests:
        if spent + timed.seconds <= seconds:
            found.append(timed)
            spent += timed.seconds
    return found


class Judge:
    """Says what becomes of mistakes; `run(mistake)` runs tests with that one, or with none."""

    def __init__(self, run: Callable[[Mutant | None], Run]) -> None:
        self._run: Final = run
        self._passing: Final[dict[Timed, bool]] = {}

    def judge(self, one: Mutant, tests: Sequence[Timed]) -> tuple[str, Timed | None]:
        """The outcome, and the test that noticed it.

        A test that notices is run without the mistake; if it fails then, it is no test of this.
        """
        left = list(tests)
        while left:
            said = in_a_child(partial(self._run(one), left), left)
            if said not in NOTICED:
                return said, None
            begun = NOW.last()
            culprit = left[max(0, begun)]
            if self._passes(culprit):
                return said, culprit
            left.remove(culprit)
        return UNTESTED, None

    def _passes(self, timed: Timed) -> bool:
        if timed not in self._passing:
            said = in_a_child(partial(self._run(None), [timed]), [timed])
            self._passing[timed] = said == SURVIVED
        return self._passing[timed]


def in_a_child(run: Callable[[], int], tests: Sequence[Timed]) -> str:
    """How a process that runs these tests ends; it is killed if they take far too long.

    Processor time is what counts: others may use the machine.
    """
    seconds = 20 + int(5 * sum(timed.seconds for timed in tests))
    limit = time.monotonic() + WAITING * seconds
    NOW.say(-1)
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        _be_quiet()
        os._exit(run())
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return SAID.get(os.waitstatus_to_exitcode(status), KILLED)
        if time.monotonic() > limit:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return TIME_OUT
        time.sleep(0.01)


def _be_quiet() -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


class Loaded:
    """A plugin: puts mistakes into functions that are loaded, and runs tests that are collected.

    What was computed at the import has no mistake in it, so nothing is said of mistakes that run
    there and survive here, as of those that are in no function.
    """

    def __init__(
        self, chosen: Mapping[Mutant, list[Timed]], at_import: Collection[Mutant], jobs: int
    ) -> None:
        self._chosen = chosen
        self._at_import = at_import
        self._jobs = jobs
        self._items: dict[str, pytest.Item] = {}
        self.outcomes: dict[Mutant, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge each, instead of running all tests."""
        self._items = {item.nodeid: item for item in session.items}
        gc.freeze()  # otherwise each process soon copies all that was collected
        judge = Judge(lambda one: partial(self._run, one))
        chosen = {
            one: [timed for timed in tests if timed.test in self._items]
            for one, tests in self._chosen.items()
        }
        for one, said in each(judge, chosen, self._jobs):
            whole = said != ELSEWHERE and one not in self._at_import
            if whole or said in NOTICED:
                self.outcomes[one] = said
        return True

    def _run(self, one: Mutant | None, tests: Sequence[Timed]) -> int:
        if one is None:
            return self._fail(tests)
        module = import_module(one.module)
        tree = ast.fix_missing_locations(one.put(one.module, ast.parse(source_of(one.module))))
        code = compile(tree, str(module.__file__), "exec", dont_inherit=True)
        try:
            with replaced(module, one.scope, one.line, code):
                return self._fail(tests)
        except (LookupError, ValueError):  # it is in no function, or that has other variables then
            return OUT_OF_PLACE

    def _fail(self, tests: Sequence[Timed]) -> int:
        for number, timed in enumerate(tests):
            NOW.say(number)
            _limit(timed)
            reports = runtestprotocol(self._items[timed.test], log=False, nextitem=None)
            if any(one.failed for one in reports):
                return int(pytest.ExitCode.TESTS_FAILED)
        return int(pytest.ExitCode.OK)


def run_anew(one: Mutant | None, tests: Sequence[Timed]) -> int:
    """Import everything of ours again, with the mistake in it, and run these tests."""
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    # Imported in the order in which all tests are.
    files = sorted({timed.file for timed in tests})
    names, put = ([one.module], one.put) if one else ([], lambda _, tree: tree)
    with rewritten(names, put):
        return int(pytest.main([*OPTIONS, "-x", *files], [_Picked(tests)]))


class _Anew(Judge):
    """Judges mistakes that are there from the start."""

    def __init__(self) -> None:
        super().__init__(lambda one: partial(run_anew, one))

    def judge(self, one: Mutant, tests: Sequence[Timed]) -> tuple[str, Timed | None]:
        said, culprit = UNTESTED, None
        for stage in stages(tests):
            said, culprit = super().judge(one, stage)
            if said in NOTICED:
                break
        return said, culprit


_KILLERS: Final[dict[tuple[str, str], Timed]] = {}
"""For each function, the test that noticed the last mistake in it: it may well notice the next."""
_AT_WORK: dict[str, tuple[Judge, Sequence[tuple[Mutant, Sequence[Timed]]]]] = {}
"""What the processes that are forked from here find."""


def each(judge: Judge, chosen: dict[Mutant, list[Timed]], jobs: int) -> Iterator[Outcome]:
    """What becomes of each mistake with the tests that were chosen for it, as it comes."""
    due = [*chosen.items()]
    _AT_WORK["now"] = judge, due
    with get_context("fork").Pool(jobs, NOW.renew) as pool:
        for number, said, culprit, spent in pool.imap_unordered(_judged, range(len(due))):
            one = due[number][0]
            by = f"  by {culprit.test}" if culprit else ""
            _tell(f"{said:9} {spent:4.1f} s {one}{by}")
            yield one, said


def _judged(number: int) -> tuple[int, str, Timed | None, float]:
    """With the seconds of the processor that it took."""
    judge, due = _AT_WORK["now"]
    one, tests = due[number]
    before = sum(os.times()[:4])
    said, culprit = judge.judge(one, likely_first(one, tests)) if tests else (UNTESTED, None)
    if culprit is not None:
        _KILLERS[one.module, one.scope] = culprit
    return number, said, culprit, sum(os.times()[:4]) - before


def likely_first(one: Mutant, tests: Sequence[Timed]) -> list[Timed]:
    """The tests of a mistake, before the others that which noticed another one in its function."""
    killer = _KILLERS.get((one.module, one.scope))
    return sorted(tests, key=lambda timed: timed != killer)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201  it takes long


class Sampled:
    """The mistakes of a sample, and the tests that were chosen for each that may be noticed."""

    def __init__(
        self,
        drawn: Sequence[Mutant],
        contexts: Contexts,
        jobs: int,
        seconds: float = ALL_SECONDS,
    ) -> None:
        self.jobs = jobs
        self.drawn = drawn
        self.chosen = {one: within(seconds, contexts.fitting(one)) for one in drawn}
        self.at_import = {one for one in self.chosen if contexts.at_import(one)}

    def outcomes(self) -> Iterator[Outcome]:
        """What becomes of each, in their order."""
        loaded = Loaded(self.chosen, self.at_import, self.jobs)
        wanted = {timed.file for one in self.chosen for timed in self.chosen[one]}
        pytest.main([*OPTIONS, *sorted(wanted)], [loaded])
        known = loaded.outcomes
        others = {one: tests for one, tests in self.chosen.items() if one not in known}
        known |= each(_Anew(), others, self.jobs)
        return ((one, known[one]) for one in self.drawn)


def import_others() -> None:
    """Import whatever no mistake is put into, once for all processes."""
    for name in OF_OTHERS:
        import_module(name)


def sample(seed: int, count: int, within: str = "") -> list[Mutant]:
    """This many mistakes, each as likely as any other; all of a room that has fewer.

    `within` is how the names of its modules begin.
    """
    every = [one for one in all_mutants() if one[0].startswith(within)]
    drawn = Random(seed).sample(every, min(count, len(every)))
    return [mutant(module, number, source_of(module)) for module, number in drawn]


def report(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Print each outcome; return how many there were of each."""
    sums: Counter[str] = Counter()
    for n, (one, said) in enumerate(outcomes):
        sums[said] += 1
        print(f"{n:4} {said:9} {one}", flush=True)  # noqa: T201  the result
    print(dict(sums))  # noqa: T201
    return sums


def main(arguments: Sequence[str]) -> int:
    """Print each outcome, and the sums."""
    parser = argparse.ArgumentParser(prog="tests.mutation.run random")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--within", default="", help="only modules whose names begin so")
    parser.add_argument("--start", type=int, default=0, help="leave out as many of the sample")
    parser.add_argument("--stop", type=int, help="leave out those from this one on")
    parser.add_argument("--contexts", type=Path, default=CONTEXTS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--seconds", type=float, default=ALL_SECONDS, help="of tests for each mistake"
    )
    parser.add_argument("--incomplete", action="store_true", help="go on without missing files")
    given = parser.parse_args(arguments)
    contexts = contexts_in(given.contexts, incomplete=given.incomplete)
    import_others()
    drawn = sample(given.seed, given.count, given.within)[given.start : given.stop]
    report(Sampled(drawn, contexts, given.jobs, given.seconds).outcomes())
    return 0
