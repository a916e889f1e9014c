"""The registered games, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Final

from engine.errors import UsageError
from engine.game import Game

NAMES: Final = ("flip-over", "flaps", "flop-a", "sneak", "you-fink")
"""What people type; the package of a game has the same name with underscores."""


def load(name: str) -> Game:
    """The game of that name; UsageError names those there are."""
    game: Game = _module(name, "rules").GAME
    return game


def load_text(name: str) -> ModuleType:
    """What the screen says about the game: its `text` module (see flip_over/text.py)."""
    return _module(name, "text")


def _module(name: str, part: str) -> ModuleType:
    if name not in NAMES:
        raise UsageError(f"there is no game {name!r}; the games are: {', '.join(NAMES)}")
    return import_module(f"engine.games.{name.replace('-', '_')}.{part}")
