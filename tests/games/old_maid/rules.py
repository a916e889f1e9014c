"""Old maid: lay pairs, take unseen cards, and do not be left with the one that has no pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card, Deck
from engine.game import Game, Options
from engine.question import Question
from engine.sets import Terms
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

PAIRS = 12
MAID = "MAID"
NAMES = [f"{rank}{colour}" for rank in range(1, PAIRS + 1) for colour in "RB"]
CARDS = [Card(n, name, n % 2, n // 2) for n, name in enumerate(NAMES)]
DECK = Deck("old-maid/25", [*CARDS, Card(2 * PAIRS, MAID, 2, PAIRS)])
MOST = 100  # cards taken: so it ends though somebody keeps his pairs
PAIR = Terms(
    "a pair",
    may_pass=True,
    fits=lambda cards: cards[0].rank == cards[1].rank,
    why="a pair is two cards of one number",
    why_size="a pair is laid, and nothing else",
)


@dataclass(slots=True, eq=False)
class MaidTable(Table):
    stock: Zone = field(default_factory=nowhere)
    pairs: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    seat: Seat = 0
    taken: int = -1  # before the deal


def new_table(seats: int, options: Options) -> MaidTable:
    t = MaidTable(seats, left=[0] * seats)
    t.stock, t.pairs = t.zone("stock"), t.zone("pairs")
    t.hands = [t.zone("hand", seat) for seat in range(seats)]
    return t


async def turn(t: MaidTable) -> None:
    """The deal, or somebody takes a card of the next player."""
    if t.taken < 0:
        await deal(t)
    else:
        await take(t)
    t.taken += 1
    if sum(map(bool, t.hands)) < 2 or t.taken == MOST:
        await end(t)
    else:
        t.seat = following(t, t.seat)


def following(t: MaidTable, seat: Seat) -> Seat:
    """The next player who has cards."""
    others = ((seat + step) % t.seats for step in range(1, t.seats + 1))
    return next(other for other in others if t.hands[other])


async def deal(t: MaidTable) -> None:
    """Deal all cards as evenly as possible; then everybody lays pairs."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    hands = [t.hands[seat] for seat in t.present()]
    await t.deal(t.stock, hands, len(DECK) // len(hands))
    for hand in hands[: len(t.stock)]:
        await t.draw(t.stock, hand)
    for seat in t.present():
        await lay_pairs(t, seat)


async def take(t: MaidTable) -> None:
    """Take a card of the next player, by lot; a pair that it makes may be laid."""
    giver = following(t, t.seat)
    (slot,) = await t.pick_blind([t.hands[giver]])
    await t.hand_over([(slot, t.hands[t.seat])])
    t.note("take", t.seat, giver)
    await lay_pairs(t, t.seat)


async def lay_pairs(t: MaidTable, seat: Seat) -> None:
    hand = t.hands[seat]
    while len(hand) > 1:
        laid = await t.lay_set(seat, hand, range(2, 3), PAIR, t.pairs)
        if laid is None:
            return
        t.note("pair", seat, laid.cards)


async def end(t: MaidTable) -> None:
    """Players with cards left show them: each card costs a point."""
    for seat in t.present():
        hand = t.hands[seat]
        if hand:
            t.note("left", seat, await t.open(hand))
        t.left[seat] = len(hand)
    t.over = True


async def lose(t: MaidTable, seat: Seat, asked: Question[Any]) -> None:
    """Pairs cannot be made without the cards of who has left: all are dealt again."""
    t.taken = -1
    t.over = len(t.present()) == 1


GAME = Game(
    name="old-maid",
    title="Old Maid",
    rules_version=1,
    seats=range(2, 7),
    options=(),
    table=new_table,
    turn=turn,
    returns=lambda t: tuple(-left for left in t.left),
    bounds=lambda seats, options: (-len(DECK), 0),
    lose=lose,
)
