"""Values that get numbers, since a state of a table is a few of them, and there are millions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Named(Generic[T]):
    """Values, each with a number."""

    def __init__(self) -> None:
        self.values: Final[list[T]] = []
        self._numbers: Final[dict[T, int]] = {}

    def number(self, value: T) -> int:
        number = self._numbers.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number
