"""Level 7: FULL MONTY (rules section 8.6)."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.drawing import hide_cards, see
from engine.games.flaps.laying import Effect, name_player
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

SET_DOWN: Final = 3
WHO: Final = "name another player, who is to choose one of three cards"
POINT: Final = "point at one of the three cards"
REVEAL: Final = "show all one of the other two"
TAKE: Final = "take the card you pointed at, or the other one"


async def full_monty(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Three cards of the layer, one of them shown: another player takes one of the rest."""
    if len(t.hands[seat]) < SET_DOWN:
        t.note("monty fails", seat)
        return
    await hide_cards(t, seat)
    three = await t.lay_down(seat, t.hands[seat], SET_DOWN, t.aside[seat])
    others = [other for other in t.present() if other != seat]
    taker = await name_player(t, seat, others, WHO)
    place = await t.choose(taker, three, POINT)
    pointed = three[place]
    t.note("monty points", taker, place + 1)
    rest = [slot for slot in three if slot != pointed]
    shown = rest[await t.choose(seat, rest, REVEAL)]
    (face,) = await t.open((shown,))
    t.note("monty shows", seat, face)
    left = [slot for slot in three if slot != shown]
    left.sort(key=lambda slot: slot != pointed)
    taken = left[await t.choose(taker, left, TAKE)]
    await t.hand_over([(taken, t.hands[taker])])
    t.move_all(t.aside[seat], t.hands[seat])
    see(t, taken, seat, taker)
    t.note("monty", seat, taker, taken == pointed)


EFFECTS: Final[dict[str, Effect]] = {"full monty": full_monty}
