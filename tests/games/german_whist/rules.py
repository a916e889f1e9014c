"""German whist with 24 cards: tricks for the better cards first, then tricks that count."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.cards import SUIT_LETTERS, Card, Deck, Fits
from engine.game import Game, Options
from engine.question import Otherwise, Question
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

HELD = 6
NAMES = [rank + suit for suit in SUIT_LETTERS for rank in "9TJQKA"]
DECK = Deck("german-whist/24", [Card(n, name, n // 6, n % 6) for n, name in enumerate(NAMES)])
WHY = "you hold a card of the suit that was led, and have to follow"


@dataclass(slots=True, eq=False)
class WhistTable(Table):
    stock: Zone = field(default_factory=nowhere)
    turned: Zone = field(default_factory=nowhere)  # what the winner of the trick takes
    trick: Zone = field(default_factory=nowhere)
    laid: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    leader: Seat = 0
    trump: int = -1  # before the deal


def new_table(seats: int, options: Options) -> WhistTable:
    t = WhistTable(seats, won=[0] * seats)
    t.stock, t.turned = t.zone("stock"), t.zone("turned up")
    t.trick, t.laid = t.zone("trick"), t.zone("laid")
    t.hands = [t.zone("hand", seat) for seat in range(seats)]
    return t


def anything(card: Card) -> bool:
    return True


def of_suit(suit: int) -> Fits:
    return lambda card: card.suit == suit


def beats(card: Card, led: Card, trump: int) -> bool:
    """Whether the second card of a trick takes it."""
    if card.suit == led.suit:
        return card.rank > led.rank
    return card.suit == trump


async def turn(t: WhistTable) -> None:
    """The deal, or a trick and what follows from it."""
    if t.trump < 0:
        await deal(t)
        return
    first, second = t.leader, 1 - t.leader
    led = await t.play(first, t.hands[first], anything, t.trick)
    fits = of_suit(led.suit)
    card = await t.play(second, t.hands[second], fits, t.trick, Otherwise.ANY_SWORN, WHY)
    t.leader = second if beats(card, led, t.trump) else first
    t.move_all(t.trick, t.laid)
    if t.turned:
        await take(t)
    else:
        t.won[t.leader] += 1
        t.note("trick", t.leader, tuple(t.won))
    t.over = not any(t.hands)


async def deal(t: WhistTable) -> None:
    """Six cards each; the next one is turned up, and its suit is trump."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, HELD)
    await turn_up(t)
    t.trump = t.face(t.turned[-1]).suit
    t.note("trump", t.trump)


async def turn_up(t: WhistTable) -> None:
    (card,) = await t.open(t.stock[-1:])
    t.move(t.stock[-1:], t.turned)
    t.note("turned", card)


async def take(t: WhistTable) -> None:
    """The winner takes the card that lies there, the loser the one below, unseen."""
    t.note("takes", t.leader, t.face(t.turned[-1]))
    t.move_all(t.turned, t.hands[t.leader])
    await t.draw(t.stock, t.hands[1 - t.leader])
    if t.stock:
        await turn_up(t)


async def lose(t: WhistTable, seat: Seat, asked: Question[Any]) -> None:
    """Nobody is left to play with: the tricks that are won count."""
    t.over = True


GAME = Game(
    name="german-whist",
    title="German Whist",
    rules_version=1,
    seats=range(2, 3),
    options=(),
    table=new_table,
    turn=turn,
    returns=lambda t: tuple(t.won),
    bounds=lambda seats, options: (0, HELD),
    lose=lose,
)
