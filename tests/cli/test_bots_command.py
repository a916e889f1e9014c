"""`nodealer bots` with a bot of one's own, as the how-to says."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from tests.repo.sources import ROOT
from tests.repo.test_docs import alike

PAGE = (ROOT / "docs" / "how-to" / "measure-a-bot.md").read_text("utf-8")
WRONG = """
def late(view, question, rng):
    return 999

none = 7
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of somebody who has written the bot of the page, and a wrong one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("my_bot", "wrong_bot", "lacking_bot"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my_bot.py").write_text(code)
    (tmp_path / "wrong_bot.py").write_text(WRONG)
    (tmp_path / "lacking_bot.py").write_text("import a_module_that_is_nowhere\n")
    return tmp_path


def bots(players: str, *more: str) -> Result:
    words = ["bots", "flip-over", "--seats", "3", "--players", players, *more]
    return CliRunner().invoke(main, words, prog_name="nodealer")


@pytest.mark.slow
def test_the_page_is_what_the_command_says() -> None:
    ((command, wanted),) = re.findall(r"```console\n\$ nodealer (.*?)\n(.*?)```", PAGE, re.DOTALL)
    result = CliRunner().invoke(main, command.split(), prog_name="nodealer")
    assert alike(without_times(result.output)) == alike(without_times(wanted))


def without_times(told: str) -> str:
    """How long the longest decision took is whatever else the machine does."""
    return re.sub(r"longest \d+ ms", "longest 0 ms", told)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_several_processes_find_it_too(jobs: str) -> None:
    result = bots("random,my_bot:colours", "--games", "6", "--jobs", jobs, "--json")
    assert result.exit_code == 0, result.output
    (pair,) = json.loads(result.stdout)["pairs"]
    assert (pair["one"], pair["rest"], pair["games"]) == ("my_bot:colours", "random", 6)


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ("normal,no_bot:high", "there is no module 'no_bot' here (for the bot no_bot:high)"),
        ("normal,my_bot:low", "the module 'my_bot' has no function 'low' (for the bot my_bot:low)"),
        ("normal,wrong_bot:none", "the module 'wrong_bot' has no function 'none'"),
        ("normal,:high", "a bot of your own is named as module:function (not ':high')"),
        ("normal,my_bot", "or module:function for one of your own (not 'my_bot')"),
        ("normal,wrong_bot:late", "wrong_bot:late decides 999 where that is not allowed (play)"),
    ],
)
def test_a_mistake_is_one_sentence(players: str, sentence: str) -> None:
    result = bots(players, "--games", "3")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_what_the_module_lacks_itself_stays_loud() -> None:
    result = bots("normal,lacking_bot:high", "--games", "3")
    assert isinstance(result.exception, ModuleNotFoundError)
    assert result.exception.name == "a_module_that_is_nowhere"
