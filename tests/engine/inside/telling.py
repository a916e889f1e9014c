"""Values as text, alike in each process: nothing of addresses, of the order of sets, and of what
lies deeper than two objects."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cached_property, partial
from itertools import islice
from random import Random
from types import ModuleType
from typing import Any, Final

from engine.cards import Card, Deck
from engine.game import Game
from engine.registry import Registry
from engine.session import Session
from engine.table_state import TableState
from engine.view import View
from engine.zone import Zone

MOST: Final = 24
"""So many items of a row are told, and how many there are."""
DEPTH: Final = 3
"""An object in an object in an object is told by its kind alone."""
INSIDE_A_SESSION: Final = ("_check", "_every", "_look", "_turn_began", "_turns")
ELSEWHERE: Final = ("engine.games.", "engine.wording")
"""What is of one game, or words, has tests of its own."""
PLAIN: Final = (bool, int, str, bytes, range, type(None))


def tell(value: Any, depth: int = DEPTH) -> str:
    """A value as text."""
    if type(value) in PLAIN:
        return repr(value)
    if isinstance(value, float):  # the last digits are not the same on each machine
        return f"{value:.6g}"
    for kind, told in KINDS.items():
        if isinstance(value, kind):
            return _in_its_way(told, value)
    if depth == 0:
        return type(value).__name__
    if isinstance(value, Mapping):
        pairs = (f"{tell(key, depth - 1)}: {tell(one, depth - 1)}" for key, one in _first(value))
        return f"{len(value)} {{{', '.join(pairs)}}}"
    if isinstance(value, set | frozenset):
        return f"{len(value)} {{{', '.join(sorted(tell(one, depth - 1) for one in value))}}}"
    if isinstance(value, list | tuple | deque):
        inner = ", ".join(tell(one, depth - 1) for one in islice(value, MOST))
        return f"{type(value).__name__} {len(value)} ({inner})"
    return _object(value, depth)


def _in_its_way(told: Callable[[Any], str], value: Any) -> str:
    """By its kind alone, while it is being made or where a test has broken it."""
    try:
        return told(value)
    except Exception:  # noqa: BLE001  whatever is not there yet
        return type(value).__name__


def _first(value: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    return islice(value.items(), MOST)


def _object(value: Any, depth: int) -> str:
    """An object with its fields; a function by its name."""
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    kind = type(value)
    if not kind.__module__.startswith(("engine", "tests")) or kind.__module__.startswith(ELSEWHERE):
        return kind.__name__
    slots = [name for cls in kind.__mro__ for name in _slots(cls)]
    kept = [name for name in getattr(value, "__dict__", {}) if not _is_remembered(kind, name)]
    names = [*slots, *kept]
    parts = (f"{name}={tell(getattr(value, name, None), depth - 1)}" for name in names)
    return f"{kind.__name__}({', '.join(parts)})"


def _is_remembered(kind: type, name: str) -> bool:
    """Whether it is there only if somebody has asked for it before."""
    return isinstance(getattr(kind, name, None), cached_property)


def _slots(cls: type) -> list[str]:
    slots = vars(cls).get("__slots__", ())
    return [slots] if isinstance(slots, str) else [*slots]


def _table(table: TableState) -> str:
    return table.digest().hex()[:8]


def _session(session: Session) -> str:
    inside = (getattr(session, name, None) for name in INSIDE_A_SESSION)
    pending, mark = session.pending, getattr(session, "_mark", None)
    asked = None if pending is None else f"{pending.kind} {pending.topic}"
    at = None if mark is None else (mark.at, mark.turns)
    return f"Session({len(session.journal)} {asked} {_table(session.table)} {at} {[*inside]})"


KINDS: Final[dict[type, Callable[[Any], str]]] = {
    Enum: lambda value: f"{type(value).__name__}({value.value!r})",
    Card: lambda card: f"{card.id} {card.name}",
    Deck: lambda deck: str(deck.name),
    Zone: lambda zone: f"{zone.name} {zone.owner} {[*zone]}",
    Registry: lambda one: str(getattr(one, "_what", "")),  # tests add kinds of their own
    Game: lambda game: str(game.name),
    Session: _session,
    TableState: _table,
    View: lambda view: f"View({view.seat} {_table(view.table)})",
    Random: lambda rng: f"Random({rng.getstate()[1][-1]})",
    partial: lambda one: f"partial({tell(one.func)})",
    ModuleType: lambda module: str(module.__name__),
    BaseException: lambda fault: f"{type(fault).__name__}",
}
"""What is told in a way of its own."""
