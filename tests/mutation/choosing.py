"""Which tests may notice a mistake, by what was measured once (`tests.mutation.contexts`).

That is kept in a folder for each measurement, with the sources as they were then, so lines of a
module that was changed or moved since are looked up by the text of the function around them.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from itertools import chain, groupby, zip_longest
from operator import or_
from pathlib import Path
from typing import Final

import pytest

from tests.mutation.contexts import AT_IMPORT, Marking
from tests.mutation.mutants import Mutant, module_of, mutated_files, source_of
from tests.mutation.source import REPOSITORY

FOLDERS: Final = (
    *("engine", "crypto", "protocol", "games", "vectors", "scenes", "replay", "fuzz", "sim"),
    *("peer", "repo", "fairness", "net", "screen", "cli", "attacks"),
)
"""The folders whose tests are measured; those of browsers and packages start programs only."""
SOURCES: Final = "sources"
DIGESTS: Final = "digests.json"
"""Which text each file of tests had."""
NOT_FULL: Final = ("-m", "not full")
CHECK: Final = re.compile(r"'([a-z-]+\.[a-z-]+)'")
"""The name of a check in a line."""


class IncompleteError(Exception):
    """A file of tests was not measured, so nobody knows which mistakes it notices."""


@dataclass(frozen=True)
class Timed:
    """A test, and its processor time with that of what it needs."""

    seconds: float
    test: str

    @property
    def file(self) -> str:
        """The file of the test."""
        return self.test.partition("::")[0]


@dataclass
class Measured:
    """What one measurement found."""

    ran: dict[Timed, int] = field(default_factory=dict)
    """For each test, which blocks it runs: bits, numbered as `numbers` says."""
    imports: dict[str, int] = field(default_factory=dict)
    """The same for each module that is imported."""
    numbers: dict[str, int] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    """The text of each module then."""
    digests: dict[str, str] = field(default_factory=dict)
    """That of each file of tests then."""
    _known: dict[str, dict[int, str]] = field(default_factory=dict)

    def files(self) -> set[str]:
        """The files of which tests were measured."""
        return {timed.file for timed in self.ran}

    def forget(self, files: set[str]) -> None:
        """These were measured again later."""
        self.ran = {timed: bits for timed, bits in self.ran.items() if timed.file not in files}

    @cached_property
    def _modules(self) -> dict[str, int]:
        """The blocks of each module, and of each package."""
        found: dict[str, int] = defaultdict(int)
        for name, number in self.numbers.items():
            module = re.split("[:@]", name)[0]
            for home in (module, _package(module)):
                found[home] |= 1 << number
        return found

    def fitting(self, one: Mutant) -> list[list[Timed]]:
        """The tests that may notice, in groups: those that certainly run its line first.

        Before these come those of them that are marked with a check of that line.  What (also) runs
        at an import is noticed by who uses what was made there: those of its modules, and after
        them of their packages.
        """
        name = self._block(one)
        here = self._bits([name] if name else [])
        marked = self._bits(f"check {name}" for name in CHECK.findall(one.before))
        groups = [self._tests(marked), self._tests(here)]
        if self.at_import(one):
            home = self._home(one)
            modules = [home, *(name for name, bits in self.imports.items() if bits & here)]
            groups.append(self._tests(self._bits([f"{home}:"])))
            for names in (modules, [*map(_package, modules)]):
                blocks = (self._modules.get(name, 0) for name in names)
                groups.append(self._tests(reduce(or_, blocks)))
        return groups

    def at_import(self, one: Mutant) -> bool:
        """Whether it runs at an import, so that what was imported before says nothing of it."""
        name = self._block(one)
        return name is None or any(bits & self._bits([name]) for bits in self.imports.values())

    def _block(self, one: Mutant) -> str | None:
        """The note of its block, that of its function where that was changed since; or None."""
        then = self._then(one)
        if then is not None:
            return self._marks(then[0]).get(then[1])
        in_function = one.line in Marking(one.module, ast.parse(source_of(one.module))).lines
        return f"{one.module}:{one.scope}" if in_function else None

    def _marks(self, module: str) -> dict[int, str]:
        """Which note each line of a module made then."""
        if module not in self._known:
            self._known[module] = Marking(module, ast.parse(self.sources[module])).lines
        return self._known[module]

    def _home(self, one: Mutant) -> str:
        then = self._then(one)
        return then[0] if then else one.module

    def _then(self, one: Mutant) -> tuple[str, int] | None:
        """The module and the line in which it was then, if what is around it is still the same."""
        first, text = around(one.module, one.line)
        for module in (one.module, *sorted(self.sources)):
            before, found, _ = self.sources.get(module, "").partition(text)
            if found:
                return module, before.count("\n") + 1 + one.line - first
        return None

    def _tests(self, blocks: int) -> list[Timed]:
        return [timed for timed, bits in self.ran.items() if bits & blocks]

    def _bits(self, names: Iterable[str]) -> int:
        return sum(1 << self.numbers[name] for name in names if name in self.numbers)


class Contexts(list[Measured]):
    """All that was measured, in several measurements, perhaps: for files that were new then."""

    def fitting(self, one: Mutant) -> list[Timed]:
        """The tests that may notice; each group in the order of `in_turn`."""
        groups = zip_longest(*(measured.fitting(one) for measured in self), fillvalue=())
        ordered = chain.from_iterable(in_turn(chain.from_iterable(group)) for group in groups)
        return list(dict.fromkeys(ordered))

    def at_import(self, one: Mutant) -> bool:
        """Whether it runs at an import."""
        return any(measured.at_import(one) for measured in self)

    def files(self) -> set[str]:
        """The files of tests that were measured as they are now."""
        return {
            file
            for measured in self
            for file in measured.files()
            if measured.digests.get(file) == digest(file)
        }


def in_turn(tests: Iterable[Timed]) -> list[Timed]:
    """Each file has the same time: a thousand cheap cases of one test would leave none for tests
    that look at something else."""
    spent: dict[str, float] = defaultdict(float)
    ranked: list[tuple[float, str, Timed]] = []
    for timed in sorted(tests, key=lambda one: (one.seconds, one.test)):
        spent[timed.file] += timed.seconds
        ranked.append((spent[timed.file], timed.test, timed))
    return [timed for *_, timed in sorted(ranked, key=lambda one: one[:2])]


@cache
def around(module: str, line: int) -> tuple[int, str]:
    """The first line, and the text, of the function around a line, or of the statement."""
    source = source_of(module)
    outer: Sequence[ast.stmt] = ast.parse(source).body
    while True:
        inside = next(one for one in outer if _first(one) <= line <= (one.end_lineno or 0))
        if not isinstance(inside, ast.ClassDef) or line < inside.body[0].lineno:
            first, last = _first(inside), inside.end_lineno
            return first, "".join(source.splitlines(keepends=True)[first - 1 : last])
        outer = inside.body


def _first(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _package(module: str) -> str:
    return module.rpartition(".")[0]


def measure(folder: Path, files: Iterable[str]) -> None:
    """Run these files of tests, and note what they run in a new folder in this one.

    Those of each room are a session of their own, so that one that breaks down takes no others
    with it.
    """
    measured = folder / str(len([*folder.glob("*/")]) + 1)
    kept = measured / SOURCES
    kept.mkdir(parents=True)
    for path in mutated_files():
        (kept / f"{module_of(path)}.py").write_bytes(path.read_bytes())
    digests = {file: digest(file) for file in files}
    (measured / DIGESTS).write_text(json.dumps(digests, indent=1), "utf-8")
    command = ["-n", "2", "--dist", "loadfile", "-p", "tests.mutation.contexts", *NOT_FULL]
    for _, those in groupby(sorted(digests), lambda file: file.split("/")[1]):
        subprocess.run(
            [sys.executable, "-m", "pytest", *command, *those],
            cwd=REPOSITORY,
            env={**os.environ, "CONTEXTS": str(measured)},
            stdout=sys.stderr,
            check=False,
        )


def contexts_in(folder: Path, *, incomplete: bool = False) -> Contexts:
    """What was measured; files that were not are measured now.

    IncompleteError if a file has tests, and none of them could be measured: then nobody knows which
    mistakes they notice.  If that may be `incomplete`, such files are named, and nothing is
    measured.
    """
    contexts = read_contexts(folder)
    missing = unmeasured(contexts)
    if missing and incomplete:
        print(f"Not measured: {', '.join(missing)}")  # noqa: T201
        return contexts
    missing = [*filter(_has_tests, missing)]
    if missing:
        measure(folder, missing)
        contexts = read_contexts(folder)
        missing = [name for name in unmeasured(contexts) if name in missing]
    if missing:
        raise IncompleteError(f"no test of these files could be measured: {', '.join(missing)}")
    return contexts


def read_contexts(folder: Path) -> Contexts:
    """What was measured, of each file the last time."""
    found = [_read(one) for one in sorted(folder.glob("*/"), key=lambda one: int(one.name))]
    later: set[str] = set()
    for measured in reversed(found):
        measured.forget(later)
        later |= measured.files()
    return Contexts(found)


def _read(folder: Path) -> Measured:
    """One measurement.  Tests that failed then, or were skipped, say nothing."""
    found = Measured()
    for path in (folder / SOURCES).glob("*.py"):
        found.sources[path.stem] = path.read_text("utf-8")
    found.digests = json.loads((folder / DIGESTS).read_text("utf-8"))
    for path in sorted(folder.glob("*.jsonl")):
        numbers: list[int] = []
        for line in path.read_text("utf-8").splitlines():
            said = json.loads(line)
            numbers += [found.numbers.setdefault(one, len(found.numbers)) for one in said["new"]]
            bits, test = _renumbered(int(said["runs"], 16), numbers), said["test"]
            if test.startswith(AT_IMPORT):
                module = test.removeprefix(AT_IMPORT)
                found.imports[module] = found.imports.get(module, 0) | bits
            elif not said.get("failed"):
                found.ran[Timed(said["seconds"], test)] = bits
    return found


def _renumbered(bits: int, numbers: Sequence[int]) -> int:
    """The same blocks by other numbers."""
    set_bits = (place for place, bit in enumerate(reversed(f"{bits:b}")) if bit == "1")
    return sum(1 << numbers[place] for place in set_bits)


def digest(file: str) -> str:
    """What stands for the text of a file of tests; "" if it is gone."""
    path = REPOSITORY / file
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def unmeasured(contexts: Contexts) -> list[str]:
    """The files of which no test was measured as it is now."""
    places = [REPOSITORY / "tests" / name for name in FOLDERS]
    paths = (path for place in places for path in sorted(place.rglob("test_*.py")))
    names = [path.relative_to(REPOSITORY).as_posix() for path in paths]
    known = contexts.files()
    return [name for name in names if name not in known]


def _has_tests(file: str) -> bool:
    """Whether there is a test in it that is run usually."""
    command = ["-m", "pytest", "--collect-only", "-n", "0", *NOT_FULL, file]
    done = subprocess.run(
        [sys.executable, *command], cwd=REPOSITORY, capture_output=True, check=False
    )
    return done.returncode != pytest.ExitCode.NO_TESTS_COLLECTED
