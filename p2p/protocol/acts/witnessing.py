"""The witness step: what each seat saw of a race (protocol section 5, "Races")."""

from __future__ import annotations

from typing import Any, Final

from engine.zone import Seat
from p2p import checks
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.races.relays import Said
from p2p.protocol.races.times import Sighting
from p2p.protocol.step import Program, Step

TIME_MAX_US: Final = 86_400_000_000
"""A day: nobody waits longer for a slap."""
_SAID: Final[dict[str, type | tuple[type, ...]]] = {"claims": list, "parts": list}


def witness(cards: Cards, claimants: tuple[Seat, ...], at: int) -> Program[dict[Seat, Said]]:
    """What every seat saw of the claims made in step `at`, and of what they are about."""

    def make(_: object) -> object:
        races, timing = cards.races, cards.timing
        return {
            "claims": [list(races.sighting(claimant, timing, at)) for claimant in claimants],
            "parts": races.parts(timing, at),
        }

    def parse(seat: Seat, payload: Any) -> Said:
        fields = wire.take(payload, _SAID)
        rows = fields["claims"]
        complete = len(rows) == len(claimants)
        checks.require("witness.count", complete, "malformed", "not one sighting a claim")
        claims = {
            claimant: _decode(cards, seat, claimant, row)
            for claimant, row in zip(claimants, rows, strict=True)
        }
        return Said(claims, _decode_parts(cards, seat, fields["parts"]))

    entries: dict[Seat, Said] = yield Step(
        step_kinds.WITNESS, cards.keys.seats, parse=parse, make=make
    )
    for seat, said in entries.items():
        for claimant, sighting in said.claims.items():
            cards.races.lower(seat, claimant, sighting.credit)
    return entries


def _decode_parts(cards: Cards, seat: Seat, values: list[Any]) -> tuple[int | None, ...]:
    complete = len(values) == len(cards.keys.public)
    checks.require("witness.parts", complete, "malformed", "not one part a seat")
    own = values[seat] is None
    checks.require("witness.part-own", own, "malformed", "a seat tells of its own part")
    return tuple(None if value is None else _decode_part(value) for value in values)


def _decode_part(value: Any) -> int:
    time: int = wire.exactly(value, int, "a time")
    sound = -TIME_MAX_US <= time <= TIME_MAX_US
    checks.require("witness.part", sound, "malformed", "a part out of range")
    return time


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
