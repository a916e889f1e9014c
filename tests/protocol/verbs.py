"""A test game that uses every card verb of the engine once a turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cards import Card, Deck
from engine.game import Game, Options
from engine.question import Choose, Either, Otherwise, Play
from engine.table import Table
from engine.zone import Zone

DECK = Deck(
    "test verbs", [Card(s * 6 + r, f"{r + 1}{'CSH'[s]}", s, r) for s in range(3) for r in range(6)]
)


@dataclass(slots=True, eq=False)
class VerbsTable(Table):
    """Stock, one hand a seat, a pile; `seen` is what the verbs answered."""

    stock: Zone = field(init=False)
    pile: Zone = field(init=False)
    hands: list[Zone] = field(init=False)
    seen: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stock = self.zone("stock")
        self.pile = self.zone("pile")
        self.hands = [self.zone("hand", seat) for seat in range(self.seats)]


def anything(_: Card) -> bool:
    return True


async def turn(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 4)
    t.seen += await t.flip(6, 3)
    opened = await t.open(t.stock[-1:])
    t.move(t.stock[-1:], t.pile)
    suit = opened[0].suit

    def clubs(card: Card) -> bool:
        return card.suit == suit

    for seat in range(t.seats):
        card = await t.play(
            seat, t.hands[seat], clubs, t.pile, Otherwise.ANY_SWORN, "you hold the suit"
        )
        assert card is not None
        t.seen.append(card.id)
    await t.lay_all(t.hands[1:], lambda card: card.rank == opened[0].rank, t.pile)
    for _ in range(2):
        claims = [Play(seat, t.hands[seat], anything, Otherwise.PASS) for seat in (0, 1)]
        slap = [Choose(seat, ("slap",), "a slap") for seat in range(2, t.seats)]
        both = Either(claims[0], Choose(0, ("a call", "another"), "a call"))
        won = await t.race([both, claims[1], *slap], "first", t.pile)
        t.seen.append(-1 if won is None else won.seat)
    t.seen += [card.id for card in await t.cut(t.stock, 1)]
    await t.show(t.stock[-1], 1)
    await t.show(t.stock[-1], 0)
    await t.hand_over([(t.stock[-1], t.hands[0])])
    laid = await t.lay_down(0, t.hands[0], 1, t.pile)
    await t.put_back(laid, t.stock)
    choices = await t.together((0, 1), [range(4), range(5)], "a number")
    t.seen += [choice for choice in choices if choice is not None]
    t.seen.append(await t.choose(1, ("left", "right"), "a side"))
    card = await t.play(0, t.hands[0], anything, t.pile, Otherwise.PASS)
    t.seen.append(-1 if card is None else card.id)
    await t.open(t.hands[1])
    await t.reshuffle(t.hands[1], 1)
    await t.put_back(t.hands[1], t.stock)
    await t.shuffle(t.stock)
    held = {t.face(slot) for slot in t.pile}
    await t.swear(0, t.hands[0], lambda card: card in held)
    t.over = True


def make(seats: int, options: Options) -> VerbsTable:
    return VerbsTable(seats)


VERBS = Game(
    "test-verbs",
    "Every verb",
    1,
    range(2, 4),
    (),
    make,
    turn,
    lambda t: tuple(sum(t.seen) for _ in range(t.seats)),
    lambda seats, options: (-1, 10_000),
)
