"""Flaps between peers in memory: whole games at several levels, every hidden move."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from engine.bots import random_bot
from engine.bots.flaps import sensible_bot
from engine.game import Value
from engine.games.flaps.cards import FACES
from engine.games.flaps.rules import GAME
from engine.question import Play
from engine.session import Session
from replay.audit import audit_bytes
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded

MOVES: Final = (
    (1, "down, look pile, monty, piles move, secrets guess"),
    (2, "look hand"),
    (10, "secrets lose, turned"),
    (11, "secrets pick, secrets solve, takes all"),
    (12, "swap"),
    (24, "cut, secrets share"),
    (41, "secrets guess blind, up"),
)
"""Seeds, and the moves that happen in the game of each."""


def play(seats: int, seed: int, options: dict[str, Value]) -> Hub:
    """Seats that mostly play with sense, so that games end soon, and at times by chance."""
    hub = game_hub(GAME, seats, seed, **options)
    rng = hub.rng

    def choose(view: Any, question: Any) -> object:
        bot = random_bot if rng.random() < 0.2 else sensible_bot
        return bot(view, question, rng)

    hub.chooser = choose
    hub.run(10**7)
    return hub


@pytest.mark.parametrize(
    ("seats", "level", "turns"),
    [
        (2, 1, 60),
        (4, 1, 40),
        (8, 1, 12),
        (2, 4, 60),
        (4, 4, 40),
        (8, 4, 12),
        (2, 7, 60),
        (4, 7, 60),
        (8, 7, 16),
        *[
            pytest.param(seats, level, 1000, marks=pytest.mark.full)
            for seats in GAME.seats
            for level in range(1, 8)
        ],
    ],
)
def test_a_game_between_peers_is_that_of_the_trusted_dealer(
    seats: int, level: int, turns: int
) -> None:
    """All finish, with one log that audits as complete; the answers alone give its result."""
    options: dict[str, Value] = {"level": level, "turn-limit": turns, "last-card": "catch"}
    hub = play(seats, 10 * seats + level, options)
    assert not hub.faults
    first = hub.seats[0]
    for seat in hub.seats:
        assert seat.log == first.log
        assert seat.session.over
    report = audit_bytes(log_bytes(first), "flaps", seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True)
    again = Session(GAME, seats, options, check=True)
    for answer in first.session.journal:
        again.answer(answer)
    assert again.returns == first.session.returns == first.result.returns
    assert again.digest() == first.session.digest()


def curious(view: Any, question: Any, rng: Random) -> object:
    """Lay cards of the highest level, and do whatever may be done."""
    decisions = question.decisions(view)
    if isinstance(question, Play):
        slots = [slot for slot in decisions if slot is not None]
        return max(slots, key=lambda slot: FACES[view.face(slot).id].row.level, default=None)
    return decisions[-1] if rng.random() < 0.5 else rng.choice(decisions)


@pytest.mark.parametrize(("seed", "moves"), MOVES)
def test_hidden_moves_between_peers(seed: int, moves: str) -> None:
    """Games in which these moves happen, each with its acts of the dealer."""
    options: dict[str, Value] = {"level": 7, "turn-limit": 60, "last-card": "off"}
    hub = game_hub(GAME, 3, seed, **options)
    hub.chooser = lambda view, question: curious(view, question, hub.rng)
    hub.run(10**7)
    assert not hub.faults
    assert set(moves.split(", ")) <= happened(hub)


def happened(hub: Hub) -> set[str]:
    """The kinds of notes; of secrets with their card, of looks with their place."""
    words = set()
    for note in hub.seats[0].session.table.notes or []:
        detail = {"secrets": note[1:2], "look": note[-1:]}.get(note[0], ())
        words.add(" ".join((note[0], *detail)))
    return words


def test_recycled_cards_are_drawn_between_peers() -> None:
    """The discards come back as public cards: nobody owes a share for them."""
    hub = game_hub(GAME, 2, 5, **{"level": 1, "turn-limit": 170, "last-card": "off"})
    hub.run(10**7)
    assert not hub.faults
    assert "recycle" in happened(hub)
    assert all(seat.session.over for seat in hub.seats)
