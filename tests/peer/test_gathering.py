"""The lobby as guests see it: who is ready, what was shown, and when the table begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.games import load
from p2p.errors import LobbyError, PeerError
from p2p.identity.keys import words
from p2p.lobby.guest import GuestLobby
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import NOT_READY, Seating, TablePlan, encode_plan, hello
from p2p.lobby.seats import Taken, decode_seats, encode_seats
from p2p.player.events import Gathering
from p2p.player.waits import AWAY_SECONDS
from p2p.protocol import wire
from p2p.protocol.frame_kinds import PLAN, REFUSED, SEATS
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms
from p2p.seat.reply import Script
from tests.peer.desk_kit import World
from tests.peer.test_lobby import HOME, PEOPLE, TOKEN, host, invite, listed

FLIP = load("flip-over")
PLANNED = TablePlan(Terms.of("flip-over"), 3)
KEYS = [one.public for one in PEOPLE]
HERE = [Taken(KEYS[0], "Ana", True), Taken(KEYS[1], "Bo", True), Taken(KEYS[2], "Cy", True)]


def lobby(*, ready: bool = True, seats: int = 3) -> tuple[HostLobby, World]:
    return host(TablePlan(Terms.of("flip-over"), seats), ready=ready)


def says(hosted: HostLobby, number: int, ready: bool | None = True) -> None:
    """This guest greets, or says whether it is ready, or that it leaves (None)."""
    word = NOT_READY if ready is False else ready and hosted.plan.id
    hosted.inbox({}).take(KEYS[number], hello(TOKEN, f"guest {number}", listed(number), word))


def readiness(hosted: HostLobby) -> list[tuple[str, bool | None]]:
    return [(one.name, one.ready) for one in hosted.seats()]


# -- the host ----------------------------------------------------------------------------------


def test_the_table_starts_when_all_seats_are_taken_and_everybody_is_ready() -> None:
    hosted, _ = lobby(ready=False)
    says(hosted, 1)
    says(hosted, 2, ready=False)
    hosted.set_ready(True)
    assert not hosted.is_started
    says(hosted, 1, ready=False)
    says(hosted, 2)
    assert readiness(hosted) == [("Ana", True), ("guest 1", False), ("guest 2", True)]
    assert not hosted.is_started
    says(hosted, 1)
    assert hosted.is_started
    assert hosted.seating(listed(0)).proposal.names == ("Ana", "guest 1", "guest 2")


def test_the_host_cannot_start_for_the_others() -> None:
    """A host begins before a guest is ready.

    Answer: nobody signs before its own person is ready.
    """
    hosted, _ = lobby()
    says(hosted, 1)
    says(hosted, 2, ready=False)
    for ready in (False, True, True):
        hosted.set_ready(ready)
    assert not hosted.is_started


def test_who_leaves_gives_the_seat_back() -> None:
    hosted, _ = lobby()
    says(hosted, 1)
    says(hosted, 1, ready=None)
    says(hosted, 1, ready=None)
    says(hosted, 3, ready=False)
    says(hosted, 2)
    assert [name for name, _ in readiness(hosted)] == ["Ana", "guest 3", "guest 2"]


def test_after_the_start_nobody_can_take_back_what_may_be_signed_already() -> None:
    hosted, _ = lobby()
    says(hosted, 1)
    says(hosted, 2)
    before = hosted.seating(listed(0)).proposal.data
    says(hosted, 1, ready=False)
    says(hosted, 2, ready=None)
    assert hosted.seating(listed(0)).proposal.data == before
    assert len(hosted.seats()) == 3


def test_everybody_has_seen_the_seats_before_the_proposal() -> None:
    hosted, sent = lobby()
    says(hosted, 1)
    says(hosted, 2)
    last = [next(f for k, f in reversed(sent.posted) if k == key) for key in KEYS[1:3]]
    assert [frame[0] for frame in last] == [SEATS.number] * 2
    assert decode_seats(last[0][1:]) == hosted.seats()


def test_a_program_that_was_started_anew_is_told_the_plan_first() -> None:
    """It has linked and not greeted yet: who sits there means nothing to it without a plan."""
    hosted, world = lobby()
    Script(hosted.gather())
    says(hosted, 1, ready=False)
    hosted.link_changed(KEYS[1], up=False)
    hosted.link_changed(KEYS[1], up=True)
    before = len(world.posted)
    world.time.pass_(1)
    assert [frame for key, frame in world.posted[before:] if key == KEYS[1]] == []
    says(hosted, 1)
    assert [frame[0] for key, frame in world.posted[before:]] == [PLAN.number, SEATS.number]


def test_who_is_away_is_not_ready_and_loses_the_seat() -> None:
    hosted, world = lobby()
    says(hosted, 1)
    hosted.link_changed(KEYS[1], False)
    says(hosted, 2)
    assert readiness(hosted)[1] == ("guest 1", None)
    assert not hosted.is_started
    Script(hosted.gather())
    world.time.pass_(AWAY_SECONDS - 1)
    assert len(hosted.seats()) == 3
    world.time.pass_(2)
    assert [one.name for one in hosted.seats()] == ["Ana", "guest 2"]
    says(hosted, 1)
    assert hosted.is_started


@pytest.mark.slow
def test_however_fast_somebody_presses_the_others_hear_it_twice_a_second() -> None:
    hosted, sent = lobby(seats=4)
    says(hosted, 1)
    says(hosted, 2)
    Script(hosted.gather())
    before = len(sent.posted)
    for press in range(1000):
        says(hosted, 1, ready=bool(press % 2))
        sent.time.pass_(0.01)
    to_other = [frame for key, frame in sent.posted[before:] if key == KEYS[2]]
    assert 15 <= len(to_other) <= 22


def test_a_program_that_was_started_anew_does_not_sign_again() -> None:
    """To the others its seat would have signed two things: whoever closes it has to be told."""
    hosted, sent = lobby()
    says(hosted, 0)
    says(hosted, 1)
    assert hosted.is_started
    assert hosted.inbox({}).take(KEYS[0], hello(TOKEN, "guest 0", listed(0), hosted.plan.id))
    elsewhere = listed(0, HOME, number=2)  # a program signs its list when it starts
    assert not hosted.inbox({}).take(KEYS[0], hello(TOKEN, "guest 0", elsewhere))
    peer, frame = sent.posted[-1]
    assert (peer, frame[0]) == (KEYS[0], REFUSED.number)
    assert b"the program that you closed was signing this table" in frame


# -- a guest -----------------------------------------------------------------------------------


def guest(*, ready: bool = True, cap_us: int = 80_000) -> tuple[GuestLobby, World]:
    """Bo's lobby, in a world where the host is linked."""
    world, bo = World([KEYS[0]]), PEOPLE[1].renamed("Bo")
    table = GuestLobby(world.desk, bo, invite(), listed(1), race_cap_us=cap_us, ready=ready)
    return table, world


def test_a_host_that_is_gone_before_it_said_who_sits_there_is_no_news() -> None:
    """A host sends its plan but not the seats, and closes the link.

    Answer: the guest has nothing to show yet, and keeps dialling.
    """
    table, world = guest()
    assert table.receive(shown()[0]) is None
    table.link_changed(KEYS[0], up=False)
    assert world.told == []


def proposal(seats: Sequence[Taken] = HERE, plan: TablePlan = PLANNED, name: str = "Ana") -> bytes:
    """What a host proposes to these people."""
    ana = PEOPLE[0].renamed(name)
    hosted = HostLobby(World().desk, ana, TOKEN, plan)
    for one in seats[1:]:
        said = hello(TOKEN, one.name, listed(KEYS.index(one.identity)), plan.id)
        hosted.inbox({}).take(one.identity, said)
    return hosted.invitation(hosted.seating(listed(0)))


def shown(seats: Sequence[Taken] = HERE, plan: TablePlan = PLANNED) -> tuple[bytes, bytes]:
    return encode_plan(plan), encode_seats(seats)


def test_a_guest_sees_who_is_there_with_the_words_of_their_keys() -> None:
    table, world = guest()
    for frame in shown(HERE[:2]):
        assert table.receive(frame) is None
    lobby_now, _ = world.told
    assert isinstance(lobby_now, Gathering)
    assert (lobby_now.seat, lobby_now.missing, lobby_now.terms.policy) == (1, 1, "wait")
    assert [one.fingerprint for one in lobby_now.people] == [words(KEYS[0]), words(KEYS[1])]
    table.link_changed(KEYS[0], up=False)
    assert isinstance(world.told[-1], Gathering)
    assert [one.ready for one in world.told[-1].people] == [None, True]


def test_nobody_else_says_whether_a_guest_is_ready() -> None:
    """A table starts while a guest is no longer ready: the host still treats the guest as ready.

    Answer: a guest sees its own state at once, and so it sees what the key will do next.
    """
    table, world = guest()
    for frame in shown():
        table.receive(frame)
    for ready in (False, True, False):
        table.set_ready(ready)
        assert world.told[-1].ready is ready  # type: ignore[attr-defined]
        for frame in (*shown(), proposal()):
            table.receive(frame)
        assert world.told[-1].ready is ready  # type: ignore[attr-defined]


def test_a_host_sees_at_once_what_it_has_said_itself() -> None:
    hosted, world = lobby(ready=False)
    for ready in (True, False):
        hosted.set_ready(ready)
    assert [event.ready for event in world.told if isinstance(event, Gathering)] == [True, False]
    assert not world.posted


def test_what_was_shown_is_agreed_to() -> None:
    table, _ = guest()
    for frame in shown():
        table.receive(frame)
    seating = table.receive(proposal())
    assert isinstance(seating, Seating)
    assert seating.seat == 1


@pytest.mark.check("lobby.shown")
@pytest.mark.parametrize(
    "proposed",
    [
        proposal([HERE[0], HERE[1], Taken(KEYS[3], "Cy", True)]),
        proposal([HERE[0], HERE[2], HERE[1]]),
        proposal(name="Eve"),
        proposal(plan=TablePlan(Terms.of("flip-over", {"rounds": 4}), 3)),
        proposal(plan=TablePlan(Terms.of("flip-over", race=RaceTerms(79_000)), 3)),
        proposal([*HERE, Taken(KEYS[3], "Di", True)], TablePlan(Terms.of("flip-over"), 4)),
    ],
    ids=["person", "order", "name", "options", "races", "seats"],
)
def test_a_host_proposes_what_it_has_shown_or_nothing(proposed: bytes) -> None:
    """A host shows its guests one table and proposes another one when they are ready.

    Answer: what it proposes has to be what it has shown, byte for byte, or the guest leaves.
    """
    table, _ = guest()
    for frame in shown():
        table.receive(frame)
    with pytest.raises(PeerError, match="not the table that was shown"):
        table.receive(proposed)


@pytest.mark.check("lobby.shown")
@pytest.mark.parametrize("frames", [0, 1])
def test_a_host_that_shows_nothing_proposes_nothing(frames: int) -> None:
    table, _ = guest()
    for frame in shown()[:frames]:
        table.receive(frame)
    with pytest.raises(PeerError, match="not the table that was shown"):
        table.receive(proposal())


@pytest.mark.check("lobby.seats")
@pytest.mark.parametrize(
    "seats",
    [
        [HERE[1], HERE[0]],
        [HERE[0], HERE[2]],
        [HERE[0], HERE[1], HERE[1]],
        [*HERE, Taken(KEYS[3], "Di", True)],
        [],
        [HERE[0], HERE[1], replace(HERE[2], name=HERE[1].name.upper())],
    ],
    ids=["no host", "not us", "twice", "too many", "nobody", "of one name"],
)
def test_seats_that_cannot_be_are_garbage(seats: list[Taken]) -> None:
    table, world = guest()
    plan, frame = shown(seats)
    table.receive(plan)
    with pytest.raises(PeerError, match="no seats of the table"):
        table.receive(frame)
    assert world.told == []


@pytest.mark.check("lobby.seats")
def test_seats_of_nothing_are_garbage() -> None:
    table, _ = guest()
    with pytest.raises(PeerError, match="no seats of the table"):
        table.receive(shown()[1])


@pytest.mark.check("lobby.seat")
@pytest.mark.parametrize(
    "seat", [[KEYS[1], "Bo", True, b"", []], [KEYS[1], "Bo", False, True, b"", [], 1], {}, 7]
)
def test_a_seat_is_six_things(seat: object) -> None:
    with pytest.raises(PeerError, match="a seat is a key, a name, two words"):
        decode_seats(wire.pack([seat]))


@pytest.mark.check("lobby.name")
@pytest.mark.parametrize("name", ["", "x" * 25, "a\x1b[2J"])
def test_a_name_in_the_lobby_can_be_shown(name: str) -> None:
    with pytest.raises(PeerError, match="this is no name"):
        decode_seats(encode_seats([Taken(KEYS[1], name, True)])[1:])


def test_rules_of_another_version_and_too_large_a_cap_are_told_before_anybody_waits() -> None:
    table, _ = guest(cap_us=50_000)
    with pytest.raises(LobbyError, match="version 99 of the rules"):
        table.receive(encode_plan(TablePlan(replace(PLANNED.terms, rules=99), 3)))
    with pytest.raises(LobbyError, match="more than the 50 ms"):
        table.receive(shown()[0])
