"""Playing again with the same people, over the links that are there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.games import load
from p2p.driver.connection import AskAgain, TableResult
from p2p.errors import LobbyError, PeerError
from p2p.lobby.plan import TablePlan
from p2p.lobby.rematch import DECIDES_SECONDS, GONE_SECONDS, Rematch, next_token
from p2p.net.inbox import Inbox, unknown
from p2p.net.invite import Invite
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.choosing import Choosing
from p2p.player.events import Event, Finished, PlayAgain, Seated
from p2p.protocol import wire
from p2p.protocol.frame_kinds import AGAIN, ANYBODY, PROPOSAL, REFUSED
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.next_game import the_same
from p2p.protocol.proposal import propose
from replay.audit import audit
from tests.peer.kit import LOOPBACK, Watcher, sitter, store
from tests.protocol.kit import TABLE, TOKEN, identities

PEOPLE = identities(4)
KEYS = [who.public for who in PEOPLE]
SEATS = [(key, f"seat{n}") for n, key in enumerate(KEYS)]
GAME = load("flip-over")
OLD = propose(TOKEN, GAME, {"rounds": 1}, "wait", SEATS)
SAME = the_same(OLD)


class Wire:
    """Stands in for a mesh: who is linked, and what was sent."""

    def __init__(self) -> None:
        self.linked = set(KEYS)
        self.sent: list[tuple[bytes, bytes]] = []

    def links(self) -> dict[bytes, Any]:
        return {key: SimpleNamespace(connected=True) for key in self.linked}

    def is_linked(self, key: bytes) -> bool:
        return key in self.links()

    def send(self, key: bytes, frame: bytes) -> bool:
        self.sent.append((key, frame))
        return True

    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


def listed(seat: int) -> SignedAddresses:
    """Where this seat says that it can be dialled for the next table."""
    return sign_addresses(PEOPLE[seat], next_token(TABLE), 1, [])


def sit(seat: int) -> tuple[Rematch, Wire, list[Event]]:
    mesh, told = Wire(), list[Event]()

    def own(token: bytes) -> SignedAddresses:
        assert token == next_token(TABLE)
        return listed(seat)

    again = Rematch(mesh, OLD, KEYS[seat], told.append, own)  # type: ignore[arg-type]
    again.open(TABLE)
    return again, mesh, told


async def yes(choosing: Choosing) -> bool:
    return True


async def no(choosing: Choosing) -> bool:
    return False


def says(
    again: Rematch, seat: int, stays: bool, table: bytes = TABLE, plan: bytes = SAME.data
) -> None:
    said = {"table": table, "again": stays, "plan": plan, "addresses": listed(seat).data}
    again.hear(KEYS[seat], wire.pack(said))


def hear(again: Rematch, key: bytes, frame: bytes) -> None:
    """A frame comes in, as at a table."""
    Inbox(ANYBODY, unknown, again.handlers).take(key, frame)


def proposed(seats: list[int], **changed: Any) -> bytes:
    terms = {"token": next_token(TABLE), "game": GAME, "options": {"rounds": 1}, **changed}
    proposal = propose(**terms, policy="wait", seats=[SEATS[seat] for seat in seats])
    fields = {"proposal": proposal.data, "addresses": []}
    return bytes([PROPOSAL.number]) + wire.pack(fields)


async def test_the_host_proposes_to_those_who_stay(autojump_clock: MockClock) -> None:
    host, mesh, told = sit(0)
    says(host, 1, True)
    says(host, 2, False)
    says(host, 3, True)
    says(host, 1, True, bytes(32))  # of another table
    said = {"table": TABLE, "again": True, "plan": b"", "addresses": b""}
    host.hear(b"a stranger", wire.pack(said))
    seating = await host.settle(yes)
    assert seating is not None
    assert seating.proposal.names == ("seat0", "seat1", "seat3")
    assert seating.proposal.token == next_token(TABLE)
    assert (seating.seat, seating.proposal.options) == (0, OLD.options)
    assert [key for key, frame in mesh.sent if frame[0] == PROPOSAL.number] == [KEYS[1], KEYS[3]]
    assert told[-1] == PlayAgain(("seat1", "seat3", "seat0"), ("seat2",), SAME)


async def test_a_seat_that_is_gone_is_not_waited_for_long(autojump_clock: MockClock) -> None:
    host, mesh, _ = sit(0)
    says(host, 1, True)
    says(host, 2, True)
    mesh.linked.remove(KEYS[3])
    began = trio.current_time()
    seating = await host.settle(yes)
    assert seating is not None
    assert len(seating.proposal.seats) == 3
    assert GONE_SECONDS <= trio.current_time() - began < 2 * GONE_SECONDS


async def test_a_silent_seat_is_waited_for_so_long(autojump_clock: MockClock) -> None:
    host, _, _ = sit(0)
    says(host, 1, True)
    says(host, 2, True)
    began = trio.current_time()
    assert await host.settle(yes) is not None
    assert trio.current_time() - began == pytest.approx(DECIDES_SECONDS)


@pytest.mark.call("p2p.protocol.proposal:propose -> game.check")
async def test_too_few_is_told_to_all(autojump_clock: MockClock) -> None:
    host, mesh, _ = sit(0)
    for seat, stays in ((1, True), (2, False), (3, False)):
        says(host, seat, stays)
    with pytest.raises(LobbyError, match="too few"):
        await host.settle(yes)
    assert [(key, frame[0]) for key, frame in mesh.sent[3:]] == [(KEYS[1], REFUSED.number)]
    guest, _, _ = sit(1)
    guest._said[KEYS[1]] = SAME.data
    hear(guest, KEYS[0], mesh.sent[-1][1])
    with pytest.raises(LobbyError, match="too few"):
        await guest.settle(yes)


async def test_who_leaves_says_so_and_goes(autojump_clock: MockClock) -> None:
    guest, mesh, _ = sit(2)
    assert await guest.settle(no) is None
    frame = AGAIN.make({"table": TABLE, "again": False, "plan": b"", "addresses": b""})
    assert sorted(mesh.sent) == sorted((KEYS[n], frame) for n in (0, 1, 3))


async def test_guests_follow_the_host(autojump_clock: MockClock) -> None:
    guest, _, _ = sit(2)
    async with trio.open_nursery() as nursery:

        async def propose_soon() -> None:
            await trio.sleep(5)
            hear(guest, KEYS[1], proposed([1, 2, 3]))  # who is not the host is not heard
            await trio.sleep(5)
            hear(guest, KEYS[0], proposed([0, 2, 3]))

        nursery.start_soon(propose_soon)
        seating = await guest.settle(yes)
    assert trio.current_time() >= 10
    assert seating is not None
    assert (seating.seat, seating.proposal.names) == (1, ("seat0", "seat2", "seat3"))


@pytest.mark.parametrize("goes", [True, False])
async def test_without_the_host_there_is_no_next_table(
    autojump_clock: MockClock, goes: bool
) -> None:
    guest, mesh, _ = sit(2)
    if goes:
        mesh.linked.remove(KEYS[0])
    else:
        says(guest, 0, False)
    with pytest.raises(LobbyError, match="the host does not play again"):
        await guest.settle(yes)


@pytest.mark.check("again.terms")
@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"rounds": 2}},
        {"options": {}},
        {"race": None, "game": load("flop-a"), "options": {}},
    ],
)
@pytest.mark.call("p2p.lobby.rematch:Rematch._hear_proposal -> self._check")
async def test_the_next_table_is_as_the_last_one(changed: dict[str, Any]) -> None:
    guest, _, _ = sit(2)
    guest._said[KEYS[2]] = SAME.data
    with pytest.raises(PeerError, match="not the table that was agreed"):
        hear(guest, KEYS[0], proposed([0, 1, 2], **changed))
    with pytest.raises(PeerError, match="not the table that was agreed"):
        hear(guest, KEYS[0], proposed([0, 2, 1]))  # the order of seats is the same, too


async def test_another_token_or_no_seat_is_refused() -> None:
    guest, _, _ = sit(2)
    guest._said[KEYS[2]] = SAME.data
    with pytest.raises(PeerError, match="for another table"):
        hear(guest, KEYS[0], proposed([0, 1, 2], token=bytes(16)))
    with pytest.raises(PeerError, match="leaves us or the host out"):
        hear(guest, KEYS[0], proposed([0, 1, 3]))


# -- over sockets ----------------------------------------------------------------------------


def answers(*said: int) -> tuple[AskAgain, list[TableResult]]:
    """A player who says this after each game, and the results that were shown."""
    results: list[TableResult] = []

    async def again(result: TableResult, choosing: Choosing) -> bool:
        results.append(result)
        return bool(said[len(results) - 1])

    return again, results


@pytest.mark.slow
async def test_three_games_one_invite(tmp_path: Path) -> None:
    """Four play, all four again, then three of them; and then the host has enough."""
    said = [answers(*a) for a in ((1, 1, 0), (1, 1, 1), (1, 1, 1), (1, 0))]
    players = [Watcher(seed) for seed in range(4)]
    ended: dict[int, object] = {}

    async def join(number: int, invite: Invite) -> None:
        try:
            ended[number] = await join_table(
                sitter(PEOPLE[number], players[number], again=said[number][0]),
                invite,
                store(tmp_path / str(number)),
            )
        except LobbyError as error:
            ended[number] = str(error)

    def opened(invite: Invite) -> None:
        for number in range(1, 4):
            nursery.start_soon(join, number, invite)

    for number in range(4):
        (tmp_path / str(number)).mkdir()
    async with trio.open_nursery() as nursery:
        nursery.cancel_scope.deadline = trio.current_time() + 60
        ended[0] = await host_table(
            sitter("host", players[0], again=said[0][0]),
            TablePlan("flip-over", 4, {"rounds": 1}),
            store(tmp_path / "0"),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )
    assert [len(results) for _, results in said] == [3, 3, 3, 2]
    assert ended[1] == ended[2] == "the host does not play again"
    assert isinstance(ended[0], TableResult)
    assert isinstance(ended[3], TableResult)
    for game, seats in enumerate((4, 4, 3)):
        logs = {results[game].log.read_bytes() for _, results in said if len(results) > game}
        assert len(logs) == 1
        log = said[0][1][game].log
        assert (audit(log).verdict, audit(log).seats) == ("complete", seats)
    tokens = [decode_header(split_log(one.log.read_bytes()).header) for one in said[0][1]]
    assert tokens[1].proposal.token == next_token(tokens[0].table)
    kinds = [type(event) for event in players[0].events if isinstance(event, Seated | Finished)]
    assert kinds == [Seated, Finished] * 3
    assert not list(tmp_path.glob("*/*.ndseat"))
