"""The sample of random mistakes: what they are, which tests are picked, what is said of them."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from functools import partial

import pytest

from tests.mutation import sample
from tests.mutation.choosing import Timed
from tests.mutation.mutants import Mutant, all_mutants, mutant, mutants_of
from tests.mutation.sample import KILLED, NOW, SURVIVED, UNTESTED, Judge, stages, within
from tests.mutation.source import REPOSITORY

SOURCE = '''"""Not this 1."""
LIMIT: Final = 3


class Pile:
    def take(self, n: int = 2) -> int:
        """Nor this 1."""
        if not n < self.size and self.open:
            raise ValueError(n)
        self.taken += n
        self.note(self, n)
        return max(n, True)
'''


def mutants(source: str) -> list[Mutant]:
    return [*mutants_of("m", source)]


def test_the_mistakes_of_a_module() -> None:
    head = "def take(self, n: int=2) -> int:"
    condition = "if not n < self.size and self.open:"
    assert [(one.line, one.scope, one.before, one.after) for one in mutants(SOURCE)] == [
        (2, "", "LIMIT: Final = 3", "LIMIT: Final = 4"),
        (2, "", "LIMIT: Final = 3", "LIMIT: Final = 2"),
        *((6, "Pile.take", head, head.replace("2", n)) for n in "31"),
        (8, "Pile.take", condition, "if not n < self.size or self.open:"),
        (8, "Pile.take", condition, "if n < self.size and self.open:"),
        (8, "Pile.take", condition, "if not n <= self.size and self.open:"),
        (9, "Pile.take", "raise ValueError(n)", "pass"),
        (10, "Pile.take", "self.taken += n", "self.taken -= n"),
        (10, "Pile.take", "self.taken += n", "pass"),
        (11, "Pile.take", "self.note(self, n)", "pass"),
        (11, "Pile.take", "self.note(self, n)", "self.note(n, self)"),
        (12, "Pile.take", "return max(n, True)", "return None"),
        (12, "Pile.take", "return max(n, True)", "return max(n, False)"),
    ]


@pytest.mark.parametrize(
    ("call", "mistaken"), [("max(a, b)", 0), ("max(a, b, c)", 1), ("f(a, b)", 1)]
)
def test_arguments_in_another_order_are_a_mistake_where_it_matters(
    call: str, mistaken: int
) -> None:
    assert len(mutants(f"{call}\n")) == mistaken + 1, "the statement may be left out, too"


def test_a_mutant_changes_its_own_module_in_one_place() -> None:
    for one in mutants(SOURCE):
        other = ast.fix_missing_locations(one.put("m", ast.parse(SOURCE)))
        compile(other, "m.py", "exec")
        before, after = ast.unparse(ast.parse(SOURCE)), ast.unparse(other)
        lines = list(zip(before.splitlines(), after.splitlines(), strict=True))
        assert [new.strip() for old, new in lines if old != new] == [one.after], one
        assert ast.unparse(one.put("n", ast.parse(SOURCE))) == before


def test_of_a_long_line_the_difference_is_shown() -> None:
    source = f"FACES = [{'X, ' * 200}7, {'Y, ' * 200}]"
    (one, _) = mutants(source)
    assert (" 7, Y" in one.before, " 8, Y" in one.after) == (True, True)
    assert len(one.before) == len(one.after) < 200


def test_one_mistake_of_a_module_is_the_one_of_its_number() -> None:
    assert [mutant("m", number, SOURCE) for number in (0, 5, 10)] == mutants(SOURCE)[:11:5]


def test_a_sample_is_drawn_from_every_place_by_its_seed() -> None:
    places = {module.partition(".")[0] for module, _ in all_mutants()}
    assert places == {"engine", "p2p"}
    assert sample.sample(7, 3) == sample.sample(7, 3) != sample.sample(8, 3)


def test_tests_of_a_few_files_come_first_and_all_end_in_time() -> None:
    tests = [Timed(1.0, f"tests/{name}.py::test") for name in "abcdefg"]
    dear = Timed(sample.ALL_SECONDS, "tests/a.py::dear")
    assert stages(tests) == [tests[:5], tests[5:]]
    assert within(2.5, [tests[0], dear, tests[1], tests[2]]) == tests[:2]


def test_the_test_that_noticed_one_mistake_is_the_first_for_the_next_in_its_function() -> None:
    tests = [Timed(0.0, f"tests/{name}.py::test") for name in "abc"]
    one, other = mutants(SOURCE)[2:4]
    sample._KILLERS.clear()
    sample._AT_WORK["now"] = _Third(), [(one, tests)]
    sample._judged(0)
    assert sample.likely_first(other, tests) == [tests[2], *tests[:2]]
    assert sample.likely_first(mutants(SOURCE)[0], tests) == tests


class _Third(Judge):
    """Of three tests the last notices everything."""

    def __init__(self) -> None:
        super().__init__(lambda _: lambda _: 0)

    def judge(self, one: Mutant, tests: Sequence[Timed]) -> tuple[str, Timed | None]:
        return KILLED, tests[2]


def test_a_test_that_fails_without_the_mistake_judges_nothing() -> None:
    one, tests = mutants(SOURCE)[0], [Timed(0.0, f"tests/{name}.py::test") for name in "abc"]

    def run(mistake: Mutant | None, failing: dict[str, bool], given: Sequence[Timed]) -> int:
        for number, timed in enumerate(given):
            NOW.say(number)
            always = failing.get(timed.test)
            if always is not None and (always or mistake is not None):
                return 1
        return 0

    def judged(**failing: bool) -> tuple[str, Timed | None]:
        names = {f"tests/{name}.py::test": always for name, always in failing.items()}
        return Judge(lambda mistake: partial(run, mistake, names)).judge(one, tests)

    assert judged() == (SURVIVED, None)
    assert judged(a=True, c=False) == (KILLED, tests[2])
    assert judged(b=True) == (SURVIVED, None)
    assert judged(a=True, b=True, c=True) == (UNTESTED, None)


def test_what_is_said_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    one = mutants(SOURCE)[0]
    assert sample.report([(one, sample.KILLED), (one, sample.SURVIVED)])[sample.KILLED] == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "   0 killed    m:2 : LIMIT: Final = 3  ->  LIMIT: Final = 4"
    assert said[2] == "{'killed': 1, 'survived': 1}"


def test_a_test_that_hangs_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before all tests of its mistake might have taken too long."""
    monkeypatch.setattr(sample, "HANGS", 0.05)
    brief = Timed(0.0, "tests/a.py::brief")

    def hang() -> int:
        sample._limit(brief)
        while True:
            pass

    assert sample.in_a_child(hang, [brief]) == sample.TIME_OUT


SCRIPT = """
from tests.mutation.mutants import mutant, source_of
from tests.mutation.sample import Timed, _Anew, import_others
import_others()
module = "p2p.crypto.coin"
found = (mutant(module, number, source_of(module)) for number in range(99))
one = next(one for one in found if one.after == "if sides < 1 or len(value) == VALUE_BYTES:")
for file, test in (
    ("coin", "draws_are_in_range_independent_and_even"),
    ("elgamal", "slots_travel_flat"),
):
    test = f"tests/crypto/test_{file}.py::test_{test}"
    print(_Anew().judge(one, [Timed(0.1, test)])[0])
"""


def test_a_mistake_is_killed_by_a_test_that_fails() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == ["killed", "survived", ""]


def test_a_mistake_in_a_function_that_is_loaded_is_killed_there() -> None:
    script = SCRIPT.replace("_Anew().judge(one, [Timed(0.1, test)])[0]", "_loaded(one, test)")
    script = script.replace("import_others()\n", f"import_others()\n{LOADED}", 1)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    said = [line for line in done.stdout.split("\n") if line in (KILLED, SURVIVED)]
    assert said == [KILLED, SURVIVED]


LOADED = """
from tests.mutation.sample import Sampled
class Chosen:
    def __init__(self, test): self.test = test
    def fitting(self, one): return [Timed(0.1, self.test)]
    def at_import(self, one): return False
def _loaded(one, test):
    return [said for _, said in Sampled([one], Chosen(test), 1).outcomes()][0]
"""
