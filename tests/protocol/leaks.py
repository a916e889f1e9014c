"""Two games that differ only in cards that one seat may not know.

The second game is the first one with two physical cards exchanged: the same keys, shuffles, proofs
and decisions, to the byte, but another face on two slots.  Any difference in what is sent, by whom,
in which order and how long, tells something about those cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from engine.cards import Deck
from engine.game import Game, Value
from p2p.crypto.coin import coin_point
from p2p.crypto.group import Point
from p2p.protocol.acts import sharing
from p2p.protocol.effects import Done, Effect
from p2p.protocol.entry import decode_entry
from p2p.protocol.step import LEAVE
from tests.protocol.kit import Hub, Seat, game_hub

Sent = tuple[int, str, int]
"""Who sent which kind of entry, and how many bytes."""
Options = Mapping[str, Value]


class EnoughError(Exception):
    """This many steps were to be seen."""


class OtherwiseIllegalError(Exception):
    """With the other cards, a seat could not have decided what it did."""


@dataclass
class Played:
    """What was played, and the outcome."""

    hub: Hub
    steps: int
    sent: list[Sent] = field(default_factory=list)
    decided: dict[tuple[int, int], object] = field(default_factory=dict)
    """Seat and step: the decision."""
    known: dict[int, set[int]] = field(default_factory=dict)
    """The physical cards that a seat has seen since the deck was shuffled."""

    @property
    def entries(self) -> list[list[Sent]]:
        """Step by step: the order in which the steps' entries stand in the log."""
        return [[_look(record) for record in records] for records in self.hub.seats[0].log]


def _look(record: bytes) -> Sent:
    entry = decode_entry(record)
    return entry.seat, entry.kind, len(record)


def first_game(
    game: Game, seats: int, steps: int, seed: int, options: Options, *, leave: float = 0
) -> Played:
    """The first steps of a game between random players, fewer if it was over before.

    With the probability `leave` a decision is to leave for good; seat 0 stays.
    """
    played = _begun(game, seats, steps, seed, options)
    rng = Random(seed)

    def choose(view: Any, question: Any) -> object:
        decisions = question.decisions(view)
        decision = decisions[rng.randrange(len(decisions))]
        if leave and view.seat and rng.random() < leave:
            decision = LEAVE
        played.decided[view.seat, _step(played.hub, view.seat)] = decision
        return decision

    played.hub.chooser = choose
    _run(played)
    played.steps = len(played.hub.seats[0].log)
    return played


def second_game(one: Played, game: Game, seats: int, seed: int, options: Options) -> Played:
    """The same decisions again; OtherwiseIllegalError if the cards do not allow one."""
    played = _begun(game, seats, one.steps, seed, options)

    def choose(view: Any, question: Any) -> object:
        place = view.seat, _step(played.hub, view.seat)
        if place not in one.decided:
            raise EnoughError  # the games have diverged: a comparison shows where
        decision = one.decided[place]
        if decision is not LEAVE and not question.allows(view, decision):
            raise OtherwiseIllegalError
        return decision

    played.hub.chooser = choose
    _run(played)
    return played


def shown(two: Played, observer: int, pair: tuple[int, int]) -> bool:
    """Whether the rules made one of these cards known after all, as it is another one now."""
    seats = two.hub.seats
    _learn(two, seats[observer])
    public = {number for seat in seats for number in _public(seat)}
    return bool({*pair} & {*public, *two.known[observer]})


def _begun(game: Game, seats: int, steps: int, seed: int, options: Options) -> Played:
    hub = game_hub(game, seats, seed, verifying=1, **options)
    played = Played(hub, steps, known={seat: set() for seat in range(seats)})
    act = hub._do

    def watch(seat: Seat, effect: Effect) -> None:
        act(seat, effect)
        if isinstance(effect, Done):
            _learn(played, seat)
            if len(hub.seats[0].log) >= steps:
                raise EnoughError

    def bend(seat: int, record: bytes) -> list[bytes]:
        played.sent.append(_look(record))
        return [record]

    hub._do = watch  # type: ignore[method-assign]
    hub.bend = bend
    return played


def _run(played: Played) -> None:
    with suppress(EnoughError), patch.object(sharing, "coin_point", _headless):
        played.hub.run(10**7)


def _headless(table: bytes, step: int, _: bytes) -> Point:
    """Both games have the same coins; the digests of their fresh decks differ, and so do heads."""
    return coin_point(table, step, b"")


def _step(hub: Hub, seat: int) -> int:
    return hub.seats[seat].machine.chain.step


def _learn(played: Played, seat: Seat) -> None:
    played.known[seat.seat] |= {*_public(seat), *seat.cards.slots.own.values()}


def _public(seat: Seat) -> set[int]:
    """The cards that lie open; none of a deck before its first shuffle, which tells nothing."""
    numbers = seat.cards.slots.numbers
    return set() if None not in numbers else {number for number in numbers if number is not None}


def exchanges(played: Played, observer: int, rng: Random) -> list[tuple[int, int]]:
    """Pairs of cards that the observer has not seen, of different faces, in random order.

    One of each is in somebody's hand, as long as there is one.
    """
    deck = played.hub.seats[0].cards.slots.need_deck()
    unseen = set(range(len(deck))) - played.known[observer]
    holder = {
        number: seat.seat
        for seat in played.hub.seats
        for number in seat.cards.slots.own.values()
        if number in unseen
    }
    pairs = [
        (held, other)
        for held in sorted(holder or unseen)
        for other in sorted(unseen)
        if deck.cards[held] is not deck.cards[other]
        and (not holder or holder.get(other) != holder[held])
    ]
    rng.shuffle(pairs)
    return pairs


@contextmanager
def exchanged(deck: Deck, one: int, other: int) -> Iterator[None]:
    """Two physical cards have swapped faces."""
    cards, numbers = deck.cards, deck.numbers
    changed = list(cards)
    changed[one], changed[other] = cards[other], cards[one]
    places: Any = {
        face: tuple(n for n, card in enumerate(changed) if card is face) for face in deck.faces
    }
    attributes: Any = deck
    attributes.cards, attributes.numbers = tuple(changed), places
    try:
        yield
    finally:
        attributes.cards, attributes.numbers = cards, numbers
