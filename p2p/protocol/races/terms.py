"""The values that decide a table's races: the cap on credited delay, the hold, the pings.

Protocol section 4: the least round trips that the seats state in genesis stand in the header,
and everybody computes the same credits and the same cap from them.  All times are integer
microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import UsageError
from p2p import checks
from p2p.protocol import wire

Ping = int | None
"""A least round trip in microseconds; None if none was measured."""
Pings = tuple[tuple[Ping, ...], ...]
"""The round trips that each seat stated, in seat order; None in its own place."""

CAPS_US: Final = range(1_000, 250_001)
"""Section 4 allows more than 80 ms only if every seat agrees: all sign the proposal."""
HOLDS_US: Final = range(5_000_001)
CAP_FLOOR_US: Final = CAPS_US[0]
"""Below this, the jitter of programs decides, not the way."""
HOP_US: Final = 3_000
"""How long a program takes to pass a record on (measured on an idle computer)."""
RELAY_US: Final = 8_000
"""What a way through another seat takes beyond the least round trips of its two links.

It covers the program that passes a record on, and a second link's usual jitter.  Without it an
honest host whose guests are linked only with it wins 42 of 100 races of three (simulated).
"""
PING_MAX_US: Final = 60_000_000


@dataclass(frozen=True, slots=True)
class RaceTerms:
    """What a table agrees on for its races.  UsageError outside the limits.

    `cap_us` is the largest delay that a seat is credited with; `hold_us` is the time after a
    question at which passes and forced answers leave (docs/explanation/races.md).
    """

    cap_us: int = 80_000
    hold_us: int = 600_000

    def __post_init__(self) -> None:
        if self.cap_us not in CAPS_US:
            raise UsageError(f"the race cap is {_ms(min(CAPS_US))} to {_ms(max(CAPS_US))} ms")
        if self.hold_us not in HOLDS_US:
            raise UsageError(f"the hold is {_ms(min(HOLDS_US))} to {_ms(max(HOLDS_US))} ms")

    def encode(self) -> dict[str, int]:
        """The field `race` of a proposal."""
        return {"cap": self.cap_us, "hold": self.hold_us}


def _ms(microseconds: int) -> int:
    return microseconds // 1_000


def decode_race_terms(value: Any) -> RaceTerms:
    """The field `race` of a proposal that somebody sent; PeerError `malformed`."""
    fields = wire.take(value, {"cap": int, "hold": int})
    cap, hold = fields["cap"], fields["hold"]
    checks.require("genesis.race-cap", cap in CAPS_US, "malformed", "the race cap is out of range")
    checks.require("genesis.race-hold", hold in HOLDS_US, "malformed", "the hold is out of range")
    return RaceTerms(cap, hold)


def stated(pings: Sequence[Ping], me: int) -> list[Ping]:
    """What we measured, as an entry states it: nothing about ourselves or beyond the limits."""
    return [
        ping if ping is not None and 0 < ping <= PING_MAX_US and seat != me else None
        for seat, ping in enumerate(pings)
    ]


def decode_pings(seat: int, seats: int, value: list[Any]) -> tuple[Ping, ...]:
    """The round trips that `seat` states to each of `seats`; PeerError `malformed`."""
    checks.require("genesis.pings", len(value) == seats, "malformed", "not one ping a seat")
    checks.require(
        "genesis.ping-own", value[seat] is None, "malformed", "a seat states a ping to itself"
    )
    return tuple(_decode_ping(ping) for ping in value)


def _decode_ping(value: Any) -> Ping:
    if value is None:
        return None
    ping: int = wire.exactly(value, int, "a ping")
    checks.require("genesis.ping", 0 < ping <= PING_MAX_US, "malformed", "a ping is out of range")
    return ping


def one_way(pings: Sequence[Sequence[Ping]]) -> Pings:
    """The delay between each two seats, symmetrical, in microseconds; 0 to oneself.

    Half of the smaller of the two statements, so that a statement alone cannot make a seat seem
    far away; late answers to pings can, and the cap bounds that.
    For two seats without a link of their own, the least sum along a way through other seats, on
    which their records really travel, and `RELAY_US` for each of those; None if no such way is
    known.
    """
    seats = range(len(pings))
    direct = [[_direct(pings, here, there) for there in seats] for here in seats]
    relayed = _shortest(direct)
    return tuple(
        tuple(relayed[i][j] if direct[i][j] is None else direct[i][j] for j in seats) for i in seats
    )


def passed_on(pings: Sequence[Sequence[Ping]]) -> Pings:
    """The delay of what all pass on at once: direct, or through one other seat if shorter.

    Each leg of such a way counts by the word of the end that is not the relay: by its own word,
    a relay could make all others seem near to each other.
    """
    seats = range(len(pings))
    straight = one_way(pings)
    return tuple(tuple(_passed_on(pings, straight, i, j) for j in seats) for i in seats)


def _passed_on(pings: Sequence[Sequence[Ping]], straight: Pings, here: int, there: int) -> Ping:
    ways = [
        (first + second) // 2 + HOP_US
        for first, second in zip(pings[here], pings[there], strict=True)
        if first is not None and second is not None
    ]
    known = straight[here][there]
    if known is None or _direct(pings, here, there) is None:
        return known
    return min([*ways, known])


def _direct(pings: Sequence[Sequence[Ping]], here: int, there: int) -> Ping:
    if here == there:
        return 0
    known = [ping for ping in (pings[here][there], pings[there][here]) if ping is not None]
    return min(known) // 2 if known else None


def _shortest(direct: Sequence[Sequence[Ping]]) -> list[list[Ping]]:
    """The least sums over all ways (Floyd and Warshall)."""
    least = [list(row) for row in direct]
    seats = range(len(least))
    for relay in seats:
        for here in seats:
            for there in seats:
                first, second = least[here][relay], least[relay][there]
                known = least[here][there]
                if first is None or second is None:
                    continue
                passed_on = first + RELAY_US + second
                if here != relay != there and (known is None or passed_on < known):
                    least[here][there] = passed_on
    return least


def race_cap(terms: RaceTerms, pings: Sequence[Sequence[Ping]]) -> int:
    """The table's cap in microseconds: its largest delay, within what was agreed.

    A pair of unknown delay counts as far apart as the terms allow: its honest half should
    not lose because of what nobody measured.
    """
    delays = [
        terms.cap_us if delay is None else delay
        for here, row in enumerate(one_way(pings))
        for delay in row[here + 1 :]
    ]
    return max(CAP_FLOOR_US, min(terms.cap_us, max(delays, default=0)))


def exposure(cap_us: int, true_us: int) -> int:
    """The most that faking distance can gain, in microseconds: twice what the cap leaves open."""
    return max(0, 2 * (cap_us - true_us))
