"""What a runner does with its machine, in a world that only remembers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from engine.games import load
from p2p.driver.driver import Driver
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
from p2p.protocol.entry import PURPOSE, VOTE_PURPOSE, decode_entry
from p2p.protocol.frame_kinds import DIFFERS, FINISHED, RECORD, TOLD
from p2p.protocol.genesis import SIGN_STEP
from p2p.protocol.own_seat import NOTHING, OwnSeat
from p2p.protocol.table import GameTable, open_table
from p2p.seat.link_watch import EVERY_SECONDS
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from replay.audit import audit
from tests.peer.desk_kit import Nobody, NoDisk, Time, World, runner_at
from tests.peer.kit import Watcher
from tests.peer.seat_files import begun
from tests.protocol.cheats import FIELDS
from tests.protocol.kit import genesis_hub, identities, make_header, seeded, table_secrets

SEATS = 3
HONEST, LIAR = 1, 2
FAR = 10**6


HEADER = make_header(load("flip-over"), SEATS)
SIGNED = SIGN_STEP


def sit(
    seat: int = 0,
    *,
    may_sign: bool = True,
    files: TableFiles | None = None,
    signed: bool = True,
    time: Time | None = None,
) -> tuple[Runner, GameTable, World]:
    """A seat of a game that begins, or before the header is `signed` by all."""
    header = HEADER
    others = [key for i, key in enumerate(header.proposal.identities) if i != seat]
    world = World(others, files, time)
    runner = runner_at(world, header.proposal, seat)
    past = None if may_sign else NOTHING
    own = OwnSeat(seat, identities(SEATS)[seat], table_secrets(SEATS, 1)[seat], past)
    table = open_table(header, seeded("runner"), own)
    if signed:
        runner.open(table)
    return runner, table, world


def told(world: World) -> list[Event]:
    """What the player was told, except for the state of links and that there is a view."""
    return [event for event in world.told if not isinstance(event, LinkNews | Opened)]


def test_a_table_that_stopped_tells_of_no_more_links(tmp_path: Path) -> None:
    """The others leave it too: their links go down, which is no news."""
    files = begun(tmp_path, HEADER, 0)
    runner, table, world = sit(files=files)
    fault = Fault(PeerError("bad-share", "a share is wrong", seat=2, step=1), ())
    ended = runner.run(table.machine)
    gone = world.known.peers.pop()
    runner.link_changed(gone, up=False)
    world.time.pass_(EVERY_SECONDS)
    runner._stop(runner._stage, table.machine, fault)
    world.settle()
    with pytest.raises(PeerError):
        ended.result()
    world.known.peers[:] = [gone]
    runner.link_changed(gone, up=True)
    runner._links.look()
    world.time.pass_(2 * EVERY_SECONDS)
    assert [type(event) for event in told(world)] == [Lost, Stopped]
    files.close(erase_secrets=True)


async def test_who_leaves_a_table_hears_of_no_more_links(
    autojump_clock: object,
) -> None:
    """Whoever drives the seat rings no more for it, and what comes late is still passed on."""
    mesh, player = Dropping(HEADER.proposal.identities[1:]), Watcher(0)
    driver = Driver(mesh, player, NoDisk())  # type: ignore[arg-type]
    runner = Runner(driver.desk, HEADER.proposal, 0, Patience(), Nobody())
    own = OwnSeat(0, identities(SEATS)[0], table_secrets(SEATS, 1)[0])
    table = open_table(HEADER, seeded("runner"), own)

    async def play() -> None:
        runner.open(table)
        await runner.run(table.machine)

    with trio.move_on_after(0.1):
        await driver.run(play())
    before = list(player.events)
    assert [type(event) for event in before if isinstance(event, LinkNews)] == [LinkNews]
    gone = mesh.peers.pop()
    runner.link_changed(gone, up=False)
    driver.enter(lambda: None)
    await trio.sleep(2 * EVERY_SECONDS)
    assert player.events == before


@pytest.mark.parametrize("late", [False, True])
def test_who_has_finished_the_last_table_has_not_finished_this_one(late: bool) -> None:
    """At another game with the same people, a record that comes late is of the game before."""
    runner, table, world = sit()
    said = bytes(32) if late else runner.proposal.id
    for peer in world.known.peers:
        runner.receive(peer, FINISHED.make(said))
    ends: list[float] = []
    runner.linger().listen(lambda: ends.append(world.time.now()))
    world.time.pass_(2 * runner.patience.lingers)
    assert ends == [runner.patience.lingers if late else 0]
    assert world.dropped == []
    assert world.frames == [FINISHED.make(table.header.proposal.id)]


def _restart(runner: Runner, table: GameTable, world: World, steps: dict[int, int | None]) -> None:
    """Let a restarted seat run for a while; what the others say about how far they are."""
    identities_known = runner.proposal.identities
    runner.run(table.machine)
    for _ in range(60):
        world.time.pass_(1)
        for seat, step in steps.items():
            place = wire.pack({"table": table.header.table, "step": step})
            if step is not None:
                runner.receive(identities_known[seat], bytes([TOLD.number]) + place)
        world.settle()


def _signed(world: World) -> list[float]:
    """When entries left."""
    return [
        one.at
        for one in world.left
        if one.frame[0] == RECORD.number and decode_entry(one.frame[1:])
    ]


def test_a_restarted_seat_signs_when_all_have_told() -> None:
    runner, table, world = sit(may_sign=False)
    _restart(runner, table, world, {HONEST: 0, LIAR: 0})
    assert _signed(world)[0] == pytest.approx(1)
    assert world.dropped == []


@pytest.mark.parametrize("claim", [FAR, None], ids=["far ahead", "nothing"])
def test_a_seat_that_sends_less_than_it_says_loses_its_link(claim: int | None) -> None:
    """Before that nothing is signed: it may have an entry of ours."""
    runner, table, world = sit(may_sign=False)
    _restart(runner, table, world, {HONEST: 0, LIAR: claim})
    ((at, peer),) = world.dropped
    assert peer == runner.proposal.identities[LIAR]
    assert at >= runner.patience.for_the_rest
    assert _signed(world)[0] >= at
    assert at <= runner.patience.for_the_rest + 2 * runner.patience.asks_again


def test_nothing_is_signed_where_nobody_has_told() -> None:
    """Somebody has to have answered: otherwise we know of nothing that we signed."""
    runner, table, world = sit(may_sign=False)
    _restart(runner, table, world, {HONEST: None, LIAR: FAR})
    assert _signed(world) == []


def test_both_write_their_state_where_they_differ(tmp_path: Path) -> None:
    """Two seats sign the same step, one of them with another leader in mind."""
    files = [begun(tmp_path, HEADER, seat, name=f"seat {seat}") for seat in (0, 1)]
    pair = [sit(seat, files=files[seat]) for seat in (0, 1)]
    pair[1][1].session.table.leader = 2  # type: ignore[attr-defined]
    ends = [runner.run(table.machine) for runner, table, _ in pair]
    frames = [next(f for f in world.frames if f[0] == RECORD.number) for _, _, world in pair]
    for (runner, table, _), frame in zip(pair, reversed(frames), strict=True):
        runner.receive(table.machine.identities[1 - runner.seat], frame)
    texts = []
    for (runner, _, world), ended in zip(pair, ends, strict=True):
        (event,) = [event for event in told(world) if isinstance(event, Stopped)]
        assert (event.verdict, event.seat) == ("state-mismatch", 1 - runner.seat)
        assert event.state == tmp_path / f"seat {runner.seat}.state-0.txt"
        texts.append(read_state(event.state.read_text("utf-8")))
        files[runner.seat].close(erase_secrets=True)
        assert bytes([DIFFERS.number]) in [frame[:1] for frame in world.frames]
        with pytest.raises(PeerError):
            ended.result()
    assert texts[0].digest != texts[1].digest
    found = first_difference(texts[0].fields, texts[1].fields)
    assert found == Difference("leader", 0, 2)


def test_a_seat_that_is_told_that_it_differs_writes_what_it_signed(tmp_path: Path) -> None:
    """Its step may be over by then: the state is that of the step, and is written once."""
    files = begun(tmp_path, HEADER, 0)
    runner, table, world = sit(files=files)
    signed = table.session.table.state()

    def say(peer: bytes, **place: object) -> None:
        fields = {"table": table.header.table, "step": 0, **place}
        runner.receive(peer, bytes([DIFFERS.number]) + wire.pack(fields))

    runner.run(table.machine)
    assert _signed(world)
    table.session.table.leader = 2  # type: ignore[attr-defined]
    peer = world.known.peers[0]
    say(peer, step=1)
    say(peer, table=bytes(32))
    assert told(world) == []
    say(peer)
    say(peer)
    (event,) = told(world)
    assert event == Differed(runner.proposal.names[1], tmp_path / "table.state-0.txt")
    assert read_state(event.state.read_text("utf-8")).fields == signed
    assert world.dropped == []
    say(peer, step="0")
    assert [dropped for _, dropped in world.dropped] == [peer]
    files.close(erase_secrets=True)


class Dropping:
    """Stands in for a mesh whose links go down one by one."""

    def __init__(self, peers: Sequence[bytes]) -> None:
        self.peers = list(peers)

    def links(self) -> dict[bytes, LinkState]:
        return {peer: LinkState(True) for peer in self.peers}

    def is_linked(self, key: bytes) -> bool:
        return key in self.peers

    def send(self, peer: bytes, frame: bytes) -> bool:
        return True

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> int:
        return len(self.peers)


@pytest.mark.call("p2p.seat.runner:Runner._record -> self._look_back")
@pytest.mark.call("p2p.seat.runner:Runner._look_back -> genesis.look_back")
@pytest.mark.call("p2p.protocol.machine:Machine.look_back -> self._contradicts")
def test_who_signs_the_header_twice_is_caught_in_the_game(tmp_path: Path) -> None:
    """Seat 1 has the genesis whole, and plays; seat 0 has told somebody else another thing.

    That seat has left, and seat 1 would wait for it.
    """
    hub = genesis_hub(load("flip-over"), SEATS)
    hub.run()
    genesis = hub.seats[HONEST].machine
    files = begun(tmp_path, HEADER, HONEST)
    runner, table, world = sit(HONEST, files=files)
    runner.answer_for(genesis)
    ended = runner.run(table.machine)
    signed = decode_entry(genesis.records[SIGNED][0])
    fields = {name: getattr(signed, name) for name in FIELDS}
    body = wire.pack({**fields, "payload": {"signature": bytes(64)}})
    other = body + identities(SEATS)[0].sign(PURPOSE, body)
    runner.receive(HEADER.proposal.identities[LIAR], RECORD.make(other))
    world.settle()
    with pytest.raises(PeerError, match="two different entries") as caught:
        ended.result()
    assert (caught.value.verdict, caught.value.seat) == ("equivocation", 0)
    assert caught.value.evidence is not None
    report = audit(caught.value.evidence)
    assert (report.verdict, report.seat, report.step) == ("equivocation", 0, SIGNED)
    assert RECORD.make(other) in world.frames
    files.close(erase_secrets=True)


@pytest.mark.call("p2p.protocol.machine:Machine.look_back -> entry.check_signature")
def test_what_follows_a_genesis_as_it_was_signed_accuses_nobody() -> None:
    """The same record again, one of no step, one that nobody signed, and a vote about that step."""
    hub = genesis_hub(load("flip-over"), SEATS)
    hub.run()
    genesis = hub.seats[HONEST].machine
    runner, table, world = sit(HONEST)
    runner.answer_for(genesis)
    ended = runner.run(table.machine)
    known = genesis.records[SIGNED][0]
    fields = {name: getattr(decode_entry(known), name) for name in FIELDS}
    later = wire.pack({**fields, "step": SIGNED + 1})
    later += identities(SEATS)[0].sign(PURPOSE, later)
    vote = wire.pack({**fields, "kind": "vote", "payload": {"round": 0, "absent": [1]}})
    vote += identities(SEATS)[0].sign(VOTE_PURPOSE, vote)
    peer = HEADER.proposal.identities[LIAR]
    for record in (known, later, vote, wire.pack({**fields, "payload": None}) + bytes(64)):
        runner.receive(peer, RECORD.make(record))
    assert [dropped for _, dropped in world.dropped] == [peer]
    assert not ended.is_given
