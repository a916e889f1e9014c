"""The question about leaving says what leaving means in this game, now."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.line.going import Going
from cli.words.going import CONTINUE, CUT, GOOD_CUT, RESIGN
from engine.dealer import TrustedDealer
from engine.games import NAMES, load
from engine.session import Session
from engine.totals import winners_of, winners_without
from p2p.player.events import Opened, Seated
from p2p.protocol.races.relays import Pair
from p2p.protocol.terms import Terms

GUIDE = Path(__file__).parents[2] / "docs/how-to/play-with-friends.md"
PEOPLE = ("Ada", "Bo", "Cy", "Di")


def at_table(session: Session, unlinked: tuple[Pair, ...] = ()) -> Going:
    """A person in the first seat of this game."""
    going, names = Going(lambda size: 0.0), PEOPLE[: session.table.seats]
    words, game = ("a-b",) * len(names), session.game.name
    going.sit(Seated(names, words, 0, Terms.of(game), 1, unlinked=unlinked, can_leave=True))
    view = TrustedDealer(Random(0)).view(session.table, 0)
    without = partial(winners_without, session, 0)
    going.open(Opened(view, lambda: session.pending, winners_without=without))
    return going


def sure(becomes: str) -> str:
    """The question, if this becomes of the game."""
    return f"{RESIGN} {becomes[:1].upper()}{becomes[1:]}. Sure?"


@pytest.mark.parametrize("name", NAMES)
def test_question_about_leaving_says_what_the_rules_do(name: str) -> None:
    game = load(name)
    for seats in {game.seats[0], 3, 4}:
        session = Session(game, seats, {})
        going, twin = at_table(session), session.fork()
        twin.lose(0)
        said = going.sure, going.told()[-1]
        if twin.over:
            won = [PEOPLE[seat] for seat in winners_of(twin)] or ["nobody"]
            wins = f"{won[0]} wins"
            assert said == (sure(f"the game ends, and {wins}"), f"g: you resign, and {wins}")
        else:
            assert said == (sure(CONTINUE), "g: you resign; the others continue")
        assert len(session.journal) == 0
        assert session.table.lost == []


def test_question_about_leaving_names_the_other_team() -> None:
    going = at_table(Session(load("flip-over"), 4, {"teams": True}))
    assert going.sure == sure("the game ends, and Bo and Di win")


def test_question_about_leaving_has_short_sentences() -> None:
    for becomes in (CONTINUE, "the game ends, and Bo and Di win", CUT.format("Bo and Cy")):
        assert all(len(one.split()) <= 12 for one in sure(becomes).split(". "))


def test_question_about_leaving_changes_when_two_are_left() -> None:
    session = Session(load("flaps"), 3, {})
    going = at_table(session)
    assert going.sure == sure(CONTINUE)
    session.lose(2)
    assert going.sure == sure("the game ends, and Bo wins")


def test_end_for_all_is_said_before_lost_links() -> None:
    between = (Pair((1, 2), (0,)),)
    ends = at_table(Session(load("flip-over"), 3, {}), between)
    assert ends.sure == sure("the game ends, and nobody wins")
    cut = at_table(Session(load("flaps"), 3, {}), between)
    assert (cut.sure, cut.told()[-1]) == (sure(CUT.format("Bo and Cy")), GOOD_CUT)


def test_game_is_played_again_once_for_each_question() -> None:
    pending, found = list[Any]([object()]), list[bool]()
    going = at_table(Session(load("flaps"), 3, {}))

    def without() -> None:
        found.append(True)

    view: Any = None
    going.open(Opened(view, lambda: pending[0], winners_without=without))
    for _ in range(3):
        assert going.sure == sure(CONTINUE)
    pending[0] = object()
    assert going.sure == sure(CONTINUE)
    assert len(found) == 2


def ends(name: str, seats: int) -> bool:
    """Whether this game is over if its first seat leaves at once."""
    return winners_without(Session(load(name), seats, {}), 0) is not None


def test_guide_says_when_leaving_ends_the_game() -> None:
    """With two players in every game, with three in one game, with more in none."""
    ending = [load(name).title for name in NAMES if ends(name, 3)]
    assert not any(ends(name, 4) for name in NAMES)
    told = " ".join(GUIDE.read_text("utf-8").split())
    assert f"with two players, and in {' and '.join(ending)} with three or with teams" in told
