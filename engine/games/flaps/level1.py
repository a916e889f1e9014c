"""Level 1: aces, attacks, eights, tens and jacks (rules section 7)."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.calls import PASS, lay_or_pass
from engine.games.flaps.drawing import draw, draw_each
from engine.games.flaps.duties import ACE_LAY, DOOFER
from engine.games.flaps.flapping import flap_window
from engine.games.flaps.laying import (
    ALL_SUITS,
    CALL_COLOUR,
    Effect,
    call_suit,
    name_player,
    resolve,
)
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

TARGET: Final = "name another player, who is to pick up a card"
NAMELESS: Final = -1


async def ace(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Call any suit; after a last card that does not win, then pick one up."""
    await call_suit(t, seat, ALL_SUITS)
    if not t.hands[seat]:
        await draw(t, seat, 1)


async def ace_and_lay(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Lay one more card of its colour or an Ace; or call a suit of it, and pick one up."""
    colour, hand, laid = card.suit // 2, t.hands[seat], None
    if hand:
        fits, why = ACE_LAY[colour]
        laid = await t.play(seat, hand, fits, t.discard, PASS, why)
    if laid is None:
        await call_suit(t, seat, (2 * colour, 2 * colour + 1), CALL_COLOUR)
        await draw(t, seat, 1)
    else:
        await resolve(t, seat, laid, follow=True)


async def ace_jack(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Call any suit as with an Ace, and reverse as with a Jack."""
    await ace(t, seat, card)
    t.direction = -t.direction


async def attack(t: FlapsTable, seat: Seat, card: Card) -> None:
    """A 2 or 3 adds its number to what the next player has to pick up."""
    t.owed += card.rank


async def seven(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Turns a running attack back; otherwise nothing (D36)."""
    if t.owed:
        t.direction = -t.direction


async def nine(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Ends an attack."""
    t.owed = 0


async def eight(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The next player knocks, or lays another 8."""
    t.miss = True


async def ten(t: FlapsTable, seat: Seat, card: Card, target: Seat = NAMELESS) -> None:
    """A scuffle: the player named picks up one card or names another with a HOOFERS-DOOFERS."""
    namer = seat
    while True:
        if target == NAMELESS:
            others = [other for other in t.present() if other != namer]
            target = await name_player(t, namer, others, TARGET)
        doofer = await lay_or_pass(t, target, *DOOFER)
        if doofer is None:
            break
        await resolve(t, target, doofer)
        if not t.playing:
            return
        namer, target = target, NAMELESS
    await draw(t, target, 1)
    t.after = namer if t.after_last_doofer else t.after


async def jack(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Reverse."""
    t.direction = -t.direction


async def up_jacks(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Reverse; everybody else picks up one card, clockwise from the left of the layer (D27)."""
    t.direction = -t.direction
    await draw_each(t, t.clockwise(seat)[:-1])


EFFECTS: Final[dict[str, Effect]] = {
    "ace": ace,
    "ace'n'end": ace,
    "ace'n'lay": ace_and_lay,
    "ace-jack": ace_jack,
    "2": attack,
    "3": attack,
    "7": seven,
    "9": nine,
    "8": eight,
    "10": ten,
    "jack": jack,
    "up-jacks": up_jacks,
    "flaps": flap_window,
    "mega-flap": flap_window,
}
