"""What a seat's program decides when the time of its person is over: legal, and nothing secret."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from engine import testing
from engine.bots import random_bot, sensible
from engine.dealer import TrustedDealer
from engine.game import Game, Value
from engine.games import NAMES, load
from engine.question import PASS, Choose, Race
from engine.session import Session
from engine.time_out import decide_for, is_under_clock, public_default
from engine.view import View
from tests.engine import tiny
from tests.engine.test_every_game_leaving import MORE, TABLES, short
from tests.shares import every_second

HIDDEN: dict[str, set[tuple[str, str]]] = {
    "flip-over": {
        ("play", ""),
        ("together", "give one card to each other player"),
        ("together", "give one card to your partner"),
    },
    "flaps": {("lay-down", ""), ("choose", "show all one of the other two")},
    "flop-a": set(),
    "sneak": {("lay-set", "")},
    "you-fink": set(),
}
"""Where only the person could choose, among hidden cards; everything else a rule book decides."""
SINGLE = {("choose", "your cards are shuffled"), ("choose", "look at the card, then give it back")}
"""Only one thing can be done there."""


@pytest.mark.parametrize(("game", "seats", "options"), every_second([*TABLES, *MORE]))
def test_what_the_clock_decides_is_legal_and_public_where_the_rules_allow_it(
    game: Game, seats: int, options: dict[str, Value]
) -> None:
    left: set[tuple[str, str]] = set()
    for seed in range(12):
        left |= testing.check_time_outs(game, seats, options, seed)
    if game is not tiny.GAME:
        assert left <= HIDDEN[game.name] | SINGLE


@pytest.mark.parametrize("name", NAMES)
def test_a_game_in_which_everybody_sleeps_ends(name: str) -> None:
    """By the clock alone, with the bot that decides where only a person could choose."""
    game, bot = load(name), sensible(name)

    def asleep(view: View, asked: Any, rng: Random) -> object:
        if is_under_clock(asked, view.seat):
            return decide_for(game, view, asked, bot, rng)
        assert asked.timed
        return PASS

    seats = game.seats[1]
    session = testing.play_out(game, seats, short(game), 7, asleep)
    again = testing.play_out(game, seats, short(game), 7, asleep)
    assert session.over
    assert session.digest() == again.digest()


def test_it_looks_at_nothing_that_only_its_own_person_sees() -> None:
    """The rules are handed the table, and a view that reads a card ends the test."""

    def blind(slot: int) -> Any:
        raise AssertionError(f"somebody looks at slot {slot}")

    seen = 0
    for name, seed in product(("flaps", "flop-a"), range(4)):
        game = load(name)
        session, rng = Session(game, 4, short(game)), Random(seed)
        dealer = TrustedDealer(rng)
        while (asked := session.pending) is not None:
            for seat in asked.deciders:
                view = View(session.table, seat, blind)
                public = public_default(game, view, asked)
                if public is not PASS:
                    seen += 1
                    assert decide_for(game, view, asked, random_bot, rng) == public
            views = {seat: dealer.view(session.table, seat) for seat in asked.deciders}
            decisions = {seat: random_bot(view, asked, rng) for seat, view in views.items()}
            session.answer(dealer.answer(session.table, asked, decisions))
    assert seen > 100


def test_no_clock_runs_where_doing_nothing_is_no_lateness() -> None:
    """Windows end by themselves, and nobody has to claim anything in the turn of another."""
    claims = [Choose(seat, ("slap",), "slap") for seat in (0, 1)]
    window, turn = Race(claims, "flap", window_ms=100), Race(claims, "turn", awaited=1)
    assert [is_under_clock(window, seat) for seat in (0, 1, 2)] == [False, False, False]
    assert [is_under_clock(turn, seat) for seat in (0, 1, 2)] == [False, True, False]
    assert [is_under_clock(claims[0], seat) for seat in (0, 1)] == [True, False]


def test_a_game_that_says_nothing_passes_where_one_may() -> None:
    game = replace(load("flaps"), timed_out=None)
    session, rng = Session(game, 3, {"level": 1}), Random(3)
    dealer = TrustedDealer(rng)
    while (asked := session.pending) is not None and not asked.deciders:
        session.answer(dealer.answer(session.table, asked, {}))
    assert asked is not None
    view = dealer.view(session.table, asked.deciders[0])
    assert decide_for(game, view, asked, random_bot, rng) is PASS


def test_the_kit_finds_a_rule_that_decides_what_is_not_allowed() -> None:
    game = replace(load("flop-a"), timed_out=lambda table, seat, asked: 99)
    with pytest.raises(AssertionError, match="may not decide 99"):
        testing.check_time_outs(game, 3, short(game), 1)
