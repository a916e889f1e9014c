"""Seats that leave for good: who lets whom go, and when."""

from __future__ import annotations

from engine.games import load
from engine.session import Session
from p2p.protocol.frame_kinds import FINISHED
from p2p.protocol.proposal import ProposedSeat, propose
from p2p.protocol.terms import Terms
from p2p.seat.parting import Parting
from tests.peer.desk_kit import World
from tests.protocol.kit import TOKEN, identities

PEOPLE = identities(4)
KEYS = [one.public for one in PEOPLE]
SEATS = [ProposedSeat(one.public, one.name) for one in PEOPLE]
PROPOSAL = propose(TOKEN, Terms.of("sneak"), SEATS)
ANN, BO, CY, DI = range(4)
DONE = FINISHED.make(PROPOSAL.id)


class Alone:
    """Nobody else follows the table."""

    def __init__(self) -> None:
        self.gone: list[bytes] = []

    def left(self, key: bytes) -> None:
        self.gone.append(key)

    def step(self, records: object) -> None:
        """Nobody is told."""

    def end(self, frames: object) -> None:
        """Nobody is told."""


def left(*seats: int, gone: tuple[int, ...] = ()) -> Session:
    """A game that these seats have left, or are gone from."""
    session = Session(load("sneak"), 4, {})
    for seat in seats:
        session.lose(seat, gone=seat in gone)
    return session


def seated(seat: int) -> tuple[World, Parting, Alone]:
    world, company = World([key for key in KEYS if key != KEYS[seat]]), Alone()
    return world, Parting(world.desk, PROPOSAL, seat, company, set), company


def test_a_leaver_is_told_once_its_farewell_is_on_the_disk() -> None:
    world, parting, company = seated(ANN)
    world.disk_is_busy = True
    assert parting.look_at(left(BO)) == (KEYS[BO],)
    assert (company.gone, world.posted) == ([KEYS[BO]], [])
    world.saved()
    assert world.posted == [(KEYS[BO], DONE)]
    assert parting.look_at(left(BO)) == ()
    parting.link_changed(KEYS[BO], up=True)
    assert world.posted == [(KEYS[BO], DONE)] * 2


def test_the_word_of_who_left_before_lets_nobody_go() -> None:
    """It says that it needs nothing more, and has not seen this farewell: nobody might have it."""
    _, parting, _ = seated(CY)
    parting.look_at(left(BO))
    parting.finished(KEYS[BO], PROPOSAL.id)
    parting.look_at(left(BO, CY))
    released = parting.released()
    assert not released.is_given
    parting.finished(KEYS[DI], bytes(32))
    assert not released.is_given, "of the table before this one"
    parting.finished(KEYS[DI], PROPOSAL.id)
    assert released.is_given


def test_one_that_is_gone_may_come_back_and_ask() -> None:
    """It did not say that it leaves: it is told nothing by itself, and not turned away."""
    world, parting, company = seated(ANN)
    assert parting.look_at(left(BO, gone=(BO,))) == (KEYS[BO],)
    world.saved()
    assert (company.gone, world.posted) == ([KEYS[BO]], [])
    parting.link_changed(KEYS[BO], up=False)
    assert parting.has_left(KEYS[BO])
    assert not parting.is_apart(KEYS[BO])
