"""False addresses: a host gives them for other players, a player signs a stranger's as its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

import p2p.lobby.host
import tests.attacks.crook as crook_module
from p2p.driver.connection import Connected
from p2p.errors import LobbyError, PeerError
from p2p.identity.keys import Identity
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating, encode_proposal
from p2p.lobby.seats import Taken, encode_seats
from p2p.net.addresses import Address, listening_port, open_listeners
from p2p.net.limits import Limits
from p2p.net.mesh import Mesh
from p2p.net.seat_links import Way
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.peer import host_table, join_table
from p2p.player.events import LinkNews
from p2p.protocol import wire
from p2p.protocol.frame_kinds import ADDRESSES
from p2p.protocol.table import GameTable
from p2p.seat.whereabouts import Whereabouts
from tests.attacks.crook import LOOPBACK, Crook, acquit, sit_down
from tests.patience import PATIENCE
from tests.peer.kit import Watcher, play_table
from tests.peer.test_match import check_equal_logs

QUICK = Limits(
    rest_seconds=0.2, first_pause_seconds=0.005, head_start_seconds=0.01, stagger_seconds=0.01
)
"""The pauses between two tries double from the first one on: here they add up to a second."""


class ThirdParty:
    """Somebody's machine that has nothing to do with the table; counts who connects."""

    def __init__(self) -> None:
        self.connections = 0
        self.address = Address(LOOPBACK, 1)

    async def _serve(self, stream: trio.SocketStream) -> None:
        self.connections += 1
        await stream.aclose()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        listeners = await open_listeners(0, LOOPBACK)
        self.address = Address(LOOPBACK, listening_port(listeners))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(trio.serve_listeners, self._serve, listeners))
            yield
            nursery.cancel_scope.cancel()


def _proposes(monkeypatch: pytest.MonkeyPatch, bend: Callable[[Seating], Any]) -> None:
    """Make the host propose what `bend` makes of the address lists of the seats."""

    def invitation(self: HostLobby, seating: Seating) -> bytes:
        return encode_proposal(Seating(seating.proposal, seating.seat, bend(seating)))

    monkeypatch.setattr(HostLobby, "invitation", invitation)


def _withholds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the host tell no guest where the others are, in the lobby or with its proposal."""
    _proposes(monkeypatch, lambda seating: {})

    def encode(seats: Sequence[Taken]) -> bytes:
        return encode_seats([replace(one, addresses=b"") for one in seats])

    monkeypatch.setattr(p2p.lobby.host, "encode_seats", encode)


async def _ended(tmp_path: Path) -> list[object]:
    """How a table ended for its two guests; after both, the host ends too."""
    ended: list[object] = []
    done = trio.CancelScope()

    async def guest(*args: Any, **rest: Any) -> object:
        try:
            result: object = await join_table(*args, **rest)
        except PeerError as error:
            result = error
        ended.append(result)
        if len(ended) == 2 and isinstance(result, PeerError):
            done.cancel()
        return result

    async def host(*args: Any, **rest: Any) -> Any:
        try:
            return await host_table(*args, **rest)
        except LobbyError:  # it may hear that both have left before they have ended
            return await trio.sleep_forever()

    with trio.fail_after(PATIENCE), done:
        players = [Watcher(seed) for seed in range(3)]
        await play_table(tmp_path, players, guest=guest, host=host)
    return ended


async def test_a_host_that_gives_a_false_address_of_a_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host gives each guest a false address of the other, to be the only way between them.

    Answer: the guests refuse the proposal, because only the owner can sign a list of addresses.
    """
    liar = Identity(bytes(32))

    def bend(seating: Seating) -> Any:
        token = seating.proposal.token
        false = sign_addresses(liar, token, 2**52, [Address(LOOPBACK, 9)])
        return dict.fromkeys(seating.lists, false)

    _proposes(monkeypatch, bend)
    ended = await _ended(tmp_path)
    assert [type(one) for one in ended] == [PeerError, PeerError]
    assert all("not signed by the player whom it leads to" in str(one) for one in ended)
    assert not list(tmp_path.glob("[12]/*.ndseat")), "nothing was signed"


async def test_a_host_that_withholds_all_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host tells no guest where the others are, and lets no list through later.

    Answer: the game is played through the host, and guests are shown that they are linked only so.
    Remains: a host can be the only way between two guests. Races then depend on it.
    """
    _withholds(monkeypatch)
    monkeypatch.setattr(Whereabouts, "receive", lambda *_: None)
    players = [Watcher(seed) for seed in range(3)]
    with trio.fail_after(PATIENCE):
        await play_table(tmp_path, players)
    check_equal_logs(tmp_path, 3)
    told = [event for event in players[1].events if isinstance(event, LinkNews)]
    assert (told[-1].links[1].way, told[-1].links[1].via) == (Way.VIA, "host")


async def test_a_list_that_the_host_withholds_goes_another_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host withholds the addresses, but only in the lobby and in its proposal.

    Answer: everybody passes on what it knows over each link, so the guests find each other.
    """
    _withholds(monkeypatch)
    players, direct = [Watcher(seed) for seed in range(3)], trio.Event()

    class Waits(Watcher):
        async def decide(self, view: Any, question: Any) -> object:
            await direct.wait()
            return await super().decide(view, question)

        def tell(self, event: Any) -> None:
            super().tell(event)
            if isinstance(event, LinkNews) and all(one.way is Way.DIRECT for one in event.links):
                direct.set()

    with trio.fail_after(PATIENCE):
        await play_table(tmp_path, [players[0], Waits(1), players[2]])
    check_equal_logs(tmp_path, 3)


def _meshes(monkeypatch: pytest.MonkeyPatch, crook: Crook) -> dict[bytes, Mesh]:
    """The meshes at the table, by identity key; the crook's dials nobody but the host."""
    made: dict[bytes, Mesh] = {}

    def mesh(who: Identity, *rest: Any, **options: Any) -> Mesh:
        new = made[who.public] = Mesh(who, *rest, **{**options, "limits": QUICK})
        if who is crook.identity:
            monkeypatch.setattr(new, "learn", lambda key, addresses: None)
        return new

    monkeypatch.setattr(crook_module, "Mesh", mesh)
    return made


async def test_a_seat_that_lists_somebody_elses_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player signs the address of a stranger's machine as its own, and links with nobody.

    Answer: each other seat that has no link to it dials that address eight times, then gives up.
    Remains: eight connections from each, and up to 48 to six such machines in two minutes.
    """
    crook, third = Crook(), ThirdParty()
    meshes = _meshes(monkeypatch, crook)
    real = Connected.list_for

    def list_for(self: Connected, token: bytes) -> SignedAddresses:
        if self.identity is crook.identity:
            self.addresses = [third.address]
        return real(self, token)

    monkeypatch.setattr(Connected, "list_for", list_for)
    gave_up: list[int] = []

    def guest_gave_up() -> bool:
        assert crook.runner is not None
        guest = meshes[crook.runner.proposal.identities[2]]
        return not guest._peers[crook.identity.public].dialling

    async def hold_until_given_up(entry: Any) -> None:
        while not (third.connections and guest_gave_up()):
            await trio.sleep(0.01)
        gave_up.append(third.connections)
        crook.flood([entry.record])

    def hold(entry: Any) -> list[bytes]:
        assert crook.nursery is not None
        crook.nursery.start_soon(hold_until_given_up, entry)
        return []

    crook.sends["shuffle"] = hold
    async with third.open():
        acquit(await sit_down(tmp_path, monkeypatch, crook, "dealt"))
    assert gave_up == [QUICK.unproven_tries]
    # When the crook leaves, the host misses it too, and may begin to dial.
    assert third.connections <= 2 * QUICK.unproven_tries


async def test_forged_and_foreign_lists_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player floods the others with lists of addresses for another seat, signed by itself or by
    nobody.

    Answer: it loses the link for a moment, nobody dials those addresses, and the game goes on.
    """
    crook, third = Crook(), ThirdParty()

    def begin(table: GameTable) -> None:
        assert crook.runner is not None
        proposal = crook.runner.proposal
        forged = sign_addresses(crook.identity, proposal.token, 2**52, [third.address])
        for data in (forged.data, forged.data[:-64] + bytes(64), b"\xc0" * 70):
            for seat in (0, 2):
                pairs = [[proposal.identities[seat], data]]
                said = wire.pack({"proposal": proposal.id, "lists": pairs})
                crook.mesh.flood(bytes([ADDRESSES.number]) + said)

    crook.begins = begin
    async with third.open():
        acquit(await sit_down(tmp_path, monkeypatch, crook, "dealt"))
    assert third.connections == 0
