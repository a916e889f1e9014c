"""The rules of crazy eights: be the first to lay all your cards."""

from __future__ import annotations

from dataclasses import dataclass, field

from crazy_eights.cards import DECK, EIGHT, SUITS, fits_on, points
from engine.game import Game, Option, Options
from engine.question import Otherwise
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

RECYCLED = 2  # how often the discards become the stock again: so every hand ends
WHY = "lay an eight, or a card of the suit or the rank that lies there"


@dataclass(slots=True, eq=False)
class EightsTable(Table):
    hands_left: int = 1
    lost: list[int] = field(default_factory=list)
    stock: Zone = field(default_factory=nowhere)
    discards: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    seat: Seat = 0
    suit: int = -1  # to be followed; -1 between two hands
    recycled: int = 0
    idle: int = 0  # how many have done nothing in a row


def new_table(seats: int, options: Options) -> EightsTable:
    t = EightsTable(seats, hands_left=int(options["hands"]), lost=[0] * seats)
    t.stock, t.discards = t.zone("stock"), t.zone("discards")
    t.hands = [t.zone("hand", seat) for seat in range(seats)]
    return t


async def turn(t: EightsTable) -> None:
    """One turn: a hand is dealt, or somebody lays a card or draws one."""
    if t.suit < 0:
        await deal(t)
        return
    hand, fits = t.hands[t.seat], fits_on(t.suit, t.face(t.discards[-1]))
    card = await t.play(t.seat, hand, fits, t.discards, Otherwise.PASS, WHY)
    if card is None:
        await draw(t)
    else:
        t.suit, t.idle = card.suit, 0
        if card.rank == EIGHT and hand:
            t.suit = await t.choose(t.seat, SUITS, "name a suit")
            t.note("suit", t.seat, SUITS[t.suit])
    if not hand or t.idle == t.seats:
        await end_hand(t)
    t.seat = (t.seat + 1) % t.seats


async def deal(t: EightsTable) -> None:
    """Seven cards each for two, five for more; the next card begins the discards."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 7 if t.seats == 2 else 5)
    (first,) = await t.open(t.stock[-1:])
    t.move(t.stock[-1:], t.discards)
    t.suit, t.recycled, t.idle = first.suit, 0, 0
    t.note("begin", first)


async def draw(t: EightsTable) -> None:
    """A card from the stock, which the discards refill, all but the top one, twice a hand."""
    if not t.stock and t.recycled < RECYCLED and len(t.discards) > 1:
        t.move(t.discards[:-1], t.stock)
        t.recycled += 1
        await t.shuffle(t.stock)
    if t.stock:
        await t.draw(t.stock, t.hands[t.seat])
        t.idle = 0
        t.note("draw", t.seat)
    else:
        t.idle += 1


async def end_hand(t: EightsTable) -> None:
    """All show what they hold, and it costs them."""
    for seat, hand in enumerate(t.hands):
        t.lost[seat] += sum(map(points, await t.open(hand) if hand else ()))
    t.hands_left -= 1
    t.suit, t.over = -1, t.hands_left == 0
    t.note("score", tuple(t.lost))


GAME = Game(
    name="crazy-eights",
    title="Crazy Eights",
    rules_version=1,
    seats=range(2, 8),
    options=(Option("hands", 1, tuple(range(1, 21)), "hands to be played"),),
    table=new_table,
    turn=turn,
    returns=lambda t: tuple(-lost for lost in t.lost),
    bounds=lambda seats, options: (-508 * int(options["hands"]), 0),
)
