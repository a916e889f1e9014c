"""Seeds by what they deal: a change of what is drawn at random deals other cards."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from engine.cards import Fits
from engine.zone import Seat
from p2p.errors import LocalError
from tests.protocol.cheats import CHEAT
from tests.protocol.kit import Hub, game_hub
from tests.protocol.scenes import SCENES, low

_TRIES = 100


@cache
def seed_with(
    scene: str, count: int, fits: Fits = low, *, of: int = 3, seats: tuple[Seat, ...] = (CHEAT,)
) -> int:
    """The first seed with which this many of the first cards that each of `seats` sees fit."""
    for seed in range(_TRIES):
        hub = game_hub(SCENES[scene], 3, seed, verifying=0)
        with suppress(LocalError, ValueError):  # some hands leave an honest seat no way to go on
            hub.run()
        if all(_fitting(hub, seat, fits, of) == count for seat in seats):
            return seed
    raise AssertionError(f"no seed below {_TRIES} deals {count} such cards in {scene}")


def _fitting(hub: Hub, seat: Seat, fits: Fits, of: int) -> int:
    cards = hub.seats[seat].cards
    return sum(fits(cards.slots.card(one.number)) for one in cards.seen[:of])
