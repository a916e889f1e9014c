"""What a terminal gets that wants plain lines, or ASCII: no helper draws anything there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from cli.kit.bar import bar_for
from cli.kit.flags import MANNER
from cli.kit.output import Whole, say
from cli.main import COMMANDS
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.patience import NEVER

LOG: Final = "LOG"
FOLDER: Final = "FOLDER"
WALK: Final = {
    "play": ["play", "flip-over"],
    "host": ["host", "flop-a", "--seats", "2", "--bind", "127.0.0.1", "--no-map", "--no-announce"],
    "join": ["join"],
    "watch": ["watch"],
    "resume": ["resume"],
    "audit": ["audit", LOG],
    "audit of a folder": ["audit", FOLDER],
    "replay": ["replay", LOG],
    "review": ["replay", LOG, "--review", "--seat", "0"],
    "export": ["export", LOG, "--text", "-o", "game.txt"],
    "page": ["export", LOG, "--html", "-o", "game.html"],
    "film": ["export", LOG, "--svg", "-o", "game.svg"],
    "report": ["report", LOG, "--yes", "-o", "report.txt"],
    "fairness": ["fairness", FOLDER],
    "stats": ["stats"],
    "demo": ["demo", "flop-a", "--seats", "2", "--option", "hands=1"],
    "demo in processes": ["demo", "flop-a", "--seats", "2", "--option", "hands=1", "--procs"],
    "simulate": ["simulate", "flip-over", "--games", "20"],
    "plot": ["simulate", "flip-over", "--games", "20", "--plot", "plot.svg"],
    "bots": ["bots", "flip-over", "--games", "3", "--players", "random,easy"],
    "bench": ["bench", "imports"],
    "rules": ["rules", "flip-over"],
    "new-game": ["new-game", "old-maid", "--into", "."],
    "id": ["id"],
    "settings": ["settings"],
    "completion": ["completion", "bash"],
}
"""Each command, and each way of it that draws."""
WHICH_TABLE: Final = ("Paste the invite", "Sit down there?", "Which table")
"""Nobody or somebody may announce a table on this network."""
ASKS: Final = {"play": ("card",), "host": ("ND1:",), "join": WHICH_TABLE, "watch": WHICH_TABLE}
"""These go on until the person leaves, once one of the texts was shown."""
WITHOUT: Final = ("completion",)
"""Has no option for that, and prints for a shell."""


def test_walk_has_every_command() -> None:
    assert {arguments[0] for arguments in WALK.values()} == {*COMMANDS}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["plain", "dumb"])
@pytest.mark.parametrize("what", WALK)
def test_no_command_sends_escapes(
    what: str, way: str, finished_log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / "games").mkdir(parents=True)
    log = Path(shutil.copy(finished_log, home / "games"))
    monkeypatch.chdir(tmp_path)
    places = {LOG: str(log), FOLDER: str(log.parent)}
    arguments = [places.get(word, word) for word in WALK[what]]
    if way == "plain" and what not in WITHOUT:
        arguments.append("--plain")
    with Terminal(arguments, home, TERM="xterm" if way == "plain" else "dumb") as terminal:
        if what in ASKS:
            terminal.until(*ASKS[what])
        else:
            terminal.end(NEVER)  # some of them compute for a long time
        assert "\x1b" not in terminal.raw


# -- helpers --------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """Leave the manner as it was."""
    with MANNER.of_a_command():
        yield


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let standard error be a terminal; pytest replaces it between fixtures and tests."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize("way", ["plain", "dumb"])
def test_bar_on_plain_terminal_is_a_line_at_the_end(
    way: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_a_terminal(monkeypatch)
    if way == "plain":
        MANNER.choose(plain=True, letters=False)
    else:
        monkeypatch.setenv("TERM", "dumb")
    with bar_for("logs") as advance:
        advance(1, 3)
        with advance.apart():
            assert capfd.readouterr() == ("", "")
        advance(3, 3)
    with bar_for("a plot", "Drawing", counted=False):
        assert capfd.readouterr() == ("", "Checking logs: 3 of 3\n")
    assert capfd.readouterr() == ("", "Drawing a plot: done\n")


def test_bar_with_ascii_has_no_other_letters(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_a_terminal(monkeypatch)
    drawn = []
    for letters in (False, True):
        MANNER.choose(plain=False, letters=letters)
        with bar_for("logs") as advance:
            advance(1, 2)
        drawn.append(capfd.readouterr().err)
    assert [one.isascii() for one in drawn] == [False, True]
    assert all("Checking logs" in one for one in drawn)


def test_ascii_reaches_all_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    MANNER.choose(plain=False, letters=True)
    say("7♣ – 8★")
    say(Whole("/games/7♣"))
    say("3♥", err=True)
    assert capsys.readouterr() == ("7C - 8T\n/games/7♣\n", "3H\n")


@pytest.mark.parametrize("before", [True, False])
def test_manner_of_a_command_ends_with_it(run: Run, before: bool) -> None:
    option = ["--ascii", "--plain"]
    arguments = [*option, "rules", "flip-over"] if before else ["rules", "flip-over", *option]
    assert run(*arguments).stdout.isascii()
    assert (MANNER.plain, MANNER.ascii) == (False, False)
