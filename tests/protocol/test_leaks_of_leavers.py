"""Nobody learns a hidden card because a seat leaves for good, before its farewell or after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final
from unittest.mock import patch

import pytest

from engine.games import load
from engine.table_state import JOINT
from engine.zone import Seat, Slot
from p2p.crypto.group import Point, mul, sub
from p2p.identity.keys import Identity
from p2p.protocol import machine
from p2p.protocol.acts import farewell
from p2p.protocol.acts.moving import Moves
from p2p.protocol.cards import Cards
from p2p.protocol.entry import Chain, Entry, decode_entry
from p2p.protocol.step import LEAVE, Step
from p2p.protocol.step_kinds import LEAVE as LEAVE_KIND
from p2p.protocol.step_kinds import StepKind
from tests.protocol.coalition import leaks
from tests.protocol.kit import Hub, game_hub
from tests.protocol.leaks import (
    OtherwiseIllegalError,
    Played,
    exchanged,
    exchanges,
    first_game,
    second_game,
    shown,
)
from tests.protocol.test_leaving import GAMES, leaving
from tests.shares import every_second

STEPS: Final = 40
OFTEN: Final = 0.08
"""How likely it is there that a decision is to leave."""
FULL: Final = ("flip-over", "you-fink", "flaps 5", "flaps 7")
"""Only in `make test-all`."""
SOME: Final = [pytest.param(n, marks=pytest.mark.full if n in FULL else ()) for n in GAMES]


def table(name: str, seed: int = 1) -> Hub:
    """A table whose players may leave, before its first step; only seat 0 checks proofs."""
    game, seats, options, chance = GAMES[name]
    hub = game_hub(load(game), seats, seed, verifying=1, **options)
    leaving(hub, game, chance)
    return hub


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_all_seats_but_one_together_read_no_card_that_it_locks(name: str) -> None:
    """All others and whoever has left put their secrets and the log together.

    Answer: as long as a seat has not left, its layer is on every card that it may hide, and is not
    published.
    """
    hub = table(name)
    found, tried = leaks(hub)
    assert not hub.faults
    assert hub.seats[0].session.table.lost, "nobody has left: another seed is needed"
    assert tried > 100
    assert not found


def test_shares_in_the_entry_of_a_leaver_would_be_found() -> None:
    """They would open the next card that it is dealt: it is still one of those who hide them."""
    sign, read = machine.sign_entry, Step.read

    def telling(
        who: Identity, chain: Chain, seat: Seat, kind: str, payload: object, state: bytes
    ) -> Entry:
        cards = hub.seats[seat].cards
        hidden = [slot for slot, lock in enumerate(cards.table.locks) if lock == JOINT]
        points = [mul(cards.slots.ciphers[slot][0], cards.keys.own.scalar) for slot in hidden]
        said = b"".join(points) if kind == LEAVE_KIND else payload
        return sign(who, chain, seat, kind, said, state)

    def lenient(step: Step, seat: Seat, kind: str, payload: Any) -> Any:
        return LEAVE if kind == LEAVE_KIND else read(step, seat, kind, payload)

    hub = table("flop-a")
    with patch.object(machine, "sign_entry", telling), patch.object(Step, "read", lenient):
        found, _ = leaks(hub, 1)
    leaver = hub.seats[0].machine.records[-1]
    assert {seat for seat, _ in found} == {
        entry.seat for entry in map(decode_entry, leaver) if entry.kind == LEAVE_KIND
    }


@pytest.mark.slow
def test_a_hand_that_is_put_back_under_the_keys_of_some_would_be_found() -> None:
    """All who stay have to lock it: here one of them does not, and cannot keep the others out."""

    def under_some(
        cards: Cards, kind: StepKind, seat: Seat, slots: Sequence[Slot], keys: Mapping[Slot, Point]
    ) -> Moves:
        spared = cards.keys.public[_spared(seat)]
        return Moves(cards, kind, seat, slots, {slot: sub(keys[slot], spared) for slot in slots})

    hub = table("flaps 1")
    with patch.object(farewell, "Moves", under_some):
        found, _ = leaks(hub, 1)
    (entry,) = map(decode_entry, hub.seats[0].machine.records[-1])
    assert entry.kind == "farewell"
    assert {seat for seat, _ in found} == {_spared(entry.seat)}


def _spared(leaver: Seat) -> Seat:
    """The seat whose key is left out."""
    return 1 if leaver != 1 else 2


@pytest.mark.slow
@pytest.mark.parametrize("name", every_second(GAMES))
def test_other_hidden_cards_look_the_same_where_seats_leave(name: str) -> None:
    """One exchange of two cards for each seat, those that leave among them."""
    title, seats, options, _ = GAMES[name]
    game = load(title)
    one = first_game(game, seats, STEPS, 1, options, leave=OFTEN)
    assert one.hub.seats[0].session.table.lost, "nobody has left: another seed is needed"
    for observer in range(seats):
        pairs = exchanges(one, observer, Random(1))
        same = any(_look_the_same(one, name, observer, pair) for pair in pairs)
        assert same, f"seat {observer} knows too many cards"


def _look_the_same(one: Played, name: str, observer: int, pair: tuple[int, int]) -> bool:
    """Whether these two cards could be exchanged; what is sent is then the same."""
    title, seats, options, _ = GAMES[name]
    with exchanged(one.hub.seats[0].cards.slots.need_deck(), *pair):
        try:
            two = second_game(one, load(title), seats, 1, options)
        except OtherwiseIllegalError:
            return False
    if shown(two, observer, pair):
        return False
    assert two.sent == one.sent, pair
    assert two.entries == one.entries, pair
    return True
