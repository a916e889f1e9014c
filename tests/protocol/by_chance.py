"""Values of a type, by chance: what functions are called with in `tests.protocol.returned`.

A type is read as the source says it.  Numbers are mostly small, or near a constant of the module:
limits are where a mistake is seen.  In one call most rows have one length and most numbers are
places in such a row, so that tables are square and seats sit at them.
"""

from __future__ import annotations

import inspect
import random
import types
import typing
from collections import abc
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import count
from typing import Any, Final

from p2p.crypto.group import base
from tests.protocol.positions import POSITIONAL, Position, game_of, position

OURS: Final = ("engine.", "p2p.")
ROWS: Final = (list, abc.Sequence, abc.Iterable, abc.Collection, abc.Iterator)
SETS: Final = (set, frozenset, abc.Set)
TABLES: Final = (dict, abc.Mapping, abc.MutableMapping)
WORDS: Final = ("", "a", "Ann", "none", "7", "é", "two words", "\x1b[1m", "w" * 40)
SIZES: Final = (0, 1, 2, 8, 16, 31, 32, 33, 64, 65, 96)
POINTS: Final = tuple(base(n) for n in range(1, 9))
MOST: Final = 5
"""The longest row."""
DEEP: Final = 7
"""How far values are made of other values."""
TRIES: Final = 40
"""How often something is made again that its own type refused."""
GREATEST: Final = 1 << 16
COUNTS: Final = frozenset({"seats", "count", "players", "size", "times", "sides", "most", "each"})
"""Parameters that say how many there are: whoever counts so far should come to an end."""


class CannotMakeError(Exception):
    """Nothing says how a value of this type is made."""


class Chance:
    """A source of values; all it gives follows from the seed."""

    def __init__(self, module: str, name: str, numbers: Sequence[int] = ()) -> None:
        self.rng: Final = random.Random(f"{module}:{name}")
        self._numbers: Final = [one for one in numbers if abs(one) <= GREATEST]
        self._game: Final = game_of(module)
        self.begin()

    def begin(self) -> None:
        """A new call: most rows in it have one length, and what it gets of a game is of one."""
        self._size = self.rng.randint(1, MOST)
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """The game under way of this call; its rows are as long as there are seats."""
        if self._position is None:
            self._position = position(self._game, self.rng)
            self._size = self._position.seats
        return self._position

    def left_behind(self) -> str:
        """What was done to the game under way, if anything was taken of it."""
        return "" if self._position is None else self._position.told()

    def value(self, wanted: Any, deep: int = 0) -> Any:
        """One value of this type.  CannotMakeError."""
        simple = _SIMPLE.get(wanted) if isinstance(wanted, abc.Hashable) else None
        if simple is not None:
            return simple(self)
        if deep > DEEP:
            raise CannotMakeError(wanted)
        origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
        if origin is not None:
            return self._composed(origin, parts, deep + 1)
        if isinstance(wanted, typing.TypeVar):
            return self._number()
        if hasattr(wanted, "__supertype__"):
            return self.value(wanted.__supertype__, deep)
        return self._object(wanted, deep + 1)

    def given(self, function: Callable[..., Any], deep: int = 0) -> dict[str, Any]:
        """Values for all parameters of a function; those with a default have it now and then."""
        hints = hints_of(function)
        if any(_is_positional(hint) for hint in hints.values()):
            assert self.position  # first, for how many sit there decides about the others
        made: dict[str, Any] = {}
        for one in inspect.signature(function).parameters.values():
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) or one.name == "self":
                continue
            if one.default is one.empty or self.rng.random() < 2 / 3:
                made[one.name] = self._parameter(one.name, hints.get(one.name, int), deep)
        return made

    def _parameter(self, name: str, wanted: Any, deep: int) -> Any:
        if wanted is int and name in COUNTS:
            return self._few()
        usual = self._position and self._position.named(name)
        return self.value(wanted, deep) if usual is None else usual

    # -- simple values -----------------------------------------------------------------------

    def _number(self) -> int:
        kind = self.rng.random()
        if kind < 0.55:
            return self.rng.randrange(self._size)
        if kind < 0.8 or not self._numbers:
            return self.rng.choice((-1, *range(17), 64, 100, 1000))
        return self.rng.choice(self._numbers) + self.rng.randint(-1, 1)

    def _few(self) -> int:
        return self._size if self.rng.random() < 2 / 3 else self.rng.randint(-1, 2 * MOST)

    def _octets(self) -> bytes:
        if self.rng.random() < 0.5:
            return self.rng.choice(POINTS)
        return self.rng.randbytes(self.rng.choice(SIZES))

    def _word(self) -> str:
        return self.rng.choice(WORDS)

    def _decimal(self) -> float:
        return self.rng.choice((0.0, 0.5, 1.0, -1.0, 3.25))

    def _anything(self) -> Any:
        if self._position is not None and self.rng.random() < 2 / 3:
            return self._position.decision()
        one = self.rng.choice((int, int, str, bytes, bool, None, list[int], dict[str, int]))
        return self.value(one)

    # -- values made of others ---------------------------------------------------------------

    def _length(self) -> int:
        return self._size if self.rng.random() < 0.85 else self.rng.randint(0, MOST)

    def _composed(self, origin: Any, parts: tuple[Any, ...], deep: int) -> Any:
        if origin in (typing.Union, types.UnionType):
            return self.value(self.rng.choice(parts), deep)
        if origin is typing.Literal:
            return self.rng.choice(parts)
        if origin in (typing.Final, typing.ClassVar, typing.Annotated):
            return self.value(parts[0], deep)
        if origin is abc.Callable:
            return self._function(parts, deep)
        if origin is tuple:
            return self._tuple(parts, deep)
        return self._collected(origin, parts, deep)

    def _tuple(self, parts: tuple[Any, ...], deep: int) -> tuple[Any, ...]:
        if len(parts) == 2 and parts[1] is Ellipsis:
            return tuple(self.value(parts[0], deep) for _ in range(self._length()))
        return tuple(self.value(part, deep) for part in parts if part != ())

    def _collected(self, origin: Any, parts: tuple[Any, ...], deep: int) -> Any:
        if origin in ROWS:
            return [self.value(parts[0], deep) for _ in range(self._length())]
        if origin in SETS:
            chosen = self._chosen(parts[0], deep)
            return chosen if origin is set else frozenset(chosen)
        if origin in TABLES:
            return self._table(parts, deep)
        return self._object(origin, deep)

    def _chosen(self, of: Any, deep: int) -> set[Any]:
        """In which order anything but numbers lies in a set is another in each process."""
        many = self._length() if of is int else min(1, self._length())
        return {self.value(of, deep) for _ in range(many)}

    def _table(self, parts: tuple[Any, ...], deep: int) -> dict[Any, Any]:
        of, to = parts
        many = range(self._length())
        keys = range(self._size) if of is int else [self.value(of, deep) for _ in many]
        return {key: self.value(to, deep) for key in keys if isinstance(key, abc.Hashable)}

    def _function(self, parts: tuple[Any, ...], deep: int) -> Callable[..., Any]:
        """One that gives another value each time; a source of bytes gives as many as are asked."""
        takes, gives = parts
        if (takes, gives) == ([int], bytes):
            return self.rng.randbytes
        if (takes, gives) == ([], int):
            clock = count(self.rng.randrange(1000), self.rng.randrange(1, 9000))
            return lambda: next(clock)
        self.value(gives, deep)
        own = Chance("", str(self.rng.random()), self._numbers)
        own._size, own._position = self._size, self._position
        return lambda *_, **__: own.value(gives, deep)

    def _parts(self, wanted: type, deep: int) -> dict[str, Any]:
        """What an object is made of."""
        if issubclass(wanted, tuple):  # a NamedTuple, whose `__new__` knows no types
            hints = typing.get_type_hints(wanted)
            return {name: self.value(hint, deep) for name, hint in hints.items()}
        return self.given(wanted.__init__, deep)

    def _object(self, wanted: Any, deep: int) -> Any:
        is_class = isinstance(wanted, type)
        if is_class and issubclass(wanted, Enum):
            return self.rng.choice([*wanted.__members__.values()])
        if _is_positional(wanted) and (found := self.position.of(wanted)) is not None:
            return found
        is_ours = is_class and wanted.__module__.startswith(OURS)
        if not is_ours or inspect.isabstract(wanted) or getattr(wanted, "_is_protocol", False):
            raise CannotMakeError(wanted)
        refused: Exception | None = None
        for _ in range(TRIES):
            values = self._parts(wanted, deep)
            try:
                return wanted(**values)
            except Exception as refusal:  # noqa: BLE001  whatever it refuses them with
                refused = refusal
        raise CannotMakeError(wanted) from refused


def _is_positional(wanted: Any) -> bool:
    origin = typing.get_origin(wanted) or wanted
    return isinstance(origin, type) and issubclass(origin, POSITIONAL)


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters.  CannotMakeError if a name is known to the type checker only."""
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError) as unknown:
        raise CannotMakeError(function) from unknown


_SIMPLE: Final[dict[Any, Callable[[Chance], Any]]] = {
    int: Chance._number,
    bool: lambda chance: chance.rng.random() < 1 / 2,
    float: Chance._decimal,
    str: Chance._word,
    bytes: Chance._octets,
    None: lambda _: None,
    type(None): lambda _: None,
    Any: Chance._anything,
    object: Chance._anything,
    random.Random: lambda chance: random.Random(chance.rng.random()),
}
