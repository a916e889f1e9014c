"""The dealer of tests, simulations and look-ahead: it knows every card and cheats nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, Final

from engine import acts
from engine import question as ask
from engine.cards import Card, Fits
from engine.compiling import mypyc_attr
from engine.errors import NOT_THERE, EngineError, IllegalAnswer
from engine.question import Question
from engine.sets import LaySet, LayTogether, answered
from engine.table import Table
from engine.view import View
from engine.won import Won
from engine.zone import Seat, Slot

ANY_SWORN: Final = ask.Otherwise.ANY_SWORN


@mypyc_attr(allow_interpreted_subclasses=True)
class TrustedDealer:
    """Does from memory what peers do with keys and proofs.  `rng` is its only source of chance."""

    __slots__ = ("_rng", "_truth")

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._truth: list[Card] = []

    def act(self, table: Table, question: Question[Any]) -> object:
        """The answer to a question that no seat decides."""
        act = _ACTS.get(type(question))
        if act is None:
            raise EngineError(f"no dealer can answer {question.kind or question!r}")
        return act(self, table, question)

    def answer(
        self, table: Table, question: Question[Any], decisions: Mapping[Seat, object]
    ) -> object:
        """The public answer that follows from the decisions of `question.deciders`.

        IllegalAnswer for a decision that names no card, and for a card laid under a false oath.
        `Session.answer` refuses everything else.
        """
        kind = type(question)
        decide = _DECISIONS.get(kind)
        if decide is not None:
            return decide(self, table, question, decisions)
        act = _ACTS.get(kind)
        if act is not None:
            return act(self, table, question)
        for general, decide in _DECISIONS.items():
            if isinstance(question, general):
                return decide(self, table, question, decisions)
        return self.act(table, question)

    def _as_decided(
        self,
        table: Table,
        question: ask.Choose | ask.LayDown,
        decisions: Mapping[Seat, object],
    ) -> object:
        return decisions[question.seat]

    def _play(
        self, table: Table, question: ask.Play, decisions: Mapping[Seat, object]
    ) -> tuple[Slot, Card] | None:
        """The face of the card that is laid; an oath is checked."""
        decision = decisions[question.seat]
        if decision is None:
            return None
        if type(decision) is not int or decision not in question.zone:
            raise IllegalAnswer(NOT_THERE)
        card = self._truth[decision]
        if question.otherwise is ANY_SWORN and not question.fits(card):
            self._verify_oath(question.zone, question.fits, question.why)
        return decision, card

    def _either(
        self, table: Table, question: ask.Either, decisions: Mapping[Seat, object]
    ) -> object:
        decision = decisions[question.seat]
        if type(decision) is int and decision < 0:
            return ask.said(decision)
        return self._play(table, question.play, decisions)

    def _together(
        self, table: Table, question: ask.Together, decisions: Mapping[Seat, object]
    ) -> tuple[object, ...]:
        return tuple(map(decisions.get, question.seats))

    def _sets(
        self,
        table: Table,
        question: LaySet | LayTogether,
        decisions: Mapping[Seat, object],
    ) -> object:
        return answered(question, decisions, self._truth.__getitem__)

    def _race(
        self, table: Table, question: ask.Race, decisions: Mapping[Seat, object]
    ) -> Won | None:
        """The first of several claims; there are no clocks here, so chance decides."""
        claims: dict[Seat, object] = {}
        for seat, claim in question.claims.items():
            decision = decisions.get(seat)
            if decision is not None:
                called = isinstance(claim, ask.Choose)
                claims[seat] = decision if called else self.answer(table, claim, decisions)
        if not claims:
            return None
        if len(claims) == 1:
            ((first, answer),) = claims.items()
            return Won(first, answer)
        rivals = question.rivals(claims)
        first = rivals[0] if len(rivals) == 1 else rivals[int(self._rng.random() * len(rivals))]
        return question.won(first, claims)

    def view(self, table: Table, seat: Seat) -> View:
        """What a seat of that table may know, as long as the table exists."""
        return View(table, seat, self._truth.__getitem__)

    def copy(self, rng: Random | None = None) -> TrustedDealer:
        """A dealer with the same cards, and the same luck unless another `rng` is given."""
        if rng is None:
            rng = Random()
            rng.setstate(self._rng.getstate())
        twin = TrustedDealer(rng)
        twin._truth[:] = self._truth
        return twin

    # -- acts, by kind of question in `_ACTS` -------------------------------------------

    def _nothing(self, table: Table, question: Question[None]) -> None:
        """The table keeps who may read a slot; its face stays."""

    def _fresh(self, table: Table, question: acts.Fresh) -> None:
        if table.deck is None:
            raise EngineError("a fresh deck was asked for before the table had one")
        self._truth[:] = table.deck.cards

    def _shuffle(self, table: Table, question: acts.Shuffle | acts.Reshuffle) -> None:
        truth, slots = self._truth, question.slots
        cards = [truth[slot] for slot in slots]
        self._mix(cards)
        for slot, card in zip(slots, cards, strict=True):
            truth[slot] = card

    def _mix(self, cards: list[Card]) -> None:
        """Shuffle as `Random.shuffle` does, draw for draw, without its two calls for each card."""
        draw_bits = self._rng.getrandbits
        for choices in range(len(cards), 1, -1):
            bits = choices.bit_length()
            place = draw_bits(bits)
            while place >= choices:
                place = draw_bits(bits)
            last = choices - 1
            cards[last], cards[place] = cards[place], cards[last]

    def _open(self, table: Table, question: acts.Open) -> tuple[Card, ...]:
        return tuple(map(self._truth.__getitem__, question.slots))

    def _cut(self, table: Table, question: acts.Cut) -> tuple[Card, ...]:
        places = self._rng.sample(question.slots, question.count)
        return tuple(map(self._truth.__getitem__, places))

    def _swear(self, table: Table, question: acts.Swear) -> None:
        self._verify_oath(question.slots, question.none_of, "the oath is false")

    def _flip(self, table: Table, question: acts.Flip) -> tuple[int, ...]:
        return tuple(self._rng.randrange(question.sides) for _ in range(question.times))

    def _lay_all(
        self, table: Table, question: acts.LayAll
    ) -> tuple[tuple[tuple[Slot, Card], ...], ...]:
        truth, fits = self._truth, question.fits
        return tuple(
            [
                tuple([(slot, truth[slot]) for slot in hand if fits(truth[slot])])
                for hand in question.hands
            ]
        )

    def _verify_oath(self, slots: Iterable[Slot], forbidden: Fits, sentence: str) -> None:
        if any(map(forbidden, map(self._truth.__getitem__, slots))):
            raise IllegalAnswer(sentence)


Act = Callable[[TrustedDealer, Table, Any], object]
_ACTS: Final[dict[type, Act]] = {
    acts.Fresh: TrustedDealer._fresh,
    acts.Shuffle: TrustedDealer._shuffle,
    acts.Reshuffle: TrustedDealer._shuffle,
    acts.Deal: TrustedDealer._nothing,
    acts.HandOver: TrustedDealer._nothing,
    acts.PutBack: TrustedDealer._nothing,
    acts.Open: TrustedDealer._open,
    acts.LayAll: TrustedDealer._lay_all,
    acts.Cut: TrustedDealer._cut,
    acts.Swear: TrustedDealer._swear,
    acts.Flip: TrustedDealer._flip,
}
"""How each act is done; a look-up, because a chain of cases costs as much as a deal."""

Decide = Callable[[TrustedDealer, Table, Any, Mapping[Seat, object]], object]
_DECISIONS: Final[dict[type, Decide]] = {
    ask.Play: TrustedDealer._play,
    ask.Choose: TrustedDealer._as_decided,
    ask.LayDown: TrustedDealer._as_decided,
    ask.Either: TrustedDealer._either,
    ask.Together: TrustedDealer._together,
    ask.Race: TrustedDealer._race,
    LaySet: TrustedDealer._sets,
    LayTogether: TrustedDealer._sets,
}
"""How decisions become the answer, by kind of question; subclasses inherit it."""
