"""How a race was decided, in words: at once at the table, and later of a saved game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from p2p.protocol.races.book import RaceResult


class Decided(NamedTuple):
    """`now` at the table, with {first} and {times}; `later` of a saved game, with {first}."""

    now: str
    later: str


DECIDED: Final[Mapping[RaceResult, Decided]] = {
    RaceResult.FIRST: Decided("First: {first} ({times}).", "{first} was first, by the witnesses"),
    RaceResult.TIE: Decided(
        "Equally fast, so chance says {first} ({times}).", "equally fast; chance says {first}"
    ),
    RaceResult.DISPUTE: Decided(
        "The two clocks contradict each other, so chance says {first} ({times}).",
        "the two contradict each other; chance says {first}",
    ),
    RaceResult.COIN: Decided(
        "After too many disputes chance alone decides: {first}.",
        "after too many disputes chance decides: {first}",
    ),
}
HELD: Final = Decided("{late}, so chance says {first} ({times}).", "{late}; chance says {first}")
"""Where records of two players came late through the same hands; {late} says whose."""
