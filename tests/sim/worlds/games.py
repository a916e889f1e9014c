"""The games of the worlds: all that are registered, the scenes of tests/protocol, and two more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

from engine.bots import Bot, random_bot, sensible
from engine.errors import UsageError
from engine.game import Game
from engine.games import load
from p2p.protocol import terms
from tests.protocol.scenes import SCENES, one_turn


async def _chosen(t: Any) -> None:
    """Everybody chooses in turn, then all toss a coin."""
    for seat in t.present():
        t.seen.append(await t.choose(seat, ("left", "right"), "a side"))
    t.seen += await t.flip(6, 2)


async def _tossed(t: Any) -> None:
    """Coins, and secret choices of all."""
    t.seen += await t.flip(2, 1)
    everybody = tuple(range(t.seats))
    choices = await t.together(everybody, [range(4)] * t.seats, "a number")
    t.seen += [choice for choice in choices if choice is not None]
    t.seen += await t.flip(6, 3)


def _many(name: str, turn: Any) -> Game:
    return replace(one_turn(name, turn), seats=range(2, 9))


async def _go_on(t: Any, seat: int, asked: Any) -> None:
    """Without whoever is lost the turn begins again."""


_MANY: Final = {
    "chosen-many": _many("chosen-many", _chosen),
    "chosen-on": replace(_many("chosen-on", _chosen), lose=_go_on),
    "tossed-many": _many("tossed-many", _tossed),
}


def game_of(name: str) -> Game:
    """The game of this name; UsageError if there is none."""
    return SCENES.get(name) or _MANY.get(name) or load(name)


def bot_of(name: str) -> Bot:
    """Who plays it with some sense, or at random."""
    try:
        return sensible(name)
    except UsageError:
        return random_bot


@contextmanager
def known_games() -> Iterator[None]:
    """In this block, a proposal may name any of them."""
    with patch.object(terms, "load", game_of):
        yield
