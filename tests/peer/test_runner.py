"""What a runner does with its machine, over a mesh that only remembers."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from engine.games import load
from p2p.errors import PeerError
from p2p.files.state_file import Difference, first_difference, read_state
from p2p.files.storage import TableFiles
from p2p.net.mesh import LinkState
from p2p.player.events import (
    Differed,
    Event,
    LinkNews,
    Lost,
    Opened,
    Stopped,
)
from p2p.protocol import wire
from p2p.protocol.effects import Fault
from p2p.protocol.entry import decode_entry
from p2p.protocol.frame_kinds import DIFFERS, FINISHED, RECORD, TOLD
from p2p.protocol.own_seat import NOTHING, OwnSeat
from p2p.protocol.table import GameTable, open_table
from p2p.seat.runner import Runner
from tests.peer.kit import Watcher
from tests.peer.seat_files import begun, runner_on
from tests.protocol.kit import identities, make_header, seeded, table_secrets

SEATS = 3
HONEST, LIAR = 1, 2
FAR = 10**6


class MemoryMesh:
    """Everybody is linked until dropped; what is flooded is kept with its time."""

    def __init__(self, peers: list[bytes]) -> None:
        self.peers = peers
        self.sent: list[tuple[float, bytes]] = []
        self.dropped: list[tuple[float, bytes]] = []
        self.signed = trio.Event()
        """An entry was flooded."""

    def drop(self, peer: bytes, reason: str) -> None:
        self.dropped.append((trio.current_time(), peer))
        self.peers.remove(peer)

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> int:
        self.sent.append((trio.current_time(), frame))
        if frame[0] == RECORD.number:
            self.signed.set()
        return len(self.peers)

    def send(self, peer: bytes, frame: bytes) -> bool:
        self.sent.append((trio.current_time(), frame))
        return peer in self.peers

    def links(self) -> dict[bytes, LinkState]:
        return {peer: LinkState(True) for peer in self.peers}

    def is_linked(self, key: bytes) -> bool:
        return key in self.links()

    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


HEADER = make_header(load("flip-over"), SEATS)


def sit(
    seat: int = 0, *, may_sign: bool = True, files: TableFiles | None = None, signed: bool = True
) -> tuple[Runner, GameTable, MemoryMesh]:
    """A seat of a game that begins, or before the header is `signed` by all."""
    header = HEADER
    mesh = MemoryMesh([key for i, key in enumerate(header.proposal.identities) if i != seat])
    runner = runner_on(mesh, header.proposal, seat, files)
    past = None if may_sign else NOTHING
    own = OwnSeat(seat, identities(SEATS)[seat], table_secrets(SEATS, 1)[seat], past)
    table = open_table(header, seeded("runner"), own)
    if signed:
        runner.open(table)
    return runner, table, mesh


def mesh_of(runner: Runner) -> MemoryMesh:
    assert isinstance(runner.mesh, MemoryMesh)
    return runner.mesh


def told(runner: Runner) -> list[Event]:
    """What the player was told, except for the state of links and that there is a view."""
    assert isinstance(runner.player, Watcher)
    return [event for event in runner.player.events if not isinstance(event, LinkNews | Opened)]


async def test_a_table_that_stopped_tells_of_no_more_links(tmp_path: Path) -> None:
    """The others leave it too: their links go down, which is no news."""
    files = begun(tmp_path, HEADER, 0)
    runner, table, mesh = sit(files=files)
    fault = Fault(PeerError("bad-share", "a share is wrong", seat=2, step=1), ())
    runner._links.look()
    gone = mesh.peers.pop()
    runner._links.look()
    with pytest.raises(PeerError):
        await runner._stop(table.machine, fault)
    mesh.peers[:] = [gone]
    runner._links.look()
    assert [type(event) for event in told(runner)] == [Lost, Stopped]
    files.close(erase_secrets=True)


async def test_who_leaves_a_table_hears_of_no_more_links() -> None:
    runner, table, mesh = sit()
    with trio.move_on_after(0.1):
        await runner.run(table.machine)
    mesh.peers.clear()
    runner._links.look()
    assert told(runner) == []


@pytest.mark.parametrize("late", [False, True])
async def test_who_has_finished_the_last_table_has_not_finished_this_one(
    autojump_clock: object, late: bool
) -> None:
    """At another game with the same people, a record that comes late is of the game before."""
    runner, table, mesh = sit()
    said = bytes(32) if late else runner.proposal.id
    for peer in mesh.peers:
        runner.receive(peer, FINISHED.make(said))
    began = trio.current_time()
    await runner.linger()
    assert trio.current_time() - began == (runner.patience.lingers if late else 0)
    assert mesh.dropped == []
    assert [frame for _, frame in mesh.sent] == [FINISHED.make(table.header.proposal.id)]


async def _restart(runner: Runner, table: GameTable, steps: dict[int, int | None]) -> None:
    """Let a restarted seat run for a while; what the others say about how far they are."""
    identities_known = runner.proposal.identities
    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.run, table.machine)
        for _ in range(60):
            await trio.sleep(1)
            for seat, step in steps.items():
                place = wire.pack({"table": table.header.table, "step": step})
                if step is not None:
                    runner.receive(identities_known[seat], bytes([TOLD.number]) + place)
        nursery.cancel_scope.cancel()


def _signed(mesh: MemoryMesh) -> list[float]:
    """When entries left."""
    return [at for at, frame in mesh.sent if frame[0] == RECORD.number and decode_entry(frame[1:])]


async def test_a_restarted_seat_signs_when_all_have_told(autojump_clock: object) -> None:
    runner, table, mesh = sit(may_sign=False)
    await _restart(runner, table, {HONEST: 0, LIAR: 0})
    assert _signed(mesh)[0] == pytest.approx(1)
    assert mesh.dropped == []


@pytest.mark.parametrize("claim", [FAR, None], ids=["far ahead", "nothing"])
async def test_a_seat_that_sends_less_than_it_says_loses_its_link(
    claim: int | None, autojump_clock: object
) -> None:
    """Before that nothing is signed: it may have an entry of ours."""
    runner, table, mesh = sit(may_sign=False)
    await _restart(runner, table, {HONEST: 0, LIAR: claim})
    ((at, peer),) = mesh.dropped
    assert peer == runner.proposal.identities[LIAR]
    assert at >= runner.patience.for_the_rest
    assert _signed(mesh)[0] >= at
    assert at <= runner.patience.for_the_rest + 2 * runner.patience.asks_again


async def test_nothing_is_signed_where_nobody_has_told(autojump_clock: object) -> None:
    """Somebody has to have answered: otherwise we know of nothing that we signed."""
    runner, table, mesh = sit(may_sign=False)
    await _restart(runner, table, {HONEST: None, LIAR: FAR})
    assert _signed(mesh) == []


async def test_both_write_their_state_where_they_differ(tmp_path: Path) -> None:
    """Two seats sign the same step, one of them with another leader in mind."""
    files = [begun(tmp_path, HEADER, seat, name=f"seat {seat}") for seat in (0, 1)]
    pair = [sit(seat, files=files[seat]) for seat in (0, 1)]
    pair[1][1].session.table.leader = 2  # type: ignore[attr-defined]
    stopped: list[PeerError] = []

    async def play(runner: Runner, table: GameTable) -> None:
        with pytest.raises(ExceptionGroup) as caught:
            await runner.run(table.machine)
        (error,) = caught.value.exceptions
        assert isinstance(error, PeerError)
        stopped.append(error)

    async with trio.open_nursery() as nursery:
        for runner, table, _ in pair:
            nursery.start_soon(play, runner, table)
        for _, _, mesh in pair:
            await mesh.signed.wait()
        frames = [next(f for _, f in mesh.sent if f[0] == RECORD.number) for _, _, mesh in pair]
        for (runner, table, _), frame in zip(pair, reversed(frames), strict=True):
            runner.receive(table.machine.identities[1 - runner.seat], frame)
    texts = []
    for runner, _, _ in pair:
        (event,) = [event for event in told(runner) if isinstance(event, Stopped)]
        assert (event.verdict, event.seat) == ("state-mismatch", 1 - runner.seat)
        assert event.state == tmp_path / f"seat {runner.seat}.state-0.txt"
        texts.append(read_state(event.state.read_text("utf-8")))
        runner.files.close(erase_secrets=True)
        assert bytes([DIFFERS.number]) in [frame[:1] for _, frame in mesh_of(runner).sent]
    assert len(stopped) == len(pair)
    assert texts[0].digest != texts[1].digest
    found = first_difference(texts[0].fields, texts[1].fields)
    assert found == Difference("leader", 0, 2)


async def test_a_seat_that_is_told_that_it_differs_writes_what_it_signed(tmp_path: Path) -> None:
    """Its step may be over by then: the state is that of the step, and is written once."""
    files = begun(tmp_path, HEADER, 0)
    runner, table, mesh = sit(files=files)
    signed = table.session.table.state()

    def say(peer: bytes, **place: object) -> None:
        fields = {"table": table.header.table, "step": 0, **place}
        runner.receive(peer, bytes([DIFFERS.number]) + wire.pack(fields))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.run, table.machine)
        await mesh.signed.wait()
        nursery.cancel_scope.cancel()
    table.session.table.leader = 2  # type: ignore[attr-defined]
    peer = mesh.peers[0]
    say(peer, step=1)
    say(peer, table=bytes(32))
    assert told(runner) == []
    say(peer)
    say(peer)
    (event,) = told(runner)
    assert event == Differed(runner.proposal.names[1], tmp_path / "table.state-0.txt")
    assert read_state(event.state.read_text("utf-8")).fields == signed
    assert mesh.dropped == []
    say(peer, step="0")
    assert [dropped for _, dropped in mesh.dropped] == [peer]
    files.close(erase_secrets=True)
