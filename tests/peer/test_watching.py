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
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.events import Chat, Event, Noted, Opened, Seated, Spectators, Stopped, Talk
from p2p.protocol import wire
from p2p.protocol.chat import sign_message
from p2p.protocol.entry import PURPOSE, decode_entry
from p2p.protocol.frame_kinds import HEADER
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.terms import Terms
from p2p.seat.chat import IN_SECONDS, LINES
from p2p.spectators.client import _Watcher, watch_table
from p2p.spectators.spectator import Spectator
from replay.audit import audit, audit_bytes
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.protocol.cheats import sign_again
from tests.protocol.kit import genesis_hub, identities, make_header, seeded
from tests.replay.logs import match


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
            TablePlan(Terms.of("flip-over", {"rounds": 1}), len(players)),
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
    """A host shows spectators another game than the one of the invite.

    Answer: they refuse a table that is not that of the invite: the players present have not agreed
    to it.
    """
    header = make_header(load("flip-over"), 3)
    key = header.proposal.identities[0] if changed == "token" else identities(8)[7].public
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
@pytest.mark.call("p2p.spectators.shown:Shown.take -> machine.receive")
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


async def test_a_liar_in_the_genesis_is_named_to_spectators_too() -> None:
    """It is caught when the game has begun; what convicts it is of the genesis."""
    hub = genesis_hub(load("flip-over"), 3)
    hub.run()
    told: list[Event] = []
    spectator = Spectator(hub.seats[1].result, told.append, seeded("watch"))
    await spectator.start()
    for records in hub.seats[1].machine.records:
        await spectator.receive(records[0])
    first = spectator.machine.chain.step
    other = sign_again(hub.seats[1].machine.records[-1][0], payload=bytes(64))
    with pytest.raises(PeerError) as caught:
        await spectator.receive(other)
    assert (caught.value.verdict, caught.value.seat) == ("equivocation", 0)
    assert [event.name for event in told if isinstance(event, Stopped)] == ["seat0"]
    assert spectator.machine.chain.step == first


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
