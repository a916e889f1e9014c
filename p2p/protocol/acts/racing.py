"""Races: who was first (protocol section 5, "Races").

Each seat that may claim sends one entry, a claim or a pass.  Witnesses decide between several
claims, and a public random value decides between equals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import factorial, prod
from typing import Any, Final, NamedTuple

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.registry import Registry
from engine.won import Won
from engine.zone import Seat, Slot
from p2p import checks
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts import laying, sharing
from p2p.protocol.acts.witnessing import witness
from p2p.protocol.cards import Cards
from p2p.protocol.races.book import RaceReport, RaceResult
from p2p.protocol.races.relays import Pair
from p2p.protocol.races.times import in_order
from p2p.protocol.races.window import Window
from p2p.protocol.step import Program, SeatLeftError, SeatLostError, Step


class _Card:
    """One seat's claim to lay a card: the same entry as a card laid in turn."""

    def __init__(self, cards: Cards, claim: ask.Play) -> None:
        self._cards = cards
        self._claim = claim
        self._hand = laying.Hand(cards, claim.seat, tuple(claim.zone))

    def parse(self, payload: Any) -> laying.LaidCard | None:
        if payload is None:  # whatever a card laid in turn would owe, nobody has to claim
            return None
        return laying.parse_laid(self._cards, self._hand, self._claim, payload)

    def verify(self, laid: laying.LaidCard | None) -> None:
        laying.verify_laid(self._cards, self._hand, self._claim, laid)

    def make(self, decision: Any) -> object:
        return laying.make_laid(self._cards, self._hand, self._claim, decision)

    def apply(self, laid: laying.LaidCard) -> tuple[Slot, Card]:
        return laying.apply_laid(self._cards, self._hand, self._claim, laid)


class _Choice:
    """One seat's claim that is not a card: a slap, a call."""

    def __init__(self, cards: Cards, claim: ask.Choose) -> None:
        self._cards = cards
        self._claim = claim

    def parse(self, payload: Any) -> int | None:
        if payload is None:
            return None
        index: int = wire.exactly(payload, int, "a claim")
        why = self._claim.why_not(self._cards.table, index)
        checks.require("race.legal", why is None, "illegal-move", why or "")
        return index

    def verify(self, index: int | None) -> None:
        """A choice needs no proof."""

    def make(self, decision: Any) -> object:
        return decision

    def apply(self, index: int) -> object:
        return index


class _Either:
    """One seat's claim to lay a card or to call something: a card is a map, a call a number."""

    def __init__(self, cards: Cards, claim: ask.Either) -> None:
        self._card = _Card(cards, claim.play)
        self._call = _Choice(cards, claim.calls)

    def parse(self, payload: Any) -> laying.LaidCard | int | None:
        if isinstance(payload, int):
            return self._call.parse(payload)
        return self._card.parse(payload)

    def verify(self, entry: laying.LaidCard | int | None) -> None:
        if not isinstance(entry, int):
            self._card.verify(entry)

    def make(self, decision: Any) -> object:
        if decision is not None and decision < 0:
            return ask.said(decision)
        return self._card.make(decision)

    def apply(self, entry: laying.LaidCard | int) -> object:
        return entry if isinstance(entry, int) else self._card.apply(entry)


SIDES: Final[Registry[Callable[[Cards, Any], Any]]] = Registry(
    "how it is claimed in a race",
    {ask.Play: _Card, ask.Choose: _Choice, ask.Either: _Either},
)
"""How the claim of one seat is made and checked."""


def race(cards: Cards, question: ask.Race) -> Program[Won | None]:
    """The first claim, and all that are aside; None if all pass."""
    sides = {seat: SIDES.of(claim)(cards, claim) for seat, claim in question.claims.items()}
    at, me = cards.chain.step, cards.keys.me
    window = Window(
        cards.races,
        cards.timing,
        at,
        length=None if question.window_ms is None else 1000 * question.window_ms,
        hidden=question.hidden,
        awaited=question.awaited,
    )

    def make(decision: Any) -> object:
        return sides[cards.keys.own_seat].make(decision)

    def parse(seat: Seat, payload: Any) -> object:
        entry = sides[seat].parse(payload)
        if me is not None and seat != me:
            window.take(seat, entry is not None)
        return entry

    try:
        entries = yield Step(
            step_kinds.RACE,
            question.deciders,
            parse=parse,
            verify=lambda seat, parsed: sides[seat].verify(parsed),
            make=make,
            question=question,
            window=window if me in question.claims else None,
        )
    except SeatLeftError as left:
        entries = left.stayed  # a seat that leaves has passed
    claims = {seat: entries[seat] for seat in sorted(entries) if entries[seat] is not None}
    if not claims:
        return None
    laid = [seat for seat, entry in claims.items() if not isinstance(entry, int)]
    order = yield from _order(cards, question.rivals(claims), laid, at, question.topic)
    return question.won(order, {seat: sides[seat].apply(entry) for seat, entry in claims.items()})


def _order(
    cards: Cards, claimants: tuple[Seat, ...], laid: Sequence[Seat], at: int, topic: str
) -> Program[Sequence[Seat]]:
    """Order the claims of step `at`: the first of `claimants`, then the others that `laid` a card.

    Witnesses decide, and a lot between equals.
    """
    if len(claimants) == 1:
        return claimants
    judged = yield from _judged(cards, claimants, at)
    times, foremost = judged.times, judged.first
    groups = [foremost, *in_order([seat for seat in laid if seat not in foremost], times)]
    ways = prod(factorial(len(group)) for group in groups) if laid else len(foremost)
    first, *others = _drawn(groups, (yield from _lot(cards, ways)))
    report = RaceReport(at, topic, tuple(times.items()), first, judged.outcome, judged.held)
    cards.races.report(report)
    return [first, *[seat for seat in others if seat in laid]]


class _Judged(NamedTuple):
    """The agreed times, the claimants that are first together, and the reason for that."""

    times: Mapping[Seat, int | None]
    first: tuple[Seat, ...]
    outcome: RaceResult
    held: Pair | None = None


def _judged(cards: Cards, claimants: tuple[Seat, ...], at: int) -> Program[_Judged]:
    """Compare the claims of step `at`; those of seats that are lost before come last."""
    unseen = dict.fromkeys(claimants)
    rivals = tuple([seat for seat in claimants if seat in cards.keys.seats])
    if len(rivals) < 2:
        alone = RaceResult.FIRST if rivals else RaceResult.TIE
        return _Judged(unseen, rivals or claimants, alone)
    if cards.races.by_coin(rivals):
        return _Judged(unseen, rivals, RaceResult.COIN)
    try:
        said = yield from witness(cards, rivals, at)
    except SeatLostError:
        return (yield from _judged(cards, claimants, at))
    (times, foremost, void), pair = cards.races.judge(rivals, said)
    alone = RaceResult.FIRST if len(foremost) == 1 else RaceResult.TIE
    outcome = RaceResult.DISPUTE if void else alone
    return _Judged({**unseen, **times}, foremost, outcome, pair)


def _drawn(groups: Sequence[tuple[Seat, ...]], lot: int) -> Sequence[Seat]:
    """The seats of one group after the other; the lot decides the order within each.

    >>> [_drawn([(0, 3), (1, 2)], lot) for lot in range(3)]
    [[0, 3, 1, 2], [3, 0, 1, 2], [0, 3, 2, 1]]
    """
    order: list[Seat] = []
    for group in groups:
        left = [*group]
        while left:
            lot, place = divmod(lot, len(left))
            order.append(left.pop(place))
    return order


def _lot(cards: Cards, count: int) -> Program[int]:
    """Which of `count` ways it is, by lot if there are several."""
    if count == 1:
        return 0
    (place,) = yield from sharing.flip(cards, acts.Flip(count, 1))
    return place
