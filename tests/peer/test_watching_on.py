"""Spectators of an evening: they stay while the players decide, and see the next game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from engine.games import load
from p2p.driver.connection import TableResult
from p2p.errors import LobbyError, PeerError
from p2p.lobby.plan import TablePlan
from p2p.lobby.rematch import GONE_SECONDS, next_token
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.choosing import Choosing
from p2p.player.events import Event, PlayAgain, Seated
from p2p.protocol import wire
from p2p.protocol.frame_kinds import HEADER, RECORD, REFUSED, STAYING, WATCH, WATCHED
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.terms import Terms
from p2p.spectators import client
from p2p.spectators.client import ASKS_AGAIN, WatchResult, _Watcher, watch_table
from p2p.spectators.gallery import ENDED
from tests.patience import NEVER, PATIENCE
from tests.peer.desk_kit import World
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.peer.test_gallery import HEAD, STRANGERS, all_served, ask, gallery, greet
from tests.protocol import kit
from tests.protocol.kit import identities
from tests.replay.logs import match

LOG = split_log(match())
HEADER_OF_IT = decode_header(LOG.header)
NEXT = next_token(HEADER_OF_IT.table)


def header_of(token: bytes) -> Header:
    """A table of the same people with this token."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kit, "TOKEN", token)
        hub = kit.genesis_hub(load("flip-over"), 3)
    hub.run()
    header: Header = hub.seats[0].result
    return header


# -- the gallery -------------------------------------------------------------------------------


def refusals(world: World) -> list[str]:
    return [frame[1:].decode() for _, frame in world.posted if frame[0] == REFUSED.number]


def test_who_watches_stays_and_is_shown_the_next_game() -> None:
    host, world = gallery()
    other = header_of(next_token(HEAD.table))
    greet(host, 1)
    host.show(HEAD, [[b"one"]])
    ask(host, 1, 0)
    world.time.pass_(3)
    assert all_served(host, world).is_given
    host.hide()
    assert host.names == ("Eve",)
    host.stay(HEAD.table, [0, 2], [1], b"")
    later = World(time=world.time)
    host.move_to(later.desk, {STRANGERS[0]}.__contains__)
    host.show(other, [[b"two"]])
    ask(host, 1, 0)  # of the game that is over
    world.time.pass_(3)
    host.asked(STRANGERS[1], wire.pack({"table": other.table, "step": 0}))
    world.time.pass_(3)
    assert all_served(host, later).is_given
    host.hide()
    host.close()
    frames = [frame for _, frame in (*world.posted, *later.posted)]
    staying = {"table": HEAD.table, "staying": [0, 2], "leaving": [1], "plan": b""}
    assert frames == [
        *(HEADER.make(HEAD.encode()), RECORD.make(b"one"), STAYING.make(staying)),
        *(HEADER.make(other.encode()), RECORD.make(b"two"), REFUSED.make(ENDED.encode())),
    ]
    assert [one.flooded for one in (world, later)] == [[(WATCHED.make(["Eve"]), None)]] * 2


def test_between_two_games_people_come_with_the_token_of_the_next() -> None:
    host, world = gallery()
    host.show(HEAD, [])
    greet(host, 1)
    ask(host, 1, 0)
    greet(host, 2, token=next_token(HEAD.table))  # it has seen the end already
    assert all_served(host, world).is_given
    host.hide()
    greet(host, 3)
    greet(host, 4, token=next_token(HEAD.table))
    greet(host, 5, token=bytes(16))
    assert len(host.names) == 3
    sentences = ["the game of this invite is over", "the invite is for another table"]
    assert refusals(world) == sentences


# -- the spectator -----------------------------------------------------------------------------


class Sent:
    """Stands in for a spectator's mesh."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.linked = True

    def send(self, key: bytes, frame: bytes) -> bool:
        self.frames.append(frame)
        return True

    def is_linked(self, key: bytes) -> bool:
        return self.linked

    def links(self) -> dict[bytes, Any]:
        state = type("State", (), {"connected": self.linked, "rtt_ms": None})
        return dict.fromkeys(HEADER_OF_IT.proposal.identities, state)


HOST = HEADER_OF_IT.proposal.identities[0]


def watcher(told: list[Event]) -> tuple[_Watcher, Sent]:
    invite = Invite((Address(LOOPBACK, 9),), HOST, HEADER_OF_IT.proposal.token)
    one = _Watcher(identity("Eve"), invite, told.append, None)
    mesh = Sent()
    one._mesh = mesh  # type: ignore[assignment]
    return one, mesh


async def seen_whole(one: _Watcher, nursery: trio.Nursery) -> None:
    one._nursery = nursery
    await one.take(HOST, HEADER.make(LOG.header))
    for record in LOG.records:
        await one.take(HOST, RECORD.make(record))
        one._look()


def tokens(mesh: Sent) -> list[bytes]:
    greetings = [frame for frame in mesh.frames if frame[0] == WATCH.number]
    return [WATCH.read(frame[1:])["token"] for frame in greetings]


@pytest.mark.check("watch.header")
async def test_only_the_table_that_follows_is_the_next_one() -> None:
    """After a game, a host shows the spectators another one whose token does not follow from it.

    Answer: the token of the next table follows from the last, or the table is refused.
    """
    told: list[Event] = []
    one, _ = watcher(told)
    await one.take(HOST, HEADER.make(LOG.header))
    for token in (bytes(16), HEADER_OF_IT.proposal.token):
        with pytest.raises(PeerError, match="of another table"):
            await one.take(HOST, HEADER.make(header_of(token).encode()))
    await one.take(HOST, HEADER.make(header_of(NEXT).encode()))
    assert sum(isinstance(event, Seated) for event in told) == 2


async def test_a_game_that_ended_while_the_link_was_away_is_followed_by_the_next() -> None:
    one, mesh = watcher([])
    await one.take(HOST, HEADER.make(LOG.header))
    await one.take(HOST, REFUSED.make(b"the invite is for another table"))
    assert tokens(mesh) == [NEXT]
    with pytest.raises(LobbyError, match="another table"):
        await one.take(HOST, REFUSED.make(b"the invite is for another table"))


async def test_after_the_game_one_waits_and_hears_who_stays(autojump_clock: object) -> None:
    told: list[Event] = []
    one, mesh = watcher(told)
    async with trio.open_nursery() as nursery:
        await seen_whole(one, nursery)
        one._changed(HOST, True)
        assert tokens(mesh) == [NEXT]
        mesh.frames.clear()
        one._ask()
        assert mesh.frames == []
        said = {"table": HEADER_OF_IT.table, "staying": [0], "leaving": [2, 1], "plan": b""}
        await one.take(HOST, STAYING.make(said))
        await one.take(HOST, STAYING.make({**said, "table": bytes(32)}))
        next_game = Terms.of("sneak")
        await one.take(HOST, STAYING.make({**said, "plan": next_game.data}))
        seen = told.pop()
        assert isinstance(seen, PlayAgain)
        assert seen.plan == next_game
        with pytest.raises(PeerError, match="cannot be read"):
            await one.take(HOST, STAYING.make({**said, "plan": b"garbage"}))
        names = HEADER_OF_IT.proposal.names
        assert told[-1] == PlayAgain((names[0],), (names[2], names[1]))
        assert sum(isinstance(event, PlayAgain) for event in told) == 1
        await one.take(HOST, REFUSED.make(ENDED.encode()))
        assert one._following.cancel_called


@pytest.mark.check("watch.staying")
@pytest.mark.parametrize("seats", [[9], [-1], [0, 0], [1, 0]])
async def test_who_stays_is_somebody_who_played(seats: list[int]) -> None:
    told: list[Event] = []
    one, _ = watcher(told)
    await one.take(HOST, HEADER.make(LOG.header))
    with pytest.raises(PeerError, match="seats that do not exist"):
        await one.take(
            HOST,
            STAYING.make(
                {"table": HEADER_OF_IT.table, "staying": seats, "leaving": [1], "plan": b""}
            ),
        )
    assert not any(isinstance(event, PlayAgain) for event in told)


async def test_a_host_that_is_gone_after_the_game_is_not_waited_for(
    autojump_clock: object,
) -> None:
    one, mesh = watcher([])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one._insist)
        mesh.linked = False
        await one.take(HOST, HEADER.make(LOG.header))
        await trio.sleep(10 * GONE_SECONDS)  # during a game it is
        assert not one._following.cancel_called
        await seen_whole(one, nursery)
        await trio.sleep(GONE_SECONDS - 1)
        assert not one._following.cancel_called
        await trio.sleep(2 * ASKS_AGAIN)
        assert one._following.cancel_called
        nursery.cancel_scope.cancel()


# -- over sockets ------------------------------------------------------------------------------


@pytest.mark.slow
async def test_an_evening_is_watched_from_one_invite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games: each is shown with its result until the next begins; the end is told."""
    monkeypatch.setattr(client, "GONE_SECONDS", NEVER)  # who is not told would wait so long
    told: list[Event] = []
    paused: list[WatchResult] = []
    resumed: list[bytes] = []
    ended: list[WatchResult] = []
    results: list[TableResult] = []
    is_seen = trio.Event()

    async def between(result: WatchResult) -> None:
        paused.append(result)
        is_seen.set()
        try:
            await trio.sleep_forever()
        finally:
            resumed.append(result.table_id)

    async def watch(invite: Invite) -> None:
        ended.append(
            await watch_table(
                identity("Eve"), invite, told.append, folder=tmp_path, between=between
            )
        )

    async def look(result: TableResult, choosing: Choosing) -> bool:
        nonlocal is_seen
        results.append(result)
        await is_seen.wait()
        is_seen = trio.Event()
        return len(results) == 1

    async def follow(result: TableResult, choosing: Choosing) -> bool:
        return True

    async def join(number: int, invite: Invite) -> None:
        own = tmp_path / str(number)
        own.mkdir()
        who = sitter(identities(4)[number], Watcher(number), again=follow)
        with pytest.raises(LobbyError, match="does not play again"):
            await join_table(who, invite, store(own))

    def opened(invite: Invite) -> None:
        nursery.start_soon(watch, invite)
        for number in (1, 2):
            nursery.start_soon(join, number, invite)

    def waits(decided: int) -> object:
        async def for_eve() -> None:
            while not any(isinstance(event, Seated) for event in told):
                await trio.sleep(0.01)

        return for_eve() if decided == 2 else None

    (tmp_path / "0").mkdir()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await host_table(
                sitter("host", Watcher(0, waits), again=look),
                TablePlan(Terms.of("flip-over", {"rounds": 1}), 3),
                store(tmp_path / "0"),
                started=opened,
                endpoint=Endpoint(bind=LOOPBACK),
            )
    tables = [one.table_id for one in results]
    assert [one.table_id for one in paused] == resumed == tables
    assert ended == paused[1:]
    for played, seen in zip(results, paused, strict=True):
        assert seen.log is not None
        assert seen.log.read_bytes() == played.log.read_bytes()
        assert seen.returns == played.returns
    staying = [event for event in told if isinstance(event, PlayAgain)]
    assert any("host" in event.staying for event in staying)
    assert staying[-1].leaving == ("host",)
