"""Random games, each played after a plan that a seed has drawn: which verbs, with which numbers.

The rules of such a game know no chance and no hidden face.  What a number of the plan means (the
third zone that can be shuffled, these slots of a hand) is found in the public state when the verb
is reached; a verb that nothing is there for is left out.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from engine.cards import Card, Deck
from engine.game import Game
from engine.table_state import JOINT, OPEN
from engine.zone import Seat, Slot, Zone
from tests.protocol.scenes import one_turn
from tests.protocol.verbs import VerbsTable

NAME: Final = "random-"
NUMBERS: Final = 24
"""How many numbers each verb has: more than any of them uses."""
DECKS: Final = 60
"""So many different ones there are (an even number: `is_short`)."""
T = TypeVar("T")


class Numbers:
    """The numbers of one verb, used one after the other."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._left = list(numbers)

    def below(self, count: int) -> int:
        return self._left.pop() % count

    def of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], most: int = 99) -> list[T]:
        """At least one of these and at most this many, in any order."""
        left, taken = list(items), []
        for _ in range(1 + self.below(min(most, len(left)))):
            taken.append(left.pop(self.below(len(left))))
        return taken


class Act(Protocol):
    def __call__(self, t: VerbsTable, n: Numbers) -> Coroutine[Any, Any, None]: ...


class Verb(NamedTuple):
    act: Act
    numbers: tuple[int, ...]


class Faces:
    """A predicate: the faces whose bits are set."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __call__(self, card: Card) -> bool:
        return bool(self._bits >> card.id & 1)

    def __repr__(self) -> str:
        return f"Faces({self._bits:b})"


class Offer(NamedTuple):
    """An option of a choice: what a seat may say of these slots; None of them for "nothing"."""

    fits: Faces | None
    slots: tuple[Slot, ...]


def faces(n: Numbers) -> Faces:
    """Few, half or most of the faces; often some that are asked for again and again."""
    bits, more = n.below(1 << 20), n.below(1 << 20)
    return Faces(
        n.of((0b11, 0b111, 0b1101, bits & more & (more >> 3), bits & more, bits, bits | more))
    )


@cache  # one object, whoever asks: faces are compared with `is`
def deck_of(number: int) -> Deck:
    """6 to 20 cards, at most 7 for a short game; in half of the decks some faces have copies."""
    rng = Random(f"deck {number}")
    most = 7 if is_short(number) else 20
    count = rng.randrange(6, min(most, 15) + 1)
    copies = [rng.choice((1, 1, 2, 3)) for _ in range(count)] if rng.random() < 0.5 else [1] * count
    while sum(copies) > most:
        copies.pop()
    printed = [Card(i, f"{i}", i % 3, i) for i in range(len(copies))]
    return Deck("random/" + "".join(map(str, copies)), printed, copies)


# -- what the public state offers -----------------------------------------------------------------


def readable(t: VerbsTable, seat: Seat) -> list[Zone]:
    """The zones of which the seat can read every card, those with hidden cards first."""
    can = [zone for zone in t.zones if zone and all(t.locks[s] in (seat, OPEN) for s in zone)]
    hidden = [zone for zone in can if any(t.locks[slot] == seat for slot in zone)]
    return hidden or can


def without_seats(t: VerbsTable) -> list[Zone]:
    """The zones in which no card is locked to one seat: all may shuffle them."""
    return [zone for zone in t.zones if zone and all(t.locks[slot] < 0 for slot in zone)]


def locked(t: VerbsTable, *among: int) -> list[Slot]:
    """The slots with one of these locks, in the order of the zones."""
    return [slot for zone in t.zones for slot in zone if t.locks[slot] in among]


def on_top(t: VerbsTable) -> int:
    """How many cards of the stock can be dealt."""
    count = 0
    while count < len(t.stock) and t.locks[t.stock[-1 - count]] == JOINT:
        count += 1
    return count


# -- games ----------------------------------------------------------------------------------------


def is_short(number: int) -> bool:
    """Whether this is a short game, or a deck for one."""
    return number % 2 == 1


def draw_plan(seed: int, acts: Sequence[Act], weights: Sequence[int]) -> list[Verb]:
    """4 to 12 verbs; 2 to 5 of a short game."""
    rng = Random(f"plan {seed}")
    count = rng.randrange(2, 6) if is_short(seed) else rng.randrange(4, 13)
    chosen = rng.choices(acts, weights, k=count)
    return [Verb(act, tuple(rng.getrandbits(30) for _ in range(NUMBERS))) for act in chosen]


async def begin(t: VerbsTable, deck: Deck, n: Numbers) -> None:
    """A fresh deck is shuffled, and a few cards are dealt."""
    await t.fresh(deck, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, min(1 + n.below(4), len(t.stock) // t.seats))


def seats_of(seed: int) -> int:
    """How many play the game of a seed: two for a short one."""
    return 2 if is_short(seed) else 2 + Random(f"seats {seed}").randrange(2)


@cache
def game_of(seed: int) -> Game:
    """The game of a seed; in every third one seats are pressed by their oaths."""
    from tests.scenes.acts import ACTS, press  # noqa: PLC0415  # they are made of what is above

    often = {**ACTS, press: 40} if seed % 3 == 2 else ACTS
    plan = draw_plan(seed, list(often), list(often.values()))
    deck = deck_of(seed % DECKS)

    async def turn(t: VerbsTable) -> None:
        await begin(t, deck, Numbers(plan[0].numbers))
        for verb in plan:
            await verb.act(t, Numbers(verb.numbers))

    return one_turn(f"{NAME}{seed}", turn)


def find(name: str) -> Game:
    """The random game of this name."""
    return game_of(int(name.removeprefix(NAME)))
