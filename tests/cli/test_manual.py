"""The pages of `man`: every command and option is there, and a reader of man(7) takes them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli import manual
from cli.completion.table import CommandTold, program
from tests.repo.sources import ROOT

TOLD = program()
COMMANDS: dict[str, CommandTold] = {manual.NAME: TOLD} | {
    f"{manual.NAME}-{name}": told for name, told in TOLD["commands"].items()
}
MAN = shutil.which("man")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all pages."""
    folder = tmp_path_factory.mktemp("manual") / "man1"
    manual.write_pages(folder, "1.2.3")
    return folder


def plain(roff: str) -> str:
    """The words of a page without its requests and fonts."""
    return re.sub(r"\\f[BIR]|\\&", "", roff).replace(r"\-", "-").replace(r"\e", "\\")


def test_a_page_for_the_program_and_for_each_command(pages: Path) -> None:
    assert {page.name for page in pages.iterdir()} == {f"{name}.1" for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_tells_all_that_the_help_tells(pages: Path, name: str) -> None:
    told, page = COMMANDS[name], plain((pages / f"{name}.1").read_text("utf-8"))
    lines = page.splitlines()
    assert lines[0] == f'.TH {name.upper()} 1 "" "nodealer 1.2.3" "nodealer"'
    assert f"{name} - {told['does'].rstrip('.')}" in lines
    assert f"{name.replace('-', ' ', 1)} {told['usage']}" in lines
    assert told["options"]
    for option in told["options"]:
        term = ", ".join(option["names"]) + (f" {option['value']}" if option["value"] else "")
        assert lines[lines.index(term) - 1] == ".TP"
        assert lines[lines.index(term) + 1] == option["help"]
    assert set(told["paragraphs"]) <= set(lines)
    assert lines[lines.index(".EX") + 1] == told["example"] != ""


def test_the_programs_page_leads_to_all_others(pages: Path) -> None:
    page = plain((pages / f"{manual.NAME}.1").read_text("utf-8"))
    for name, told in TOLD["commands"].items():
        assert f".TP\n{name}\n{told['does']}\n" in page
        assert f"{manual.NAME}-{name}(1)" in page


def test_nothing_that_is_told_is_taken_for_a_request() -> None:
    assert manual._text(".ndlog") == r"\&.ndlog"
    assert manual._text("'tis") == r"\&'tis"
    assert manual._text(r"a\b -v") == r"a\eb \-v"


@pytest.mark.skipif(MAN is None, reason="man is not installed here")
@pytest.mark.parametrize("name", COMMANDS)
def test_man_shows_a_page_without_a_warning(pages: Path, name: str) -> None:
    done = subprocess.run(
        [str(MAN), "--warnings", "-l", pages / f"{name}.1"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"},
    )
    assert done.stderr == ""
    for option in COMMANDS[name]["options"]:
        assert option["names"][-1] in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_what_builds_a_package_needs_nothing_else_for_it() -> None:
    """Neither click nor any other library is there then."""
    code = "from cli.manual import pages; print(len(pages('1.2.3')))"
    bare = [sys.executable, "-S", "-c", code]
    done = subprocess.run(bare, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == f"{len(COMMANDS)}\n", done.stderr


def test_the_exit_codes_are_those_of_the_documents() -> None:
    reference = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    for code, meaning in manual.EXITS.items():
        assert f"| {code} | {meaning} |" in reference
