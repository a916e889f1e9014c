"""What the clock decides in Flaps: the rule book's defaults for somebody who does not answer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.bots import random_bot
from engine.games.flaps.calls import LAST_CARD
from engine.games.flaps.rules import GAME
from engine.games.flaps.time_out import _next_player
from engine.question import PASS
from engine.time_out import decide_for, public_default
from tests.engine.flaps.scene import Scene

A, B, C, D = range(4)
HANDS = ("AS 9H 10S OM1", "5D 3H QC", "7H 8C KD", "9S 8H 10D")


def by_clock(at: Scene) -> Any:
    """What the seat that is asked decides when its time is over."""
    return decide_for(GAME, at.view(at.decider), at.asked, random_bot, Random(1))


def chosen(at: Scene) -> Any:
    """The option that it takes without looking at any hand."""
    place = public_default(GAME, at.view(at.decider), at.asked)
    assert isinstance(place, int)
    return at.asked.options_of(at.decider)[place]


@pytest.mark.parametrize("top", ["5C", "8C"])
def test_a_turn_is_passed(top: str) -> None:
    """He picks up a card."""
    assert by_clock(Scene(HANDS, top)) is PASS


def test_an_attack_and_an_8_are_passed() -> None:
    """He picks up what is owed; after an 8 he knocks."""
    at = Scene(("2C 9H", "5D 2H 3H", "7H 8C KD"), "5C").lay("2C")
    assert by_clock(at) is PASS
    at = Scene(("8C 9H QD", "5D 2H 8H", "7H 3C KD"), "5C").lay("8C")
    assert by_clock(at) is PASS
    assert at.decide({B: PASS}).decider == C
    assert len(at.table.hands[B]) == 3


def test_the_target_of_a_10_takes_the_card() -> None:
    at = Scene(HANDS, "5S").lay("10S")
    assert chosen(at) == B
    assert by_clock(at.say(B)) is PASS


def test_a_suit_is_that_of_the_card_and_clubs_for_one_without() -> None:
    assert chosen(Scene(HANDS, "5S").lay("AS")) == 1
    assert chosen(Scene(("AJ 9H 3C", *HANDS[1:]), "5S").lay("AJ")) == 0


def test_the_player_named_is_the_next_in_the_direction_of_play() -> None:
    at = Scene(HANDS, "5S")
    at.table.direction = -1
    assert chosen(at.lay("10S")) == D


def test_whoever_has_left_is_not_the_next_player() -> None:
    at = Scene(HANDS, "5S").lay("10S")
    at.table.lost.append(B)
    assert _next_player(at.table, A, [D, C]) == 1


@pytest.mark.parametrize("players", [[], [B]])
def test_if_nobody_may_be_named_it_says_so(players: list[int]) -> None:
    """It went round the table for ever."""
    at = Scene(HANDS, "5S").lay("10S")
    at.table.lost.append(B)
    with pytest.raises(ValueError, match=r"empty|not in list"):
        _next_player(at.table, A, players)


def test_last_card_is_said_for_him() -> None:
    """It costs nothing and shows nothing; picking up for it would be a fine for being slow."""
    at = Scene(("9C 3C", *HANDS[1:]), "5C", silent=True).lay("9C")
    assert chosen(at) == LAST_CARD
