"""A game that is no game: one of everything that rules can ask, to test the driver with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card, Deck
from engine.game import Game, Option, Options
from engine.question import Otherwise, Question
from engine.table import Table
from engine.zone import Zone, nowhere

FACES = tuple(Card(i, f"{i % 6 + 1}{'RB'[i // 6]}", i // 6, i % 6 + 1) for i in range(12))
DECK = Deck("tiny/12", FACES)
RED = frozenset(FACES[:6]).__contains__
NO_RED = "you hold a red card and have to lay it"


@dataclass(slots=True, eq=False)
class TinyTable(Table):
    stock: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    laid: Zone = field(default_factory=nowhere)
    points: list[int] = field(default_factory=list)
    rounds_left: int = 0
    last: Card | None = None
    seen: dict[int, list[int]] = field(default_factory=dict)


def table(seats: int, options: Options) -> TinyTable:
    made = TinyTable(seats)
    made.stock = made.zone("stock")
    made.hands = [made.zone("hand", seat) for seat in range(seats)]
    made.laid = made.zone("laid")
    made.points = [0] * seats
    made.rounds_left = int(options["rounds"])
    return made


async def turn(t: TinyTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, [t.hands[seat] for seat in t.present()], 3)
    t.note("dealt")
    for seat in t.present():
        await lay(t, seat)
    await everything_else(t, *t.present()[:2])
    t.rounds_left -= 1
    t.over = t.rounds_left == 0


async def lose(t: TinyTable, seat: int, asked: Question[Any]) -> None:
    """The round is played again without that seat; a coin is flipped, so that a question is asked.

    Each seat that leaves costs the others what the coin says.
    """
    t.over = len(t.present()) == 1
    if not t.over:
        (points,) = await t.flip(6)
        for other in t.present():
            t.points[other] = max(0, t.points[other] - points)


async def lay(t: TinyTable, seat: int) -> None:
    card = await t.play(seat, t.hands[seat], RED, t.laid, Otherwise.ANY_SWORN, NO_RED)
    assert card is not None
    t.points[seat] += card.rank
    t.last = card
    t.note("laid", seat, card)


async def everything_else(t: TinyTable, one: int, two: int) -> None:
    card = await t.play(one, t.hands[one], lambda card: card.rank > 3, t.laid, Otherwise.PASS)
    if card is not None:
        t.points[one] += 10
    (top,) = await t.open(t.stock[-1:])
    t.points[two] += top.rank
    await t.show(t.stock[-2], to=two)
    await t.put_back([t.stock[-2]], t.stock)
    (cut,) = await t.cut(t.stock, 1)
    t.points[one] += cut.rank
    await t.lay_down(two, t.hands[two], 1, t.laid)
    chosen = await t.together((one, two), (("yes", "no"), ("stay", "go", "wait")), "what now?")
    t.points[one] += 0 if chosen[0] is None else chosen[0]
    await t.hand_over([(t.hands[one][0], t.hands[two])])
    await t.reshuffle(t.hands[two], by=two)
    t.points[two] += await t.choose(two, ("none", "one"), "one more point?")
    t.points[two] += sum(await t.flip(6, 2))
    t.seen.setdefault(t.rounds_left, []).append(cut.rank)


GAME = Game(
    name="tiny",
    title="Tiny",
    rules_version=1,
    seats=range(2, 4),
    options=(
        Option("rounds", 1, (1, 2, 3), "rounds to be played"),
        Option("mood", "calm", ("calm", "wild"), "changes nothing"),
        Option("loud", False, (True, False), "changes nothing either"),
    ),
    table=table,
    turn=turn,
    returns=lambda t: tuple(t.points),
    bounds=lambda seats, options: (0, 60 * (int(options["rounds"]) + seats - 2)),
    lose=lose,
)
