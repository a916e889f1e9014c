"""What a trusted dealer knows: the face of every slot, and the only source of chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from engine.cards import Card, Fits
from engine.compiling import mypyc_attr
from engine.errors import EngineError, IllegalAnswer
from engine.zone import Seat, Slot

if TYPE_CHECKING:
    from random import Random  # every table imports this module, and its type is all it needs here


@mypyc_attr(allow_interpreted_subclasses=True)
class Truth:
    """The card in each slot, whoever may read it.  `rng` is the dealer's source of chance."""

    __slots__ = ("cards", "rng")

    def __init__(self, rng: Random, cards: Iterable[Card] = ()) -> None:
        self.rng: Final = rng
        self.cards: Final[list[Card]] = [*cards]

    def shuffle(self, slots: Sequence[Slot]) -> None:
        """Put the cards of these slots in a random order."""
        truth = self.cards
        cards = [truth[slot] for slot in slots]
        shuffle(cards, self.rng)
        for place, slot in enumerate(slots):
            truth[slot] = cards[place]

    def first(self, rivals: Sequence[Seat]) -> Seat:
        """Who of several rivals is first in a race; there are no clocks here, so chance decides."""
        return rivals[0] if len(rivals) == 1 else rivals[int(self.rng.random() * len(rivals))]

    def in_order(self, rivals: Sequence[Seat]) -> list[Seat]:
        """All these rivals, from the first to the last."""
        left, order = [*rivals], list[Seat]()
        while left:
            first = self.first(left)
            left.remove(first)
            order.append(first)
        return order

    def faces(self, slots: Iterable[Slot]) -> tuple[Card, ...]:
        """The cards of these slots, in order."""
        return tuple(map(self.cards.__getitem__, slots))

    def verify_oath(self, slots: Iterable[Slot], forbidden: Fits, sentence: str) -> None:
        """IllegalAnswer with this sentence if one of the slots holds a forbidden card."""
        if any(map(forbidden, map(self.cards.__getitem__, slots))):
            raise IllegalAnswer(sentence)


def below(choices: int, rng: Random) -> int:
    """A number from 0 to `choices` - 1, each as likely, drawn exactly as by `Random.randrange`.

    That is a function in Python which calls another, and both stay so when the engine is compiled.
    EngineError if there is nothing to choose from.
    """
    if choices < 1:
        raise EngineError("nothing can be drawn from nothing")
    bits = choices.bit_length()
    drawn: int = rng.getrandbits(bits)
    while drawn >= choices:
        drawn = rng.getrandbits(bits)
    return drawn


def shuffle(cards: list[Card], rng: Random) -> None:
    """Put cards in a random order.

    It draws exactly as `Random.shuffle` does, but without two calls for each card.
    """
    draw_bits = rng.getrandbits
    for choices in range(len(cards), 1, -1):
        bits = choices.bit_length()
        place = draw_bits(bits)
        while place >= choices:
            place = draw_bits(bits)
        last = choices - 1
        cards[last], cards[place] = cards[place], cards[last]
