"""Picking up, recycling the discards, taking hidden cards into a hand, and who knows them then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.games.flaps.table import FlapsTable
from engine.table_state import JOINT, OPEN
from engine.zone import Seat, Slot, Zone


def recycle(t: FlapsTable) -> None:
    """Put the discards except the top one, turned over as a block, under the stock (D4).

    They are not shuffled: the earliest discard comes up first.  Everybody has seen them, so
    they stay public cards.
    """
    below = t.discard[:-1]
    del t.discard[:-1]
    below.reverse()
    t.stock[:0] = below
    if below:
        t.note("recycle", len(below))


def reach(t: FlapsTable, count: int) -> int:
    """How many of `count` cards the stock can give, after recycling if it has too few."""
    if len(t.stock) < count:
        recycle(t)
    return min(count, len(t.stock))


async def draw(t: FlapsTable, seat: Seat, count: int) -> int:
    """Let `seat` pick up as many as `count` cards from the stock, and say so; how many it got."""
    count = await pick_up(t, seat, count)
    if t.notes is not None:
        t.notes.append(("draw", seat, count))
    return count


async def draw_each(t: FlapsTable, seats: Sequence[Seat]) -> None:
    """Let each of these players pick up a card, in order.

    It is said once for all, and then only of whoever gets nothing: a sentence for each would leave
    no room on a screen for the card that did it.
    """
    t.note("draw each", tuple(seats))
    await draw_one_each(t, seats)


async def draw_one_each(t: FlapsTable, seats: Sequence[Seat]) -> None:
    """The same, of which the table was told already."""
    for seat in seats:
        if not await pick_up(t, seat, 1):
            t.note("draw", seat, 0)


async def pick_up(t: FlapsTable, seat: Seat, count: int) -> int:
    """Move as many as `count` cards from the stock to the hand of `seat`; how many there were."""
    stock, hand, locks = t.stock, t.hands[seat], t.locks
    if len(stock) < count:
        count = reach(t, count)
    left = count
    while left:
        hidden = 0
        while hidden < left and locks[stock[-1 - hidden]] == JOINT:
            hidden += 1
        if hidden == 1:
            await t.draw(stock, hand)
            left -= 1
        elif hidden:
            await t.deal(stock, (hand,), hidden)
            left -= hidden
        else:
            hand.append(stock.pop())
            left -= 1
    return count


async def look(t: FlapsTable, slot: Slot, seat: Seat) -> None:
    """Show `seat` a card that stays where it is; a card that all have seen need not be shown."""
    if t.locks[slot] not in (seat, OPEN):
        await t.show(slot, seat)


async def take(t: FlapsTable, slot: Slot, zone: Zone, seat: Seat) -> None:
    """Move a card of `zone`, hidden or open, into the hand of `seat`.

    Those who have seen a hidden one know in whose hand it is now (section 10).
    """
    await look(t, slot, seat)
    zone.remove(slot)
    t.hands[seat].append(slot)
    if t.locks[slot] == OPEN:
        forget(t, (slot,))
    else:
        see(t, slot, seat)
    if slot in t.face_up:
        t.face_up.remove(slot)


async def hide_cards(t: FlapsTable, seat: Seat) -> None:
    """Let nobody else know which card of a hand is which, before one is laid face down.

    Cards that all have seen are shuffled; the dealer merges the histories of hidden ones in the act
    itself.
    """
    hand = t.hands[seat]
    if OPEN in map(t.locks.__getitem__, hand):
        await t.reshuffle(hand, by=seat)
    forget(t, hand)


async def pick_blind(t: FlapsTable, owners: Sequence[Seat]) -> tuple[Slot, ...]:
    """Draw one card of each of these hands by lot; after that nobody else knows which is which."""
    hands = [t.hands[owner] for owner in owners]
    picked = await t.pick_blind(hands)
    for hand in hands:
        forget(t, hand)
    return picked


def see(t: FlapsTable, slot: Slot, *seats: Seat) -> None:
    """Note that these seats have seen a card; that travels with it until it is shuffled."""
    known = t.known_by.get(slot, 0)
    for seat in seats:  # a seat may come twice: it looks at a card of its own
        known |= 1 << seat
    t.known_by[slot] = known


def forget(t: FlapsTable, slots: Iterable[Slot]) -> None:
    """Note that these cards were shuffled, or that everybody has seen them."""
    for slot in slots:
        t.known_by.pop(slot, None)
