"""Where each reader changes its mind: `python -m tests.fuzz.limits` writes the page again.

The readers of `tests.fuzz.said` get zeros of each length, and a sound example in which one place is
another: a number less or more, a text, bytes or a row of each length.  A line is such a place: from
which number or length on the reader says what.  So every limit stands there, to the unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from p2p.errors import PeerError
from p2p.protocol import wire
from tests.fuzz.reader import Reader
from tests.fuzz.said import readers

PAGE: Final = Path(__file__).with_name("limits.txt")
LENGTHS: Final = (0, *(number << by for by in range(18) for number in (2, 3)))
NUMBERS: Final = (-(1 << 63), *(-(1 << by) for by in range(40, 0, -3)), -1, *range(6),
                  *(1 << by for by in range(3, 64)), (1 << 64) - 1)  # fmt: skip
"""Between two of these a reader is thought to change its mind once at most."""
GIVEN: Final = re.compile(r"'a*'|(?<=not )-?\d+\b")
"""What a refusal repeats of what was given."""
SHOWN: Final = 6
"""So many places of one row are looked at."""
Says = Callable[[int], str]
Where = tuple[int | str, ...]


def _changes(given: Callable[[int], bytes], reader: Reader, looked_at: Sequence[int]) -> str:
    """From which number on it says what, if it is given this."""

    @cache
    def says(number: int) -> str:
        refusal = reader.take(given(number))
        return "read" if refusal is None else GIVEN.sub("this", f"{refusal}")

    changes = [f"{looked_at[0]} {says(looked_at[0])}"]
    for low, high in pairwise(looked_at):
        if says(low) != says(high):
            at = _first_other(says, low, high)
            changes.append(f"{at} {says(at)}")
    return "; ".join(changes)


def _first_other(says: Says, low: int, high: int) -> int:
    """The least number above `low` for which it says something else."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if says(middle) == says(low) else (low, middle)
    return high


def _places(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    """Each place in a value that was read."""
    yield where, value
    if isinstance(value, dict | list):
        rows = value.items() if isinstance(value, dict) else enumerate(value[:SHOWN])
        for at, inner in rows:
            yield from _places(inner, (*where, at))


def _put(value: Any, where: Where, other: Any) -> Any:
    """The same with another value in this place."""
    if not where:
        return other
    copied = value.copy()
    copied[where[0]] = _put(value[where[0]], where[1:], other)
    return copied


_OTHERS: Final[dict[type, tuple[Callable[[Any, int], Any], Sequence[int]]]] = {
    int: (lambda value, number: number, NUMBERS),
    str: (lambda value, length: "a" * length, LENGTHS),
    bytes: (lambda value, length: value[:length].ljust(length, b"\0"), LENGTHS),
    list: (lambda value, length: (value * length or [None] * length)[:length], LENGTHS),
}


def _of_values(reader: Reader) -> Iterator[tuple[str, str]]:
    """The places in a sound example that is one value."""
    try:
        sound = wire.unpack(reader.examples[0])
    except PeerError:
        return
    for where, value in _places(sound):
        if type(value) in _OTHERS:
            other, looked_at = _OTHERS[type(value)]
            named = " ".join(map(str, where)) or "all of it"
            given = partial(_given, sound, where, partial(other, value))
            yield named, _changes(given, reader, looked_at)


def _given(sound: Any, where: Where, other: Callable[[int], Any], number: int) -> bytes:
    return wire.pack(_put(sound, where, other(number)))


def lines(reader: Reader) -> str:
    """What one reader says."""
    rows = [("zeros", _changes(bytes, reader, LENGTHS)), *_of_values(reader)]
    return f"{reader.name}\n" + "".join(f"  {place}: {changes}\n" for place, changes in rows)


def asked() -> dict[str, Reader]:
    """Those that take no longer the more they get."""
    return {name: one for name, one in readers().items() if not one.heavy}


if __name__ == "__main__":
    PAGE.write_text("".join(map(lines, asked().values())), encoding="utf-8")
