"""Functions of a number that are asked for whole columns, and computed once for each number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
import numpy.typing as npt

from tests.sim.exhaustive.seat import WrongError

Column = npt.NDArray[np.int64]


class MetError(Exception):
    """Something went wrong at a place of a column."""

    def __init__(self, place: int, wrong: WrongError) -> None:
        super().__init__(str(wrong))
        self.place: Final = place
        self.wrong: Final = wrong


class Memo:
    """A function of a number, for a whole column; it is asked once for each number.

    A WrongError of the function becomes a MetError.
    """

    def __init__(self, width: int, work: Callable[[int], tuple[int, ...]]) -> None:
        self._work: Final = work
        self._width: Final = width
        self._keys: Column = np.empty(0, np.int64)
        self._values: Column = np.empty((0, width), np.int64)

    def __call__(self, keys: Column) -> Column:
        """A row of values for each key."""
        asked, places = np.unique(keys, return_inverse=True)
        new = asked[~is_in(asked, self._keys)]
        if new.size:
            self._learn(new, keys)
        values: Column = self._values[np.searchsorted(self._keys, asked)[places]]
        return values

    def _learn(self, new: Column, keys: Column) -> None:
        values = np.empty((new.size, self._width), np.int64)
        for place, key in enumerate(new):
            try:
                values[place] = self._work(int(key))
            except WrongError as wrong:
                raise MetError(int(np.flatnonzero(keys == key)[0]), wrong) from wrong
        known = np.concatenate((self._keys, new))
        order = np.argsort(known, kind="stable")
        self._keys, self._values = known[order], np.concatenate((self._values, values))[order]


def is_in(asked: npt.NDArray[np.generic], known: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    """Which of these are among the known ones, which are sorted."""
    at = np.searchsorted(known, asked)
    found = at < known.size
    found[found] = known[at[found]] == asked[found]
    return found


@contextmanager
def places(at: npt.NDArray[np.intp]) -> Iterator[None]:
    """What goes wrong at a place of a part of a column is wrong at this place of the whole."""
    try:
        yield
    except MetError as met:
        raise MetError(int(at[met.place]), met.wrong) from met
