"""Races by simple order between peers: claims, passes, lots, and cards that came too late."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.table import OPEN
from p2p.protocol.entry import decode_entry
from tests.protocol.cheats import acquit, bend_payload, convict
from tests.protocol.kit import Hub, game_hub
from tests.protocol.scenes import SCENES


def _race(seed: int, seats: int = 3) -> Hub:
    return game_hub(SCENES["slapped"], seats, seed)


def test_when_all_pass_nobody_is_first() -> None:
    hub = _race(1)
    hub.chooser = lambda view, question: None
    acquit(hub)
    assert hub.seats[0].session.table.seen == [-1, -1]


def test_one_claim_needs_no_lot() -> None:
    hub = _race(1)
    hub.chooser = lambda view, question: question.decisions(view)[-1] if view.seat == 2 else None
    acquit(hub)
    assert hub.seats[0].session.table.seen == [2, 2]
    assert not [kind for kind in _kinds(hub) if kind == "coin"]


def test_a_public_random_value_decides_between_claims() -> None:
    firsts: Counter[int] = Counter()
    for seed in range(30):
        hub = _race(seed)
        hub.chooser = lambda view, question: question.decisions(view)[-1]
        acquit(hub)
        slap, card = hub.seats[0].session.table.seen
        firsts[slap] += 1
        table = hub.seats[0].session.table
        for seat, hand in enumerate(table.hands):
            late = [slot for slot in hand if table.locks[slot] == OPEN]
            assert len(late) == (seat != card)
    assert set(firsts) == {0, 1, 2}


@pytest.mark.check("race.legal")
@pytest.mark.parametrize("claim", [-1, 1])
def test_a_claim_is_one_that_was_offered(claim: int) -> None:
    hub = _race(1)
    bend_payload(hub, "race", lambda _: claim)
    convict(hub, "illegal-move")


def _kinds(hub: Hub) -> list[str]:
    return [decode_entry(record).kind for step in hub.seats[0].log for record in step]
