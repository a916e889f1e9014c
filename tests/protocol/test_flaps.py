"""Flaps between peers in memory: every hidden move."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from engine.game import Value
from engine.games.flaps.cards import FACES
from engine.games.flaps.rules import GAME
from engine.question import Play
from tests.protocol.both_dealers import Watched, check
from tests.protocol.kit import Hub, game_hub
from tests.shares import every_second

MOVES: Final = (
    (0, "secrets guess, secrets pick, secrets solve"),
    (1, "down, look pile, monty, piles move, secrets share, takes all"),
    (3, "secrets guess blind"),
    (8, "cut"),
    (10, "turned"),
    (19, "look hand, pick blind"),
    (30, "up"),
    (35, "swap"),
    (20, "pick blind, secrets lose"),
)
"""Seeds, and the moves that happen in the game of each."""


def curious(view: Any, question: Any, rng: Random) -> object:
    """Lay cards of the highest level, and do whatever may be done."""
    decisions = question.decisions(view)
    if isinstance(question, Play):
        slots = [slot for slot in decisions if slot is not None]
        return max(slots, key=lambda slot: FACES[view.face(slot).id].row.level, default=None)
    return decisions[-1] if rng.random() < 0.5 else rng.choice(decisions)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "moves"), every_second(MOVES))
def test_hidden_moves_between_peers(seed: int, moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In games in which these moves happen, every card is where a trusted dealer has it."""
    options: dict[str, Value] = {"level": 7, "turn-limit": 60, "last-card": "off"}
    watched = Watched(GAME, 3, seed, options, curious, verifying=1)
    watched.play(monkeypatch)
    assert set(moves.split(", ")) <= happened(watched.hub)
    check(watched)


def happened(hub: Hub) -> set[str]:
    """The kinds of notes; of secrets with their card, of looks with their place."""
    words = set()
    for note in hub.seats[0].session.table.notes or []:
        detail = {"secrets": note[1:2], "look": note[-1:]}.get(note[0], ())
        words.add(" ".join((note[0], *detail)))
    return words


@pytest.mark.slow
def test_recycled_cards_are_drawn_between_peers() -> None:
    """The discards come back as public cards: nobody owes a share for them."""
    hub = game_hub(GAME, 2, 5, **{"level": 1, "turn-limit": 170, "last-card": "off"})
    hub.run(10**7)
    assert not hub.faults
    assert "recycle" in happened(hub)
    assert all(seat.session.over for seat in hub.seats)
