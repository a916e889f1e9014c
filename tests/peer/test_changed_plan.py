"""A host changes the game or its terms while the lobby is open: guests agree again, or wait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import UsageError
from p2p.lobby.guest import GuestLobby
from p2p.lobby.host import CHANGE_SECONDS, HostLobby
from p2p.lobby.plan import NOT_READY, TablePlan, encode_plan, hello
from p2p.lobby.seats import Taken, encode_seats
from p2p.player.events import Gathering
from p2p.protocol.frame_kinds import HELLO, PLAN, payload_of
from p2p.protocol.policy import carry_on
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms
from tests.peer.desk_kit import World
from tests.peer.test_gathering import HERE, KEYS, PLANNED, guest, lobby, proposal, readiness, says
from tests.peer.test_lobby import PEOPLE, TOKEN, invite, listed

SNEAK = Terms.of("sneak", {"target": 25})
CHANGED = TablePlan(SNEAK, 3)


def greets(world: World) -> bytes | None:
    """The plan for which the guest last said that it is ready."""
    sent = [frame for _, frame in world.posted if frame[0] == HELLO.number]
    ready: bytes | None = HELLO.read(payload_of(sent[-1]))["ready"]
    return ready


def sees(table: GuestLobby, plan: TablePlan, seats: list[Taken] = HERE) -> None:
    """The host tells a guest what it plans, and who is there."""
    for frame in (encode_plan(plan), encode_seats(seats)):
        table.receive(frame)


# -- the host ------------------------------------------------------------------------------------


def test_host_changes_the_game_and_nobody_is_ready_for_it() -> None:
    hosted, world = lobby()
    says(hosted, 1)
    hosted.change(*CHANGED)
    assert readiness(hosted) == [("Ana", True), ("guest 1", False)]
    told = [(key, frame) for key, frame in world.posted if frame[0] == PLAN.number]
    assert told[-1] == (KEYS[1], encode_plan(CHANGED))
    shown = world.told[-1]
    assert isinstance(shown, Gathering)
    assert (shown.terms, shown.seats) == CHANGED


def test_word_for_the_old_plan_starts_no_table() -> None:
    """A guest says that it is ready while the new plan is on its way."""
    hosted, _ = lobby()
    says(hosted, 1)
    hosted.change(*CHANGED)
    for number in (1, 2):
        frame = hello(TOKEN, f"guest {number}", listed(number), PLANNED.id)
        hosted.inbox({}).take(KEYS[number], frame)
    assert not hosted.is_started
    for number in (1, 2):
        says(hosted, number)
    assert hosted.is_started
    assert hosted.seating(listed(0)).proposal.terms == SNEAK


@pytest.mark.call("p2p.lobby.host:HostLobby.change -> terms.check")
@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (TablePlan(SNEAK, 2), "3 players sit here already"),
        (TablePlan(Terms.of("flip-over"), 99), "players"),
        (TablePlan(Terms.of("flip-over", {"rounds": 99}), 3), "rounds"),
        (TablePlan(Terms.of("flip-over", policy=carry_on(1)), 3), "have to carry on together"),
    ],
)
def test_plan_that_cannot_be_is_refused_and_the_old_one_stays(plan: TablePlan, why: str) -> None:
    hosted, _ = lobby(seats=4)
    says(hosted, 1)
    says(hosted, 2)
    with pytest.raises(UsageError, match=why):
        hosted.change(*plan)
    assert hosted.plan == TablePlan(Terms.of("flip-over"), 4)
    assert readiness(hosted)[1:] == [("guest 1", True), ("guest 2", True)]


def test_table_that_is_being_signed_is_not_changed() -> None:
    hosted, _ = lobby()
    says(hosted, 1)
    says(hosted, 2)
    assert hosted.is_started
    with pytest.raises(UsageError, match="is being signed"):
        hosted.change(*CHANGED)


def test_two_changes_are_some_seconds_apart() -> None:
    hosted, world = lobby()
    hosted.change(*CHANGED)
    with pytest.raises(UsageError, match="just now"):
        hosted.change(*PLANNED)
    world.time.pass_(CHANGE_SECONDS)
    hosted.change(*PLANNED)
    assert hosted.plan == PLANNED


def test_fewer_seats_fill_a_table_and_more_open_it_again() -> None:
    hosted, world = lobby(seats=4)
    free: list[bool] = []
    hosted.on_free = free.append
    says(hosted, 1)
    says(hosted, 2)
    hosted.change(SNEAK, 3)
    world.time.pass_(CHANGE_SECONDS)
    hosted.change(SNEAK, 4)
    assert free[0] is False
    assert free[-1] is True


# -- a guest -------------------------------------------------------------------------------------


def ready_guest() -> tuple[GuestLobby, World]:
    """A person who has seen the first plan and is ready for it."""
    table, world = guest(ready=False)
    sees(table, PLANNED)
    table.set_ready(True)
    assert greets(world) == PLANNED.id
    return table, world


def test_person_who_was_ready_is_asked_again() -> None:
    table, world = ready_guest()
    sees(table, CHANGED)
    assert greets(world) == NOT_READY
    shown = world.told[-1]
    assert isinstance(shown, Gathering)
    assert (shown.terms, shown.ready) == (SNEAK, False)
    table.set_ready(True)
    assert greets(world) == CHANGED.id


def test_proposal_of_changed_terms_waits_for_the_person() -> None:
    """A host changes the game and proposes it at once, to a guest who was ready for another one.

    Answer: the guest signs nothing before its person is ready for what is shown now.
    """
    table, _ = ready_guest()
    sees(table, CHANGED)
    table.take(KEYS[0], proposal(plan=CHANGED))
    assert not table._agreed.is_given
    table.set_ready(True)
    assert table._agreed.is_given


def test_same_plan_again_changes_nothing() -> None:
    """Over each new link the host tells its plan again."""
    table, world = ready_guest()
    sees(table, PLANNED)
    assert greets(world) == PLANNED.id


def test_bot_is_ready_for_whatever_is_planned() -> None:
    world, bo = World([KEYS[0]]), PEOPLE[1].renamed("Bo").as_bot()
    table = GuestLobby(world.desk, bo, invite(), listed(1), race_cap_us=80_000, ready=False)
    here = [HERE[0], replace(HERE[1], bot=True), HERE[2]]
    sees(table, PLANNED, here)
    table.set_ready(True)
    sees(table, CHANGED, here)
    assert greets(world) == CHANGED.id


@pytest.mark.parametrize("seats", [2, 4])
def test_each_term_makes_another_plan(seats: int) -> None:
    terms = Terms.of("flip-over")
    others = [
        TablePlan(terms, seats),
        TablePlan(replace(terms, clock=30), 3),
        TablePlan(replace(terms, policy=carry_on(2)), 3),
        TablePlan(replace(terms, race=RaceTerms(hold_us=0)), 3),
        TablePlan(replace(terms, options={"rounds": 1}), 3),
    ]
    assert len({PLANNED.id, *(one.id for one in others)}) == 1 + len(others)


def test_host_shows_its_own_change_at_once() -> None:
    hosted, world = lobby()
    assert isinstance(hosted, HostLobby)
    hosted.change(*CHANGED)
    (shown,) = [event for event in world.told if isinstance(event, Gathering)]
    assert shown.terms == SNEAK
