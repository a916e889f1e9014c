"""Guests link with each other in the lobby, and everybody is told on whom races would rest."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

import p2p.lobby.host
from p2p.driver import connection
from p2p.driver.connection import Connected
from p2p.driver.driver import Driver
from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.lobby.host import TELLS_SECONDS, HostLobby
from p2p.lobby.plan import TablePlan
from p2p.lobby.seats import Taken, encode_seats
from p2p.lobby.shown import LINK_SECONDS
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.limits import Limits
from p2p.net.memory_network import MemoryNetwork
from p2p.net.mesh import Mesh
from p2p.net.signed_addresses import sign_addresses
from p2p.player.events import Event, Gathering, Seated
from p2p.player.relay_words import resting
from p2p.player.waits import AWAY_SECONDS
from p2p.protocol.genesis import Header
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.terms import Terms
from p2p.seat import genesis as beginning
from p2p.seat import table_seat
from p2p.seat.runner import Runner
from tests.net.helpers import identities, seeded
from tests.peer.kit import Sitting, Watcher
from tests.peer.test_getting_ready import all_but_bob_ready, gather, until
from tests.peer.test_lobby import PEOPLE, TOKEN

NAMES = ("Ana", "Bo", "Cy", "Di")
KEYS = [one.public for one in PEOPLE]
WHO = identities(4)
SETTLED = LINK_SECONDS + 4
"""How long until everybody has heard what all say."""
THROUGH_ANA = ["Bo and Cy reach each other only through Ana: races depend on that player."]


def machine(name: str) -> Address:
    """Each person's machine; a list of addresses holds no names."""
    return Address(f"10.0.0.{NAMES.index(name) + 1}", 7000)


@dataclass
class Guest:
    """A guest, and how it ends its lobby."""

    peer: Connected
    sitting: Sitting
    scope: trio.CancelScope

    async def leave(self) -> None:
        self.sitting.lobby.leave()
        await self.peer.mesh.drain()
        self.scope.cancel()


class Evening:
    """A host and guests who are never ready, each on a machine of its own."""

    def __init__(self, nursery: trio.Nursery, seats: int) -> None:
        self.network = MemoryNetwork(delay=0.01)
        self.players: dict[str, Watcher] = {}
        self.told: dict[str, list[Event]] = {}
        self.guests: dict[str, Guest] = {}
        self.ended: dict[str, PeerError] = {}
        self.hellos: list[tuple[float, bytes]] = []
        self.nursery = nursery
        self._plan = TablePlan(Terms.of("flaps"), seats)
        self.invite = Invite((machine("Ana"),), WHO[0].public, TOKEN)

    def connected(self, name: str, **rest: bool) -> Connected:
        number = NAMES.index(name)
        way = self.network.transport(machine(name).host)
        peer = Connected(WHO[number], None, transport=way, entropy=seeded(number), **rest)
        self.players[name] = Watcher(0)
        self.told[name] = self.players[name].events
        return peer

    async def open(self) -> None:
        """The host's side, as `host_table` puts it together."""
        peer = self.connected("Ana", open_to_strangers=True)
        driver = Driver(peer.mesh, self.players["Ana"])
        ana = WHO[0].renamed("Ana")
        hosted = HostLobby(driver.desk, ana, TOKEN, self._plan, ready=False)
        self.talk = hosted.talk
        inbox = hosted.inbox({})

        def greet(key: bytes, frame: bytes) -> None:
            self.hellos.append((trio.current_time(), key))
            inbox.take(key, frame)

        peer.on_frame, peer.on_link, peer.knows = greet, hosted.link_changed, hosted.knows
        await self.nursery.start(partial(peer.mesh.run, [self.network.listen(machine("Ana"))]))
        self.nursery.start_soon(driver.run, hosted.gather())

    async def sit(self, name: str, at: Address | None = None) -> Guest:
        """A guest sits down, says that it is `at` some place, and stays while it may."""
        peer, scope = self.connected(name), trio.CancelScope()
        peer.addresses = [at or machine(name)]
        peer.mesh.add(self.invite.identity, self.invite.addresses)
        table = Sitting(peer, self.invite, name, self.players[name], ready=False)
        guest = self.guests[name] = Guest(peer, table, scope)
        self.nursery.start_soon(self._stay, name, guest)
        await trio.sleep(0.1)
        return guest

    async def _stay(self, name: str, guest: Guest) -> None:
        listener = self.network.listen(machine(name))
        with guest.scope:
            async with trio.open_nursery() as nursery:
                await nursery.start(partial(guest.peer.mesh.run, [listener]))
                try:
                    await guest.sitting.seated()
                except PeerError as error:
                    self.ended[name] = error
                    nursery.cancel_scope.cancel()

    def read(self, name: str) -> list[str]:
        """What this person reads now about who reaches whom."""
        now = self.lobbies(name)[-1]
        return resting(now.unlinked, [one.name for one in now.people])

    def lobbies(self, name: str) -> list[Gathering]:
        """The lobby as this person was shown it, time after time."""
        return [now for now in self.told[name] if isinstance(now, Gathering)]

    def ever(self) -> list[Gathering]:
        """Every lobby that anybody was shown with a pair that is not linked."""
        return [now for name in self.told for now in self.lobbies(name) if now.unlinked]


@asynccontextmanager
async def evening(*guests: str, apart: Sequence[tuple[str, str]] = ()) -> AsyncIterator[Evening]:
    """These guests have sat down; there is no way between those `apart`."""
    async with trio.open_nursery() as nursery:
        there = Evening(nursery, seats=4)
        for one, two in apart:
            there.network.cut(machine(one).host, machine(two).host)
        await there.open()
        for name in guests:
            await there.sit(name)
        yield there
        nursery.cancel_scope.cancel()


# -- what people read --------------------------------------------------------------------------


@pytest.mark.slow
async def test_two_who_cannot_reach_each_other_are_named_to_all(autojump_clock: object) -> None:
    async with evening("Bo", "Cy", apart=[("Bo", "Cy")]) as there:
        await trio.sleep(LINK_SECONDS - 0.5)
        assert there.ever() == []
        await trio.sleep(SETTLED)
        assert {name: there.read(name) for name in NAMES[:3]} == dict.fromkeys(
            NAMES[:3], THROUGH_ANA
        )
        await there.sit("Di")
        await trio.sleep(SETTLED)
        said = ["Bo and Cy reach each other only through Ana and Di: races depend on them."]
        assert {name: there.read(name) for name in NAMES} == dict.fromkeys(NAMES, said)
        there.network.heal(machine("Bo").host, machine("Cy").host)
        await trio.sleep(60)
        assert all(there.read(name) == [] for name in NAMES)


@pytest.mark.slow
async def test_where_all_are_linked_nobody_reads_of_it(autojump_clock: object) -> None:
    async with evening("Bo", "Cy", "Di") as there:
        await trio.sleep(30)
        assert there.ever() == []
        assert all(len(one.peer.mesh.links()) == 3 for one in there.guests.values())
        there.network.disconnect(machine("Bo").host, machine("Cy").host)
        await trio.sleep(30)
        assert there.ever() == []


async def test_a_host_cannot_hide_from_two_guests_that_it_is_between_them(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host withholds two guests' addresses in the lobby and says that they are linked.

    Answer: each of the two knows its own links, and is told whom races depend on.
    Remains: the other guests believe the host, until all sign the round trips of the table.
    """

    def encode(seats: Sequence[Taken]) -> bytes:
        keys = frozenset(one.identity for one in seats)
        lies = [replace(one, addresses=b"", linked=keys - {one.identity}) for one in seats]
        return encode_seats(lies)

    monkeypatch.setattr(p2p.lobby.host, "encode_seats", encode)
    async with evening("Bo", "Cy") as there:
        await trio.sleep(SETTLED)
        assert [there.read(name) for name in NAMES[:3]] == [THROUGH_ANA] * 3


async def test_who_is_away_is_between_nobody(autojump_clock: object) -> None:
    async with evening("Bo", "Cy", apart=[("Bo", "Cy")]) as there:
        await trio.sleep(SETTLED)
        there.guests["Cy"].scope.cancel()
        await trio.sleep(SETTLED)
        assert there.read("Ana") == there.read("Bo") == []
        await trio.sleep(AWAY_SECONDS)
        assert [one.name for one in there.lobbies("Bo")[-1].people] == ["Ana", "Bo"]


# -- who is dialled ----------------------------------------------------------------------------


@pytest.mark.slow
async def test_who_leaves_is_dialled_no_more(autojump_clock: object) -> None:
    async with evening("Bo", "Cy") as there:
        await trio.sleep(SETTLED)
        mesh, cy = there.guests["Bo"].peer.mesh, WHO[2].public
        assert mesh.is_linked(cy)
        await there.guests["Cy"].leave()
        await trio.sleep(2)
        assert list(mesh.links()) == [WHO[0].public]
        assert mesh.sure_of(cy) == ()
        dials = mesh.statistics.dials
        await trio.sleep(600)
        assert mesh.statistics.dials == dials
        await there.sit("Cy")
        await trio.sleep(SETTLED)
        assert mesh.is_linked(cy)
        assert there.ever() == []


async def test_a_host_that_forges_a_list_loses_its_guests(
    autojump_clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host tells each guest in the lobby a false address of the others.

    Answer: the guests leave; nobody but the owner of a key can sign its list of addresses.
    """
    forged = sign_addresses(Identity(bytes(32)), TOKEN, 9, [machine("Di")]).data
    monkeypatch.setattr(
        p2p.lobby.host,
        "encode_seats",
        lambda seats: encode_seats([replace(one, addresses=forged) for one in seats]),
    )
    async with evening("Bo", "Cy") as there:
        victim = there.network.listen(machine("Di"))
        await trio.sleep(SETTLED)
        assert {name: error.verdict for name, error in there.ended.items()} == {
            "Bo": "malformed",
            "Cy": "malformed",
        }
        assert "not signed by the player whom it leads to" in str(there.ended["Bo"])
        with trio.move_on_after(60) as waiting:
            await victim.accept()
        assert waiting.cancelled_caught


async def test_a_guest_lets_nobody_in_who_does_not_sit_there(autojump_clock: object) -> None:
    """Somebody who knows a guest's addresses, and has no seat or has given it back, dials it.

    Answer: the guest lets in the host and the others who sit there, and no other key.
    """
    async with evening("Bo", "Cy") as there:
        await trio.sleep(SETTLED)
        await there.guests["Cy"].leave()
        await trio.sleep(2)
        for name in ("Cy", "Di"):
            peer = there.connected(name)
            peer.mesh.add(WHO[1].public, [machine("Bo")])
            there.nursery.start_soon(peer.mesh.run)
            await trio.sleep(SETTLED)
            assert peer.mesh.statistics.dials > 1
            assert not peer.mesh.is_linked(WHO[1].public)


async def connections(network: MemoryNetwork, at: Address, seconds: float) -> int:
    """How often somebody's machine that has nothing to do with the table is dialled."""
    listener, count = network.listen(at), 0
    with trio.move_on_after(seconds):
        while True:
            await (await listener.accept()).aclose()
            count += 1
    return count


@pytest.mark.slow
async def test_a_guest_that_lists_somebody_elses_machine_in_the_lobby(
    autojump_clock: object,
) -> None:
    """A guest signs a stranger's address as its own, and links with nobody.

    Answer: each other guest dials there eight times, however long the lobby stays open.
    """
    async with evening("Bo", apart=[("Bo", "Cy")]) as there:
        victim = Address("10.9.9.9", 80)
        await there.sit("Cy", at=victim)
        assert await connections(there.network, victim, 3600) == Limits().unproven_tries


async def test_links_that_come_and_go_are_told_twice_a_second(autojump_clock: object) -> None:
    """A guest links with another one and ends the link again, as fast as it can.

    Answer: the host hears of it twice a second at most, and so do the others from the host.
    """
    async with evening("Bo", "Cy") as there:
        await trio.sleep(SETTLED)
        before, at = len(there.hellos), trio.current_time()
        for _ in range(200):
            there.network.disconnect(machine("Bo").host, machine("Cy").host)
            await trio.sleep(0.05)
        for key in (WHO[1].public, WHO[2].public):
            said = [when for when, who in there.hellos[before:] if who == key]
            assert len(said) <= (trio.current_time() - at) / TELLS_SECONDS + 1


# -- the table that follows --------------------------------------------------------------------


@pytest.mark.slow
async def test_the_table_begins_with_the_links_of_the_lobby(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meshes: list[Mesh] = []
    measured: dict[int, list[int | None]] = {}

    def mesh(*args: Any, **rest: Any) -> Mesh:
        meshes.append(Mesh(*args, **rest))
        return meshes[-1]

    async def begin(runner: Runner, own: OwnSeat, opening: bytes) -> Header:
        mesh = runner.desk.links
        assert isinstance(mesh, Mesh)
        measured[own.seat] = [mesh.round_trip_us(key) for key in runner.others()]
        dials = mesh.statistics.dials
        header = await beginning.begin(runner, own, opening)
        assert mesh.statistics.dials == dials
        return header

    def settled() -> bool:
        """Whether each has a link to each, over which an answer has come."""
        states = [state for one in meshes for state in one.links().values()]
        return len(states) == 6 and all(state.rtt_ms is not None for state in states)

    async def script(seen: dict[str, Any]) -> None:
        await all_but_bob_ready(seen)
        await until(settled)
        seen["said"]["bob"][0](True)

    monkeypatch.setattr(connection, "Mesh", mesh)
    monkeypatch.setattr(table_seat, "begin", begin)
    seen = await gather(tmp_path, script)
    assert len({seen["ended"][name].log.read_bytes() for name in ("host", "ann", "bob")}) == 1
    assert len(measured) == 3
    assert all(None not in row for row in measured.values())
    seated = next(one for one in seen["players"]["bob"].events if isinstance(one, Seated))
    assert seated.unlinked == ()
