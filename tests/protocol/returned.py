"""What functions return: `python -m tests.protocol.returned` writes the page again.

Each function of engine, protocol and cryptography whose parameters can be made by their types
(`tests.protocol.by_chance`) is called some times with values by chance; so are the methods of each
object that can be made so, one after the other.  Here a line is one of them: how often it was
called, how often it returned, and a digest of what it returned or refused, the sentence too.  Most
tests ask what should be; this one asks whether anything is another than it was, in corners where
nobody would look: at limits, without players, with empty rows.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from engine.testing import describe
from tests.protocol.by_chance import CannotMakeError, Chance
from tests.protocol.constants import modules, tell

PAGE: Final = Path(__file__).with_name("returned.txt")
CALLS: Final = 30
OBJECTS: Final = 12
ANSWERS: Final = 8
"""So many questions of rules are answered."""
FIRST: Final = 40
"""So many of what is given one after the other are looked at."""
LEFT_OUT: Final = frozenset(
    {
        *(f"engine.bots.{name}" for name in ("beside", "bot", "following", "hard", "judge")),
        *(f"engine.bots.{name}" for name in ("determinization", "player", "search", "tree")),
        *("engine.bots.contest", "engine.bots.lookahead", "engine.compiling", "engine.games"),
        *("engine.session", "engine.simulate", "engine.testing", "engine.traps"),
        *("p2p.protocol.genesis", "p2p.protocol.next_game", "p2p.protocol.table"),
    }
)
"""What the first return depends on what is installed; the others play games, or make all keys of a
table."""
NOT_CALLED: Final = frozenset(
    {
        *("engine.bots.belief:Belief._choose", "engine.games.flaps.time_out:_next_player"),
        *("engine.question:LayDown.decisions", "engine.table:Table.lay_down"),
        *("engine.games.flaps.level5:guess", "engine.games.flaps.level5:share"),
        "engine.games.flop_a.lookahead:duel",
        "engine.table_state:TableState.neighbour",
        *(f"engine.dealer:TrustedDealer.{name}" for name in ("act", "answer")),
        "p2p.protocol.step_kinds:add",
        *(f"p2p.crypto.group:{name}" for name in ("_discard", "_remove", "_release_and_remove")),
    }
)
"""Some look until they find, or list all of many; some tell in the order of a set; one adds to a
table of the program; some remove a file; some end where this Python's recursion or
numbers do."""
SPECIAL: Final = ("__len__", "__iter__", "__contains__", "__getitem__", "__call__", "__eq__")
"""Methods with names of Python that are called as others are."""


@dataclass
class Told:
    """What came of the calls of one function."""

    calls: int = 0
    returned: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def note(self, function: Callable[..., Any], chance: Chance, *of: object) -> None:
        """Call it once, with values by chance; a method with its object."""
        self.calls += 1
        values = chance.given(function)
        try:
            said = _come_of(function(*of, **values), chance)
            self.returned += 1
        except Exception as refusal:  # noqa: BLE001  that is what came of it
            said = _refused(refusal)
        self.digest.update(f"{said} {_told(values)} {chance.left_behind()}\n".encode())

    def __str__(self) -> str:
        return f"{self.returned} of {self.calls}, {self.digest.hexdigest()[:12]}"


def _come_of(value: Any, chance: Chance) -> str:
    """What was returned; of rules what they ask, while somebody answers by chance."""
    if not inspect.iscoroutine(value):
        return _told(value)
    said: list[str] = []
    try:
        answer: object = None
        for _ in range(ANSWERS):
            asked = value.send(answer)
            said.append(describe(chance.position.session.table, asked))
            answer = chance.position.answer(asked)
    except StopIteration as end:
        said.append(_told(end.value))
    finally:
        value.close()
    return " ".join(said)


def _told(value: Any) -> str:
    if isinstance(value, Iterator):
        return tell(list(islice(value, FIRST)))
    return tell(value)


def _refused(refusal: Exception) -> str:
    """Our own sentences; those of Python are others in each version."""
    ours = type(refusal).__module__.startswith(("engine", "p2p"))
    return f"{type(refusal).__name__}: {refusal}" if ours else type(refusal).__name__


def lines(name: str) -> dict[str, str]:
    """What a module's functions return, by their qualified names."""
    module = import_module(name)
    numbers = _numbers(module)
    found: dict[str, str] = {}
    if name in LEFT_OUT:
        return found
    for one in list(vars(module).values()):
        value = inspect.unwrap(one) if callable(one) else one
        if getattr(value, "__module__", "") != name:
            continue
        if inspect.isfunction(value) and _can_be_made(value):
            found |= _of_function(value, numbers)
        elif isinstance(value, type):
            found |= _of_class(value, numbers)
    return found


def _numbers(module: ModuleType) -> list[int]:
    """The constants that a module knows."""
    values = [one for name, one in vars(module).items() if name.lstrip("_").isupper()]
    whole = [one for one in values if type(one) is int]
    return whole + [end for one in values if isinstance(one, range) for end in (one[0], one[-1])]


def _of_function(function: Callable[..., Any], numbers: Sequence[int]) -> dict[str, str]:
    name = function.__qualname__
    chance, told = Chance(function.__module__, name, numbers), Told()
    try:
        for _ in range(CALLS):
            chance.begin()
            told.note(function, chance)
    except CannotMakeError:
        return {}
    return {name: str(told)}


def _of_class(cls: type, numbers: Sequence[int]) -> dict[str, str]:
    chance = Chance(cls.__module__, cls.__qualname__, numbers)
    methods = list(_methods(cls))
    told = {name: Told() for name, _ in methods}
    if not methods:
        return {}
    calls = 4 + len(methods) * CALLS // OBJECTS
    try:
        for _ in range(OBJECTS):
            chance.begin()
            one = chance.value(cls)
            for _ in range(calls):
                name, called = chance.rng.choice(methods)
                told[name].note(called, chance, one)
    except CannotMakeError:
        return {}
    return {f"{cls.__qualname__}.{name}": str(one) for name, one in told.items()}


def _methods(cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, value in vars(cls).items():
        function = getattr(value, "fget", value)
        is_own = inspect.isfunction(function) and function.__module__ == cls.__module__
        if is_own and (name in SPECIAL or not name.startswith("__")) and _can_be_made(function):
            yield name, function


def _can_be_made(function: Callable[..., Any]) -> bool:
    if f"{function.__module__}:{function.__qualname__}" in NOT_CALLED:
        return False
    chance = Chance(function.__module__, "")
    try:
        for _ in range(3):
            chance.given(function)
    except CannotMakeError:
        return False
    return True


def page() -> str:
    """All modules with functions that can be called."""
    return "".join(section(name, lines(name)) for name in modules())


def section(name: str, said: dict[str, str]) -> str:
    """What the page says of one module."""
    return "".join([f"# {name}\n", *(f"{one}: {told}\n" for one, told in said.items()), "\n"])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
