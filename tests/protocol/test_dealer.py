"""Every verb of the rules, between peers in memory."""

from __future__ import annotations

import pytest

from tests.protocol.kit import bare_hub
from tests.protocol.verbs import VERBS


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_every_verb_is_played_to_the_end(seats: int, seed: int) -> None:
    hub = bare_hub(VERBS, seats, seed)
    hub.run()
    assert not hub.faults
    first = hub.seats[0]
    assert first.result.returns == tuple([sum(first.session.table.seen)] * seats)
    for seat in hub.seats:
        assert seat.log == first.log, f"seed {seed}: logs differ"
        assert seat.machine.chain.head == first.machine.chain.head
        assert seat.session.digest() == first.session.digest()
