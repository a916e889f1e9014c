"""Which tests are chosen for a mistake, and that no file of tests is forgotten."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutation import choosing
from tests.mutation.choosing import (
    Contexts,
    IncompleteError,
    Timed,
    contexts_in,
    in_turn,
    read_contexts,
    unmeasured,
)
from tests.mutation.contexts import RAN, Marking, apart, marked, use
from tests.mutation.mutants import Mutant

F = """
def f(a):
    first = a
    if a > 1:
        second = a
    elif a:
        try:
            third = a
        except ValueError:
            fourth = a
    return lambda: first
"""
G = """
class C:
    kept = 1

    def g(self, a=1):
        return a
"""


@pytest.fixture(autouse=True)
def _nothing_ran() -> Iterator[None]:
    before = set(RAN)
    RAN.clear()
    yield
    RAN.clear()
    RAN.update(before)


def test_every_line_of_a_function_has_a_block() -> None:
    lines = Marking("m", ast.parse(F)).lines
    blocks = ["f", "f", "f", "@5", "@6", "@7", "@8", "@7", "@10", "@11"]
    assert [lines.get(line, "").strip("m:") for line in range(2, 12)] == blocks
    assert lines.keys() == set(range(2, 12))


def test_blocks_note_what_runs_and_nothing_else() -> None:
    noted = dict[str, object]()
    code = compile(ast.fix_missing_locations(marked("m", ast.parse(F))), "m.py", "exec")
    exec(code, noted)
    f = noted["f"]
    assert callable(f)
    for value, ran in ((2, {"m:f", "m@5", "m@11"}), (1, {"m:f", "m@6", "m@7", "m@8", "m@11"})):
        RAN.clear()
        f(value)
        assert ran == RAN


def test_the_docstring_stays_first() -> None:
    first = marked("m", ast.parse(f'"""What."""\n{F}')).body[0]
    assert isinstance(first, ast.Expr)


def test_what_was_run_before_for_a_test_is_run_by_it() -> None:
    """A memory, a fixture, an import: whoever uses it would have to run it, too."""
    RAN.add("test")
    with apart() as part:
        assert not RAN
        RAN.add("played")
    assert {"test"} == RAN
    use(part)
    assert {"test", "played"} == RAN


class Written:
    """A folder as measurements leave it behind."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.now: dict[str, str] = {}
        """The sources as they are by now."""
        monkeypatch.setattr(choosing, "source_of", self.now.__getitem__)
        choosing.around.cache_clear()

    def measured(self, sources: dict[str, str], *tests: tuple[str, float, str]) -> Contexts:
        """One more measurement: of each test its name, its seconds and what it runs."""
        one = self.folder / str(len([*self.folder.iterdir()]))
        (one / "sources").mkdir(parents=True)
        for module, text in sources.items():
            (one / "sources" / f"{module}.py").write_text(text)
        self.now.update(sources)
        digests = {
            file: choosing.digest(file) for file in {name.split("::")[0] for name, *_ in tests}
        }
        (one / choosing.DIGESTS).write_text(json.dumps(digests))
        names = [*dict.fromkeys(name for *_, runs in tests for name in runs.split(", "))]
        new = names
        for test, seconds, runs in tests:
            bits = sum(1 << names.index(name) for name in set(runs.split(", ")))
            line = {"test": test, "seconds": seconds, "new": new, "runs": f"{bits:x}"}
            with (one / "1.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")
            new = []
        return read_contexts(self.folder)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    return Written(tmp_path, monkeypatch)


def at(module: str, line: int, scope: str = "", before: str = "") -> Mutant:
    return Mutant(module, 0, scope, line, before, "")


def chosen(contexts: Contexts, one: Mutant) -> list[str]:
    return [timed.test.rpartition("::")[2] for timed in contexts.fitting(one)]


def test_tests_that_run_the_block_are_chosen_the_cheapest_first(written: Written) -> None:
    contexts = written.measured(
        {"m": F},
        ("a.py::dear", 9.0, "m:f, m@5"),
        ("a.py::cheap", 0.1, "m:f, m@5, m@11"),
        ("b.py::elsewhere", 0.1, "m:f, m@6"),
    )
    assert chosen(contexts, at("m", 5, "f")) == ["cheap", "dear"]
    assert chosen(contexts, at("m", 11, "f")) == ["cheap"]
    assert chosen(contexts, at("m", 4, "f")) == ["cheap", "elsewhere", "dear"]
    assert not contexts.at_import(at("m", 4, "f"))


def test_a_test_that_failed_when_it_was_measured_is_not_chosen(written: Written) -> None:
    written.measured({"m": F}, ("a.py::sound", 0.1, "m:f"))
    path = written.folder / "0" / "1.jsonl"
    failed = {"test": "a.py::failed", "seconds": 0.0, "new": [], "runs": "1", "failed": True}
    path.write_text(f"{path.read_text()}{json.dumps(failed)}\n")
    assert chosen(read_contexts(written.folder), at("m", 3, "f")) == ["sound"]


def test_a_function_that_moved_is_found_and_a_changed_one_is_asked_as_a_whole(
    written: Written,
) -> None:
    contexts = written.measured(
        {"m": F}, ("a.py::first", 0.1, "m:f, m@5"), ("a.py::second", 0.2, "m:f, m@6")
    )
    written.now.update({"n": f"import m\n\n{F}", "m": F.replace("a > 1", "a > 2")})
    assert chosen(contexts, at("n", 7, "f")) == ["first"]
    assert chosen(contexts, at("m", 5, "f")) == ["first", "second"]


def test_what_runs_at_the_import_is_judged_by_those_who_use_it(written: Written) -> None:
    """Those that read what was made there, those of its module, and then of its package."""
    contexts = written.measured(
        {"game.cards": F, "game.rules": G},
        ("a.py::beside", 0.1, "game.rules:C.g"),
        ("a.py::own", 0.2, "game.cards:f"),
        ("a.py::page", 0.3, "game.rules:"),
        ("a.py::other", 0.1, "other:f"),
        ("import game.rules", 0.0, "game.cards@5"),
    )
    assert chosen(contexts, at("game.rules", 3, "C")) == ["page", "beside", "own"]
    assert chosen(contexts, at("game.cards", 5, "f")) == ["beside", "own", "page"]
    assert contexts.at_import(at("game.cards", 5, "f"))
    assert not contexts.at_import(at("game.cards", 6, "f"))


def test_tests_of_a_check_come_first_where_its_line_is_changed(written: Written) -> None:
    contexts = written.measured(
        {"m": F},
        ("a.py::cheap", 0.1, "m:f"),
        ("a.py::marked", 0.2, "m:f, check area.name"),
    )
    one = at("m", 3, "f", "checks.require('area.name', ok, 'malformed', 'no')")
    assert chosen(contexts, one) == ["marked", "cheap"]


def test_a_second_measurement_adds_to_the_first(written: Written) -> None:
    written.measured({"m": F}, ("a.py::old", 0.1, "m:f"))
    contexts = written.measured({"m": G + F}, ("b.py::new", 0.2, "m:f"))
    assert chosen(contexts, at("m", 10, "f")) == ["old", "new"]


def test_of_a_file_that_was_measured_again_the_last_time_counts(written: Written) -> None:
    written.measured({"m": F}, ("a.py::old", 0.1, "m:f"), ("b.py::kept", 0.1, "m:f"))
    contexts = written.measured({"m": F}, ("a.py::new", 0.2, "m:f"))
    assert chosen(contexts, at("m", 3, "f")) == ["kept", "new"]


def test_each_file_has_the_same_time() -> None:
    times = [("a.py::1", 1.0), ("a.py::2", 2.0), ("b.py::1", 1.5), ("c.py::1", 2.5)]
    a, again, b, c = [Timed(seconds, name) for name, seconds in times]
    assert in_turn([c, again, b, a]) == [a, b, c, again]


def test_a_file_of_which_nothing_was_measured_is_an_error(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "FOLDERS", ("mutation",))
    tried: list[str] = []
    monkeypatch.setattr(choosing, "measure", lambda _, files: tried.extend(files))
    with pytest.raises(IncompleteError, match=r"tests/mutation/test_calls\.py, .*test_random\.py"):
        contexts_in(written.folder)
    assert "tests/mutation/test_choosing.py" in tried
    (known,) = [name for name in tried if name.endswith("test_random.py")]
    contexts = written.measured({"m": F}, (f"{known}::test", 0.1, "m:f"))
    assert known not in unmeasured(contexts)
    (measured,) = contexts
    measured.digests[known] = "of another text"
    assert known in unmeasured(contexts)


def test_a_file_whose_tests_are_all_left_out_usually_need_not_be_measured(tmp_path: Path) -> None:
    file = tmp_path / "test_volume.py"
    for mark, has in (("full", False), ("slow", True)):
        file.write_text(f"import pytest\n\n@pytest.mark.{mark}\ndef test_it(): ...\n")
        assert choosing._has_tests(str(file)) == has
