"""A player sends more than the game needs: bombs that nobody signed, junk under its own name."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.games import load
from p2p.errors import PeerError
from p2p.net.mesh import Mesh
from p2p.player.events import Flooding
from p2p.protocol import wire
from p2p.protocol.entry import PURPOSE, SIGNATURE_BYTES, Entry, decode_entry, unread
from p2p.protocol.frame_kinds import RECORD, SMALL_MAX
from p2p.protocol.machine import AHEAD
from p2p.protocol.table import GameTable
from tests.attacks.crook import CROOK, Crook, acquit, sit_down
from tests.protocol.kit import game_hub

EMPTY_MAPS = b"\xdc\x00\x1f" + 31 * (b"\xdc\x10\x00" + 4096 * b"\x80")
"""An array of arrays of empty maps: 126,976 of them in 127 kB."""
HONEST = 2
LITTLE = 64 * 1024
"""Bytes that reading a refused record may allocate: fewer than the record has."""


def bomb(table: bytes, seat: int = CROOK) -> bytes:
    """The record of such an entry; nobody signed it."""
    fields = {"table": table, "step": 0, "seat": seat, "kind": "deal", "payload": None}
    body = wire.pack({**fields, "previous": bytes(32), "state": bytes(16)})
    spoilt = body.replace(b"payload\xc0", b"payload" + EMPTY_MAPS)
    return spoilt + bytes(SIGNATURE_BYTES)


@pytest.mark.check("wire.items")
@pytest.mark.call("p2p.protocol.wire:unpack -> _after")
@pytest.mark.parametrize(
    "inside",
    [
        pytest.param(EMPTY_MAPS, id="empty maps"),
        pytest.param(b"\x92" + 2 * (b"\xdc\x08\x01" + 2049 * b"\xc0"), id="two long arrays"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="an array of 4 billion"),
        pytest.param(b"\xdf\xff\xff\xff\xff", id="a map of 4 billion"),
        pytest.param(100_000 * b"\x91", id="a deep nest"),
    ],
)
def test_a_bomb_is_counted_before_anything_is_made_of_it(inside: bytes) -> None:
    """Somebody packs 127,000 empty maps, or an array of four billion, into one message.

    Answer: its items are counted first, at most 4,096 of them, and nothing is made.  Such a record
    took 65 ms and now takes 0.1 ms.
    """
    tracemalloc.start()
    try:
        with pytest.raises(PeerError, match="too many items"):
            wire.unpack(inside)
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()


def test_of_an_entry_only_the_origin_is_read_before_its_signature() -> None:
    """A neighbour sends such a message as an entry that nobody signed.

    Answer: table, step and seat are read, the signature fails, and the rest is never looked at.
    """
    machine = game_hub(load("flip-over"), 3, 1).seats[0].machine
    machine.start()
    record = bomb(machine.chain.table)
    tracemalloc.start()
    try:
        with pytest.raises(PeerError, match="bad-signature"):
            machine.receive(record)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(record)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("order", [("table", "step", "seat"), ("state", "seat", "step", "table")])
def test_the_origin_is_found_in_any_order_of_the_fields(order: tuple[str, ...]) -> None:
    """Control: the first three fields in another order are the same entry."""
    fields: dict[str, Any] = {"table": bytes(32), "step": 7, "seat": 1, "kind": "deal"}
    fields |= {"payload": {"a": [1, {}]}, "previous": bytes(32), "state": bytes(16)}
    body = wire.pack({name: fields[name] for name in [*order, *(fields.keys() - set(order))]})
    record = body + bytes(SIGNATURE_BYTES)
    entry = decode_entry(record)
    assert unread(record) == (entry.table, entry.step, entry.seat, entry.kind, record)


@pytest.fixture
def dropped(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, str]]:
    """Which links were ended for garbage, and why."""
    drop, seen = Mesh.drop, []

    def note(mesh: Mesh, key: bytes, reason: str) -> None:
        seen.append((key, reason))
        drop(mesh, key, reason)

    monkeypatch.setattr(Mesh, "drop", note)
    return seen


Frame = Callable[[GameTable], bytes]
UNSIGNED: dict[str, tuple[Frame, str]] = {
    "of this table": (
        lambda table: RECORD.make(bomb(table.header.table)),
        "a signature does not verify",
    ),
    "of no table": (lambda table: bytes([RECORD.number]) + bomb(bytes(32)), "another table"),
    "of nobody": (
        lambda table: RECORD.make(bomb(table.header.table, seat=7)),
        "another table",
    ),
    "as a question": (
        lambda table: bytes([0x11]) + bytes(SMALL_MAX),
        "a frame is larger than its kind",
    ),
}


@pytest.mark.check("frame.size")
@pytest.mark.check("runner.table")
@pytest.mark.parametrize("kind", UNSIGNED)
async def test_a_record_that_nobody_signed_costs_the_link(
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    dropped: list[tuple[bytes, str]],
    quiet_clock: MockClock,
) -> None:
    """A player sends entries of 127 kB that nobody signed, of this table or of none, or questions
    of that size.

    Answer: the first of them ends its link for ten seconds, and the game goes on; earlier, those
    of unknown tables cost the player nothing and everybody else 65 ms each.
    """
    crook, (frame, reason) = Crook(), UNSIGNED[kind]
    playing: set[int] = set()

    def flood_when_all_play(entry: Entry) -> list[bytes]:
        """Before that, a record of another table might be one of a game that is about to begin."""
        known = len(playing)
        if entry.table == crook.table.header.table and entry.seat != CROOK:
            playing.add(entry.seat)
        if known < len(playing) == HONEST:
            assert crook.runner is not None
            crook.mesh.flood(frame(crook.table))
        return []

    crook.hears = flood_when_all_play
    acquit(await sit_down(tmp_path, monkeypatch, crook, "dealt"))
    assert len(dropped) == HONEST
    assert all(key == crook.identity.public and reason in said for key, said in dropped)


async def _flood(crook: Crook, junk: Callable[[int], bytes], slowed: set[int]) -> None:
    """Send junk, at most 200 records a second, until all honest players have noticed."""
    assert crook.runner is not None
    for number in count():
        if len(slowed) == HONEST:
            return
        crook.mesh.flood(RECORD.make(junk(number)))
        await trio.sleep(0.005)


async def test_a_seat_that_floods_under_its_own_name_is_named_and_slowed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    dropped: list[tuple[bytes, str]],
    quiet_clock: MockClock,
) -> None:
    """A player signs entry after entry for steps that are over and in which it owed nothing.

    Answer: 32 a second are looked at.  Then the players are told that it sends more than the game
    needs, and its link is read more slowly; no rule makes it guilty, and the game goes on.
    Remains: it costs everybody's machine a little time.
    """
    crook, done, played = Crook(), [0], [10**6]

    def junk(number: int) -> bytes:
        fields = {"table": crook.table.header.table, "step": played[0], "seat": CROOK}
        fields |= {"kind": "play", "payload": number, "previous": bytes(32), "state": bytes(16)}
        body = wire.pack(fields)
        return body + crook.identity.sign(PURPOSE, body)

    def hear(entry: Any) -> list[bytes]:
        if entry.kind == "play" and entry.seat != CROOK:
            played[0] = min(played[0], entry.step)
        if entry.step > played[0] + AHEAD and not done[0]:
            done[0] = 1
            assert crook.nursery is not None
            crook.nursery.start_soon(_flood, crook, junk, slowed)
        return []

    def hold(entry: Any) -> list[bytes]:
        """Its next card comes when both have noticed: the game waits for that."""
        if not done[0] or len(slowed) == HONEST:
            return [entry.record]
        held.append(entry.record)
        return []

    def slow(mesh: Mesh, key: bytes) -> None:
        slowed.add(id(mesh))
        if len(slowed) == HONEST:
            crook.flood(held)
            held.clear()
        slow_down(mesh, key)

    held: list[bytes] = []
    slowed: set[int] = set()
    slow_down = Mesh.slow
    monkeypatch.setattr(Mesh, "slow", slow)
    crook.hears, crook.sends["play"] = hear, hold
    evening = await sit_down(tmp_path, monkeypatch, crook, "flip-over", rounds=2)
    acquit(evening)
    for seat in (0, 2):
        told = [event for event in evening.players[seat].events if isinstance(event, Flooding)]
        assert told == [Flooding(CROOK, "guest 1")]
    assert dropped == []
