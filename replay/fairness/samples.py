"""Shuffles of one shape as arrays of numbers, with what is not known filled in by chance.

A card that nobody had seen was as likely to be any of those that were left.  So whatever made the
game stop, a shuffle whose unknown places are filled at random is as random as a fair one: this is
exact, and costs only power.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, TypeAlias

import numpy as np

from engine.cards import SUITS
from engine.games import load_text
from replay.fairness.observed import Shuffled

Array: TypeAlias = "np.ndarray[Any, Any]"
REST: Final = -1
"""The seat of cards that were dealt to nobody."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Shuffles of the same cards, dealt in the same numbers.

    `origins[i, place]` is where the card at `place` of shuffle i lay before; `suits`, `ranks`
    are those of the cards as they lay before, numbered from 0 (`values` the printed ranks,
    `printed` what those suits are called); `seats[i, place]` who got it.  `known` is
    the share of places that are known.
    """

    game: str
    deck: str
    origins: Array
    suits: Array
    ranks: Array
    values: Array
    printed: tuple[str, ...]
    seats: Array
    known: float

    @property
    def shuffles(self) -> int:
        return int(self.origins.shape[0])

    @property
    def cards(self) -> int:
        """How many cards are shuffled."""
        return int(self.origins.shape[1])

    @property
    def name(self) -> str:
        """The deck, which is named after its game."""
        return self.deck if self.deck.startswith(self.game) else f"{self.game} {self.deck}"


def gather(shuffles: Iterable[Shuffled], rng: np.random.Generator) -> list[Sample]:
    """The shuffles by shape, filled in; the largest sample first."""
    shapes: defaultdict[object, list[Shuffled]] = defaultdict(list)
    for one in shuffles:
        shapes[one.game, one.deck, one.before, _sizes(one)].append(one)
    samples = [_sample(group, rng) for group in shapes.values()]
    return sorted(samples, key=lambda sample: (-sample.shuffles, sample.name))


def _sizes(one: Shuffled) -> tuple[int, ...]:
    """How many cards each seat was dealt."""
    dealt = [seat for seat in one.seats if seat is not None]
    return tuple(dealt.count(seat) for seat in range(max(dealt, default=REST) + 1))


def _sample(group: Sequence[Shuffled], rng: np.random.Generator) -> Sample:
    first = group[0]
    copies = _copies(first)
    return Sample(
        game=first.game,
        deck=first.deck,
        origins=np.array([_filled(one.after, copies, rng) for one in group]),
        suits=_numbered([card.suit for card in first.before]),
        ranks=_numbered([card.rank for card in first.before]),
        values=np.array([card.rank for card in first.before]),
        printed=tuple(_suit_names(first)),
        seats=np.array([[REST if s is None else s for s in one.seats] for one in group]),
        known=sum(one.known for one in group) / (len(group) * len(first.before)),
    )


def _suit_names(one: Shuffled) -> Iterator[str]:
    """The names of the suits in a deck, in the order of their numbers.

    Cards without one of the four suits are called by the end that their own names share: a star.
    """
    for suit in sorted({card.suit for card in one.before}):
        if suit in range(len(SUITS)):
            yield SUITS[suit]
            continue
        describe = load_text(one.game).describe_card
        names = [reversed(describe(card)) for card in one.before if card.suit == suit]
        shared = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
        yield "".join(letters[0] for letters in shared)[::-1] or "no suit"


def _numbered(values: Sequence[int]) -> Array:
    return np.unique(np.array(values), return_inverse=True)[1]


def _copies(one: Shuffled) -> list[Array]:
    """The places of cards that cannot be told apart."""
    places: defaultdict[object, list[int]] = defaultdict(list)
    for place, card in enumerate(one.before):
        places[card].append(place)
    return [np.array(same) for same in places.values() if len(same) > 1]


def _filled(
    after: Sequence[int | None], copies: Sequence[Array], rng: np.random.Generator
) -> Array:
    """The whole permutation: unknown places at random, and copies exchanged at random."""
    left = rng.permutation(sorted(set(range(len(after))) - set(after)))
    rest = iter(left.tolist())
    whole = np.array([next(rest) if origin is None else origin for origin in after])
    names = np.arange(len(after))
    for same in copies:
        names[same] = rng.permutation(same)
    filled: Array = names[whole]
    return filled
