"""Random evenings before the game: whoever is seated is seated at the same table."""

from __future__ import annotations

import re

import pytest

from tests.shares import first_of
from tests.sim.gatherings import Gathered

SEEDS, EACH = 40, 25
MAY_SAY = re.compile("the table is full|replaced again and again")
"""Why somebody may be refused: many links to the host within seconds look like two programs."""


def hold(seed: int) -> None:
    """What has to be true of every gathering; the seed is told if it is not."""
    met = Gathered(seed)
    met.run()
    assert met.host.seating is not None, f"seed {seed}: the table never began"
    proposal = met.host.seating.proposal
    there = [met.guests[key] for key in proposal.identities[1:]]
    waiting = [guest.identity.name for guest in there if guest.seating is None]
    assert not waiting, f"seed {seed}: {waiting} were never seated"
    for guest in met.all:
        if guest.seating is not None:
            assert guest.seating.proposal.data == proposal.data, f"seed {seed}: another table"
            assert guest.was_ready, f"seed {seed}: {guest.identity.name} had not agreed to it"
    dropped = [reason for one in (met.host, *met.all) for reason in one.dropped_for]
    assert not dropped, f"seed {seed}: a link was dropped: {dropped}"
    refused = {str(guest.refused) for guest in met.all if guest.refused is not None}
    assert all(map(MAY_SAY.search, refused)), f"seed {seed}: {refused}"


@pytest.mark.parametrize("first", first_of(range(0, SEEDS * EACH, EACH)))
def test_people_who_come_and_go_end_at_one_table(first: int) -> None:
    for seed in range(first, first + EACH):
        hold(seed)
