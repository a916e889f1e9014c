"""The games: those that come with nodealer, and those of packages installed beside it.

A package offers a game by an entry point of the group `nodealer.games`, whose name is what
people type and whose value is the package with its modules `rules`, `text` and `bot` (see
docs/how-to/add-a-game.md).  Each is loaded when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UsageError, perhaps

if TYPE_CHECKING:
    from engine.game import Game
    from engine.wording import Wording

NAMES: Final = ("flip-over", "flaps", "flop-a", "sneak", "you-fink")
"""What people type; the package of a game has the same name with underscores."""
FIRST: Final = NAMES[0]
"""What is played where nobody says which game."""

GROUP: Final = "nodealer.games"
"""The group of entry points of other packages' games."""


def load(name: str) -> Game:
    """The game of that name; for an unknown name, UsageError lists all games."""
    package = package_of(name)
    game: Game = import_module(f"{package}.rules").GAME
    if game.name != name:
        raise UsageError(f"the game {name!r} of the package {package} calls itself {game.name!r}")
    return game


def load_text(name: str) -> Wording[Any]:
    """What the screen says about the game: `TEXT` of its `text` module.

    A game without that module is worded by its kinds, topics and card names alone.
    """
    module: Any = if_there(f"{package_of(name)}.text")
    if module is None:
        return plain_text(load(name))
    text: Wording[Any] = module.TEXT
    return text


def plain_text(game: Game) -> Wording[Any]:
    """The words for a game that has none of its own."""
    # Not at the top: rules are loaded without any words.
    from engine.table import Table  # noqa: PLC0415
    from engine.wording import Wording  # noqa: PLC0415

    return Wording(title=game.title, table=Table)


def load_bot(name: str) -> ModuleType | None:
    """The module with the game's `sensible_bot`; None for a game that has no such bot."""
    return load_part(name, "bot")


def load_part(name: str, part: str) -> ModuleType | None:
    """A module of the game that it may lack; None if it does, UsageError for an unknown game."""
    return if_there(f"{package_of(name)}.{part}")


def if_there(module: str) -> ModuleType | None:
    """Import a part that a game may lack; None if it does."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        return None


def package_of(name: str) -> str:
    """The package of a game; for an unknown name, UsageError lists all games.

    No other package can take the place of a game that comes with nodealer.
    """
    if name in NAMES:
        return f"engine.games.{name.replace('-', '_')}"
    others = _others()
    if name not in others:
        names = all_names()
        meant = perhaps(name, names)
        raise UsageError(f"there is no game {name!r}{meant}; the games are: {', '.join(names)}")
    return others[name]


def all_names() -> tuple[str, ...]:
    """What people may type: our games, and those of other packages."""
    return (*NAMES, *sorted(_others()))


def _others() -> dict[str, str]:
    """Games of other packages that are installed: name and package."""
    # Loading this costs as much as half the engine, and most tables play a game of ours.
    metadata = import_module("importlib.metadata")
    return {point.name: point.value for point in metadata.entry_points(group=GROUP)}
