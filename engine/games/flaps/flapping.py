"""The flap window: whoever is first lays the next FLAP (rules section 9)."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.calls import PASS, Lay, first_to_lay, one_left, slipped
from engine.games.flaps.duties import FLAP
from engine.games.flaps.finish import win
from engine.games.flaps.table import FlapsTable
from engine.question import Play
from engine.zone import Seat

FLAPPING: Final = "any more flapping?"
MEGA_EXTRAS: Final = 3
MEGA_AFTER_STOP: Final = 2
"""STOP cuts the extras of somebody else's MEGA-FLAP from three to two (D22)."""


async def flap_window(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The window that a FLAP in a turn opens."""
    t.flapping, t.stopped = True, False
    t.last_flapper, t.mega_owner, t.mega_left, t.mega_used = seat, -1, 0, 0
    _mega(t, seat, card)
    await flap_on(t)


async def flap_on(t: FlapsTable) -> None:
    """Everybody may lay FLAPs, until all pass after the last one (D23)."""
    window = t.quiet_ms + t.last_call_ms
    while t.flapping:
        plays = [
            Play(player, t.hands[player], FLAP.fits, PASS, FLAP.why)
            for player in t.present()
            if may_flap(t, player)
        ]
        laid = await first_to_lay(t, plays, FLAPPING, window_ms=window) if plays else None
        if laid is None:
            t.flapping = False
            t.note("flapping over")
        else:
            await flap(t, laid.seat, laid.card)
            await flap_later(t, laid)


async def flap_later(t: FlapsTable, first: Lay) -> None:
    """FLAPs laid at the same moment go onto the new top where they still fit (section 9).

    Their order is that of the race; those that no longer fit stay in their hands, though all have
    seen them.
    """
    for slot, card in first.later:
        (seat,) = [seat for seat in t.present() if slot in t.hands[seat]]
        if t.flapping and may_flap(t, seat):
            t.move((slot,), t.discard)
            t.note("play", seat, card)
            await flap(t, seat, card)


def may_flap(t: FlapsTable, seat: Seat) -> bool:
    """Whether this seat could lay a FLAP now, whatever it holds."""
    if t.mega_owner == seat and t.mega_left > 0:
        return True
    return not t.stopped and seat != t.last_flapper


async def flap(t: FlapsTable, seat: Seat, card: Card) -> None:
    """A FLAP inside the window."""
    t.follow(card)
    if t.mega_owner == seat and t.mega_left > 0:
        t.mega_left -= 1
        t.mega_used += 1
    _mega(t, seat, card)
    t.last_flapper = seat
    if card.kind == "stop":
        _stop(t, seat)
    if not t.hands[seat]:
        t.flapping = False
        win(t, seat, card)
        return
    if t.due:
        await slipped(t, seat)
    await one_left(t, seat)


def _mega(t: FlapsTable, seat: Seat, card: Card) -> None:
    if card.kind == "mega-flap":
        t.mega_owner, t.mega_left, t.mega_used = seat, MEGA_EXTRAS, 0


def _stop(t: FlapsTable, seat: Seat) -> None:
    """Against another's MEGA-FLAP two extras remain in all; otherwise it is over at once."""
    t.stopped = True
    if t.mega_owner not in (-1, seat) and t.mega_left > 0:
        t.mega_left = max(0, MEGA_AFTER_STOP - t.mega_used)
    else:
        t.mega_owner, t.mega_left = -1, 0
