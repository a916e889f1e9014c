"""What one part of the program knows of each kind of question: a table by class, open to more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

from engine.asked import Question
from engine.errors import EngineError

E = TypeVar("E")
Kind = type[Question[Any]]


class Registry(Generic[E]):
    """One entry for each kind of question; a kind without one uses that of the kind it extends.

    `what` says in a few words what the entries are: "how peers answer it".
    """

    def __init__(self, what: str, entries: Mapping[Kind, E]) -> None:
        self._what: Final = what
        self._entries: Final[dict[Kind, E]] = dict(entries)

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._entries)

    def add(self, kind: Kind, entry: E) -> None:
        """Add the entry of a new kind; EngineError if the kind has one."""
        if kind in self._entries:
            raise EngineError(f"{self._what}: {kind.__name__} has an entry already")
        self._entries[kind] = entry

    def find(self, question: Question[Any]) -> E | None:
        """The entry of this question's kind; None if there is none."""
        return next(self.line(question), None)

    def of(self, question: Question[Any]) -> E:
        """The entry of this question's kind; EngineError if there is none."""
        entry = self.find(question)
        if entry is None:
            raise EngineError(f"{self._what}: {type(question).__name__} has no entry")
        return entry

    def line(self, question: Question[Any]) -> Iterator[E]:
        """The entries of this question's kind and of those that it extends, its own first."""
        entries = self._entries
        return (entries[cls] for cls in type(question).__mro__ if cls in entries)
