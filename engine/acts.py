"""What the rules ask of the dealer: a shuffle, a deal, an opened card, a coin.

Acts are questions that no seat decides.  The trusted dealer answers them from memory, peers answer
them with keys and proofs, an audit from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.asked import Question
from engine.cards import Card, Fits
from engine.compiling import mypyc_attr
from engine.errors import DOES_NOT_FIT, EngineError
from engine.table_state import TableState
from engine.truth import Truth, below
from engine.zone import Seat, Slot, Zone


@mypyc_attr(allow_interpreted_subclasses=True)
class LayAll(Question["tuple[tuple[tuple[Slot, Card], ...], ...]"]):
    """The owner of each of `hands` lays every fitting card open; nobody decides anything.

    The answer holds (slot, face) pairs for each hand, in the order of the hand.  Each owner swears
    to hold no other card that fits.
    """

    __slots__ = ("fits", "hands")
    kind = "lay-all"

    def __init__(self, hands: tuple[Zone, ...], fits: Fits) -> None:
        self.hands = hands
        self.fits = fits

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return [(hand.owner, hand) for hand in self.hands]

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        cards, fits = truth.cards, self.fits
        return tuple(
            [
                tuple([(slot, cards[slot]) for slot in hand if fits(cards[slot])])
                for hand in self.hands
            ]
        )

    def why_not(
        self, table: TableState, answer: tuple[tuple[tuple[Slot, Card], ...], ...]
    ) -> str | None:
        if len(answer) != len(self.hands):
            return "one answer for each hand is needed"
        for hand, laid in zip(self.hands, answer, strict=True):
            if laid or not all(table.locks[slot] == hand.owner for slot in hand):
                why = self._why_not_laid(table, hand, laid)
                if why is not None:
                    return why
        return None

    def _why_not_laid(
        self, table: TableState, hand: Zone, laid: tuple[tuple[Slot, Card], ...]
    ) -> str | None:
        named = dict(laid)
        if [slot for slot in hand if slot in named] != [slot for slot, _ in laid]:
            return "cards of the hand are laid, each once and in its order"
        for slot in hand:
            public, card = table.faces[slot], named.get(slot)
            why = None if card is None else table.why_not_face(slot, card)
            if why is not None:
                return why
            if card is not None and not self.fits(card):
                return DOES_NOT_FIT
            if card is None and public is not None and self.fits(public):
                return "every card that fits has to be laid"
        return None

    def sworn(self, table: TableState, answer: Any) -> Iterable[tuple[Sequence[Slot], Fits]]:
        laid = {slot for pairs in answer for slot, _ in pairs}
        return [([slot for slot in hand if slot not in laid], self.fits) for hand in self.hands]

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        return tuple([tuple([(slot, face(name)) for slot, name in laid]) for laid in written])


@mypyc_attr(allow_interpreted_subclasses=True)
class Fresh(Question[None]):
    """A new deck lies on the table, with every face known to all."""

    __slots__ = ()
    kind = "fresh"
    mixes = True

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        if table.deck is None:
            raise EngineError("a fresh deck was asked for before the table had one")
        truth.cards[:] = table.deck.cards
        return None


@mypyc_attr(allow_interpreted_subclasses=True)
class Shuffle(Question[None]):
    """Everybody shuffles these slots; afterwards nobody knows which card lies where."""

    __slots__ = ("slots",)
    kind = "shuffle"
    shuffles = True
    mixes = True

    def __init__(self, slots: tuple[Slot, ...]) -> None:
        self.slots = slots

    def about(self) -> Sequence[Slot]:
        return self.slots

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        truth.shuffle(self.slots)
        return None


@mypyc_attr(allow_interpreted_subclasses=True)
class Reshuffle(Question[None]):
    """`by` re-orders its own (or public) slots, which then stand under its key alone."""

    __slots__ = ("by", "slots")
    kind = "reshuffle"
    mixes = True

    def __init__(self, slots: tuple[Slot, ...], by: Seat) -> None:
        self.slots = slots
        self.by = by

    def about(self) -> Sequence[Slot]:
        return self.slots

    def names(self) -> Sequence[Seat]:
        return [self.by]

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        truth.shuffle(self.slots)
        return None


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal(Question[None]):
    """Each JOINT slot becomes readable by one seat; `moves` are (slot, seat) pairs."""

    __slots__ = ("moves",)
    kind = "deal"

    def __init__(self, moves: tuple[tuple[Slot, Seat], ...]) -> None:
        self.moves = moves

    def about(self) -> Sequence[Slot]:
        return [slot for slot, _ in self.moves]

    def names(self) -> Sequence[Seat]:
        return [seat for _, seat in self.moves]

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return None  # the table says who may read a slot; its face stays


@mypyc_attr(allow_interpreted_subclasses=True)
class Open(Question["tuple[Card, ...]"]):
    """These slots are turned face up for all; the answer holds their faces."""

    __slots__ = ("slots",)
    kind = "open"

    def __init__(self, slots: tuple[Slot, ...]) -> None:
        self.slots = slots

    def about(self) -> Sequence[Slot]:
        return self.slots

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return truth.faces(self.slots)

    def why_not(self, table: TableState, answer: tuple[Card, ...]) -> str | None:
        return table.why_not_faces(self.slots, answer)

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        return tuple(map(face, written))


@mypyc_attr(allow_interpreted_subclasses=True)
class HandOver(Question[None]):
    """Slots locked to a seat become readable by another; `moves` are (slot, seat) pairs."""

    __slots__ = ("moves",)
    kind = "hand-over"

    def __init__(self, moves: tuple[tuple[Slot, Seat], ...]) -> None:
        self.moves = moves

    def about(self) -> Sequence[Slot]:
        return [slot for slot, _ in self.moves]

    def names(self) -> Sequence[Seat]:
        return [seat for _, seat in self.moves]

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return None  # the table says who may read a slot; its face stays


@mypyc_attr(allow_interpreted_subclasses=True)
class PutBack(Question[None]):
    """Slots locked to seats return under the lock of all."""

    __slots__ = ("slots",)
    kind = "put-back"

    def __init__(self, slots: tuple[Slot, ...]) -> None:
        self.slots = slots

    def about(self) -> Sequence[Slot]:
        return self.slots

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return None  # the table says who may read a slot; its face stays


@mypyc_attr(allow_interpreted_subclasses=True)
class Cut(Question["tuple[Card, ...]"]):
    """All see `count` random cards among these slots, but not their places."""

    __slots__ = ("count", "slots")
    kind = "cut"

    def __init__(self, slots: tuple[Slot, ...], count: int) -> None:
        self.slots = slots
        self.count = count

    def about(self) -> Sequence[Slot]:
        return self.slots

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return truth.faces(truth.rng.sample(self.slots, self.count))

    def why_not(self, table: TableState, answer: tuple[Card, ...]) -> str | None:
        return None if len(answer) == self.count else f"{self.count} cards are to be seen"

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        return tuple(map(face, written))


@mypyc_attr(allow_interpreted_subclasses=True)
class Swear(Question[None]):
    """`seat` proves that none of these slots carries a face that fits `none_of`."""

    __slots__ = ("none_of", "seat", "slots")
    kind = "swear"

    def __init__(self, seat: Seat, slots: tuple[Slot, ...], none_of: Fits) -> None:
        self.seat = seat
        self.slots = slots
        self.none_of = none_of

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return ((self.seat, self.slots),)

    def about(self) -> Sequence[Slot]:
        return self.slots

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        truth.verify_oath(self.slots, self.none_of, "the oath is false")
        return None

    def sworn(self, table: TableState, answer: Any) -> Iterable[tuple[Sequence[Slot], Fits]]:
        return ((self.slots, self.none_of),)


@mypyc_attr(allow_interpreted_subclasses=True)
class Flip(Question["tuple[int, ...]"]):
    """`times` public random values below `sides`, which nobody can foresee or bend."""

    __slots__ = ("sides", "times")
    kind = "flip"

    def __init__(self, sides: int, times: int) -> None:
        self.sides = sides
        self.times = times

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return tuple([below(self.sides, truth.rng) for _ in range(self.times)])

    def why_not(self, table: TableState, answer: tuple[int, ...]) -> str | None:
        fair = len(answer) == self.times and all(0 <= value < self.sides for value in answer)
        return None if fair else "those values were not asked for"
