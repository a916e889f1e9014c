"""Whatever a megabyte says, reading it takes bounded time and memory."""

from __future__ import annotations

import pytest

from tests.fuzz.cost import peak_of, turns_of
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.fuzz.worst import SIZE, hostile

TURNS_MAX = 100_000_000
"""Of an empty loop, for a megabyte: about two seconds."""
PEAK_MAX = 64
"""Bytes at once for each byte that is read."""
ROOM = 4 * 1024 * 1024
"""So much is little, whatever was read."""
SHARE = 24
"""At each change every reader gets one input in so many, each another one, and its memory is
measured for so much less than a megabyte: measuring takes ten times as long as reading."""


def in_time(reader: Reader, first: int = 0, step: int = 1) -> None:
    for number, (name, data) in enumerate(hostile(reader)):
        if number % step == first:
            turns = turns_of(lambda data=data: reader.take(data))  # type: ignore[misc]
            assert turns <= TURNS_MAX, f"{name}: as long as {turns / 1e6:.0f} million turns"


def in_room(reader: Reader, first: int = 0, step: int = 1) -> None:
    size = SIZE // step
    for number, (name, data) in enumerate(hostile(reader, size)):
        if number % step == first:
            peak = peak_of(lambda data=data: reader.take(data))  # type: ignore[misc]
            most = max(ROOM, PEAK_MAX * max(size, len(data)))
            assert peak <= most, f"{name}: {peak / 1e6:.0f} MB at once"


@pytest.mark.parametrize("place", range(len(READERS)), ids=list(READERS))
def test_a_hostile_megabyte(place: int) -> None:
    """Somebody sends a megabyte of nests, of claimed lengths, of a million small things.

    Refused or read, in bounded time, and with at most 64 MB of memory.
    """
    reader, first = [*READERS.values()][place], place % SHARE
    reader.take(reader.examples[0])  # what is made once is no cost of reading
    in_time(reader, first, SHARE)
    in_room(reader, first, SHARE)


@pytest.mark.full
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_every_hostile_megabyte(reader: Reader) -> None:
    """The same, all of them.

    As above.
    """
    reader.take(reader.examples[0])
    in_time(reader)
    in_room(reader)
