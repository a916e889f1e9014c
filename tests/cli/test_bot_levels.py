"""Bots are chosen by level, and everybody reads it in their names."""

from __future__ import annotations

import json

import click
import pytest

from cli.options.bot_levels import AskedLevels, _asked
from cli.tables.bot_names import bot_names, level_of
from engine.levels import LEVELS
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("typed", "levels"),
    [
        ("2", ("normal", "normal")),
        ("hard,easy", ("hard", "easy")),
        (" Easy , normal ", ("easy", "normal")),
    ],
)
def test_bots_are_a_number_or_their_levels(typed: str, levels: tuple[str, ...]) -> None:
    assert _asked(typed, 1).levels == levels


@pytest.mark.parametrize("typed", ["tough", "easy,", "-1", "²", "", "1000", "easy hard"])
def test_anything_else_is_refused_with_what_is_allowed(typed: str) -> None:
    with pytest.raises(click.BadParameter, match=r"a number, or levels .*: easy, normal, hard"):
        _asked(typed, 1)


def test_too_few_are_refused() -> None:
    with pytest.raises(click.BadParameter, match="at least 1 bot has to play, not 0"):
        _asked("0", 1)
    assert _asked("0", 0).levels == ()


def test_one_level_alone_is_that_of_all_bots_at_so_many_seats() -> None:
    assert AskedLevels(("easy",), named=True).for_bots(3) == ("easy",) * 3
    assert AskedLevels(("easy",), named=True).for_bots(None) == ("easy",)
    assert AskedLevels(("normal",)).for_bots(3) == ("normal",)


def test_a_name_keeps_the_level() -> None:
    for level in LEVELS:
        (name,) = bot_names([level], taken=["Ada"])
        assert (name.split()[0], level_of(name)) == ("Bo", level)


def test_the_levels_stand_in_the_names_of_a_table(run: Run) -> None:
    done = run("play", "flop-a", "--bots", "easy,normal", "--option", "hands=1", "--json")
    assert done.exit_code == 0, done.stderr
    report = run("audit", json.loads(done.stdout)["log"]).stdout
    assert "Bo easy (bot)" in report
    assert "Cleo (bot)" in report


def test_a_table_refuses_more_levels_than_seats(run: Run) -> None:
    done = run("play", "sneak", "--bots", "easy,easy", "--seats", "5")
    assert (done.exit_code, "2 bots and you are 3 seats, not 5" in done.stderr) == (2, True)
    done = run("host", "sneak", "--bots", "easy,easy", "--seats", "2")
    assert (done.exit_code, "room for 1 bots besides you, not 2" in done.stderr) == (2, True)


def test_a_demonstration_has_bots_of_levels_at_all_seats(run: Run) -> None:
    asked = ("--bots", "easy,normal", "--option", "hands=1", "--json")
    done = run("demo", "flop-a", *asked)
    assert done.exit_code == 0, done.stderr
    report = run("audit", json.loads(done.stdout)["log"]).stdout
    assert "Ada easy (bot)" in report
    assert "Bo (bot)" in report
    assert "Cleo" not in report


def test_one_level_is_that_of_all_seats_of_a_demonstration(run: Run) -> None:
    done = run("demo", "flop-a", "--bots", "easy", "--seats", "2", "--option", "hands=1", "--json")
    report = run("audit", json.loads(done.stdout)["log"]).stdout
    assert "Ada easy (bot)" in report
    assert "Bo easy (bot)" in report
    refused = run("demo", "flop-a", "--bots", "2", "--seats", "3")
    assert (refused.exit_code, "2 bots are 2 seats, not 3" in refused.stderr) == (2, True)


@pytest.mark.slow
def test_bots_in_processes_of_their_own_have_levels_too(run: Run) -> None:
    asked = ("--procs", "--bots", "hard,easy", "--option", "hands=1", "--json")
    done = run("demo", "flop-a", *asked)
    assert done.exit_code == 0, done.stderr
    report = run("audit", json.loads(done.stdout)["log"]).stdout
    assert "Ada hard (bot)" in report
    assert "Bo easy (bot)" in report


def test_simulations_have_bots_of_levels(run: Run) -> None:
    """The same cards, so only the bots differ: the normal one wins more than the easy one."""
    asked = ("flop-a", "--seats", "2", "--games", "60", "--json", "--no-times")
    done = run("simulate", *asked, "--bots", "normal,easy")
    assert done.exit_code == 0, done.stderr
    first, second = json.loads(done.stdout)["shares"]
    assert first > second
    alike = json.loads(run("simulate", *asked, "--bots", "normal").stdout)
    sensible = json.loads(run("simulate", *asked, "--bots", "sensible").stdout)
    assert {**alike, "bots": ""} == {**sensible, "bots": ""}


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ("clever", "bots are one of: random, sensible, easy, normal, hard (not 'clever')"),
        ("easy,normal,hard", "2 seats need 2 bots, not 3"),
    ],
)
def test_bots_that_are_not_there_are_refused(run: Run, bots: str, sentence: str) -> None:
    done = run("simulate", "flop-a", "--seats", "2", "--bots", bots)
    assert (done.exit_code, sentence in done.stderr) == (2, True)
