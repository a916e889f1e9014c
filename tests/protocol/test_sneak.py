"""Sneak between peers in memory: whole games, and what an onlooker can tell of a challenge."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Value
from engine.games.sneak.rules import GAME
from engine.session import Session
from engine.sets import LayTogether
from replay.audit import audit_bytes
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded


def hurry(hub: Hub) -> None:
    """Seats lead all they can while they can: games of few steps."""
    rng = hub.rng

    def choose(view: Any, question: Any) -> object:
        decisions = question.decisions(view)
        if isinstance(question, LayTogether) and rng.random() < 0.5:
            return None
        return decisions[rng.randrange(len(decisions))]

    hub.chooser = choose


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (4, {"target": 25}),
        (7, {"target": 25}),
        pytest.param(7, {}, marks=pytest.mark.full),
    ],
)
def test_a_game_between_peers_is_that_of_the_trusted_dealer(
    seats: int, options: dict[str, Value]
) -> None:
    """All finish, with one log that audits as complete; the answers alone give its result."""
    hub = game_hub(GAME, seats, seed=seats, **options)
    hurry(hub)
    hub.run(10**7)
    assert not hub.faults
    first = hub.seats[0]
    for seat in hub.seats:
        assert seat.log == first.log
        assert seat.session.over
    report = audit_bytes(log_bytes(first), "sneak", seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True)
    again = Session(GAME, seats, options, check=True)
    for answer in first.session.journal:
        again.answer(answer)
    assert again.returns == first.session.returns == first.result.returns
    assert again.digest() == first.session.digest()
