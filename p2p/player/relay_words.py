"""Who reaches whom only through others, in words: races depend on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.wording import listed
from engine.zone import Seat
from p2p.protocol.races.relays import Pair


def resting(pairs: Sequence[Pair], names: Sequence[str]) -> list[str]:
    """A sentence for all who reach each other only through the same others."""
    ways = dict.fromkeys(pair.between for pair in pairs)
    return [
        f"{who} reach each other only through {_names(way, names)}: races depend on "
        f"{'that player' if len(way) == 1 else 'them'}."
        for way in ways
        for who in _groups([pair.seats for pair in pairs if pair.between == way], names)
    ]


def _groups(pairs: Sequence[tuple[Seat, Seat]], names: Sequence[str]) -> Iterator[str]:
    """All of them as one group, if each pair of them is meant."""
    seats = sorted({seat for pair in pairs for seat in pair})
    if len(pairs) == len(list(combinations(seats, 2))):
        yield _names(seats, names)
    else:
        yield from (_names(pair, names) for pair in pairs)


def late(pair: Pair, names: Sequence[str]) -> str:
    """Which records were late, and in whose hands they were; nobody can tell whose fault it is."""
    between = _names(pair.between, names)
    return f"What {_names(pair.seats, names)} sent each other through {between} came late"


def _names(seats: Sequence[Seat], names: Sequence[str]) -> str:
    return listed(names[seat] for seat in seats)
