"""Stand-ins around the rooms that take frames: a mesh that keeps nothing, and seats at a table."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from engine.games import load
from p2p.driver.connection import Evening
from p2p.errors import PeerError
from p2p.lobby.guest import GuestLobby
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating, TablePlan, encode_plan
from p2p.lobby.seats import Taken, encode_seats
from p2p.lobby.talk import LobbyTalk
from p2p.net.invite import Invite
from p2p.net.limits import Limits
from p2p.net.link import Link
from p2p.net.mesh import LinkState
from p2p.net.strangers import Strangers
from p2p.protocol.frame_kinds import Handler
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.table import open_table
from p2p.protocol.terms import Terms
from p2p.spectators.client import _Watcher
from p2p.table.at_table import AtTable
from p2p.table.greeting import after_restart
from tests.fuzz.tables import GAME, HERE, PEOPLE, SEATS, header, listed
from tests.peer.desk_kit import World, runner_at
from tests.peer.kit import Watcher, sitter, store
from tests.protocol.kit import TOKEN, Hub, game_hub, seeded

KEYS: Final = [one.public for one in PEOPLE[:SEATS]]
INVITE: Final = Invite((HERE,), KEYS[0], TOKEN)
PLAN: Final = TablePlan(Terms.of(GAME, {"rounds": 1}), SEATS)
THERE: Final = [Taken(key, name, True) for key, name in zip(KEYS, ("Ana", "Bo", "Cy"), strict=True)]


class Mesh:
    """Stands in for a mesh: everybody is linked, and what is sent is forgotten."""

    def __init__(self) -> None:
        self.strangers = Strangers(Limits(), lambda key: True)

    def send(self, key: bytes, frame: bytes) -> bool:
        return True

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> int:
        return 1

    def is_linked(self, key: bytes) -> bool:
        return True

    def links(self) -> dict[bytes, Any]:
        state = LinkState(connected=True, rtt_ms=1.0)
        return dict.fromkeys(KEYS, state)

    def source(self, key: bytes) -> str:
        return key.hex()

    def drop(self, key: bytes, reason: str) -> None:
        raise PeerError("malformed", reason)

    def ignore(self, *_: object) -> None:
        """Nobody is dialled."""

    add = learn = forget = keep_newest = slow = ignore


def told(event: object) -> None:
    """Nobody looks."""


def desk(seat: int) -> Any:
    """What a seat has besides the game."""
    return SimpleNamespace(
        mesh=Mesh(),
        identity=PEOPLE[seat],
        list_for=lambda token: listed(seat, token=token),
        parts=SimpleNamespace(foresee=told),
        race_cap_us=RaceTerms().cap_us,
    )


def host_lobby() -> HostLobby:
    """A host, alone."""
    return HostLobby(World(KEYS).desk, PEOPLE[0].renamed("Ana"), TOKEN, PLAN)


def guest_lobby(*frames: bytes) -> GuestLobby:
    """A guest that has heard these frames."""
    bo, cap_us = PEOPLE[1].renamed("Bo"), RaceTerms().cap_us
    guest = GuestLobby(World(KEYS).desk, bo, INVITE, listed(1), race_cap_us=cap_us)
    for frame in frames:
        guest.receive(frame)
    return guest


def filled() -> list[bytes]:
    """What a host tells when all have sat down."""
    return [encode_plan(PLAN), encode_seats(THERE)]


def lobby_talk() -> LobbyTalk:
    """A guest's part in the talk of a lobby."""
    return LobbyTalk(World(KEYS).desk, PEOPLE[2], KEYS[0], TOKEN, lambda: THERE)


def link() -> Link:
    """A link that has pinged once."""
    channel: Any = SimpleNamespace(peer=KEYS[1], frames=SimpleNamespace(set_limit=told))
    made = Link(channel, "", Limits(), SimpleNamespace(), seeded("pings"))  # type: ignore[arg-type]
    made._pings[bytes(8)] = 0.0
    return made


def seated(seat: int = 0) -> Any:
    """A seat that takes frames (`on_frame`) at the first step of a game, and wants to play on."""
    mine, proposal = desk(seat), header().proposal
    evening = Evening(mine, sitter(PEOPLE[seat], Watcher(0)), store(Path("nowhere")))
    files = evening.store.files("a table")
    at = AtTable(evening, Seating(proposal, seat, {}), files)
    table, runner, again = open_table(header(), seeded("a seat")), at.seat.runner, at.room.again
    at.room.open(header())
    again._said[KEYS[seat]] = again.plan.data
    runner.open(table)
    runner._machine = table.machine
    runner.answer_for(table.machine)
    table.machine.start()
    at._route(None)
    return mine


def restarted() -> Handler[None]:
    """A host that was started again while its guests signed."""
    mine = desk(0)
    runner = runner_at(World(KEYS[1:]), header().proposal)
    runner.is_begun = True
    seating = Seating(header().proposal, 0, {key: listed(n) for n, key in enumerate(KEYS)})
    return after_restart(mine, runner, seating)


def watcher() -> _Watcher:
    """A spectator of that table."""
    made = _Watcher(PEOPLE[3], INVITE, told, None)
    made._mesh = Mesh()  # type: ignore[assignment]
    return made


@cache
def first_records() -> list[bytes]:
    """What is signed in the first steps of that game."""
    hub: Hub = game_hub(load(GAME), SEATS, rounds=1)
    sent: list[bytes] = []

    def bend(seat: int, record: bytes) -> list[bytes]:
        sent.append(record)
        return [record] if len(sent) < 5 else []

    hub.bend = bend
    hub.run()
    return sent
