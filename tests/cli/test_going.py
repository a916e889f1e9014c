"""The question about leaving says what leaving means in this game, now."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.line.going import Going
from cli.words.going import CUT, ENDS, FOR_GOOD, TOLD, TOLD_ENDS
from engine.dealer import TrustedDealer
from engine.games import NAMES, load
from engine.session import Session
from p2p.player.events import Opened, Seated
from p2p.protocol.races.relays import Pair

GUIDE = Path(__file__).parents[2] / "docs/how-to/play-with-friends.md"
PEOPLE = ("Ada", "Bo", "Cy", "Di")


def at_table(session: Session, unlinked: tuple[Pair, ...] = ()) -> Going:
    """A person in the first seat of this game."""
    going, names = Going(lambda size: 0.0), PEOPLE[: session.table.seats]
    words, game = ("a-b",) * len(names), session.game.name
    going.sit(Seated(names, words, 0, game, {}, 1, 0, unlinked=unlinked, can_leave=True))
    view = TrustedDealer(Random(0)).view(session.table, 0)
    going.open(Opened(view, lambda: session.pending, ends=lambda: session.ends_without(0)))
    return going


@pytest.mark.parametrize("name", NAMES)
def test_question_about_leaving_says_what_the_rules_do(name: str) -> None:
    game = load(name)
    for seats in (game.seats[0], 3):
        session = Session(game, seats, {})
        going, twin = at_table(session), session.fork()
        twin.lose(0)
        said = going.sure, going.told()[-1]
        assert said == ((ENDS, TOLD_ENDS) if twin.over else (FOR_GOOD, TOLD[-1]))
        assert len(session.journal) == 0
        assert session.table.lost == []


def test_question_about_leaving_changes_when_two_are_left() -> None:
    session = Session(load("flaps"), 3, {})
    going = at_table(session)
    assert going.sure == FOR_GOOD
    session.lose(2)
    assert going.sure == ENDS


def test_end_for_all_is_said_before_lost_links() -> None:
    between = (Pair((1, 2), (0,)),)
    assert at_table(Session(load("flip-over"), 3, {}), between).sure == ENDS
    assert at_table(Session(load("flaps"), 3, {}), between).sure == CUT.format("Bo and Cy")


def test_game_is_played_again_once_for_each_question() -> None:
    asked, found = list[Any]([object()]), list[bool]()
    going = at_table(Session(load("flaps"), 3, {}))

    def ends() -> bool:
        found.append(True)
        return False

    view: Any = None
    going.open(Opened(view, lambda: asked[0], ends=ends))
    for _ in range(3):
        assert going.sure == FOR_GOOD
    asked[0] = object()
    assert going.sure == FOR_GOOD
    assert len(found) == 2


def test_guide_names_the_games_that_end_with_a_leaver() -> None:
    ending = [
        load(name).title
        for name in NAMES
        if Session(load(name), load(name).seats[-1], {}).ends_without(0)
    ]
    told = " ".join(GUIDE.read_text("utf-8").split())
    assert f"with two players, and always in {' and '.join(ending)}, the game ends for all." in told
