"""A random sample of small mistakes, and whether some test notices each.

`python -m tests.mutation.run random --seed 1 --count 200` draws from all mistakes that can be put
into the engine, the protocol and the cryptography (`tests.mutation.mutants`).  For each it runs
the tests that run that function, the cheapest first, until one fails.  Which tests those are is
measured once (`tests.mutation.contexts`) and kept in `.contexts`, which takes as long as these
tests; remove that folder when much has changed.  Each mistake is tried in a process of its own:
first in functions that are loaded already, and if nothing notices, with everything imported
again.  Tests that start processes do not help here: those processes import the files unchanged.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.deletion import replaced
from tests.mutation.equivalent import why_equal
from tests.mutation.mutants import Mutant, all_mutants, mutant, source_of
from tests.mutation.rewriting import rewritten
from tests.mutation.source import REPOSITORY

CONTEXTS: Final = REPOSITORY / ".contexts"
FOLDERS: Final = (
    *("engine", "crypto", "protocol", "games", "vectors", "scenes", "replay", "fuzz", "sim"),
)
"""The folders whose tests are measured: those without sockets and processes."""
OURS: Final = ("engine", "p2p", "replay", "cli", "tests")
OF_OTHERS: Final = ("cryptography", "msgpack", "rbcl", "rich", "trio")
FIRST_TESTS, FIRST_FILES, FIRST_SECONDS = 60, 5, 3.0
"""Most mistakes are noticed by a few cheap tests; the others are tried after these."""
ALL_SECONDS: Final = 40.0
LOADED_SECONDS: Final = 15.0
"""In functions that are loaded a test costs no import, so more are tried there than a few."""
CHECK: Final = re.compile(r"'([a-z-]+\.[a-z-]+)'")
"""The name of a check in a line."""
WAITING: Final = 20
"""A test that waits for something may last this many times longer than its processor time."""
HANGS: Final = 5.0
"""A test may take so many seconds of the processor, and five times what it takes without the
mistake: a loop without an end is seen soon."""
KILLED, SURVIVED, TIME_OUT, UNTESTED = "killed", "survived", "time out", "no test runs it"
EQUAL: Final = "equivalent"
BROKEN: Final = "these tests could not be run"
SAID: Final[dict[int, str]] = {
    pytest.ExitCode.OK: SURVIVED,
    pytest.ExitCode.NO_TESTS_COLLECTED: UNTESTED,
    pytest.ExitCode.INTERNAL_ERROR: BROKEN,
    pytest.ExitCode.USAGE_ERROR: BROKEN,
    -signal.SIGPROF: TIME_OUT,
    -signal.SIGXCPU: TIME_OUT,
    -signal.SIGKILL: TIME_OUT,
}
OPTIONS: Final = ("--tb=no", "-m", "not full", "-p", "no:cacheprovider", "-p", "no:xdist")
Outcome = tuple[Mutant, str]


@dataclass(frozen=True)
class Timed:
    """A test, and its processor time."""

    seconds: float
    test: str


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
        _limit(self._timed[nodeid])


def _limit(timed: Timed) -> None:
    """From now on, this process dies if it takes far longer than this test does."""
    signal.setitimer(signal.ITIMER_PROF, HANGS + 5 * timed.seconds)


def measure(folder: Path) -> None:
    """Run the tests of FOLDERS once, and note which functions they run."""
    folder.mkdir()
    tests = [f"tests/{name}" for name in FOLDERS]
    command = ["-m", "pytest", "-n", "2", "-m", "not full", "-p", "tests.mutation.contexts", *tests]
    environment = {**os.environ, "CONTEXTS": str(folder)}
    subprocess.run(
        [sys.executable, *command], cwd=REPOSITORY, env=environment, stdout=sys.stderr, check=False
    )


def read_contexts(folder: Path) -> dict[str, list[Timed]]:
    """For each function, module and package, the tests that run it, the cheapest first."""
    found: dict[str, set[Timed]] = defaultdict(set)
    for path in folder.rglob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            said = json.loads(line)
            for name in said["runs"]:
                timed = Timed(said["seconds"], said["test"])
                found[name].add(timed)
                module = name.partition(":")[0]
                found[module].add(timed)
                found[module.rpartition(".")[0]].add(timed)
    return {
        name: sorted(tests, key=lambda one: (one.seconds, one.test))
        for name, tests in found.items()
    }


def fitting(one: Mutant, contexts: dict[str, list[Timed]]) -> list[Timed]:
    """The tests that may notice: those of its function.

    Those that are marked with a check of that line come first.  What runs only at the import has
    none: then those that read what was made there, those of its module, and after them of the
    package.
    """
    own = contexts.get(f"{one.module}:{one.scope}")
    if own and one.scope:
        named = CHECK.findall(one.before)
        marked = chain.from_iterable(contexts.get(f"check {name}", []) for name in named)
        return list(dict.fromkeys([*marked, *own]))
    at_import = contexts.get(f"{one.module}:", [])
    near = contexts.get(one.module, [])
    package = contexts.get(one.module.rpartition(".")[0], [])
    return list(dict.fromkeys([*at_import, *near, *package]))


def stages(tests: Sequence[Timed]) -> list[list[Timed]]:
    """The first, a few cheap tests of a few files, and then the others, as far as there is time.

    The first alone, for to import what other files need takes longer than most tests.
    Of the others each file has its turn: a thousand cheap cases of one test would leave no time
    for tests that look at something else.
    """
    first: list[Timed] = []
    for timed in tests:
        files = {_file(one.test) for one in [*first, timed]}
        spent = sum(one.seconds for one in first) + timed.seconds
        if len(files) <= FIRST_FILES and len(first) < FIRST_TESTS and spent <= FIRST_SECONDS:
            first.append(timed)
    taken = set(first)
    others = _within(ALL_SECONDS, [timed for timed in in_turn(tests) if timed not in taken])
    return [stage for stage in (first[:1], first[1:], others) if stage]


def in_turn(tests: Iterable[Timed]) -> list[Timed]:
    """The first of each file, the second of each, and so on."""
    seen: Counter[str] = Counter()
    rounds: list[tuple[int, float, str, Timed]] = []
    for timed in tests:
        file = _file(timed.test)
        rounds.append((seen[file], timed.seconds, timed.test, timed))
        seen[file] += 1
    return [timed for *_, timed in sorted(rounds)]


def _within(seconds: float, tests: Iterable[Timed]) -> list[Timed]:
    """Those that end in so much processor time; what takes too long is left out."""
    found, spent = [], 0.0
    for timed in tests:
        if spent + timed.seconds <= seconds:
            found.append(timed)
            spent += timed.seconds
    return found


def judge(one: Mutant, contexts: dict[str, list[Timed]]) -> str:
    """The outcome of one mistake that is there from the start."""
    tests = fitting(one, contexts)
    for stage in stages(tests):
        said = in_a_child(partial(_run, one, stage), stage)
        if said != SURVIVED:
            return said
    return SURVIVED if tests else UNTESTED


def _said_of(one: Mutant, contexts: dict[str, list[Timed]]) -> str:
    return EQUAL if why_equal(one) else judge(one, contexts)


class Quick:
    """A plugin: puts mistakes into functions that are loaded, and runs tests that are collected.

    Most are noticed this way.  What was computed at the import has no mistake in it, so nothing
    is said here of those that survive.
    """

    def __init__(self, mutants: Iterable[Mutant], contexts: dict[str, list[Timed]]) -> None:
        self._mutants, self._contexts = mutants, contexts
        self.noticed: dict[Mutant, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge each, instead of running all tests."""
        items = {item.nodeid: item for item in session.items}
        gc.freeze()  # otherwise each process soon copies all that was collected
        for one in self._mutants:
            fit = [timed for timed in fitting(one, self._contexts) if timed.test in items]
            tests = _within(LOADED_SECONDS, chain.from_iterable(stages(fit)))
            run = partial(_run_in_place, one, [(timed, items[timed.test]) for timed in tests])
            said = in_a_child(run, tests) if tests else UNTESTED
            if said in (KILLED, TIME_OUT):
                self.noticed[one] = said
            print(f"{said:9} {one}", file=sys.stderr, flush=True)  # noqa: T201  it takes long
        return True


def _run_in_place(one: Mutant, items: Sequence[tuple[Timed, pytest.Item]]) -> int:
    module = import_module(one.module)
    tree = one.put(one.module, ast.parse(source_of(one.module)))
    code = compile(ast.fix_missing_locations(tree), str(module.__file__), "exec", dont_inherit=True)
    try:
        with replaced(module, one.scope, one.line, code):
            return int(any(_fails(timed, item) for timed, item in items))
    except (LookupError, ValueError):  # it is in no function, or that has other variables then
        return 0


def _fails(timed: Timed, item: pytest.Item) -> bool:
    _limit(timed)
    return any(one.failed for one in runtestprotocol(item, log=False, nextitem=None))


def quickly(drawn: Sequence[Mutant], contexts: dict[str, list[Timed]]) -> dict[Mutant, str]:
    """The outcomes of those that were noticed, in a session that has collected everything once."""
    quick = Quick(drawn, contexts)
    wanted = {_file(timed.test) for one in drawn for timed in fitting(one, contexts)}
    pytest.main([*OPTIONS, *sorted(wanted)], [quick])
    return quick.noticed


def in_a_child(run: Callable[[], int], tests: Sequence[Timed]) -> str:
    """How a process that runs these tests ends; it is killed if they take far too long.

    Processor time is what counts: others may use the machine.
    """
    seconds = 20 + int(5 * sum(timed.seconds for timed in tests))
    limit = time.monotonic() + WAITING * seconds
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


def _run(one: Mutant, tests: Sequence[Timed]) -> int:
    """Import everything of ours again, with the mistake in it, and run these tests."""
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    # Imported in the order in which all tests are.
    files = sorted({_file(timed.test) for timed in tests})
    with rewritten([one.module], one.put):
        return int(pytest.main([*OPTIONS, "-x", *files], [_Picked(tests)]))


def _file(test: str) -> str:
    return test.partition("::")[0]


def import_others() -> None:
    """Import whatever no mistake is put into, once for all processes."""
    for name in OF_OTHERS:
        import_module(name)


def sample(seed: int, count: int) -> list[Mutant]:
    """This many mistakes, each as likely as any other."""
    drawn = Random(seed).sample(all_mutants(), count)
    return [mutant(module, number, source_of(module)) for module, number in drawn]


def report(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Print each outcome as it comes; return how many there were of each."""
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
    parser.add_argument("--start", type=int, default=0, help="leave out as many of the sample")
    parser.add_argument("--stop", type=int, help="leave out those from this one on")
    parser.add_argument("--contexts", type=Path, default=CONTEXTS)
    given = parser.parse_args(arguments)
    if not given.contexts.exists():
        measure(given.contexts)
    contexts = read_contexts(given.contexts)
    import_others()
    drawn = sample(given.seed, given.count)[given.start : given.stop]
    noticed = quickly(drawn, contexts)
    report((one, noticed.get(one) or _said_of(one, contexts)) for one in drawn)
    return 0
