"""Level 5: secrets and the Mystery Pile.  Section 10 of the rules says who knows which card.

`known_by` records who has seen a card of the pile; the lock of its slot says who can read it.
"""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.calls import one_left
from engine.games.flaps.drawing import draw, hide_cards, look, pick_blind, reach, see, take
from engine.games.flaps.laying import Effect, name_player
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat, Slot

WHOSE: Final = "name another player, whose card goes to the Mystery Pile"


async def lose(t: FlapsTable, seat: Seat, card: Card) -> None:
    """All lose a card at once; the right neighbour picks it blind, and it goes to the pile."""
    owners = [player for player in t.clockwise(seat) if t.hands[player]]
    for owner, slot in zip(owners, await pick_blind(t, owners), strict=True):
        t.hands[owner].remove(slot)
        to_pile(t, slot, owner)
    t.note("secrets", "lose", seat, len(owners))
    for owner in owners:
        await refill(t, owner)


async def pick(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The layer puts a hand card on the pile."""
    if not t.hands[seat]:
        return
    await hide_cards(t, seat)
    (slot,) = await t.lay_down(seat, t.hands[seat], 1, t.mystery[0])
    see(t, slot, seat)
    t.note("secrets", "pick", seat, 1)
    if t.hands[seat]:
        await one_left(t, seat)
    else:
        await refill(t, seat)


async def guess_blind(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The top of the stock goes to the pile unseen."""
    if reach(t, 1):
        to_pile(t, t.stock.pop())
        t.note("secrets", "guess blind", seat, 1)


async def guess(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The top of the stock goes to the pile, and the layer looks at it."""
    if reach(t, 1):
        await look(t, t.stock[-1], seat)
        to_pile(t, t.stock.pop(), seat)
        t.note("secrets", "guess", seat, 1)


async def share(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The layer picks a card blind from another hand, looks, and puts it on the pile."""
    others = [other for other in t.present() if other != seat and t.hands[other]]
    if not others:
        return
    owner = await name_player(t, seat, others, WHOSE)
    (slot,) = await pick_blind(t, (owner,))
    await look(t, slot, seat)
    t.hands[owner].remove(slot)
    to_pile(t, slot, seat, owner)
    t.note("secrets", "share", seat, 1)
    await refill(t, owner)


async def solve(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The layer takes the whole pile into the hand."""
    (pile,) = t.mystery
    t.note("secrets", "solve" if pile else "solve nothing", seat, len(pile))
    for slot in tuple(pile):
        await take(t, slot, pile, seat)


def to_pile(t: FlapsTable, slot: Slot, *seen_by: Seat) -> None:
    """Lay a card that has just left its zone on the Mystery Pile."""
    t.mystery[0].append(slot)
    see(t, slot, *seen_by)


async def refill(t: FlapsTable, seat: Seat) -> None:
    """A player whom a secret leaves without a card picks one up: that is no win (D13)."""
    if not t.hands[seat]:
        await draw(t, seat, 1)


EFFECTS: Final[dict[str, Effect]] = {
    "lose": lose,
    "pick": pick,
    "guess blind": guess_blind,
    "guess": guess,
    "share": share,
    "solve": solve,
}
