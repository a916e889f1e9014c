"""A host that talks and talks, and never says what is to be played."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
import trio.testing

from p2p.driver.connection import Connected
from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.lobby.host import FRAMES_SECONDS, HOST_FRAMES_MAX
from p2p.lobby.plan import Seating, TablePlan, encode_plan, encode_proposal
from p2p.lobby.seats import Taken, encode_seats
from p2p.lobby.waiting import awaited
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.memory_network import MemoryNetwork
from p2p.net.mesh import Mesh, Owner
from p2p.player.events import Event, HeldUp
from p2p.player.waits import SAYS_SECONDS, Awaited, Why
from p2p.protocol.frame_kinds import PLAN, RECORD
from p2p.protocol.proposal import propose
from p2p.protocol.terms import Terms
from tests.net.helpers import identities, seeded
from tests.peer.kit import Sitting, Watcher

HOST = Address("host", 7000)
TOKEN = bytes(16)
PLANS = encode_plan(TablePlan(Terms.of("flip-over"), 3))
assert PLANS[0] == PLAN.number


@asynccontextmanager
async def guest_of(
    talk: Callable[[Mesh, bytes], None],
) -> AsyncIterator[tuple[Connected, Invite]]:
    """A guest of a host who answers the greeting with `talk`, over a network in memory."""
    network = MemoryNetwork()
    host, guest = identities(2)

    async def answer(key: bytes, _: bytes) -> None:
        talk(mesh, key)

    mesh = Mesh(
        host,
        transport=network.transport("host"),
        owner=Owner(deliver=answer, open_to_strangers=lambda key: True, knows=lambda key: True),
        entropy=seeded(0),
    )
    peer = Connected(guest, None, transport=network.transport("guest"), entropy=seeded(1))
    peer.mesh.add(host.public, [HOST])

    async with trio.open_nursery() as nursery:
        await nursery.start(partial(mesh.run, [network.listen(HOST)]))
        await nursery.start(partial(peer.mesh.run, []))
        yield peer, Invite((HOST,), host.public, TOKEN)
        nursery.cancel_scope.cancel()


def sitting(peer: Connected, invite: Invite, *, ready: bool = True) -> tuple[Sitting, list[Event]]:
    """A guest, and what it is told."""
    player = Watcher(0)
    return Sitting(peer, invite, "Bo", player, ready=ready), player.events


def shown_and_proposed(ready: bool | None = True, **options: int) -> list[bytes]:
    """What the host of `guest_of` says about a table for two, and what it proposes then."""
    host, guest = (one.public for one in identities(2))
    plan = TablePlan(Terms.of("flaps", options), 2)
    seats = [Taken(host, "Ana", ready), Taken(guest, "Bo", True)]
    names = [(one.identity, one.name, False) for one in seats]
    proposal = propose(TOKEN, plan.terms, names)
    return [
        encode_plan(plan),
        encode_seats(seats),
        encode_proposal(Seating(proposal, 0, {})),
    ]


@pytest.mark.check("lobby.flood")
@pytest.mark.parametrize("frame", [PLANS, RECORD.make(b"?")], ids=["plans", "anything"])
async def test_a_flooding_host_loses_its_guest(frame: bytes, autojump_clock: object) -> None:
    """A host talks without end and never says what is to be played.

    Answer: its guest leaves and says so in one sentence, and nothing that it keeps grows for ever.
    """

    def flood(mesh: Mesh, key: bytes) -> None:
        for _ in range(HOST_FRAMES_MAX + 50):
            mesh.send(key, frame)

    async with guest_of(flood) as (peer, invite):
        with trio.fail_after(30), pytest.raises(LobbyError, match="did not say what is to be"):
            await sitting(peer, invite)[0].seated()
        await trio.testing.wait_all_tasks_blocked()
        assert not peer.mesh.links()[invite.identity].connected


async def test_two_programs_with_one_identity_are_told_so(autojump_clock: object) -> None:
    """The host keeps the newest link of an identity, so the two throw each other out."""
    async with guest_of(lambda mesh, key: None) as (peer, invite), trio.open_nursery() as nursery:

        async def replace() -> None:
            while True:
                await trio.sleep(0.5)
                peer.mesh._board.stop(invite.identity, "replaced by a newer link")

        nursery.start_soon(replace)
        with trio.fail_after(30), pytest.raises(LobbyError, match="with your identity"):
            await sitting(peer, invite)[0].seated()
        nursery.cancel_scope.cancel()


async def test_a_talkative_host_is_borne_with(autojump_clock: object) -> None:
    """Up to the limit, frames that do not belong to the lobby are ignored."""

    def talk(mesh: Mesh, key: bytes) -> None:
        for _ in range(HOST_FRAMES_MAX // 4):
            mesh.send(key, PLANS)

    async with guest_of(talk) as (peer, invite):
        with trio.move_on_after(5) as waiting:
            await sitting(peer, invite)[0].seated()
        assert waiting.cancelled_caught
        assert peer.mesh.links()[invite.identity].connected


@pytest.mark.slow
async def test_a_host_that_proposes_too_soon_and_talks_on(autojump_clock: object) -> None:
    """A host proposes before a guest is ready, and keeps talking for minutes, within every limit.

    Answer: everything is received as it arrives; the guest sits down when it is ready.
    """

    def say_all(mesh: Mesh, key: bytes) -> None:
        for frame in shown_and_proposed():
            mesh.send(key, frame)

    async with guest_of(say_all) as (peer, invite), trio.open_nursery() as nursery:
        (guest, _), seated = sitting(peer, invite, ready=False), list[Seating]()

        async def sit() -> None:
            seated.append(await guest.seated())

        async def talk_on() -> None:
            pause = 1.1 * FRAMES_SECONDS / HOST_FRAMES_MAX
            for _ in range(2 * HOST_FRAMES_MAX):
                await trio.sleep(pause)
                peer.on_frame(invite.identity, shown_and_proposed()[0])

        nursery.start_soon(sit)
        await trio.sleep(2 * FRAMES_SECONDS)
        await talk_on()
        assert not seated
        guest.lobby.set_ready(True)
        await trio.testing.wait_all_tasks_blocked()
        assert len(seated) == 1
        nursery.cancel_scope.cancel()


async def test_what_was_proposed_has_to_be_what_is_shown_when_we_are_ready(
    autojump_clock: object,
) -> None:
    """A host proposes one table, shows another one, and waits for the guest to be ready.

    Answer: only what is shown at that moment is signed; the host has to propose that first.
    """
    frames = [*shown_and_proposed(level=1), *shown_and_proposed(level=2)[:2]]

    def talk(mesh: Mesh, key: bytes) -> None:
        for frame in frames:
            mesh.send(key, frame)
        frames.clear()

    async with guest_of(talk) as (peer, invite), trio.open_nursery() as nursery:
        (guest, _), seated = sitting(peer, invite, ready=False), list[Seating]()

        async def sit() -> None:
            seated.append(await guest.seated())

        nursery.start_soon(sit)
        await trio.sleep(5)
        guest.lobby.set_ready(True)
        await trio.sleep(5)
        assert not seated
        peer.on_frame(invite.identity, shown_and_proposed(level=2)[2])
        await trio.testing.wait_all_tasks_blocked()
        assert [one.proposal.terms.options for one in seated] == [{"level": 2}]
        nursery.cancel_scope.cancel()


STILL: dict[str, tuple[list[bytes], tuple[str, Why]]] = {
    "says nothing": ([], ("", Why.ADMITS)),
    "is not ready": (shown_and_proposed(ready=False)[:2], ("Ana", Why.NOT_READY)),
    "proposes nothing": (shown_and_proposed()[:2], ("Ana", Why.PROPOSES)),
}


@pytest.mark.parametrize("host", STILL)
async def test_a_guest_is_told_for_whom_the_lobby_waits(host: str, autojump_clock: object) -> None:
    """A host makes its guests wait, and says nothing.

    Answer: after ten seconds each guest is told whom it waits for, and why.
    """
    frames, (name, why) = STILL[host]

    def talk(mesh: Mesh, key: bytes) -> None:
        for frame in frames:
            mesh.send(key, frame)

    async with guest_of(talk) as (peer, invite):
        for seconds, is_told in ((SAYS_SECONDS - 1, False), (100, True)):
            guest, told = sitting(peer, invite)
            with trio.move_on_after(seconds):
                await guest.seated()
            assert any(isinstance(event, HeldUp) for event in told) is is_told
    held = [event for event in told if isinstance(event, HeldUp)]
    assert held == [HeldUp((Awaited(name or words(invite.identity), why),))]


def test_people_are_named_who_are_not_ready_or_away_once_all_are_there() -> None:
    keys = [bytes([number]) for number in range(4)]
    there = [Taken(keys[0], "Ana", True), Taken(keys[1], "Bo", False), Taken(keys[2], "Cy", None)]
    assert awaited(there, 4, keys[0]) == ()
    cy = Awaited("Cy", Why.AWAY)
    assert awaited(there, 3, keys[0]) == (Awaited("Bo", Why.NOT_READY), cy)
    assert awaited(there, 3, keys[1]) == (cy,)
