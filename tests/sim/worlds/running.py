"""`python -m tests.sim.worlds N=100 SEED=1 JOBS=2`: worlds by their seeds, until one fails.

A world that fails is made smaller (for SHRINK seconds), and told with its plan and trace.  With
TRACE=1 the trace of each world is shown anyway; with LEAVING=1 people leave for good, with LOSING=1
seats are lost for good.  With RULES=flaps-7 both happen under these rules, with RULES=all each seed
is run under each rule set (`tests.sim.worlds.volumes`).  With SECOND=0 only one verifier reads what
the worlds leave, and under rule sets points are numbers then (`tests.sim.worlds.numbers`).

A run that is stopped prints its summary, and exits with 130 after Ctrl-C and 143 after SIGTERM.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Final

from tests.sim.worlds.draw import draw, leaving, losing
from tests.sim.worlds.plan import Plan
from tests.sim.worlds.second import BATCH, DISAGREE, disagreements, is_here
from tests.sim.worlds.shrink import shrink
from tests.sim.worlds.stopping import StopError, deaf_children, end_tidily, stoppable
from tests.sim.worlds.volumes import RULE_SETS, gone_from
from tests.sim.worlds.world import Result, run

_GIVEN: Final = {
    "N": 100,
    "SEED": 1,
    "JOBS": 1,
    "SHRINK": 60,
    "TRACE": 0,
    "LEAVING": 0,
    "LOSING": 0,
    "SECOND": 1,
}
_RULES: Final = "RULES"
_SHOWN: Final = 200
"""Lines of a trace, from its end."""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


Drawn = tuple[str, Plan]
"""What a world is called, and its plan."""


Told = tuple[str, Result, float]
"""What a world is called, how it went, and how many seconds it took."""


def _timed(second: bool, drawn: Drawn) -> Told:
    began = time.process_time()
    name, plan = drawn
    result = run(plan, logs=second)
    return name, result, time.process_time() - began


def _results(drawn: Iterator[Drawn], jobs: int, second: bool) -> Generator[Told]:
    timed = partial(_timed, second)
    if jobs == 1:
        yield from map(timed, drawn)
        return
    with deaf_children():
        pool = get_context("spawn").Pool(jobs, end_tidily)
    with pool:
        yield from pool.imap(timed, drawn)
        pool.close()
        pool.join()  # else a child that is about to end would be told to end


def _judged(told: Iterator[Told], second: bool) -> Iterator[Told]:
    """The same; a world of whose logs the second verifier says something else has failed."""
    while batch := list(islice(told, BATCH if second else 1)):
        ask_the_second([result for _, result, _ in batch])
        yield from batch


def ask_the_second(results: list[Result]) -> None:
    """A world has failed if the second verifier says something else of what it has left."""
    for result, why in zip(results, disagreements([one.logs for one in results]), strict=True):
        if why and not result.failed:
            result.failed, result.why = DISAGREE, why


def _run_again(plan: Plan, failed: str, *, trace: bool = False) -> Result:
    """One world, as it failed."""
    result = run(plan, trace=trace, logs=failed == DISAGREE)
    ask_the_second([result])
    return result


def _drawn(given: dict[str, int], rules: str, second: bool) -> Iterator[Drawn]:
    """The worlds that were asked for, one after the other."""
    kind = losing if given["LOSING"] else leaving if given["LEAVING"] else draw
    names = RULE_SETS if rules == "all" else [rules] if rules else []
    for seed in range(given["SEED"], given["SEED"] + given["N"]):
        if not names:
            yield str(seed), kind(seed)
        for name in names:
            yield f"{name} {seed}", gone_from(name, seed, numbers=not second)


def _commit() -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def _line(name: str, result: Result) -> str:
    plan, kinds = result.plan, [type(fault).__name__ for fault in result.plan.faults]
    modified = f", seat {plan.modified[0]} {plan.modified[1]}" if plan.modified else ""
    table = f"{plan.game} for {plan.seats}{modified}"
    return f"{name}: {table}, {' '.join(kinds) or 'no fault'}: {' '.join(result.endings)}"


def _tell(name: str, result: Result, seconds: int) -> None:
    """A world failed: its smallest form, and what happened in it."""
    _say(f"FAILED seed {name} at commit {_commit()}: {result.failed}: {result.why}")
    _say(f"{result.plan}")

    def fails(plan: Plan) -> bool:
        return _run_again(plan, result.failed).failed == result.failed

    try:
        plan = shrink(result.plan, fails, seconds)
        smaller = _run_again(plan, result.failed, trace=True)
    except StopError:
        _say(
            f"stopped while the world of seed {name} was being made smaller; the plan that failed:"
        )
        _say(f"{result.plan}")
        raise
    for line in smaller.lines[-_SHOWN:]:
        _say(line)
    _say(f"made smaller: {smaller.failed}: {smaller.why}")
    _say(f"{plan}")


def _summary(total: Counter[str], endings: Counter[str], number: int, seconds: float) -> None:
    faults = {name: n for name, n in sorted(total.items()) if not name.startswith("told ")}
    _say(f"{number} worlds, {60 * number / max(seconds, 1e-9):.0f} a minute and core")
    _say("faults: " + ", ".join(f"{name} {n}" for name, n in faults.items()))
    _say("seats: " + ", ".join(f"{name} {n}" for name, n in sorted(endings.items())))


class _Run:
    """A run of worlds, and its sums so far."""

    def __init__(self, given: dict[str, int], rules: str) -> None:
        self.failures = 0
        self._given: Final = given
        self._rules: Final = rules
        self._total: Final[Counter[str]] = Counter()
        self._endings: Final[Counter[str]] = Counter()
        self._number = 0
        self._spent = 0.0
        self._logs = 0

    def run(self) -> None:
        """Run the worlds until one fails and is made smaller."""
        given, second = self._given, bool(self._given["SECOND"]) and is_here()
        told = _results(_drawn(given, self._rules, second), given["JOBS"], second)
        with closing(told):
            for name, result, seconds in _judged(told, second):
                self._add(result, seconds)
                _say(f"{_line(name, result)} ({seconds:.2f} s)")
                if given["TRACE"]:
                    for line in run(result.plan, trace=True).lines:
                        _say(line)
                if result.failed:
                    self.failures += 1
                    _tell(name, result, given["SHRINK"])
                    if given["SHRINK"]:
                        break

    def _add(self, result: Result, seconds: float) -> None:
        self._logs += len(result.logs)
        self._number, self._spent = self._number + 1, self._spent + seconds
        self._total.update(result.counts)
        self._endings.update(result.endings)

    def sum_up(self) -> None:
        """Print the sums."""
        _summary(self._total, self._endings, self._number, self._spent)
        _say(f"the second verifier was asked about {self._logs} logs")


def _asked(words: Sequence[str]) -> _Run:
    given, rules = dict(_GIVEN), ""
    for word in words:
        name, _, value = word.partition("=")
        if name == _RULES:
            rules = value
        else:
            given[name] = int(value)
    return _Run(given, rules)


def main() -> int:
    """0 if all worlds hold, 1 if one fails, 128 and the signal's number if the run is stopped."""
    asked = _asked(sys.argv[1:])
    with stoppable():
        try:
            asked.run()
            code = 1 if asked.failures else 0
        except StopError as stop:
            _say(f"{stop}")
            code = stop.code
        asked.sum_up()
        return code
