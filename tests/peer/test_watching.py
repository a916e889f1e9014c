"""Spectators: the whole game, every proof checked, nothing that is hidden."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from engine.games import load
from engine.view import SPECTATOR, View
from p2p.errors import LobbyError, PeerError
from p2p.lobby.plan import TablePlan
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.strangers import SERVED, Shares
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.events import Chat, Event, Noted, Opened, Seated, Spectators, Stopped, Talk
from p2p.protocol import wire
from p2p.protocol.chat import sign_message
from p2p.protocol.entry import PURPOSE, decode_entry
from p2p.protocol.frame_kinds import HEADER, RECORD, REFUSED, WATCHED
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.seat.chat import IN_SECONDS, LINES
from p2p.seat.reply import Reply, Script
from p2p.spectators.client import _Watcher, watch_table
from p2p.spectators.feed import CHUNK_BYTES
from p2p.spectators.gallery import (
    ANNOUNCES_SECONDS,
    LAST_SECONDS,
    LOOKS_SECONDS,
    SPECTATORS_MAX,
    Gallery,
    decode_watched,
    watch_frame,
)
from p2p.spectators.spectator import Spectator
from p2p.version import PROTOCOL_VERSION
from replay.audit import audit, audit_bytes
from tests.peer.desk_kit import World
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.protocol.kit import identities, make_header, seeded
from tests.replay.logs import match

TOKEN = bytes(range(16))
STRANGERS = [who.public for who in identities(12)]


def gallery() -> tuple[Gallery, World]:
    """A gallery that the host has opened in the lobby, and its world."""
    world = World()
    seated = {STRANGERS[0]}.__contains__
    return Gallery(world.desk, TOKEN, Shares(SERVED), seated), world


def greet(host: Gallery, number: int, name: str = "Eve", **changed: Any) -> None:
    fields = {"version": PROTOCOL_VERSION, "token": TOKEN, "name": name, **changed}
    host.receive(STRANGERS[number], wire.pack(fields))


def ask(host: Gallery, number: int, step: int) -> None:
    place = {"table": HEAD.table, "step": step}
    host.asked(STRANGERS[number], wire.pack(place))


HEAD = make_header(load("flip-over"), 3)


def test_a_spectator_gets_the_header_and_whole_steps() -> None:
    host, world = gallery()
    records = [[b"one", b"two"]]
    greet(host, 1)
    ask(host, 1, 0)
    assert world.left == []
    host.show(HEAD, records)
    ask(host, 1, 0)
    world.time.pass_(3)
    greet(host, 2, "Joe")
    world.time.pass_(3)
    host.link_changed(STRANGERS[1], False)
    ask(host, 2, 1)
    records.append([b"three"])
    host.step(records[-1])
    world.time.pass_(3)
    host.end([b"last"])
    assert all_served(host, world).is_given
    sent = [(STRANGERS.index(peer), frame) for peer, frame in world.posted]
    header, record = HEADER.make(HEAD.encode()), bytes([RECORD.number])
    assert sent == [
        *((1, header), (1, record + b"one"), (1, record + b"two")),
        *((2, header), (2, record + b"three"), (2, b"last")),
    ]
    assert [names for _, names in named(world)] == [("Eve",), ("Eve", "Joe"), ("Joe",)]


def all_served(host: Gallery, world: World) -> Reply[None]:
    """The table is over: given when nobody is waited for any more."""
    served = Script(host.serve_the_rest()).outcome
    world.time.pass_(LOOKS_SECONDS)
    return served


def named(world: World) -> list[tuple[float, tuple[str, ...]]]:
    """When the seats were told who watches."""
    floods = [one for one in world.left if one.to is None and one.frame[0] == WATCHED.number]
    return [(one.at, decode_watched(one.frame[1:])) for one in floods]


def test_the_seats_are_told_who_watches_once_in_a_while() -> None:
    """Somebody comes and goes all the time."""
    host, world = gallery()
    told: list[tuple[str, ...]] = []
    host.move_to(world.desk, {STRANGERS[0]}.__contains__, told.append)
    greet(host, 1)
    world.time.pass_(5)
    assert named(world) == []
    host.show(HEAD, [])
    for number in range(50):
        world.time.pass_(ANNOUNCES_SECONDS / 16)
        if number % 2:
            host.link_changed(STRANGERS[2], False)
        else:
            greet(host, 2, "Joe")
    assert [at for at, _ in named(world)] == [5 + ANNOUNCES_SECONDS * n for n in range(4)]
    world.time.pass_(3 * ANNOUNCES_SECONDS)
    assert host.names == ("Eve",)
    assert [names for _, names in named(world)] == told
    assert told[-1] == ("Eve",)
    host.link_changed(STRANGERS[0], True)  # a seat that comes back is told as well
    assert world.posted[-1] == (STRANGERS[0], WATCHED.make(["Eve"]))


def test_who_asks_again_and_again_gets_each_step_once() -> None:
    """A spectator asks for the whole game over and over, and reads nothing of it.

    Answer: it is sent as much as its link takes, once; asking again meanwhile changes nothing.
    """
    host, world = gallery()
    records = [[bytes(1000)]] * 500
    host.show(HEAD, records)
    world.nobody_reads = True
    greet(host, 1)
    for _ in range(50):
        ask(host, 1, 0)
        world.time.pass_(0.1)
    assert len(world.posted) == 1  # the header: nothing of it was read
    world.nobody_reads = False
    world.read()
    for _ in range(50):
        ask(host, 1, 0)
        world.time.pass_(0.1)
    assert len(world.posted) == 1 + len(records)
    ask(host, 1, 499)
    world.time.pass_(1)
    assert len(world.posted) == 1 + len(records)


def test_a_piece_of_a_long_step_leaves_when_the_one_before_was_read() -> None:
    host, world = gallery()
    host.show(HEAD, [[bytes(CHUNK_BYTES // 4)] * 10])
    greet(host, 1)
    world.settle()
    world.nobody_reads = True
    for pieces in (3, 6, 9, 10, 10):
        ask(host, 1, 0)
        world.settle()
        assert len(world.posted) == 1 + pieces
        world.read()


def test_who_still_reads_has_a_moment_for_the_rest() -> None:
    host, world = gallery()
    host.show(HEAD, [[b"one"]])
    greet(host, 1)
    greet(host, 2, "Joe")  # has not said where it stands
    ask(host, 1, 0)
    world.settle()
    world.nobody_reads = True
    host.end([b"last"])
    served = all_served(host, world)
    world.time.pass_(LAST_SECONDS - LOOKS_SECONDS - 0.01)
    assert not served.is_given
    world.time.pass_(0.02)
    assert served.is_given
    host.hide()
    world.read()
    ask(host, 1, 0)
    world.time.pass_(10)
    assert [frame for _, frame in world.posted[-2:]] == [RECORD.make(b"one"), b"last"]
    assert len(world.posted) == 4
    assert named(world) == [(0, ("Eve", "Joe"))]


@pytest.mark.slow
def test_a_game_is_handed_to_strangers_at_a_bounded_rate() -> None:
    """Spectators take the whole game over new links again and again.

    Answer: in the long run, one address is sent at most half a megabyte of it a second.
    """
    host, world = gallery()
    world.known.crowd.update(STRANGERS)
    host.show(HEAD, [[bytes(10_000)] * 10] * 10)
    for _ in range(600):
        for number in range(1, 9):
            greet(host, number)
            ask(host, number, 0)
        world.time.pass_(0.1)
    sent = sum(len(frame) for _, frame in world.posted)
    most = SERVED.source.at_once + 60 * SERVED.source.a_second
    assert 0.8 * most < sent < 1.1 * most


@pytest.mark.parametrize(
    ("number", "changed", "sentence"),
    [
        (1, {"token": bytes(16)}, "for another table"),
        (1, {"version": 9}, "speaks protocol version"),
        (1, {"name": "a\nb"}, "printable"),
        (1, {"name": ""}, "printable"),
        (0, {}, "you sit at this table"),
    ],
)
def test_who_may_not_watch_is_told_why(number: int, changed: dict[str, Any], sentence: str) -> None:
    host, world = gallery()
    greet(host, number, **changed)
    ((_, frame),) = world.posted
    assert frame[0] == REFUSED.number
    assert sentence in frame[1:].decode()
    assert host.names == ()


def test_there_is_room_for_so_many() -> None:
    host, world = gallery()
    for number in range(1, SPECTATORS_MAX + 2):
        greet(host, number)
    assert len(host.names) == SPECTATORS_MAX
    assert b"too many watch" in world.posted[-1][1]


def test_one_source_keeps_nobody_else_from_watching() -> None:
    """Somebody who has the invite takes all places of spectators.

    Answer: places go to the source that has fewer: a spectator from elsewhere gets one of his.
    Remains: with as many addresses as there are places, he keeps them.
    """
    host, world = gallery()
    world.known.crowd.update(STRANGERS[1 : SPECTATORS_MAX + 1])
    for number in range(1, SPECTATORS_MAX + 1):
        greet(host, number, f"crowd {number}")
    for number in range(9, 12):
        greet(host, number, f"Joe {number}")
    assert [name for name in host.names if name.startswith("Joe")] == ["Joe 9", "Joe 10", "Joe 11"]
    assert len(host.names) == SPECTATORS_MAX
    greet(host, 8)
    assert STRANGERS[8] not in host._feeds


@pytest.mark.check("watch.names")
@pytest.mark.parametrize("names", [["x" * 25], ["a\x1b"], [""], ["x"] * (SPECTATORS_MAX + 1)])
def test_names_of_spectators_are_bounded(names: list[str]) -> None:
    with pytest.raises(PeerError, match="no names"):
        decode_watched(wire.pack(names))


# -- over sockets ----------------------------------------------------------------------------


class Seer:
    """A spectator: what was told, and what could be seen each time."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.views: list[View] = []
        self.hidden = 0

    def tell(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, Opened):
            self.views.append(event.view)
        if isinstance(event, Noted):
            self._look(self.views[-1])

    def _look(self, view: View) -> None:
        """A spectator knows exactly the cards that lie open, whatever is asked."""
        assert view.seat == SPECTATOR
        table = view.table
        for slot, face in enumerate(table.faces):
            assert view.knows(slot) == (face is not None)
            if face is None:
                self.hidden += 1
                with pytest.raises(KeyError):
                    view.face(slot)

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


async def watched_table(
    folder: Path,
    players: list[Watcher],
    watch: Callable[[Invite], Any],
    late: trio.Event | None = None,
) -> None:
    """A table of Flip Over on loopback; `watch` is started with its invite, perhaps later."""
    async with trio.open_nursery() as nursery:

        async def join(number: int, invite: Invite) -> None:
            own = folder / str(number)
            own.mkdir()
            await join_table(
                sitter(f"guest {number}", players[number]),
                invite,
                store(own),
            )

        async def start(invite: Invite) -> None:
            if late is not None:
                await late.wait()
            await watch(invite)

        def opened(invite: Invite) -> None:
            nursery.start_soon(start, invite)
            for number in range(1, len(players)):
                nursery.start_soon(join, number, invite)

        (folder / "0").mkdir()
        await host_table(
            sitter("host", players[0]),
            TablePlan("flip-over", len(players), {"rounds": 1}),
            store(folder / "0"),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
async def test_a_whole_match_is_watched_over_sockets(tmp_path: Path, late: bool) -> None:
    """From before it begins or from its middle; the log is that of the seats."""
    seer, results = Seer(), []
    middle = trio.Event() if late else None

    async def is_watched() -> None:
        while not any(isinstance(event, Spectators) for event in players[0].events):
            await trio.sleep(0.01)

    def begun(decided: int) -> object:
        """The table waits for the spectator, so that it cannot come too late."""
        if middle is not None and decided == 3:
            middle.set()
        if decided == 5:
            *_, talk = [event for event in players[0].events if isinstance(event, Talk)]
            assert talk.say("hello all")
        return is_watched() if decided == 4 else None

    async def watch(invite: Invite) -> None:
        who = identity("Eve")
        results.append(await watch_table(who, invite, seer.tell, folder=tmp_path))

    players = [Watcher(0, begun), Watcher(1), Watcher(2)]
    await watched_table(tmp_path, players, watch, middle)
    (result,) = results
    said = [Chat(0, "host", "hello all")]
    assert result.log is not None
    report = audit(result.log)
    assert report.verdict == "complete"
    assert report.returns == result.returns
    assert result.log.read_bytes() == next((tmp_path / "0").glob("*.ndlog")).read_bytes()
    assert seer.hidden > 100
    assert seer.of(Seated)[0].seat == SPECTATOR
    assert [note.note for note in seer.of(Noted)] == [
        event.note for event in players[0].events if isinstance(event, Noted)
    ]
    for player in players:
        told = [event for event in player.events if isinstance(event, Spectators)]
        assert told
        assert told[0] == Spectators(("Eve",))
        assert [event for event in player.events if isinstance(event, Chat)] == said
    assert seer.of(Chat) == said


@pytest.mark.check("watch.header")
@pytest.mark.parametrize("changed", ["token", "host"])
async def test_a_host_shows_its_own_table_only(changed: str) -> None:
    """A host shows spectators a game that is not the one it invited them to.

    Answer: they refuse a table that is not that of the invite: nobody present is bound by it.
    """
    header = make_header(load("flip-over"), 3)
    key = header.proposal.identities[0] if changed == "token" else STRANGERS[7]
    token = header.proposal.token if changed == "host" else bytes(16)
    invite = Invite((Address(LOOPBACK, 9),), key, token)
    told: list[Event] = []
    watcher = _Watcher(identity("Eve"), invite, told.append, None)
    with pytest.raises(PeerError, match="of another table"):
        await watcher.take(key, HEADER.make(header.encode()))
    assert told == []


@pytest.mark.slow
async def test_a_flood_of_talk_does_not_reach_who_watches(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A host and a seat together hand a spectator 5,000 signed lines at once.

    Answer: it is shown as much of each seat as seats would take: 6 lines in 10 s.
    """
    header = make_header(load("flip-over"), 3)
    invite = Invite((Address(LOOPBACK, 9),), header.proposal.identities[0], header.proposal.token)
    told: list[Event] = []
    watcher = _Watcher(identity("Eve"), invite, told.append, None)
    spectator = Spectator(header, told.append, seeded("watch"))
    for number in range(5_000):
        line = sign_message(identities(3)[1], header.table, 1, number, f"line {number}")
        watcher._hear(line, spectator)
    await trio.sleep(IN_SECONDS)
    watcher._hear(sign_message(identities(3)[1], header.table, 1, 9_999, "late"), spectator)
    said = [event.text for event in told if isinstance(event, Chat)]
    assert said == [*(f"line {number}" for number in range(LINES)), "late"]


@pytest.mark.slow
async def test_a_stale_invite_is_refused_in_words(tmp_path: Path) -> None:
    """The table waits for that, so that it is not over before the spectator dials."""
    said: list[str] = []
    refused = trio.Event()

    async def watch(invite: Invite) -> None:
        other = Invite(invite.addresses, invite.identity, bytes(16))
        with pytest.raises(LobbyError) as caught:
            await watch_table(identity("Eve"), other, lambda event: None)
        said.append(str(caught.value))
        refused.set()

    players = [Watcher(0, lambda decided: refused.wait()), Watcher(1), Watcher(2)]
    await watched_table(tmp_path, players, watch)
    assert said == ['the host refuses: "the invite is for another table"']


@pytest.mark.slow
@pytest.mark.call("p2p.spectators.spectator:Spectator.receive -> self.machine.receive")
async def test_a_liar_is_named_to_spectators_too() -> None:
    """A seat signs a false result before spectators.

    Answer: they check what the seats check, and name it too.
    """
    log = split_log(match())
    told: list[Event] = []
    spectator = Spectator(decode_header(log.header), told.append, seeded("watch"))
    await spectator.start()
    for record in log.records[:-1]:
        await spectator.receive(record)
    honest = decode_entry(log.records[-1])
    fields = wire.unpack(honest.body)
    fields["payload"]["result"][0] += 1
    body = wire.pack(fields)
    with pytest.raises(PeerError) as caught:
        await spectator.receive(body + identities(4)[honest.seat].sign(PURPOSE, body))
    assert (caught.value.verdict, caught.value.seat) == ("state-mismatch", honest.seat)
    stopped = [event for event in told if isinstance(event, Stopped)]
    assert [event.name for event in stopped] == [f"seat{honest.seat}"]
    assert spectator.returns is None


@pytest.mark.slow
async def test_records_that_nobody_signed_are_nobody_s_fault() -> None:
    log = split_log(match())
    spectator = Spectator(decode_header(log.header), lambda event: None, seeded("watch"))
    await spectator.start()
    bent = bytearray(log.records[0])
    bent[-1] ^= 1
    with pytest.raises(PeerError) as caught:
        await spectator.receive(bytes(bent))
    assert caught.value.seat is None
    for record in log.records:
        await spectator.receive(record)
    assert spectator.returns == audit_bytes(match()).returns


def test_a_greeting_says_who_watches() -> None:
    host, _ = gallery()
    host.receive(STRANGERS[3], watch_frame(TOKEN, "Eve")[1:])
    assert host.names == ("Eve",)
