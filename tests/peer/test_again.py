"""Playing again with the same people, over the links that are there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from engine.games import load
from p2p.driver.connection import AskAgain, TableResult, one_error
from p2p.driver.driver import Driver
from p2p.errors import LobbyError, PeerError
from p2p.lobby.plan import Seating, TablePlan
from p2p.lobby.rematch import (
    DECIDES_SECONDS,
    GONE_SECONDS,
    LOOKS_SECONDS,
    Rematch,
    next_token,
)
from p2p.net.invite import Invite
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.choosing import Choosing
from p2p.player.events import Event, Finished, PlayAgain, Seated
from p2p.protocol import wire
from p2p.protocol.frame_kinds import AGAIN, ANYBODY, PROPOSAL, REFUSED, Inbox, unknown
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.proposal import propose
from p2p.protocol.terms import Terms
from p2p.seat.desk import Desk
from p2p.seat.reply import Reply, Script
from replay.audit import audit
from tests.peer.desk_kit import World
from tests.peer.kit import LOOPBACK, Watcher, sitter, store
from tests.protocol.kit import TABLE, TOKEN, identities

PEOPLE = identities(4)
KEYS = [who.public for who in PEOPLE]
SEATS = [(key, f"seat{n}", False) for n, key in enumerate(KEYS)]
GAME = load("flip-over")
OLD = propose(TOKEN, Terms.of(GAME.name, {"rounds": 1}), SEATS)
SAME = OLD.terms


def listed(seat: int) -> SignedAddresses:
    """Where this seat says that it can be dialled for the next table."""
    return sign_addresses(PEOPLE[seat], next_token(TABLE), 1, [])


def sit(seat: int) -> tuple[Rematch, World, list[Event]]:
    """One seat's rematch, its world, and what its person is told."""
    world, told = World(KEYS), list[Event]()
    return sit_at(world.desk, seat, told), world, told


def sit_at(desk: Desk, seat: int, told: list[Event]) -> Rematch:
    def own(token: bytes) -> SignedAddresses:
        assert token == next_token(TABLE)
        return listed(seat)

    again = Rematch(desk, OLD, KEYS[seat], told.append, own)
    again.open(TABLE)
    return again


async def _asked(choosing: Choosing) -> bool:
    raise NotImplementedError("tests answer in this person's place")


def settling(again: Rematch, world: World, *says: bool) -> Reply[Seating | None]:
    """It agrees with the others; its own person is asked, and perhaps says this at once."""
    settled = Script(again.settle(_asked)).outcome
    for stays in says:
        world.does(stays)
    world.time.pass_(0)
    return settled


def says(
    again: Rematch, seat: int, stays: bool, table: bytes = TABLE, plan: bytes = SAME.data
) -> None:
    said = {"table": table, "again": stays, "plan": plan, "addresses": listed(seat).data}
    again.hear(KEYS[seat], wire.pack(said))


def hear(again: Rematch, key: bytes, frame: bytes) -> None:
    """A frame comes in, as at a table."""
    Inbox(ANYBODY, unknown, again.handlers).take(key, frame)


def proposed(seats: list[int], **changed: Any) -> bytes:
    said = {"token": next_token(TABLE), "game": GAME, "options": {"rounds": 1}, **changed}
    terms = Terms.of(said["game"].name, said["options"])
    proposal = propose(said["token"], terms, [SEATS[seat] for seat in seats])
    fields = {"proposal": proposal.data, "addresses": []}
    return bytes([PROPOSAL.number]) + wire.pack(fields)


def test_the_host_proposes_to_those_who_stay() -> None:
    host, world, told = sit(0)
    says(host, 1, True)
    says(host, 2, False)
    says(host, 3, True)
    says(host, 1, True, bytes(32))  # of another table
    said = {"table": TABLE, "again": True, "plan": b"", "addresses": b""}
    host.hear(b"a stranger", wire.pack(said))
    seating = settling(host, world, True).result()
    assert seating is not None
    assert seating.proposal.names == ("seat0", "seat1", "seat3")
    assert seating.proposal.token == next_token(TABLE)
    assert (seating.seat, seating.proposal.terms.options) == (0, OLD.terms.options)
    sent = [key for key, frame in world.posted if frame[0] == PROPOSAL.number]
    assert sent == [KEYS[1], KEYS[3]]
    assert told[-1] == PlayAgain(("seat1", "seat3", "seat0"), ("seat2",), SAME)


def test_whoever_did_not_get_the_proposal_is_sent_it_again() -> None:
    """Its link ended while the proposal was on its way; the host may be at the next table."""
    host, world, _ = sit(0)
    says(host, 1, True)
    says(host, 2, False)
    says(host, 3, True)
    seating = settling(host, world, True).result()
    assert seating is not None
    at_next = Rematch(world.desk, seating.proposal, KEYS[0], world.desk.tell, lambda _: listed(0))
    at_next.comes_after(host)
    for again in (host, at_next):
        before = len(world.posted)
        for seat in (1, 2):
            says(again, seat, True)
        says(again, 3, True, bytes(32))
        assert [key for key, _ in world.posted[before:]] == [KEYS[1]]
        assert world.posted[-1][1][0] == PROPOSAL.number


@pytest.mark.parametrize("moved", [False, True], ids=["before the host moves", "after"])
def test_who_leaves_what_was_proposed_is_noted_for_the_table_that_all_sign(moved: bool) -> None:
    host, world, _ = sit(0)
    for seat in (1, 2, 3):
        says(host, seat, True)
    seating = settling(host, world, True).result()
    assert seating is not None
    left = set[bytes]()
    own = lambda token: listed(0)  # noqa: E731
    at_next = Rematch(
        *(world.desk, seating.proposal, KEYS[0], world.desk.tell, own), given_back=left
    )
    if moved:
        at_next.comes_after(host)
    before = len(world.posted)
    says(at_next if moved else host, 2, False)
    if not moved:
        at_next.comes_after(host)
    assert left == {KEYS[2]}
    assert len(world.posted) == before, "it is not invited again"


def test_a_seat_says_over_each_new_link_what_it_said() -> None:
    guest, world, _ = sit(1)
    settling(guest, world, True)
    before = len(world.posted)
    for up in (False, True):
        guest.link_changed(KEYS[0], up)
    world.time.pass_(0)
    assert [key for key, _ in world.posted[before:]] == [KEYS[0]]


def test_a_seat_that_is_gone_is_not_waited_for_long() -> None:
    host, world, _ = sit(0)
    says(host, 1, True)
    says(host, 2, True)
    world.known.peers.remove(KEYS[3])
    settled = settling(host, world, True)
    world.time.pass_(GONE_SECONDS - 0.01)
    assert not settled.is_given
    world.time.pass_(0.01)
    seating = settled.result()
    assert seating is not None
    assert len(seating.proposal.seats) == 3


def test_a_silent_seat_is_waited_for_so_long() -> None:
    host, world, _ = sit(0)
    says(host, 1, True)
    says(host, 2, True)
    settled = settling(host, world, True)
    world.time.pass_(DECIDES_SECONDS - 0.01)
    assert not settled.is_given
    world.time.pass_(0.01)
    assert settled.result() is not None


@pytest.mark.call("p2p.protocol.proposal:propose -> terms.check")
def test_too_few_is_told_to_all() -> None:
    host, world, _ = sit(0)
    for seat, stays in ((1, True), (2, False), (3, False)):
        says(host, seat, stays)
    with pytest.raises(LobbyError, match="too few"):
        settling(host, world, True).result()
    assert [(key, frame[0]) for key, frame in world.posted[3:]] == [(KEYS[1], REFUSED.number)]
    refused = world.posted[-1][1]
    guest, world, _ = sit(1)
    guest._said[KEYS[1]] = SAME.data
    hear(guest, KEYS[0], refused)
    settled = settling(guest, world, True)
    world.time.pass_(LOOKS_SECONDS)
    with pytest.raises(LobbyError, match="too few"):
        settled.result()


def test_who_leaves_says_so_and_goes() -> None:
    guest, world, _ = sit(2)
    assert settling(guest, world, False).result() is None
    frame = AGAIN.make({"table": TABLE, "again": False, "plan": b"", "addresses": b""})
    assert sorted(world.posted) == sorted((KEYS[n], frame) for n in (0, 1, 3))


def test_guests_follow_the_host() -> None:
    guest, world, _ = sit(2)
    settled = settling(guest, world, True)
    world.time.pass_(5)
    hear(guest, KEYS[1], proposed([1, 2, 3]))  # who is not the host is not heard
    world.time.pass_(5)
    assert not settled.is_given
    hear(guest, KEYS[0], proposed([0, 2, 3]))
    world.time.pass_(0)
    seating = settled.result()
    assert seating is not None
    assert (seating.seat, seating.proposal.names) == (1, ("seat0", "seat2", "seat3"))


@pytest.mark.parametrize("goes", [True, False])
def test_without_the_host_there_is_no_next_table(goes: bool) -> None:
    guest, world, _ = sit(2)
    if goes:
        world.known.peers.remove(KEYS[0])
    else:
        says(guest, 0, False)
    settled = settling(guest, world, True)
    world.time.pass_((GONE_SECONDS if goes else LOOKS_SECONDS) - 0.01)
    assert not settled.is_given
    world.time.pass_(0.01)
    with pytest.raises(LobbyError, match="the host does not play again"):
        settled.result()


def test_a_person_is_asked_until_it_is_settled_and_no_longer() -> None:
    guest, world, _ = sit(2)
    settled = settling(guest, world)
    assert len(world.consulted) == 1
    guest.agree(SAME)
    world.time.pass_(50)
    assert len(world.consulted) == 1
    hear(guest, KEYS[0], proposed([0, 1, 2, 3]))
    world.time.pass_(0)
    assert settled.result() is not None
    assert world.consulted == []
    assert world.desk.wakes_at is None


class _ClosesError(Exception):
    """Somebody closes the program."""


class _Drained:
    """A mesh over which nobody is linked."""

    drained = 0

    def is_linked(self, key: bytes) -> bool:
        return False

    async def drain(self) -> None:
        self.drained += 1
        await trio.lowlevel.checkpoint()


async def _settled_by_a_driver(
    mesh: _Drained, person: Callable[[Choosing], Awaitable[bool]]
) -> Seating | None:
    """What a guest comes to whose host proposes a table after three seconds."""
    driver = Driver(mesh, Watcher(0))  # type: ignore[arg-type]
    guest = sit_at(driver.desk, 1, [])

    async def propose_soon() -> None:
        await trio.sleep(3)
        hear(guest, KEYS[0], proposed([0, 1, 2]))

    with one_error():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(propose_soon)
            return await driver.run(guest.settle(person))


@pytest.mark.parametrize("does", ["stays", "leaves", "closes"])
async def test_a_person_is_asked_by_the_driver(autojump_clock: object, does: str) -> None:
    """Until all is settled; what it raises ends the evening."""
    mesh, ended = _Drained(), list[float]()

    async def person(choosing: Choosing) -> bool:
        try:
            await trio.sleep(2)
            if does == "closes":
                raise _ClosesError
            if does == "stays":
                choosing.agree(choosing.plan)
                await trio.sleep_forever()
        finally:
            ended.append(trio.current_time())
        return False

    began = trio.current_time()
    if does == "closes":
        with pytest.raises(_ClosesError):
            await _settled_by_a_driver(mesh, person)
    else:
        seating = await _settled_by_a_driver(mesh, person)
        assert (seating is not None) == (does == "stays")
    assert ended == [began + (3 if does == "stays" else 2)]
    assert mesh.drained == (does != "closes")


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
def test_the_next_table_is_as_the_last_one(changed: dict[str, Any]) -> None:
    guest, _, _ = sit(2)
    guest._said[KEYS[2]] = SAME.data
    with pytest.raises(PeerError, match="not the table that was agreed"):
        hear(guest, KEYS[0], proposed([0, 1, 2], **changed))
    with pytest.raises(PeerError, match="not the table that was agreed"):
        hear(guest, KEYS[0], proposed([0, 2, 1]))  # the order of seats is the same, too


def test_another_token_or_no_seat_is_refused() -> None:
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
        nursery.cancel_scope.deadline = trio.current_time() + 300
        ended[0] = await host_table(
            sitter("host", players[0], again=said[0][0]),
            TablePlan(Terms.of("flip-over", {"rounds": 1}), 4),
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
