"""What people read: summaries, rules, colours, letters instead of symbols."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import click
import pytest

from cli.commands.rules import options_table
from cli.kit.output import Whole, say
from cli.kit.page import page
from cli.options.settings import Settings
from cli.words.summary import result_lines
from engine.games import NAMES, load, package_of
from tests.cli.conftest import Run


def test_play_without_a_terminal_sums_up(run: Run) -> None:
    result = run("play", "flip-over", "--bots", "2", "--option", "rounds=1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[1].startswith("flip-over, 3 seats, ")
    assert "wins" in result.stdout
    assert lines[-1] == "audit  complete: every shuffle, share, oath, move and signature is right"
    assert lines[-2].startswith("log    ")


def test_rules_fit_eighty_columns_and_name_the_house_rules(run: Run) -> None:
    result = run("rules", "flip-over")
    assert "Tricks." in result.stdout
    assert "rounds" in result.stdout
    assert "1 to 20" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("game", NAMES)
def test_the_page_of_a_game_tells_rules_options_and_length(run: Run, game: str) -> None:
    result = run("rules", game, "--ascii")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == load(game).title
    assert max(map(len, lines)) <= 80
    assert result.stdout.isascii()
    for heading in ("Rules", "Options", "How long a game lasts"):
        assert heading in lines
    assert "For developers" not in result.stdout
    for option in load(game).options:
        assert any(line.startswith(f"{option.name} ") for line in lines)


@pytest.mark.parametrize("game", NAMES)
def test_the_options_in_a_readme_are_those_of_the_game(game: str) -> None:
    readme = files(package_of(game)).joinpath("README.md").read_text("utf-8")
    assert options_table(load(game)) in readme


def test_a_game_without_a_page_shows_what_is_known(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("cli.commands.rules.files", lambda package: tmp_path)
    shown = run("rules", "sneak").stdout
    assert shown.startswith("Sneak\n=====\n\nWin cards: a point each when the round is over.")
    assert "one-more-turn" in shown


def test_a_page_in_eighty_columns() -> None:
    wide = "words " * 20
    text = f"# A\n\n**Bold** {wide}\n\n1. One {wide}\n- `two`\n\n```\n as  is\n\nend\n```\n"
    table = f"| a | b |\n|---|---|\n| 1 | {wide} |\n| 2 |  |\n\n## End\n\nunseen"
    lines = page(f"{text}\n{table}", until="## End")
    assert max(map(len, lines)) <= 80
    begin = ["A", "=", "", "Bold words", "words words", "", "1. One words", "   words", "- two"]
    begin += ["", " as  is", "", "end", "", "a  b", "1  words", "   words", "2"]
    assert len(lines) == len(begin)
    assert all(line.startswith(start) for line, start in zip(lines, begin, strict=True))


def test_ascii_writes_suits_as_letters(run: Run) -> None:
    result = run("rules", "flip-over", "--ascii")
    assert result.stdout.isascii()
    assert Settings(ascii=True).paint("7♣ 12★") == "7C 12T"


def test_colour_is_added_to_the_symbol_and_never_replaces_it() -> None:
    assert Settings().paint("7♥") == "7♥"
    painted = Settings(colour=True).paint("7♥")
    assert painted != "7♥"
    assert "♥" in painted


@pytest.mark.parametrize(("value", "wanted"), [("", True), ("1", False)])
def test_no_color(monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool) -> None:
    from cli.options import settings  # noqa: PLC0415 (patched below)

    monkeypatch.setenv("NO_COLOR", value)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert settings._colours_wanted() is wanted


def test_results_come_best_first_and_a_shared_win_is_shared() -> None:
    assert result_lines(["Ada", "Bo", "Cleo"], [-3, 12, 12], [1, 2]) == [
        "  Bo     +12  wins",
        "  Cleo   +12  wins",
        "  Ada     -3",
    ]


def test_winner_stands_before_leaver_with_more() -> None:
    assert result_lines(["Ada (left)", "Bo", "Cleo"], [30, 12, 5], [1]) == [
        "  Bo           +12  wins",
        "  Ada (left)   +30",
        "  Cleo          +5",
    ]


@pytest.mark.parametrize(("flag", "told"), [("-v", False), ("-vv", True)])
def test_verbose_says_more_on_stderr_only(home: Path, flag: str, told: bool) -> None:
    arguments = ["demo", "--seats", "3", "--option", "rounds=1", "--json", flag]
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["verified"]
    assert "seat 0  genesis: flip-over, 3 seats\n" in done.stderr
    assert "replay -       audit: complete" in done.stderr
    for line in (
        "seat 0  bot is told: Seated",
        "seat 2  bot is told: Noted play",
        "step 3 done: shuffle",
    ):
        assert (line in done.stderr) is told
    assert str(home) not in done.stderr


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Makes standard output a terminal with so many columns."""

    def of(columns: int) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", str(columns))

    return of


@pytest.mark.parametrize(("columns", "rows"), [(100, 1), (80, 2), (60, 2), (45, 2)])
def test_a_terminal_breaks_lines_between_words_and_no_invite(
    columns: int, rows: int, terminal: Callable[[int], None], capsys: pytest.CaptureFixture[str]
) -> None:
    line = "theme  felt     colours of the screen (felt, dark, light, none), by key t at the table"
    say(line)
    assert capsys.readouterr().out == f"{line}\n", "a file gets it whole"
    terminal(columns)
    say(line)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == rows
    assert " ".join(" ".join(printed).split()) == " ".join(line.split())
    assert all(len(part) <= columns for part in printed)
    invite = "ND1:" + "abcdefgh" * 20
    say(invite)
    assert capsys.readouterr().out == f"{invite}\n"


def test_colours_take_no_room_in_a_row(
    terminal: Callable[[int], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines with cards in them were left to the terminal, which broke them inside of words."""
    terminal(40)
    line = "Step 77: 4♠ FLAPS. Better: GUESS♠ START GUESSING, which wins 45."
    say(Settings(colour=True).paint(line))
    rows = click.unstyle(capsys.readouterr().out).splitlines()
    assert rows == ["Step 77: 4♠ FLAPS. Better: GUESS♠ START", "  GUESSING, which wins 45."]


def test_what_is_copied_is_neither_broken_nor_painted(
    terminal: Callable[[int], None], capsys: pytest.CaptureFixture[str]
) -> None:
    terminal(40)
    line = "What lay on the table: nodealer replay 'games of Ada/7♥.ndlog' --step 76 --seat 0"
    for settings in (Settings(colour=True), Settings(ascii=True)):
        say(settings.paint(Whole(line)))
        assert capsys.readouterr().out == f"{line}\n"


def test_a_long_prompt_ends_only_once(
    terminal: Callable[[int], None], capsys: pytest.CaptureFixture[str]
) -> None:
    terminal(40)
    say("A question that is longer than this narrow terminal is: ", end="")
    assert capsys.readouterr().out == (
        "A question that is longer than this\n  narrow terminal is: "
    )
