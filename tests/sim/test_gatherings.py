"""Random evenings before the game: whoever is seated is seated at the same table."""

from __future__ import annotations

import re

import pytest

from p2p.errors import PeerError
from p2p.protocol.terms import Terms
from tests.shares import first_of
from tests.sim.gatherings import Gathered, Parting

SEEDS, EACH = 40, 25
MAY_SAY = re.compile("the table is full|replaced again and again|you closed was signing this")
"""Why somebody may be refused: many links to the host within seconds look like two programs, and
who left what was proposed does not sit down anew."""


def hold(seed: int) -> None:
    """What has to be true of every gathering; the seed is told if it is not."""
    met = Gathered(seed)
    met.run()
    assert met.host.seating is not None, f"seed {seed}: the table never began"
    proposal = met.host.seating.proposal
    there = [met.guests[key] for key in proposal.identities[1:]]
    left = met.host.lobby.left
    waiting = [one.identity.name for one in there if one.seating is None and one.key not in left]
    assert not waiting, f"seed {seed}: {waiting} were never seated"
    for guest in met.all:
        if guest.key in left:
            assert guest.seating is None, f"seed {seed}: {guest.identity.name} has agreed, and left"
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


def settle(seed: int) -> None:
    """What has to be true of every agreement; the seed is told if it is not."""
    met = Parting(seed)
    met.run()
    host, *others = met.people
    for one in met.people:
        still = met.links.people.get(one.key) is one
        done = one.script.outcome.is_given or not still
        assert done, f"seed {seed}: {one.identity.name} still waits"
        assert not one.dropped_for, f"seed {seed}: a link was dropped: {one.dropped_for}"
        assert not isinstance(one.ended, PeerError), f"seed {seed}: {one.ended}"
    if host.seating is None:
        assert not any(one.seating for one in others), f"seed {seed}: a table without its host"
        return
    proposal = host.seating.proposal
    for one in others:
        if one.seating is not None:
            assert one.seating.proposal.data == proposal.data, f"seed {seed}: another table"
            plan = Terms.of(
                proposal.game.name, dict(proposal.terms.options), race=proposal.terms.race
            )
            assert one.follows or plan.data in one.agreed, f"seed {seed}: nobody agreed to it"
    seated = {one.key for one in met.people if one.seating is not None}
    lost = {key for key in proposal.identities if key not in seated}
    gone = {one.key for one in met.people if met.links.people.get(one.key) is not one}
    assert lost <= gone, f"seed {seed}: somebody was not told of the table"


@pytest.mark.parametrize("first", first_of(range(0, SEEDS * EACH, EACH)))
def test_people_who_stay_agree_on_one_game(first: int) -> None:
    for seed in range(first, first + EACH):
        settle(seed)
