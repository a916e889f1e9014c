"""Level 3: DUMP THOSE FIVES and KING'N'LAY.

QUACK passes an attack on, as any card does that changes nothing in it; STOP THAT FLAPPING acts
inside the window only; SIX OF THE BEST is counted when a game is won.
"""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.calls import PASS, one_left
from engine.games.flaps.drawing import draw
from engine.games.flaps.duties import FIVE, KING_LAY
from engine.games.flaps.laying import EFFECTS as ALL_EFFECTS
from engine.games.flaps.laying import Effect, resolve
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

MOST_FIVES: Final = 3


async def dump(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Up to three more fives; only the last one laid is active (D20)."""
    hand, last = t.hands[seat], card
    for _ in range(MOST_FIVES):
        five = await t.play(seat, hand, FIVE.fits, t.discard, PASS, FIVE.why) if hand else None
        if five is None:
            break
        last = five
        t.follow(last)
    if not hand:
        await draw(t, seat, 1)
    elif last.kind != "pick":
        await one_left(t, seat)
    effect = ALL_EFFECTS.get(last.kind)
    if effect is not None and last is not card:
        await effect(t, seat, last)


async def king_and_lay(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Lay one more King, club, OL' MAID or Ace; otherwise pick one up (D7)."""
    hand, laid = t.hands[seat], None
    if hand:
        laid = await t.play(seat, hand, KING_LAY.fits, t.discard, PASS, KING_LAY.why)
    if laid is None:
        await draw(t, seat, 1)
    else:
        await resolve(t, seat, laid, follow=True)


EFFECTS: Final[dict[str, Effect]] = {"dump": dump, "king'n'lay": king_and_lay}
