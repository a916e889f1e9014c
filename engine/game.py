"""What a game declares about itself: seats, options, rules."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from engine.errors import EngineError, UsageError, perhaps
from engine.question import Question
from engine.table import Table
from engine.zone import Seat

__all__ = ["Game", "Option", "Options", "Sides", "UsageError", "Value"]

Value = bool | int | str
Options = Mapping[str, Value]
Sides = Sequence[Sequence[Seat]]
"""The seats that win or lose together, and have the same result; () if each seat plays alone."""
WORDS = {True: "on", False: "off"}


@dataclass(frozen=True)
class Option:
    """A house rule that a table agrees on before it starts.

    The type of `default` (bool, int or str) is the type of the option; `allowed` lists every
    value; `text` tells people what it changes, and `meanings`, if any, what each value stands for.
    """

    name: str
    default: Value
    allowed: tuple[Value, ...]
    text: str
    meanings: tuple[str, ...] = ()

    def said(self) -> str:
        """The allowed values as people read and type them."""
        first, count = self.allowed[0], len(self.allowed)
        if type(first) is int and count > 2 and self.allowed == (*range(first, first + count),):
            return f"{first} to {first + count - 1}"
        return ", ".join(spell(value) for value in self.allowed)

    def parse(self, written: str) -> Value:
        """The value that somebody typed; UsageError names what is allowed."""
        for value in self.allowed:
            if spell(value) == written.strip().lower():
                return value
        raise UsageError(f"option {self.name} is one of: {self.said()} (not {written!r})")

    @cached_property
    def _values(self) -> frozenset[Value]:
        """Those allowed.  Some options have thousands, and every game of a study is checked."""
        return frozenset(self.allowed)

    def check(self, value: Value) -> None:
        """Refuse a value of another type, or one that is not allowed."""
        if type(value) is not type(self.default) or value not in self._values:
            raise UsageError(f"option {self.name} is one of: {self.said()} (not {value!r})")


def spell(value: Value) -> str:
    """A value as people type it: on and off for bool."""
    return WORDS[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Game:
    """One registered game.

    `table(seats, options)` makes the empty table; `turn(table)` is the coroutine function of
    one turn, which the session calls again until `table.over`; `returns(table)` gives each
    seat's result once it is; `bounds(seats, options)` the lowest and highest result possible.
    `unfit(seats, options)` says in a sentence why these seats and options do not go together,
    or None.  `sides(seats, options)` are the teams; the members of a side have the same result.
    Leaving is resigning, so results, sides and lost seats alone say who wins
    (`engine.totals.winners`).  `races`: whether it may matter who was first.  `shows_all`: whether
    every card is shown before the next shuffle.  A change of the rules that alters a golden
    playthrough raises `rules_version`.

    `lose(table, seat, asked)` is the coroutine function that goes on without a seat that has left,
    at the question `asked`, which nobody will answer.  The turn was closed where it waited
    (cards that only this seat could read are JOINT, and `table.lost` names it); `lose` makes of
    what it left a state between two turns.  It may ask questions itself, and may be closed at them
    as a turn may be.  With one player left the game is over, and nothing may be asked.  None: the
    game cannot go on without a player.

    `timed_out(table, seat, question)` is what the seat decides when its time is over, by what
    everybody sees; None where the rules say nothing: then it passes, if it may
    (`engine.time_out`).
    """

    name: str
    title: str
    rules_version: int
    seats: range
    options: tuple[Option, ...]
    table: Callable[[int, Options], Table]
    turn: Callable[[Any], Coroutine[Any, Any, None]]
    returns: Callable[[Any], tuple[int, ...]]
    bounds: Callable[[int, Options], tuple[int, int]]
    unfit: Callable[[int, Options], str | None] = lambda seats, options: None
    sides: Callable[[int, Options], Sides] = lambda seats, options: ()
    races: bool = False
    shows_all: bool = False
    lose: Callable[[Any, Seat, Question[Any]], Coroutine[Any, Any, None]] | None = None
    timed_out: Callable[[Any, Seat, Question[Any]], object] | None = None

    def __deepcopy__(self, memo: Mapping[int, object]) -> Game:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Return how another process finds the game: its functions are not sent.

        UsageError or EngineError if no game, or another game, is installed under this name.
        """
        load: Callable[[str], Game] = import_module("engine.games").load  # it imports this module
        if load(self.name) is not self:
            raise EngineError(f"another game is installed under the name {self.name!r}")
        return load, (self.name,)

    def defaults(self) -> dict[str, Value]:
        """Every option at its default."""
        return {option.name: option.default for option in self.options}

    def parse_options(self, pairs: Mapping[str, str]) -> dict[str, Value]:
        """The full set of options from what somebody typed; UsageError when it makes no sense."""
        known = {option.name: option for option in self.options}
        values = self.defaults()
        for name, written in pairs.items():
            values[name] = self._option(known, name).parse(written)
        return values

    def check(self, seats: int, options: Options) -> None:
        """Refuse a table that the rules do not provide for (UsageError, one sentence)."""
        if seats not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            numbers = str(low) if low == high else f"{low} to {high}"
            raise UsageError(f"{self.title} is for {numbers} players, not {seats}")
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            self._option(known, name).check(value)
        sentence = self.unfit(seats, {**self.defaults(), **options})
        if sentence is not None:
            raise UsageError(sentence)

    def _option(self, known: Mapping[str, Option], name: str) -> Option:
        option = known.get(name)
        if option is None:
            names = ", ".join(known) or "none at all"
            unknown = f"{self.title} has no option {name!r}{perhaps(name, known)}"
            raise UsageError(f"{unknown}; its options are: {names}")
        return option
