"""Attacks on links: garbage, huge frames, silence, false keys.  The table plays on."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.identity.keys import Identity
from p2p.net.certificate import dialler_context
from p2p.net.handshake import PURPOSE, connect
from p2p.net.link import Frames
from p2p.protocol.frame_kinds import RECORD
from p2p.protocol.table import GameTable
from tests.attacks import crook as crook_module
from tests.attacks.crook import LOOPBACK, SOON, Crook, acquit, sit_down
from tests.patience import NEVER, PATIENCE

SMALL_ORDER = bytes([1]) + bytes(31)
"""The Ed25519 identity point; R = that point and S = 0 would sign anything under it."""
HUGE = (2**31).to_bytes(4, "big")
"""The header of a frame of 2 GB."""
DEEP = bytes([RECORD.number]) + b"\x91" * 100_000
GARBAGE = {
    "nothing that is a record": RECORD.make(os.urandom(200)),
    "an unknown kind": b"\x7f" + os.urandom(50),
    "deep MessagePack": DEEP,
    "an array of 4 billion": bytes([RECORD.number]) + b"\xdd\xff\xff\xff\xff" + bytes(100),
    "a map with one key twice": bytes([0x11]) + b"\x82\xa4step\x01\xa4step\x02",
    "an empty question": bytes([0x11]),
    "an empty record": bytes([RECORD.number]),
    "an empty ballot": bytes([0x13]),
}


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_garbage_of_a_seat_costs_it_the_link(
    garbage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player sends garbage over its links: unknown kinds, deep nests, huge counts, empty frames.

    Answer: it loses the link for a moment, nothing else happens, and the game goes on.
    """
    crook = Crook()

    def begin(table: GameTable) -> None:
        assert crook.runner is not None
        crook.mesh.flood(GARBAGE[garbage])

    crook.begins = begin
    acquit(await sit_down(tmp_path, monkeypatch, crook, "dealt"))


Assault = Callable[[Crook, bytes, int], Awaitable[None]]


def _host_of(crook: Crook) -> tuple[bytes, int]:
    """The host's key, and the port at which it listens."""
    assert crook.runner is not None
    host = crook.runner.proposal.identities[0]
    via = crook.mesh.sure_of(host)[0]
    return host, via.port


async def _assaulted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, assault: Assault) -> None:
    """A table of honest seats, whose host is attacked over its port before the first card.

    The crook's own seat waits with its first entry until the attack is over.  No link ends because
    somebody is silent or slow.
    """
    crook, over, done = Crook(), trio.Event(), []
    only_what_is_refused = replace(
        SOON, silence_seconds=NEVER, proof_seconds=NEVER, handshake_seconds=NEVER
    )
    monkeypatch.setattr(crook_module, "SOON", only_what_is_refused)

    async def attack() -> None:
        try:
            with trio.fail_after(PATIENCE):
                await assault(crook, *_host_of(crook))
            done.append(True)
        finally:
            over.set()

    def begin(table: GameTable) -> None:
        assert crook.nursery is not None
        crook.nursery.start_soon(attack)

    crook.begins = begin
    held: list[bytes] = []

    def hold(entry: Any) -> list[bytes]:
        assert crook.nursery is not None
        held.append(entry.record)
        crook.nursery.start_soon(release)
        return []

    async def release() -> None:
        await over.wait()
        crook.flood(held)

    crook.sends["shuffle"] = hold
    acquit(await sit_down(tmp_path, monkeypatch, crook, "dealt"))
    assert done == [True]


@asynccontextmanager
async def _stream(port: int) -> AsyncIterator[trio.SocketStream]:
    stream = await trio.open_tcp_stream(LOOPBACK, port)
    try:
        yield stream
    finally:
        await trio.aclose_forcefully(stream)


@asynccontextmanager
async def _unproven(port: int) -> AsyncIterator[Frames]:
    """A TLS session with the host in which nothing is proven yet; its nonce is read."""
    async with _stream(port) as stream:
        tls = trio.SSLStream(stream, dialler_context())
        await tls.do_handshake()
        frames = Frames(tls)
        await frames.receive()
        yield frames


async def _is_closed(receive: Callable[[], Awaitable[bytes]]) -> None:
    """Check that the far end closes, whatever it said before."""
    with pytest.raises((trio.EndOfChannel, trio.BrokenResourceError)):  # noqa: PT012
        while await receive():
            pass
        raise trio.EndOfChannel


async def test_a_frame_of_two_gigabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player announces a message of two gigabytes.

    Answer: the link is closed before a byte of it is kept.
    """

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        async with _stream(port) as stream:
            channel = await connect(stream, crook.identity, host)
            raw = channel.frames._stream
            await raw.send_all(HUGE + bytes(1000))
            await _is_closed(raw.receive_some)

    await _assaulted(tmp_path, monkeypatch, assault)


async def test_a_frame_of_two_gigabytes_before_any_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger announces a message of two gigabytes before it has proven who it is.

    Answer: the link is closed at once; before that proof hardly anything is read.
    """

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        async with _unproven(port) as frames:
            await frames._stream.send_all(HUGE + bytes(1000))
            await _is_closed(frames.receive)

    await _assaulted(tmp_path, monkeypatch, assault)


async def test_garbage_instead_of_a_handshake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger sends something other than a handshake.

    Answer: the link is closed.
    """

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        for data in (os.urandom(500), b"GET / HTTP/1.1\r\n\r\n", bytes(100), HUGE):
            async with _stream(port) as stream:
                await stream.send_all(data)
                await stream.send_eof()
                await _is_closed(stream.receive_some)

    await _assaulted(tmp_path, monkeypatch, assault)


async def test_silent_handshakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger opens a hundred connections and says nothing.

    Answer: 64 of them are kept, each for a second, and the game goes on.
    """
    silent = []

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        for _ in range(100):
            silent.append(await trio.open_tcp_stream(LOOPBACK, port))

    await _assaulted(tmp_path, monkeypatch, assault)
    for stream in silent:
        await trio.aclose_forcefully(stream)


async def _offer_proof(port: int, proof: bytes) -> None:
    async with _unproven(port) as frames:
        await frames.send(proof)
        await _is_closed(frames.receive)


async def test_a_small_order_identity_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger comes with a weak key, under which one signature fits every message.

    Answer: such keys are refused before the signature is looked at.
    """

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        await _offer_proof(port, SMALL_ORDER + SMALL_ORDER + bytes(32))

    await _assaulted(tmp_path, monkeypatch, assault)


async def test_a_seat_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger claims to hold a player's key.

    Answer: nobody is let in under a key without proving to hold it.
    """

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        assert crook.runner is not None
        victim = crook.runner.proposal.identities[2]
        forged = crook.identity.sign(PURPOSE, host + bytes(32) + victim)
        await _offer_proof(port, victim + forged)

    await _assaulted(tmp_path, monkeypatch, assault)


async def test_a_stranger_who_comes_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody with a sound key but without a seat sends garbage.

    Answer: that ends its own link and nothing else.
    """

    async def assault(crook: Crook, host: bytes, port: int) -> None:
        stranger = Identity.generate(os.urandom, "stranger")
        async with _stream(port) as stream:
            channel = await connect(stream, stranger, host)
            await channel.frames.send(GARBAGE["nothing that is a record"])
            await _is_closed(channel.frames.receive)

    await _assaulted(tmp_path, monkeypatch, assault)
