"""Fewer seats than make a key read no card that they may not, before and after somebody is lost."""

from __future__ import annotations

from itertools import combinations
from unittest.mock import patch

import pytest

from engine.bots import sensible
from engine.game import Game
from p2p.crypto.group import Scalar
from p2p.crypto.hedged import Draws
from p2p.protocol.acts.loss import Loss
from p2p.protocol.step_kinds import STRIP
from tests.mutation.run import _removed
from tests.protocol.kit import Hub, bare_hub
from tests.protocol.losing import LOSING
from tests.protocol.losing import lose as lose_at
from tests.protocol.readers import Readers, watch
from tests.protocol.test_losses import GAMES, sit_down
from tests.sixth_game import sixth

__all__ = ["sixth"]
LOST = 1
ENTRIES = {"flip-over": 7, "flop-a": 6}
"""How many entries the lost seat signs before it is gone, if not as many as in most games."""
STEPS = 12
every_game = pytest.mark.parametrize("name", GAMES)


def lose(hub: Hub, seat: int = LOST, entries: int = 24) -> Hub:
    """The seat vanishes instead of signing one entry more than so many."""
    signed, bend = [0], hub.bend

    def vanish(source: int, record: bytes) -> list[bytes]:
        signed[0] += source == seat
        if source == seat and signed[0] > entries:
            hub.kill(seat)
            return []
        return bend(source, record)

    hub.bend = vanish
    return hub


def groups(hub: Hub, size: int) -> list[frozenset[int]]:
    return [frozenset(some) for some in combinations(range(len(hub.seats)), size)]


def read_nothing(hub: Hub, least: int) -> Readers:
    """Play; no t - 1 seats, the lost one among them or not, read a card that they may not."""
    few, many = groups(hub, least - 1), groups(hub, least)
    kinds: list[str] = []

    def check(kind: str, readers: Readers) -> None:
        kinds.append(kind)
        for who in few:
            assert readers.reads(who) == set(), (kind, who)
        if len(readers.locked) > len(hub.seats):
            # Control: as many as make a key read every card that is locked to all.
            assert all(readers.reads(who) for who in many if readers.lack(who)), kind

    readers = watch(hub, check, STEPS)
    assert not hub.faults
    assert STRIP in kinds
    assert readers.tried > 5
    return readers


@pytest.mark.slow
@every_game
def test_fewer_than_make_a_key_read_nothing(name: str) -> None:
    """Their secrets, their shares of all keys, and all that was ever sent."""
    read_nothing(lose(sit_down(name, 1), LOST, ENTRIES.get(name, 24)), GAMES[name][2])


@pytest.mark.slow
def test_fewer_than_make_a_key_read_nothing_in_the_game_of_the_how_to(sixth: Game) -> None:
    hub, bot = bare_hub(sixth, 4, 1, least=3), sensible(sixth.name)
    hub.chooser = lambda view, question: bot(view, question, hub.rng)
    read_nothing(lose(hub, LOST, 8), 3)


def half_turned_up() -> Hub:
    """Seat 3 is gone when a card is to be turned up: the others have sent their shares of it."""
    hub = sit_down("flop-a", 1)
    hub.chooser = lambda view, question: 1  # nobody folds
    return lose_at(hub, *LOSING["mend"].gone)


def found(hub: Hub, who: frozenset[int]) -> list[str]:
    """The kinds of steps after which these seats read a card that they may not."""
    kinds: list[str] = []
    watch(hub, lambda kind, readers: kinds.append(kind) if readers.reads(who) else None, 2)
    return kinds


def test_what_was_sent_in_a_void_step_opens_nothing() -> None:
    read_nothing(half_turned_up(), GAMES["flop-a"][2])


def test_a_strip_without_a_mend_would_be_found() -> None:
    with patch.object(Loss, "_mend_zones", lambda _: iter(())):
        assert STRIP in found(half_turned_up(), frozenset())


def test_a_relock_without_new_randomness_would_be_found() -> None:
    """The shares of the lost hand are public since the deal, and the strip adds the last one."""
    draw = Draws.scalar

    def nothing_new(self: Draws, label: str) -> Scalar:
        return 0 if label == "factor" else draw(self, label)

    hub = lose(sit_down("sneak", 1))
    with patch.object(Draws, "scalar", nothing_new), _removed("slots.repeated"):
        assert STRIP in found(hub, frozenset())


def test_a_lost_seat_reads_its_old_hand_and_nothing_more() -> None:
    hub = lose(sit_down("sneak", 1))
    alone, seen = frozenset({LOST}), set[int]()

    def check(kind: str, readers: Readers) -> None:
        assert readers.reads(alone) == set(), kind
        seen.update(readers.before)
        assert all(layers == alone for _, layers in readers.before.values())

    watch(hub, check, STEPS)
    assert seen, "no card of the lost hand was locked anew"
