"""The witness step: what each seat saw of the claims in a race (protocol section 4, rule 2)."""

from __future__ import annotations

from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.protocol import wire
from p2p.protocol.cards import Cards
from p2p.protocol.race_times import Sighting
from p2p.protocol.step import Program, Step

TIME_MAX_US: Final = 86_400_000_000
"""A day: nobody waits longer for a slap."""
_MAYBE: Final = (int, type(None))


def witness(
    cards: Cards, claimants: tuple[Seat, ...], at: int
) -> Program[dict[Seat, dict[Seat, Sighting]]]:
    """What every seat saw of the claims made in step `at`, by witness and claimant."""

    def make(_: object) -> object:
        races, timing = cards.races, cards.timing
        return [list(races.sighting(claimant, timing, at)) for claimant in claimants]

    def parse(seat: Seat, payload: Any) -> dict[Seat, Sighting]:
        rows = wire.exactly(payload, list, "a witness entry")
        complete = len(rows) == len(claimants)
        checks.require("witness.count", complete, "malformed", "not one sighting a claim")
        return {
            claimant: _decode(cards, seat, claimant, row)
            for claimant, row in zip(claimants, rows, strict=True)
        }

    entries: dict[Seat, dict[Seat, Sighting]] = yield Step(
        "witness", cards.keys.seats, parse=parse, make=make
    )
    for seat, sightings in entries.items():
        for claimant, sighting in sightings.items():
            cards.races.lower(seat, claimant, sighting.credit)
    return entries


def _decode(cards: Cards, seat: Seat, claimant: Seat, row: Any) -> Sighting:
    triple = isinstance(row, list) and len(row) == 3
    checks.require("witness.row", triple, "malformed", "a sighting is two times and a credit")
    seen, late = (_decode_time(value) for value in row[:2])
    credit: int = wire.exactly(row[2], int, "a credit")
    allowed = cards.races.allowed(seat, claimant)
    checks.require(
        "witness.credit",
        0 <= credit <= allowed,
        "bad-witness",
        f"the seat credits seat {claimant} with {credit} us, "
        f"and by its own word it may with {allowed} at most",
    )
    return Sighting(seen, late, credit)


def _decode_time(value: Any) -> int | None:
    if value is None:
        return None
    time: int = wire.exactly(value, int, "a time")
    checks.require("witness.time", 0 <= time <= TIME_MAX_US, "malformed", "a time out of range")
    return time
