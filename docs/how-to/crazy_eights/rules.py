"""The rules of crazy eights: be the first to lay all your cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from crazy_eights.cards import DECK, EIGHT, SUITS, fits_on, points
from engine.acts import Deal, Shuffle
from engine.game import Game, Option, Options
from engine.question import Choose, Otherwise, Play, Question
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

RECYCLED = 2  # how often the discards become the stock again: so every hand ends
WHY = "lay an eight, or a card of the suit or the rank that lies there"


@dataclass(slots=True, eq=False)
class EightsTable(Table):
    hands_left: int = 1
    costs: list[int] = field(default_factory=list)
    stock: Zone = field(default_factory=nowhere)
    discards: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    seat: Seat = 0
    suit: int = -1  # to be followed; -1 between two hands
    recycled: int = 0
    idle: int = 0  # how many have done nothing in a row


def new_table(seats: int, options: Options) -> EightsTable:
    t = EightsTable(seats, hands_left=int(options["hands"]), costs=[0] * seats)
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
            await name_suit(t)
    await end_turn(t)


async def name_suit(t: EightsTable) -> None:
    t.suit = await t.choose(t.seat, SUITS, "name a suit")
    t.note("suit", t.seat, SUITS[t.suit])


async def end_turn(t: EightsTable) -> None:
    players = t.present()
    if t.idle >= len(players) or not all(t.hands[seat] for seat in players):
        await end_hand(t)
    t.seat = t.neighbour(t.seat)


async def deal(t: EightsTable) -> None:
    """Seven cards each for two, five for more; the next card begins the discards."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    hands = [t.hands[seat] for seat in t.present()]
    await t.deal(t.stock, hands, 7 if len(hands) == 2 else 5)
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
    await t.open([slot for seat in t.present() for slot in t.hands[seat]])
    for seat, hand in enumerate(t.hands):
        t.costs[seat] += sum(map(points, map(t.face, hand)))
    t.hands_left -= 1
    t.suit, t.over = -1, t.hands_left == 0
    t.note("score", tuple(t.costs))


async def lose(t: EightsTable, seat: Seat, asked: Question[Any]) -> None:
    """Somebody has left: the cards go under the discards, unseen, and the others play on."""
    t.discards[:0] = t.hands[seat]
    t.hands[seat].clear()
    t.over = len(t.present()) == 1
    if t.suit >= 0 and not t.over:
        await go_on(t, seat, asked)
    elif seat == t.seat:  # the hand is just being dealt, and is dealt again
        t.seat = t.neighbour(seat)


async def go_on(t: EightsTable, seat: Seat, asked: Question[Any]) -> None:
    """Whoever was laying, naming or drawing does so now, if it was not the seat that has left."""
    if isinstance(asked, Shuffle):
        await t.shuffle(t.stock)
    if seat != t.seat:
        if isinstance(asked, Play):
            return
        if isinstance(asked, Choose):
            await name_suit(t)
        if isinstance(asked, Shuffle | Deal):
            await draw(t)
    await end_turn(t)


GAME = Game(
    name="crazy-eights",
    title="Crazy Eights",
    rules_version=1,
    seats=range(2, 8),
    options=(Option("hands", 1, tuple(range(1, 21)), "hands to be played"),),
    table=new_table,
    turn=turn,
    returns=lambda t: tuple(-cost for cost in t.costs),
    bounds=lambda seats, options: (-508 * int(options["hands"]), 0),
    lose=lose,
)
