"""Questions about several cards laid at once: by one seat, or by several in secret.

`LaySet` is asked of one seat, which lays a set open, face down, or passes, as the terms say.
`LayTogether` is asked of several: each decides to lay a set or to pass before anything is seen,
then all sets are turned up at once, and those who passed have shown nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, islice
from typing import Any, Final, NamedTuple, overload

from engine.asked import PASS, Question
from engine.cards import Card
from engine.compiling import mypyc_attr
from engine.errors import NOT_THERE, IllegalAnswer
from engine.subsets import Block, Subsets, every
from engine.table_state import TableState
from engine.truth import Truth
from engine.view import View
from engine.zone import Seat, Slot, Zone

__all__ = ["Laid", "Lay", "LaySet", "LayTogether", "Terms"]


class Lay(NamedTuple):
    """A decision: these slots, open or face down."""

    slots: tuple[Slot, ...]
    down: bool = False


@cache  # at most one item for each slot
def _one_up(slot: Slot) -> Lay:
    return Lay((slot,))


@cache
def _one_down(slot: Slot) -> Lay:
    return Lay((slot,), True)


class Laid(NamedTuple):
    """An answer: these slots with their faces, or face down (`cards` is None)."""

    slots: tuple[Slot, ...]
    cards: tuple[Card, ...] | None


def any_cards(cards: Sequence[Card]) -> bool:
    """The predicate of sets that may be anything."""
    return True


Listing = Callable[[Sequence[Card], Sequence[Slot], range], Iterable[Block]]
"""Lists the sets of these sizes among these slots, given the cards that are their faces."""

MOST_TRIED: Final = 2**16
"""How many sets are tried one by one if the terms list none: all those of sixteen cards."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What a seat may do with a set, and the sentences for what it may not.

    `name` says it in short.  `up`, `down` and `may_pass`: whether cards may be laid open, face
    down, or not at all.  `why` is the sentence for cards that do not fit, `why_size` for a wrong
    number of cards, and `why_up`, `why_down` and `why_pass` say why that way is not allowed.

    `fits` is the predicate of sets laid open, and alone decides whether one is legal.  Any cards
    may be laid face down: nobody could see whether they fit.  `sets(cards, slots, sizes)` lists
    exactly the sets that fit, for bots and screens; without it they follow from `fits`, which is
    asked about each set.  Only the first `MOST_TRIED` sets are tried, and those of them that fit
    are offered: a rule for hands of more than sixteen cards lists its sets itself.
    """

    name: str
    up: bool = True
    down: bool = False
    may_pass: bool = False
    fits: Callable[[Sequence[Card]], bool] = any_cards
    singles_fit: bool = False
    """Whether every single card fits, so that `fits` need not be asked about each."""
    sets: Listing | None = None
    why: str = "those cards do not fit together"
    why_size: str = "that is not the right number of cards"
    why_up: str = "cards are laid face down here"
    why_down: str = "cards are laid open here"
    why_pass: str = "cards have to be laid"

    def __repr__(self) -> str:
        return self.name

    def candidates(
        self, cards: Sequence[Card], slots: Sequence[Slot], sizes: range
    ) -> Iterable[Block]:
        """The sets that may be laid open: those that `sets` lists, or those that fit."""
        if self.sets is not None:
            return self.sets(cards, slots, sizes)
        return every(slots, sizes) if self.fits is any_cards else self._tried(cards, slots, sizes)

    def _tried(self, cards: Sequence[Card], slots: Sequence[Slot], sizes: range) -> list[Block]:
        """A block for each set that fits, in the order of `every`."""
        places = chain.from_iterable(combinations(range(len(slots)), size) for size in sizes)
        found = []
        for chosen in islice(places, MOST_TRIED):
            single = self.singles_fit and len(chosen) == 1
            if single or self.fits([cards[place] for place in chosen]):
                found.append(Block(((tuple([slots[place] for place in chosen]), len(chosen)),)))
        return found


@mypyc_attr(allow_interpreted_subclasses=True)
class LaySet(Question["Laid | None"]):
    """`seat` lays a set of `sizes` cards of `zone` by the `terms`, or passes."""

    __slots__ = ("deciders", "seat", "sizes", "terms", "zone")
    kind = "lay-set"
    for_seats = True

    def __init__(self, seat: Seat, zone: Zone, sizes: range, terms: Terms) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.zone = zone
        self.sizes = sizes
        self.terms = terms

    def hand(self, seat: Seat) -> Zone | None:
        return self.zone

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return ((self.seat, self.zone),)

    def decisions(self, view: View) -> Sequence[Lay | None]:
        terms, sizes = self.terms, self.sizes
        if sizes.stop == 2 and sizes.start == 1 and terms.singles_fit:
            return self._singles()  # most questions of a game; this is three times as fast
        down, up = self.ways(view)
        return Offers(terms.may_pass, down, up)

    def ways(self, view: View) -> tuple[Subsets, Subsets]:
        """The sets that may be laid face down, and those that may be laid open."""
        terms, zone, sizes = self.terms, self.zone, self.sizes
        down = Subsets(every(zone, sizes)) if terms.down else NO_SETS
        up = Subsets(terms.candidates(view.cards(zone), zone, sizes)) if terms.up else NO_SETS
        return down, up

    def _singles(self) -> list[Lay | None]:
        terms = self.terms
        offers: list[Lay | None] = [PASS] if terms.may_pass else []
        if terms.down:
            offers += map(_one_down, self.zone)
        if terms.up:
            offers += map(_one_up, self.zone)
        return offers

    def allows(self, view: View, decision: object) -> bool:
        """Ask the terms, whatever the order of the cards, without looking through the offers.

        A hand of twenty cards offers a million sets.
        """
        try:
            laid = self.laid(decision, view.face)
        except IllegalAnswer:
            return False
        return self.why_not(view.table, laid) is None

    def wrong(self, view: View) -> Sequence[object]:
        terms, zone, sizes = self.terms, self.zone, self.sizes
        found: list[object] = [0, Lay(()), Lay((-1,)), Lay((zone[0], zone[0]))]
        if not (terms.up and terms.down):
            found.append(Lay(tuple(zone[: sizes[0]]), terms.up))
        found += [Lay(tuple(zone[:size])) for size in sorted({len(zone), 1} - set(sizes))]
        if not terms.may_pass:
            found.append(PASS)
        for size in sizes[:3]:
            for slots in islice(combinations(zone, size), 20):
                if not (terms.up and terms.fits(view.cards(slots))):
                    found.append(Lay(slots))
        return found

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return self.laid(decisions[self.seat], truth.cards.__getitem__)

    def laid(self, decision: object, face: Callable[[Slot], Card]) -> Laid | None:
        """The answer that follows from a decision, for somebody who knows the faces.

        IllegalAnswer for a decision that names no card; everything else `why_not` refuses.
        """
        if decision is None:
            return None
        if not isinstance(decision, Lay):
            raise IllegalAnswer("that is no set of cards")
        sentence = self.why_not_slots(decision.slots)
        if sentence is not None:
            raise IllegalAnswer(sentence)
        return Laid(decision.slots, None if decision.down else tuple(map(face, decision.slots)))

    def why_not(self, table: TableState, answer: Laid | None) -> str | None:
        terms = self.terms
        if answer is None:
            return None if terms.may_pass else terms.why_pass
        slots, cards = answer
        sentence = self.why_not_slots(slots)
        if sentence is not None:
            return sentence
        if cards is None:
            return None if terms.down else terms.why_down
        if not terms.up:
            return terms.why_up
        sentence = table.why_not_faces(slots, cards)
        if sentence is not None:
            return sentence
        if terms.singles_fit and len(cards) == 1:
            return None
        return None if terms.fits(cards) else terms.why

    def why_not_slots(self, slots: tuple[Slot, ...]) -> str | None:
        """Why these slots cannot be laid, whatever their faces are."""
        zone, sizes = self.zone, self.sizes
        for slot in slots:
            if slot not in zone:
                return NOT_THERE
        count = len(slots)
        if count > 1 and len(set(slots)) != count:
            return "a card is laid only once"
        return None if sizes.start <= count < sizes.stop else self.terms.why_size

    def decided(self, answer: Any) -> dict[Seat, object]:
        return {self.seat: _decided(answer)}

    def face_down(self, decision: Any) -> int:
        return _face_down(decision)

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        if written is None:
            return None
        slots, names = written
        return Laid(tuple(slots), None if names is None else tuple(map(face, names)))


def _decided(answer: Laid | None) -> Lay | None:
    return None if answer is None else Lay(answer.slots, answer.cards is None)


def _face_down(decision: Lay | None) -> int:
    return 0 if decision is None or not decision.down else len(decision.slots)


@mypyc_attr(allow_interpreted_subclasses=True)
class LayTogether(Question["tuple[Laid | None, ...]"]):
    """Several seats lay sets open, or pass; all decide in secret before any set is seen.

    The answer holds what was laid for each claim, or None for a pass (and for a seat that forfeited
    by not turning its cards up: they stay unknown, in its hand).
    """

    __slots__ = ("claims", "deciders")
    kind = "lay-together"
    for_seats = True

    def __init__(self, claims: Sequence[LaySet]) -> None:
        self.claims = {claim.seat: claim for claim in claims}
        self.deciders = tuple(self.claims)

    def hand(self, seat: Seat) -> Zone | None:
        return self.claims[seat].zone

    def parts(self, seat: Seat) -> Sequence[Question[Any]]:
        return (self.claims[seat],)

    def within(self, seat: Seat, decision: Any) -> tuple[Question[Any], Any] | None:
        return self.claims[seat], decision

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return [(seat, claim.zone) for seat, claim in self.claims.items()]

    def decisions(self, view: View) -> Sequence[Lay | None]:
        return self.claims[view.seat].decisions(view)

    def allows(self, view: View, decision: object) -> bool:
        return self.claims[view.seat].allows(view, decision)

    def wrong(self, view: View) -> Sequence[object]:
        return self.claims[view.seat].wrong(view)

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        get, face = decisions.get, truth.cards.__getitem__
        return tuple([claim.laid(get(seat), face) for seat, claim in self.claims.items()])

    def why_not(self, table: TableState, answer: tuple[Laid | None, ...]) -> str | None:
        if len(answer) != len(self.claims):
            return "one answer a seat is needed"
        for place, claim in enumerate(self.claims.values()):
            laid = answer[place]
            if laid is not None:
                sentence = claim.why_not(table, laid)
                if sentence is not None:
                    return sentence
        return None

    def decided(self, answer: Any) -> dict[Seat, object]:
        return {seat: _decided(laid) for seat, laid in zip(self.deciders, answer, strict=True)}

    def face_down(self, decision: Any) -> int:
        return _face_down(decision)

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        claims = self.claims.values()
        return tuple([claim.parse(laid, face) for claim, laid in zip(claims, written, strict=True)])


NO_SETS: Final = Subsets(())


class Offers(Sequence["Lay | None"]):
    """The decisions of a `LaySet`: passing, sets face down, sets open, in this order."""

    __slots__ = ("_down", "_first_down", "_first_up", "_up")

    def __init__(self, may_pass: bool, down: Subsets, up: Subsets) -> None:
        self._down: Final = down
        self._up: Final = up
        self._first_down: Final = 1 if may_pass else 0
        self._first_up: Final = self._first_down + len(down)

    def __len__(self) -> int:
        return self._first_up + len(self._up)

    @overload
    def __getitem__(self, index: int) -> Lay | None: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Lay | None]: ...

    def __getitem__(self, index: int | slice) -> Lay | Sequence[Lay | None] | None:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if index >= self._first_up:
            return Lay(self._up[index - self._first_up])
        if index >= self._first_down:
            return Lay(self._down[index - self._first_down], True)
        if index < 0:
            raise IndexError("there are not so many decisions")
        return PASS
