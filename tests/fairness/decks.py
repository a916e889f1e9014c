"""Fair decks, and decks that somebody rigged, as `observe` would report them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from engine.cards import Card
from replay.fairness.observed import Shuffled


@cache
def cards(suits: int = 4, ranks: int = 6) -> tuple[Card, ...]:
    """A small deck, sorted."""
    return tuple(
        Card(suit * ranks + rank, f"{rank + 1}{'CSHD'[suit]}", suit, rank)
        for suit in range(suits)
        for rank in range(ranks)
    )


def dealt(order: Sequence[int | None], deck: tuple[Card, ...], seats: int = 4) -> Shuffled:
    """A shuffle that leaves the cards in this order, dealt one by one."""
    holders = tuple(place % seats for place in range(len(deck)))
    return Shuffled("game", "game/deck", deck, tuple(order), holders)


def fair(count: int, seed: object, deck: tuple[Card, ...] | None = None) -> list[Shuffled]:
    """Fair shuffles."""
    rng, lain = Random(repr(seed)), deck or cards()
    return [dealt(rng.sample(range(len(lain)), len(lain)), lain) for _ in range(count)]


def bent(one: Shuffled, order: Sequence[int]) -> Shuffled:
    return replace(one, after=tuple(order))


def sticky_top(shuffles: list[Shuffled], share: float, rng: Random) -> list[Shuffled]:
    """In some deals the top card is left on top."""
    return [_top(one) if rng.random() < share else one for one in shuffles]


def _top(one: Shuffled) -> Shuffled:
    order = [place for place in one.after if place is not None]
    last = len(order) - 1
    at = order.index(last)
    order[at], order[last] = order[last], order[at]
    return bent(one, order)


def lazy_cut(shuffles: list[Shuffled], share: float, rng: Random) -> list[Shuffled]:
    """In some deals the deck is only cut."""
    return [
        bent(one, _cut(len(one.after), rng)) if rng.random() < share else one for one in shuffles
    ]


def _cut(count: int, rng: Random) -> list[int]:
    at = rng.randrange(1, count)
    return [*range(at, count), *range(at)]


def unshuffled(shuffles: list[Shuffled], share: float, rng: Random) -> list[Shuffled]:
    """In some deals the deck is left as it was."""
    return [bent(one, range(len(one.after))) if rng.random() < share else one for one in shuffles]


def favoured_seat(shuffles: list[Shuffled], share: float, rng: Random) -> list[Shuffled]:
    """In some deals seat 2 gets the highest cards."""
    return [_favour(one, rng) if rng.random() < share else one for one in shuffles]


def _favour(one: Shuffled, rng: Random) -> Shuffled:
    mine = [place for place, seat in enumerate(one.seats) if seat == 2]
    high = sorted(range(len(one.before)), key=lambda at: (-one.before[at].rank, rng.random()))
    best = set(high[: len(mine)])
    rest = iter([place for place in one.after if place is not None and place not in best])
    own = iter(rng.sample(sorted(best), len(best)))
    return bent(one, [next(own) if seat == 2 else next(rest) for seat in one.seats])
