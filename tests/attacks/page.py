"""Writes docs/explanation/attacks.md from the attack tests: `python -m tests.attacks.page`.

With `--tests` it prints the names of those tests, for `make attacks`.

The docstring of an attack test says what the attack is (the first sentence), then what the
honest side does ("Answer: ..."), and what remains possible, if anything ("Remains: ...").  A
docstring that begins with "Control:" belongs to a test which only shows that the others mean
something.  In the files of `HOME` every test has such a docstring; in other test files, only
the tests with an "Answer:" are taken.  The rest of the page is in attacks.toml and pitfalls.toml.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.repo.sources import ROOT, parsed

PAGE: Final = ROOT / "docs" / "explanation" / "attacks.md"
HOME: Final = (
    "tests/attacks/test_*.py",
    "tests/protocol/test_cheating_*.py",
    "tests/protocol/test_verifier_calls*.py",
    "tests/protocol/test_pitfalls*.py",
    "tests/protocol/test_binding.py",
    "tests/crypto/test_*forgeries.py",
    "tests/crypto/test_pitfalls*.py",
    "tests/crypto/test_bad_points.py",
    "tests/sim/test_garbage.py",
    "tests/sim/test_storms.py",
    "tests/page/test_forgeries.py",
)
"""Files in which every test is an attack or a control."""
CONTROL: Final = "Control:"
ANSWER, REMAINS = "Answer:", "Remains:"
NOT_YET: Final = "**Does not hold yet:**"


@dataclass(frozen=True)
class Attack:
    """One attack test: where it is, and what its docstring says."""

    file: str
    name: str
    attack: str
    answer: str
    remains: str
    fails: str
    """Why the answer does not hold yet: the reason of the test's `xfail`, or nothing."""

    @property
    def title(self) -> str:
        return self.name.removeprefix("test_").replace("_", " ")

    @property
    def whole(self) -> bool:
        """Whether the docstring says what the attack is, and what becomes of it."""
        return bool(self.attack and self.answer)


@cache
def attacks() -> tuple[Attack, ...]:
    """Every attack test of the repository, in the order of files and lines."""
    home = {path for pattern in HOME for path in ROOT.glob(pattern)}
    files = [*sorted(home), *sorted(set((ROOT / "tests").rglob("test_*.py")) - home)]
    return tuple(found for path in files for found in _attacks_in(path, path in home))


def _attacks_in(path: Path, all_of_them: bool) -> Iterator[Attack]:
    if not all_of_them and ANSWER not in path.read_text("utf-8"):
        return  # most files of tests: to parse them takes a second
    for node in tests_in(path):
        said = " ".join((ast.get_docstring(node) or "").split())
        if not said.startswith(CONTROL) and (all_of_them or ANSWER in said):
            place = path.relative_to(ROOT).as_posix()
            yield Attack(place, node.name, *_parts(said), fails=_fails(node))


def _fails(test: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The reasons that the marks of a test give for its failing, in some or all of its cases."""
    calls = [node for mark in test.decorator_list for node in ast.walk(mark)]
    reasons = [
        keyword.value.value
        for node in calls
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.xfail"
        for keyword in node.keywords
        if keyword.arg == "reason" and isinstance(keyword.value, ast.Constant)
    ]
    return "; ".join(map(str, reasons))


@cache
def tests_in(path: Path) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    """The tests of a file."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [node for node in parsed(path).body if isinstance(node, kinds)]
    return tuple(function for function in functions if function.name.startswith("test_"))


def _parts(said: str) -> tuple[str, str, str]:
    """Attack, answer, and what remains, from a docstring in one line."""
    rest, _, remains = said.partition(REMAINS)
    cut = rest.replace(ANSWER, "", 1) if ANSWER in rest else rest
    end = rest.index(ANSWER) if ANSWER in rest else _first_sentence(rest)
    return cut[:end].strip(), cut[end:].strip(), remains.strip()


def _first_sentence(text: str) -> int:
    """Where the first sentence ends."""
    end = re.search(r"[.?!](?= )", text)
    return end.end() if end else len(text)


@cache
def data(name: str) -> dict[str, Any]:
    """The contents of a file beside this one."""
    return tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))


def group_of(attack: Attack) -> str:
    """What is attacked: the first group with a pattern that matches the test's place and name."""
    place = f"{attack.file}::{attack.name}"
    for group in data("attacks.toml")["group"]:
        if any(re.search(pattern, place) for pattern in group["tests"]):
            return str(group["title"])
    raise ValueError(f"no group in attacks.toml for {place}")


def page() -> str:
    """The whole document."""
    text = data("attacks.toml")
    parts = [f"# {text['title']}", text["introduction"].strip(), *_groups()]
    parts += ["## What remains", text["remains"].strip(), *_pitfalls()]
    return "\n\n".join(parts) + "\n"


def _groups() -> Iterator[str]:
    for group in sorted(data("attacks.toml")["group"], key=lambda group: int(group["place"])):
        found = [attack for attack in attacks() if group_of(attack) == group["title"]]
        yield f"## {group['title']}"
        yield group["about"].strip()
        yield "\n".join(_line(attack) for attack in found)


def _line(attack: Attack) -> str:
    remains = f" *Remains:* {attack.remains}" if attack.remains else ""
    fails = f" {NOT_YET} {attack.fails}." if attack.fails else ""
    return f"* **{attack.attack}** {_upper(attack.answer)}{remains}{fails} ({_link(attack)})"


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _link(attack: Attack) -> str:
    return f"[{attack.title}](../../{attack.file})"


def _pitfalls() -> Iterator[str]:
    text = data("pitfalls.toml")
    yield f"## {text['title']}"
    yield text["introduction"].strip()
    for source in text["source"]:
        rows = [row for row in text["pitfall"] if row["source"] == source["id"]]
        yield f"### {source['title']}"
        yield source["about"].strip()
        head = "| pitfall | what goes wrong | here | held by |\n|---|---|---|---|\n"
        yield head + "\n".join(_row(row) for row in rows)


def _row(row: dict[str, Any]) -> str:
    held = [f"`{check}`" for check in row.get("checks", [])]
    held += [_test_link(test) for test in row["tests"]]
    here = f"{row['here']}{_not_yet(row['tests'])}"
    return f"| {row['name']} | {row['means']} | {here} | {'; '.join(held)} |"


def _not_yet(tests: list[str]) -> str:
    reasons = [one.fails for one in attacks() if one.fails and f"{one.file}::{one.name}" in tests]
    return f" {NOT_YET} {'; '.join(reasons)}." if reasons else ""


def _test_link(test: str) -> str:
    file, _, name = test.partition("::")
    return f"[{name.removeprefix('test_').replace('_', ' ')}](../../{file})"


if __name__ == "__main__":
    if sys.argv[1:] == ["--tests"]:
        sys.stdout.write(" ".join(f"{one.file}::{one.name}" for one in attacks()) + "\n")
    else:
        PAGE.write_text(page(), "utf-8")
