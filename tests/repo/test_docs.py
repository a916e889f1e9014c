"""The documents say what is true: examples run, links lead somewhere, nothing is missing."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, main
from cli.tables.bot_names import NAMES
from tests.repo.sources import ROOT

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
# Their `nodealer entry v1` and the like are labels of hashes and signatures.
LABELS = {"protocol.md", "log-format.md"}
MARKED = re.compile(r"<!-- (run|one run) -->\n```(console|python)\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#:]+)(?:#[^)]*)?\)")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
DIFFERS = (
    (r"(?m)^  oaths .*\n", ""),
    (r"\S*/games(/\S+\.ndlog)?", "LOG"),
    (r'"result": \[.*?\]', "RESULT"),
    (r'"winners": \[.*?\]', "WINNERS"),
    (r"(?m)^(ok +)[-+.e\d ]+(?= flip)", r"\1"),
    (r"\b[0-9a-f]{16}\b", "TABLE"),
    (r"[+-]\d+\b|\d+\.\d+", "0"),
    (rf"\b({'|'.join(NAMES)})\b", "NAME"),
    (r" +wins\b", ""),
)
"""What is another thing in each run: who had to swear, files, results, statistics, the table,
points and seconds, who it is, how many won.  All other numbers are the same."""


class Example(NamedTuple):
    """A marked block of a document.

    `mark` is "run" where the text is what each run says, but for what an ellipsis stands for, and
    "one run" where it is what one run said, and another says with its own names and numbers.
    """

    path: Path
    mark: str
    kind: str
    text: str


EXAMPLES = [
    Example(path, *found) for path in DOCUMENTS for found in MARKED.findall(path.read_text("utf-8"))
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{one.path.name}-{n}" for n, one in enumerate(EXAMPLES)]
)
def test_example(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    if example.kind == "python":
        module = ModuleType("example")  # a table looks its annotations up in its module
        monkeypatch.setitem(sys.modules, "example", module)
        exec(compile(example.text, str(example.path), "exec"), vars(module))
        return
    for session in re.split(r"^\$ ", example.text, flags=re.MULTILINE)[1:]:
        command, _, wanted = session.partition("\n")
        result = CliRunner().invoke(main, arguments(command), prog_name="nodealer")
        assert result.exit_code == 0, result.output
        # An ellipsis at the start of a line would be taken for a prompt by nobody but doctest.
        if example.mark == "one run":
            assert alike(result.output) == alike(wanted), command
        else:
            told = doctest.OutputChecker().check_output(wanted, result.output, FLAGS)
            assert told, f"{command} says:\n{result.output}\ninstead of:\n{wanted}"


def alike(output: str) -> list[list[str]]:
    """The words of each line, with the same word for what differs from run to run."""
    for pattern, word in DIFFERS:
        output = re.sub(pattern, word, output)
    return [line.split() for line in output.strip().splitlines()]


def arguments(command: str) -> list[str]:
    program, *rest = shlex.split(os.path.expandvars(command))
    assert program == "nodealer"
    return rest


def test_there_are_examples_of_both_kinds() -> None:
    assert {example.kind for example in EXAMPLES} == {"console", "python"}


def test_links_within_the_repository_lead_somewhere() -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {link}"
        for path in DOCUMENTS
        for link in LINK.findall(path.read_text("utf-8"))
        if not (path.parent / link).exists()
    ]
    assert broken == []


def test_every_command_that_is_named_exists() -> None:
    named = {
        (path.name, word)
        for path in DOCUMENTS
        if path.name not in LABELS
        for word in re.findall(r"`(?:\.venv/bin/)?nodealer ([a-z][a-z-]*)", path.read_text("utf-8"))
    }
    assert {pair for pair in named if pair[1] not in COMMANDS} == set()


def test_the_readme_opens_with_the_two_commands() -> None:
    opening = (ROOT / "README.md").read_text("utf-8")[:300]
    assert opening.index("make play") < opening.index("make test")
    for target in ("play", "test", "quick", "test-all", "lint"):
        assert f"\n{target}:" in (ROOT / "Makefile").read_text("utf-8")


def test_readme_names_every_python_that_is_tested() -> None:
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    tested = re.search(r"python: \[(.*?)\]", workflow)[1]
    (named,) = re.findall(
        r"Python ([\d., and]+) are tested", (ROOT / "README.md").read_text("utf-8")
    )
    assert re.findall(r"3\.\d+", named) == re.findall(r"3\.\d+", tested)


def test_the_reference_shows_every_command() -> None:
    reference = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"$ nodealer {name} --help\n" not in reference] == []


def test_the_changelog_has_an_entry_for_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\n## {version}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")
