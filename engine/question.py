"""What the rules ask.  A game is the answers to its questions.

Rules are coroutines; each `await` hands one question to the driver and receives its answer.
There are two families.  *Decisions*, below, belong to seats (`deciders`): a card to lay, a
choice.  *Acts of the dealer* belong to nobody (`engine.acts`): a shuffle, a deal, a coin.

A decision is made by its owner as a *decision* (a slot, an index) and becomes a public
*answer* when the dealer has added what everybody may now know (the face of the slot).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain, combinations
from operator import attrgetter
from typing import Any, ClassVar, Final, Generic, TypeVar

from engine.cards import Card, Fits
from engine.compiling import mypyc_attr
from engine.errors import NOT_THERE
from engine.table_state import TableState
from engine.view import View
from engine.won import Won
from engine.zone import Seat, Slot, Zone

A = TypeVar("A")

PASS: Final = None
"""The decision, and the answer, of a seat that declines."""


class Otherwise(Enum):
    """What a seat may do when asked for a card, besides laying one that fits."""

    NOTHING = "nothing"
    """Lay one that fits: the rules know that there is one."""
    PASS = "pass"
    """Decline, also with a fitting card in hand."""
    ANY_SWORN = "any, sworn"
    """Lay any card, but only when none fits, which is sworn (protocol section 2, duties)."""


_PASS: Final = Otherwise.PASS
_ANY_SWORN: Final = Otherwise.ANY_SWORN
"""Bound here because to look up a member of an enum costs as much as to compare ten cards."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Question(Generic[A]):
    """One question; `await` it inside the rules to receive its answer."""

    __slots__ = ()
    kind: ClassVar[str] = ""
    deciders: tuple[Seat, ...] = ()
    """The seats that decide, in seat order; empty for an act of the dealer."""

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        """Which slots each seat has to be able to read, for the question to make sense."""
        return ()

    def __await__(self) -> Generator[Question[A], A, A]:
        return (yield self)

    def decisions(self, view: View) -> Sequence[object]:
        """Every decision that the seat of `view` may take, in a fixed order."""
        raise NotImplementedError(f"{type(self).__name__} is not for a seat to decide")

    def allows(self, view: View, decision: object) -> bool:
        """Whether the seat of `view` may decide this, however many decisions there are."""
        return decision in self.decisions(view)

    def why_not(self, table: TableState, answer: A) -> str | None:
        """Why this public answer is refused, as a sentence; None when it is legal."""
        return None if answer is None else "nothing is to be answered here"


class Play(Question["tuple[Slot, Card] | None"]):
    """`seat` lays one card of `zone`, open; the answer is (slot, face), or PASS.

    `fits` is the predicate, `otherwise` what else is allowed, `why` the sentence for a card
    that does not fit ("you hold a club and have to follow clubs").
    """

    __slots__ = ("deciders", "fits", "otherwise", "seat", "why", "zone")
    kind = "play"

    def __init__(
        self,
        seat: Seat,
        zone: Zone,
        fits: Fits,
        otherwise: Otherwise = Otherwise.NOTHING,
        why: str = "that card does not fit",
    ) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.zone = zone
        self.fits = fits
        self.otherwise = otherwise
        self.why = why

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return ((self.seat, self.zone),)

    def decisions(self, view: View) -> Sequence[Slot | None]:
        can = view.fitting(self.zone, self.fits)
        if self.otherwise is _PASS:
            can.append(PASS)
        elif not can and self.otherwise is _ANY_SWORN:
            can.extend(self.zone)
        return can

    def why_not(self, table: TableState, answer: tuple[Slot, Card] | None) -> str | None:
        if answer is None:
            return None if self.otherwise is _PASS else "a card has to be laid"
        slot, card = answer
        if slot not in self.zone:
            return NOT_THERE
        why = table.why_not_face(slot, card)
        if why is not None:
            return why
        if self.fits(card):
            return None
        if self.otherwise is not _ANY_SWORN or self._publicly_could(table):
            return self.why
        return None

    def _publicly_could(self, table: TableState) -> bool:
        """Whether a card whose face everybody knows would have fitted."""
        faces, fits = table.faces, self.fits
        for slot in self.zone:
            face = faces[slot]
            if face is not None and fits(face):
                return True
        return False

    def sworn_cards(self, table: TableState, answer: tuple[Slot, Card] | None) -> Fits | None:
        """What the seat owes an oath about for this answer: it holds no card that fits this.

        None when nothing is owed.  The dealer leaves out slots whose faces are public and
        what was sworn before.
        """
        if answer is None or self.otherwise is not _ANY_SWORN or self.fits(answer[1]):
            return None
        return self.fits


def _among(choice: object, options: Sequence[object]) -> bool:
    """Whether this is the index of an option (True and False are not)."""
    return type(choice) is int and 0 <= choice < len(options)


@mypyc_attr(allow_interpreted_subclasses=True)
def no_choice(topic: str) -> str:
    """Why what was answered is refused where options are chosen."""
    return f"that is not one of the choices: {topic}"


class Choose(Question[int]):
    """`seat` picks one of `options`, openly; the answer is its index."""

    __slots__ = ("deciders", "options", "seat", "topic")
    kind = "choose"

    def __init__(self, seat: Seat, options: Sequence[object], topic: str) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.options = options
        self.topic = topic

    def decisions(self, view: View) -> Sequence[int]:
        return range(len(self.options))

    def why_not(self, table: TableState, answer: object) -> str | None:
        if _among(answer, self.options):
            return None
        return no_choice(self.topic)


class Together(Question["tuple[int | None, ...]"]):
    """Several seats choose in secret, all before any choice is seen.

    `options[i]` are those of `seats[i]`; the answer holds an index for each seat, or None for
    one that forfeited by not opening its choice (the rules say what that means).
    """

    __slots__ = ("deciders", "options", "seats", "topic")
    kind = "together"

    def __init__(
        self, seats: tuple[Seat, ...], options: Sequence[Sequence[object]], topic: str
    ) -> None:
        self.seats = seats
        self.deciders = seats
        self.options = options
        self.topic = topic

    def decisions(self, view: View) -> Sequence[int]:
        return range(len(self.options[self.seats.index(view.seat)]))

    def why_not(self, table: TableState, answer: tuple[object, ...]) -> str | None:
        if len(answer) != len(self.seats):
            return "one choice a seat is needed"
        for options, choice in zip(self.options, answer, strict=True):
            if choice is not None and not _among(choice, options):
                return no_choice(self.topic)
        return None


class LayDown(Question["tuple[Slot, ...]"]):
    """`seat` picks `count` cards of `zone` to lay face down; the answer names the slots."""

    __slots__ = ("count", "deciders", "seat", "zone")
    kind = "lay-down"

    def __init__(self, seat: Seat, zone: Zone, count: int) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.zone = zone
        self.count = count

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return ((self.seat, self.zone),)

    def decisions(self, view: View) -> Sequence[tuple[Slot, ...]]:
        return list(combinations(self.zone, self.count))

    def why_not(self, table: TableState, answer: tuple[Slot, ...]) -> str | None:
        if len(answer) != self.count or len(set(answer)) != self.count:
            many = "one card is" if self.count == 1 else f"{self.count} different cards are"
            return f"{many} laid down, no more and no fewer"
        if not all(slot in self.zone for slot in answer):
            return f"{NOT_THERE} down"
        return None


class Either(Question["tuple[Slot, Card] | int | None"]):
    """A claim in a race: a card laid as `play` says, or one of `calls` ("Caught!").

    A decision is a slot, or `said(index)` for a call; the answer is (slot, face), or the index
    of the call.
    """

    __slots__ = ("calls", "deciders", "play", "seat")
    kind = "either"

    def __init__(self, play: Play, calls: Choose) -> None:
        self.seat = play.seat
        self.deciders = play.deciders
        self.play = play
        self.calls = calls

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return self.play.read()

    def decisions(self, view: View) -> Sequence[Slot | None]:
        return [*self.play.decisions(view), *map(said, range(len(self.calls.options)))]

    def why_not(self, table: TableState, answer: tuple[Slot, Card] | int | None) -> str | None:
        if answer is None or isinstance(answer, tuple):
            return self.play.why_not(table, answer)
        return self.calls.why_not(table, answer)


def said(index: int) -> int:
    """The decision for a call where slots are decisions too; its own inverse.

    >>> said(0), said(said(3))
    (-1, 3)
    """
    return -1 - index


Claim = Play | Choose | Either
"""What may be claimed in a race: a card laid, or a choice (a slap is a choice of one)."""


_seat: Final[Callable[[Claim], Seat]] = attrgetter("seat")


class Race(Question["Won | None"]):
    """Whoever is first: each seat of `claims` claims what its question allows, or passes.

    The answer is None when all pass.  An act that is due while others may slap is a claim like
    any other; the loser is asked again by the rules.  `window_ms` says how long one may claim
    (None: until somebody does), `awaited` whose turn it is: a pass of that seat ends it too.

    The options `aside` only prepare: they compete with nothing, and all of them take effect.
    """

    __slots__ = ("aside", "awaited", "claims", "deciders", "topic", "window_ms")
    kind = "race"

    def __init__(
        self,
        claims: Sequence[Claim],
        topic: str,
        *,
        window_ms: int | None = None,
        awaited: Seat | None = None,
        aside: tuple[int, ...] = (),
    ) -> None:
        self.claims = {claim.seat: claim for claim in sorted(claims, key=_seat)}
        self.deciders = tuple(self.claims)
        self.topic = topic
        self.window_ms = window_ms
        self.awaited = awaited
        self.aside = aside

    @property
    def hidden(self) -> bool:
        """Whether what a seat can claim depends on cards that only it sees."""
        return any(not isinstance(claim, Choose) for claim in self.claims.values())

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return chain.from_iterable([claim.read() for claim in self.claims.values()])

    def decisions(self, view: View) -> Sequence[object]:
        claim = self.claims[view.seat]
        offers = claim.decisions(view)
        if isinstance(claim, Choose):
            return [PASS, *offers]
        return [PASS, *[offer for offer in offers if offer is not PASS]]

    def rivals(self, claims: Mapping[Seat, object]) -> tuple[Seat, ...]:
        """Those among whom one is first; where all claims are aside, the lowest seat stands so."""
        competing = tuple([seat for seat, claim in claims.items() if claim not in self.aside])
        return competing or (min(claims),)

    def won(self, first: Seat, answers: Mapping[Seat, Any]) -> Won:
        """The outcome when `first` was first of all that claimed."""
        shown, aside = [], []
        for seat, answer in answers.items():
            if seat != first:
                if isinstance(answer, tuple):
                    shown.append(answer)
                elif answer in self.aside:
                    aside.append((seat, answer))
        return Won(first, answers[first], tuple(shown), tuple(aside))

    def why_not(self, table: TableState, answer: Won | None) -> str | None:
        for seat, claim in () if answer is None else answer.claims:
            sentence = self.refuses(table, seat, claim)
            if sentence is not None:
                return sentence
        return None

    def refuses(self, table: TableState, seat: Seat, answer: Any) -> str | None:
        """Why this claim of a seat that did not pass is refused; None when it is legal."""
        if seat not in self.claims:
            return "that seat takes no part in this race"
        return self.claims[seat].why_not(table, answer)
