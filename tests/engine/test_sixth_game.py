"""A game of another package: found by its entry point, and put to the tests of every game."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import testing
from engine.bots import random_bot, sensible
from engine.dealer import TrustedDealer
from engine.errors import UsageError
from engine.game import Game
from engine.games import NAMES, all_names, load, load_text
from engine.session import Session
from engine.table import Table
from tests.engine.play import decided
from tests.sixth_game import FOLDER, NAME, install, sixth

__all__ = ["sixth"]
MODULES = ("cards.py", "rules.py", "text.py")
EVERY_TABLE = [(seats, hands) for seats in range(2, 8) for hands in (1, 2)]


@pytest.mark.parametrize(("seats", "hands"), EVERY_TABLE)
def test_it_stands_what_every_game_stands(sixth: Game, seats: int, hands: int) -> None:
    options = {"hands": hands}
    testing.check_simulation(sixth, seats, options, seed=11)
    testing.check_sync(sixth, seats, options, seed=12)
    assert testing.check_legality(sixth, seats, options, seed=13) > 10
    assert testing.check_leaving(sixth, seats, options, seed=14) > 10
    testing.check_sync(sixth, seats, options, seed=15, leave=0.02)
    assert testing.check_environment(sixth, seats, options, seed=16) == 1


def test_its_golden_playthrough_comes_out_again(sixth: Game, tmp_path: Path) -> None:
    path = tmp_path / "golden.txt"
    testing.write_golden(path, testing.play_out(sixth, 3, {}, seed=1))
    assert testing.check_golden(path, load).over


def test_every_hand_ends_though_nobody_ever_lays_a_card(sixth: Game) -> None:
    """The discards come back twice; then all are idle, and show what they hold."""
    session, dealer = Session(sixth, 2, {}, check=True), TrustedDealer(Random(1))
    while (asked := session.pending) is not None:
        decisions = dict.fromkeys(asked.deciders)
        session.answer(dealer.answer(session.table, asked, decisions))
    assert len(session.journal) < 200
    assert sum(session.returns) < -300


def test_it_has_less_than_200_lines() -> None:
    lines = [len((FOLDER / name).read_text("utf-8").splitlines()) for name in MODULES]
    assert sum(lines) < 200


def test_the_how_to_shows_the_files_as_they_are() -> None:
    how_to = (FOLDER.parent / "add-a-game.md").read_text("utf-8")
    shown = dict(re.findall(r"`crazy_eights/(\w+\.py)`:\n\n```python\n(.*?)```", how_to, re.DOTALL))
    files = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.py")}
    assert files.pop("__init__.py") == ""
    assert shown == files
    assert set(MODULES) <= set(shown)


# -- what is said ---------------------------------------------------------------------------------


def test_everything_that_happens_and_is_asked_can_be_said(sixth: Game) -> None:
    text, names, rng = load_text(NAME), ("Ann", "Bo", "Cy"), Random(5)
    session, dealer = Session(sixth, 3, {"hands": 3}, notes=True), TrustedDealer(rng)
    while (asked := session.pending) is not None:
        table: Table = session.table
        for seat in range(-3, 3):
            view: Any = dealer.view(table, seat)
            assert text.describe_question(view, asked, names)
            assert all(len(line) <= 80 for line in text.table_lines(view, names))
        for seat in asked.deciders:
            view = dealer.view(table, seat)
            choices = asked.decisions(view)
            said = [text.describe_decision(view, asked, one, names) for one in choices]
            assert len(set(said)) == len(said)
        session.answer(dealer.answer(table, asked, decided(session, dealer, rng)))
    told = [text.describe_note(note, names) for note in session.table.notes or ()]
    assert all(told)
    assert told[0].startswith("The first card is ")


# -- how it is found ------------------------------------------------------------------------------


def test_it_is_loaded_by_the_name_of_its_entry_point(sixth: Game) -> None:
    assert sixth.name == NAME
    bot = sensible(NAME)
    assert bot is not random_bot
    assert all(testing.play_out(sixth, seats, {}, 1, bot).over for seats in sixth.seats)


def test_a_game_may_lack_words_and_a_bot(
    sixth: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bare = tmp_path / "bare_eights"
    bare.mkdir()
    rules = (FOLDER / "rules.py").read_text("utf-8").replace("crazy-eights", "bare-eights")
    (bare / "rules.py").write_text(rules)
    points = tmp_path / "crazy_eights-1.dist-info" / "entry_points.txt"
    points.write_text("[nodealer.games]\nbare-eights = bare_eights\n")
    importlib.invalidate_caches()
    game = load("bare-eights")
    assert sensible("bare-eights") is random_bot
    session = testing.play_out(game, 2, {}, seed=1)
    view = TrustedDealer(Random(1)).view(session.table, 0)
    assert load_text("bare-eights").table_lines(view, ("Ann", "Bo"))[0].startswith(game.title)


@pytest.mark.parametrize("part", ["text", "bot"])
def test_a_mistake_in_a_part_is_not_taken_for_its_absence(
    sixth: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str
) -> None:
    broken = tmp_path / "broken_eights"
    broken.mkdir()
    (broken / "rules.py").write_text("from crazy_eights.rules import GAME\n")
    (broken / f"{part}.py").write_text("import a_module_that_is_not_there\n")
    points = tmp_path / "crazy_eights-1.dist-info" / "entry_points.txt"
    points.write_text("[nodealer.games]\ncrazy-eights = broken_eights\n")
    importlib.invalidate_caches()
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_not_there"):
        load_text(NAME) if part == "text" else sensible(NAME)


def test_without_it_the_name_is_unknown_with_it_others_are_told() -> None:
    names = ", ".join(all_names())
    with pytest.raises(UsageError, match=f"no game '{NAME}'; the games are: {names}$"):
        load(NAME)


def test_it_is_named_among_the_games(sixth: Game) -> None:
    with pytest.raises(UsageError, match=rf"{NAMES[-1]}, (.+, )?{sixth.name}(, .+)?$"):
        load("poker")


def test_a_package_that_calls_its_game_otherwise_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, name="eights")
    with pytest.raises(UsageError, match="crazy_eights calls itself 'crazy-eights'"):
        load("eights")


def test_no_package_takes_the_place_of_a_game_of_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(monkeypatch, tmp_path, name="flip-over")
    assert load("flip-over").title == "Flip Over"
