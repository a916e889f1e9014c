"""What the rules ask.  A game is the answers to its questions.

Rules are coroutines; each `await` hands one question to the driver and receives its answer.
There are two families.  *Decisions*, below, belong to seats (`deciders`): a card to lay, a
choice.  *Acts of the dealer* belong to nobody (`engine.acts`): a shuffle, a deal, a coin.

A seat makes a *decision* (a slot, an index), which becomes a public *answer* when the dealer
has added what everybody may now know (the face of the slot).

What all questions have, and how a new kind is made, is in `engine.asked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain, combinations
from operator import attrgetter
from typing import Any, Final

from engine.asked import PASS, Question
from engine.cards import Card, Fits
from engine.compiling import mypyc_attr
from engine.errors import NOT_THERE, IllegalAnswer
from engine.table_state import TableState
from engine.truth import Truth
from engine.view import View
from engine.won import Won
from engine.zone import Seat, Slot, Zone

__all__ = [
    "PASS",
    "Choose",
    "Claim",
    "Either",
    "LayDown",
    "Otherwise",
    "Play",
    "Question",
    "Race",
    "Together",
    "said",
]


class Otherwise(Enum):
    """What a seat may do when asked for a card, besides laying one that fits."""

    NOTHING = "nothing"
    """Lay one that fits: the rules know that there is one."""
    PASS = "pass"
    """Decline, even with a fitting card in hand."""
    ANY_SWORN = "any, sworn"
    """Lay any card, but only when none fits, which is sworn (protocol section 5)."""


_PASS: Final = Otherwise.PASS
_ANY_SWORN: Final = Otherwise.ANY_SWORN
"""Bound here because looking up a member of an enum costs as much as comparing ten cards."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(Question["tuple[Slot, Card] | None"]):
    """`seat` lays one card of `zone`, open; the answer is (slot, face), or PASS.

    `fits` is the predicate, `otherwise` what else is allowed, `why` the sentence for a card
    that does not fit ("you hold a club and have to follow clubs").
    """

    __slots__ = ("deciders", "fits", "otherwise", "seat", "why", "zone")
    kind = "play"
    for_seats = True

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

    def hand(self, seat: Seat) -> Zone | None:
        return self.zone

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return ((self.seat, self.zone),)

    def decisions(self, view: View) -> Sequence[Slot | None]:
        can = view.fitting(self.zone, self.fits)
        if self.otherwise is _PASS:
            can.append(PASS)
        elif not can and self.otherwise is _ANY_SWORN:
            can.extend(self.zone)
        return can

    def wrong(self, view: View) -> Sequence[object]:
        good, slots = self.decisions(view), range(-1, len(view.table.faces) + 1)
        found: list[Slot | None] = [slot for slot in slots if slot not in good]
        return found if self.otherwise is _PASS else [*found, PASS]

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        """The slot and face of the card that is laid; the oath is checked if one is owed."""
        decision = decisions[self.seat]
        if decision is None:
            return None
        if type(decision) is not int or decision not in self.zone:
            raise IllegalAnswer(NOT_THERE)
        card = truth.cards[decision]
        if self.otherwise is _ANY_SWORN and not self.fits(card):
            truth.verify_oath(self.zone, self.fits, self.why)
        return decision, card

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
        """The predicate of the oath that the seat owes for this answer: it holds no card that fits.

        None if nothing is owed.  The dealer leaves out slots whose faces are public and
        what was sworn before.
        """
        if answer is None or self.otherwise is not _ANY_SWORN or self.fits(answer[1]):
            return None
        return self.fits

    def sworn(self, table: TableState, answer: Any) -> Iterable[tuple[Sequence[Slot], Fits]]:
        fits = self.sworn_cards(table, answer)
        return () if fits is None else ((self.zone, fits),)

    def decided(self, answer: Any) -> dict[Seat, object]:
        return {self.seat: PASS if answer is None else answer[0]}

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        return None if written is None else (written[0], face(written[1]))


def _among(choice: object, options: Sequence[object]) -> bool:
    """Whether this is the index of an option (True and False are not)."""
    return type(choice) is int and 0 <= choice < len(options)


def no_choice(topic: str) -> str:
    """Why an answer that is none of the options is refused."""
    return f"that is not one of the choices: {topic}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Choose(Question[int]):
    """`seat` picks one of `options`, openly; the answer is its index."""

    __slots__ = ("deciders", "options", "seat", "topic")
    kind = "choose"
    for_seats = True

    def __init__(self, seat: Seat, options: Sequence[object], topic: str) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.options = options
        self.topic = topic

    def options_of(self, seat: Seat) -> Sequence[object]:
        return self.options

    def decisions(self, view: View) -> Sequence[int]:
        return range(len(self.options))

    def wrong(self, view: View) -> Sequence[object]:
        return (-1, len(self.options))

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return decisions[self.seat]

    def why_not(self, table: TableState, answer: object) -> str | None:
        if _among(answer, self.options):
            return None
        return no_choice(self.topic)


@mypyc_attr(allow_interpreted_subclasses=True)
class Together(Question["tuple[int | None, ...]"]):
    """Several seats choose in secret, all before any choice is seen.

    `options[i]` are those of `seats[i]`; the answer holds an index for each seat, or None for
    one that forfeited by opening its choice wrongly (the rules say what that means).
    """

    __slots__ = ("deciders", "options", "seats", "topic")
    kind = "together"
    for_seats = True

    def __init__(
        self, seats: tuple[Seat, ...], options: Sequence[Sequence[object]], topic: str
    ) -> None:
        self.seats = seats
        self.deciders = seats
        self.options = options
        self.topic = topic

    def options_of(self, seat: Seat) -> Sequence[object]:
        return self.options[self.seats.index(seat)]

    def decisions(self, view: View) -> Sequence[int]:
        return range(len(self.options_of(view.seat)))

    def wrong(self, view: View) -> Sequence[object]:
        return (len(self.options_of(view.seat)), -1)

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return tuple(map(decisions.get, self.seats))

    def why_not(self, table: TableState, answer: tuple[object, ...]) -> str | None:
        if len(answer) != len(self.seats):
            return "one choice a seat is needed"
        for options, choice in zip(self.options, answer, strict=True):
            if choice is not None and not _among(choice, options):
                return no_choice(self.topic)
        return None

    def decided(self, answer: Any) -> dict[Seat, object]:
        pairs = zip(self.seats, answer, strict=True)
        return {seat: choice for seat, choice in pairs if choice is not None}


@mypyc_attr(allow_interpreted_subclasses=True)
class LayDown(Question["tuple[Slot, ...]"]):
    """`seat` picks `count` cards of `zone` to lay face down; the answer names the slots."""

    __slots__ = ("count", "deciders", "seat", "zone")
    kind = "lay-down"
    for_seats = True

    def __init__(self, seat: Seat, zone: Zone, count: int) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.zone = zone
        self.count = count

    def hand(self, seat: Seat) -> Zone | None:
        return self.zone

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return ((self.seat, self.zone),)

    def decisions(self, view: View) -> Sequence[tuple[Slot, ...]]:
        return list(combinations(self.zone, self.count))

    def wrong(self, view: View) -> Sequence[object]:
        zone, count = tuple(self.zone), self.count
        return (zone[:1] * count if count > 1 else (), zone[: count - 1], (-1,) * count)

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return decisions[self.seat]

    def why_not(self, table: TableState, answer: tuple[Slot, ...]) -> str | None:
        if len(answer) != self.count or len(set(answer)) != self.count:
            many = "one card is" if self.count == 1 else f"{self.count} different cards are"
            return f"{many} laid down, no more and no fewer"
        if not all(slot in self.zone for slot in answer):
            return f"{NOT_THERE} down"
        return None

    def face_down(self, decision: Any) -> int:
        return self.count


@mypyc_attr(allow_interpreted_subclasses=True)
class Either(Question["tuple[Slot, Card] | int | None"]):
    """A claim in a race: a card laid as `play` says, or one of `calls` ("Caught!").

    A decision is a slot, or `said(index)` for a call; the answer is (slot, face), or the index
    of the call.
    """

    __slots__ = ("calls", "deciders", "play", "seat")
    kind = "either"
    for_seats = True

    def __init__(self, play: Play, calls: Choose) -> None:
        self.seat = play.seat
        self.deciders = play.deciders
        self.play = play
        self.calls = calls

    def hand(self, seat: Seat) -> Zone | None:
        return self.play.zone

    def parts(self, seat: Seat) -> Sequence[Question[Any]]:
        return (self.play, self.calls)

    def within(self, seat: Seat, decision: Any) -> tuple[Question[Any], Any] | None:
        if decision is not PASS and decision < 0:
            return self.calls, said(decision)
        return self.play, decision

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return self.play.read()

    def decisions(self, view: View) -> Sequence[Slot | None]:
        return [*self.play.decisions(view), *map(said, range(len(self.calls.options)))]

    def wrong(self, view: View) -> Sequence[object]:
        return (said(len(self.calls.options)),)

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        decision = decisions[self.seat]
        if type(decision) is int and decision < 0:
            return said(decision)
        return self.play.resolve(truth, table, decisions)

    def why_not(self, table: TableState, answer: tuple[Slot, Card] | int | None) -> str | None:
        if answer is None or isinstance(answer, tuple):
            return self.play.why_not(table, answer)
        return self.calls.why_not(table, answer)

    def decided(self, answer: Any) -> dict[Seat, object]:
        if answer is None or isinstance(answer, tuple):
            return self.play.decided(answer)
        return {self.seat: said(answer)}

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        return self.play.parse(written, face) if isinstance(written, list) else written


def said(index: int) -> int:
    """The decision for a call if slots are decisions too; its own inverse.

    >>> said(0), said(said(3))
    (-1, 3)
    """
    return -1 - index


Claim = Play | Choose | Either
"""What may be claimed in a race: a card laid, or a choice (a slap is a choice of one)."""


_seat: Final[Callable[[Claim], Seat]] = attrgetter("seat")


@mypyc_attr(allow_interpreted_subclasses=True)
class Race(Question["Won | None"]):
    """Whoever is first: each seat of `claims` claims what its question allows, or passes.

    The answer is None if all pass.  An act that is due while others may slap is a claim like
    any other; the rules ask the loser again.  `window_ms` says how long one may claim
    (None: until somebody does), `awaited` whose turn it is: a pass of that seat ends it too.

    The options in `aside` only prepare: they compete with nothing, and all of them take effect.
    """

    __slots__ = ("aside", "awaited", "claims", "deciders", "topic", "window_ms")
    kind = "race"
    for_seats = True
    timed = True

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
        return any(claim.hand(seat) is not None for seat, claim in self.claims.items())

    def turn(self) -> Seat | None:
        return self.awaited

    def for_others(self, seat: Seat) -> bool:
        return self.awaited != seat

    def competes(self, decision: object) -> bool:
        return decision not in self.aside

    def lasts_ms(self) -> int | None:
        return self.window_ms

    def hand(self, seat: Seat) -> Zone | None:
        return self.claims[seat].hand(seat)

    def parts(self, seat: Seat) -> Sequence[Question[Any]]:
        return self.claims[seat].parts(seat)

    def within(self, seat: Seat, decision: Any) -> tuple[Question[Any], Any] | None:
        if decision is PASS and self.hand(seat) is None:
            return None  # only the race itself can be passed
        return self.claims[seat], decision

    def names(self) -> Sequence[Seat]:
        return [*self.deciders, *([] if self.awaited is None else [self.awaited])]

    def read(self) -> Iterable[tuple[Seat | None, Sequence[Slot]]]:
        return chain.from_iterable([claim.read() for claim in self.claims.values()])

    def decisions(self, view: View) -> Sequence[object]:
        claim = self.claims[view.seat]
        offers = claim.decisions(view)
        if claim.hand(view.seat) is None:
            return [PASS, *offers]
        return [PASS, *[offer for offer in offers if offer is not PASS]]

    def wrong(self, view: View) -> Sequence[object]:
        return self.claims[view.seat].wrong(view)[:1]

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        """The first of several claims, as the dealer says."""
        claims: dict[Seat, object] = {}
        for seat, claim in self.claims.items():
            if decisions.get(seat) is not None:
                claims[seat] = claim.resolve(truth, table, decisions)
        if not claims:
            return None
        first = truth.first(self.rivals(claims))
        cards = [seat for seat, claim in claims.items() if isinstance(claim, tuple)]
        later = [seat for seat in cards if seat != first]
        return self.won((first, *truth.in_order(later)), claims)

    def rivals(self, claims: Mapping[Seat, object]) -> tuple[Seat, ...]:
        """The seats that compete to be first; if all claims are aside, the lowest seat alone."""
        competing = tuple([seat for seat, claim in claims.items() if claim not in self.aside])
        return competing or (min(claims),)

    def won(self, order: Sequence[Seat], answers: Mapping[Seat, Any]) -> Won:
        """The outcome if `order` begins with the first of all that claimed.

        After it come the seats that claimed a card later, in the order of the race.
        """
        first, *later = order
        shown = [answers[seat] for seat in later]
        aside = [one for one in answers.items() if one[0] != first and one[1] in self.aside]
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

    def decided(self, answer: Any) -> dict[Seat, object]:
        found: dict[Seat, object] = {}
        for seat, claimed in () if answer is None else answer.claims:
            found.update(self.claims[seat].decided(claimed))
        return found

    def parse(self, written: Any, face: Callable[[str], Card]) -> object:
        if written is None:
            return None
        seat, answer, shown, *rest = written
        seen = tuple([(slot, face(name)) for slot, name in shown])
        aside = tuple([(other, act) for other, act in (rest[0] if rest else ())])
        return Won(seat, self.claims[seat].parse(answer, face), seen, aside)
