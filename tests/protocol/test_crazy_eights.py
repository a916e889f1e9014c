"""The game of the how-to between peers in memory: only its rules are known."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.session import Session
from replay.audit import audit_bytes
from tests.protocol.kit import game_hub, log_bytes, seeded
from tests.sixth_game import NAME, sixth

__all__ = ["sixth"]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, pytest.param(7, marks=pytest.mark.full)])
def test_a_game_between_peers_is_that_of_the_trusted_dealer(sixth: Game, seats: int) -> None:
    """All finish, with one log that audits as complete; the answers alone give its result."""
    hub = game_hub(sixth, seats, seed=seats)
    hub.run(10**7)
    assert not hub.faults
    first = hub.seats[0]
    assert len({log_bytes(seat) for seat in hub.seats}) == 1
    report = audit_bytes(log_bytes(first), NAME, seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True), report.reason
    again = Session(sixth, seats, {}, check=True)
    for answer in first.session.journal:
        again.answer(answer)
    assert again.returns == first.session.returns == report.returns
    assert again.digest() == first.session.digest()
