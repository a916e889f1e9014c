"""The channel under attack: who is refused, and that a refusal never leaves a stream open."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
import trio.testing
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.net import certificate, handshake
from p2p.net.certificate import certificate_key, dialler_context, listener_context
from p2p.net.handshake import accept, connect
from p2p.net.link import Channel, Frames
from p2p.net.memory_network import MemoryStream, memory_streams
from p2p.protocol.frame_kinds import FRAME_MAX
from tests.patience import PATIENCE

from .helpers import identities
from .tls_forger import serve_forged

ALICE, BOB, MALLORY = identities(3)
UNIVERSAL_KEY = b"\x01" + bytes(31)
"""The neutral element as a key: R = it, s = 0 verifies for every message."""


async def both(
    one: Callable[[], Awaitable[object]], other: Callable[[], Awaitable[object]]
) -> list[object]:
    """The outcome of two ends: their results, or the errors that ended them."""
    results: list[object] = [None, None]

    async def note(place: int, end: Callable[[], Awaitable[object]]) -> None:
        try:
            results[place] = await end()
        except (PeerError, trio.BrokenResourceError, trio.EndOfChannel) as error:
            results[place] = error

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(note, 0, one)
            nursery.start_soon(note, 1, other)
    return results


async def linked(near: trio.abc.Stream, far: trio.abc.Stream) -> tuple[Channel, Channel]:
    """Alice has dialled Bob."""
    dialled, accepted = await both(
        lambda: connect(near, ALICE, BOB.public), lambda: accept(far, BOB)
    )
    assert isinstance(dialled, Channel)
    assert isinstance(accepted, Channel)
    return dialled, accepted


def refused(result: object, sentence: str) -> bool:
    assert isinstance(result, PeerError), result
    assert result.verdict == "bad-handshake"
    assert sentence in result.reason
    return True


async def is_closed(stream: MemoryStream) -> bool:
    with pytest.raises(trio.ClosedResourceError):
        await stream.send_all(b"anything")
    return True


async def tcp_streams() -> tuple[trio.SocketStream, trio.SocketStream]:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    near = await trio.open_tcp_stream(*listener.socket.getsockname())
    far = await listener.accept()
    await listener.aclose()
    return near, far


async def test_both_ends_learn_the_right_key_over_tcp() -> None:
    near, far = await linked(*await tcp_streams())
    assert (near.peer, far.peer) == (BOB.public, ALICE.public)
    for payload in (b"short", bytes(FRAME_MAX)):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(near.frames.send, payload)
            assert await far.frames.receive() == payload
    await far.frames.send(b"back")
    assert await near.frames.receive() == b"back"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.frames.aclose)
        with pytest.raises(trio.EndOfChannel):
            await far.frames.receive()
    await far.frames.aclose()


async def test_it_is_tls_1_3_without_tickets() -> None:
    for context in (dialler_context(), listener_context(ALICE)):
        assert context.minimum_version == ssl.TLSVersion.TLSv1_3
        assert context.maximum_version == ssl.TLSVersion.TLSv1_3
    assert listener_context(ALICE).num_tickets == 0


async def test_the_ssl_streams_in_use_keep_the_stream_contract() -> None:
    async def pair() -> tuple[trio.SSLStream[MemoryStream], trio.SSLStream[MemoryStream]]:
        near, far = memory_streams()
        return (
            trio.SSLStream(near, dialler_context()),
            trio.SSLStream(far, listener_context(BOB), server_side=True),
        )

    await trio.testing.check_two_way_stream(pair, None)


@pytest.mark.check("channel.listener-key")
async def test_an_impostor_listener_is_refused_before_a_byte_is_sent() -> None:
    """Somebody answers in the host's place.

    Answer: the guest knows the host's key from the invite, and says nothing to any other key.
    """
    near, far = memory_streams()

    async def impostor() -> bytes:
        tls = trio.SSLStream(far, listener_context(MALLORY), server_side=True)
        await tls.do_handshake()
        frames = Frames(tls)
        await frames.send(bytes(32))
        return await frames.receive()

    dialled, got = await both(lambda: connect(near, ALICE, BOB.public), impostor)
    assert refused(dialled, "does not hold the expected identity key")
    assert isinstance(got, trio.BrokenResourceError)
    assert await is_closed(near)


@pytest.mark.check("channel.allowed")
async def test_an_unlisted_dialler_is_refused() -> None:
    near, far = memory_streams()

    async def dial_and_listen() -> bytes:
        return await (await connect(near, MALLORY, BOB.public)).frames.receive()

    dialled, accepted = await both(
        dial_and_listen, lambda: accept(far, BOB, lambda key: key == ALICE.public)
    )
    assert refused(accepted, "not expected here")
    assert isinstance(dialled, trio.BrokenResourceError)
    assert await is_closed(far)


@pytest.mark.check("channel.nonce")
@pytest.mark.parametrize("nonce", [b"1", bytes(31)])
async def test_a_short_nonce_is_refused(nonce: bytes) -> None:
    near, far = memory_streams()

    async def careless() -> bytes:
        tls = trio.SSLStream(far, listener_context(BOB), server_side=True)
        await tls.do_handshake()
        await Frames(tls).send(nonce)
        return await Frames(tls).receive()

    dialled, _ = await both(lambda: connect(near, ALICE, BOB.public), careless)
    assert refused(dialled, "a nonce has 32 bytes")


async def relay(listens_as: Identity) -> list[object]:
    """Alice dials a relay that shows `listens_as` and hands her proof on to Bob."""
    near, relay_near = memory_streams()
    relay_far, far = memory_streams()

    async def in_the_middle() -> bytes:
        to_alice = trio.SSLStream(relay_near, listener_context(listens_as), server_side=True)
        to_bob = trio.SSLStream(relay_far, dialler_context())
        await to_alice.do_handshake()
        await to_bob.do_handshake()
        alice, bob = Frames(to_alice), Frames(to_bob)
        await alice.send(await bob.receive())
        await bob.send(await alice.receive())
        return await bob.receive()

    outcome: list[object] = []

    async def accept_at_bob() -> None:
        outcome.extend(await both(lambda: accept(far, BOB), in_the_middle))

    await both(lambda: connect(near, ALICE, listens_as.public), accept_at_bob)
    return outcome


@pytest.mark.check("identity.signature")
async def test_a_proof_relayed_to_another_listener_is_refused() -> None:
    """Somebody in between hands a guest's proof of its key on to another machine.

    Answer: the proof names the machine it was made for.
    """
    accepted, relayed = await relay(MALLORY)
    assert refused(accepted, "signature")
    assert isinstance(relayed, trio.BrokenResourceError)


@pytest.mark.check("identity.signature")
async def test_even_a_thief_of_the_listeners_key_cannot_relay() -> None:
    """Somebody has stolen a host's key and sits between it and a guest.

    Answer: the guest's proof names the very connection, so it cannot be handed on. Remains: the
    holder of a stolen key can act as the host.
    """
    accepted, _ = await relay(BOB)
    assert refused(accepted, "signature")


@pytest.mark.check("identity.signature")
@pytest.mark.call("p2p.net.handshake:_check_proof -> verify")
async def test_a_dialler_cannot_take_another_name() -> None:
    """A stranger shows somebody else's key with a signature of its own.

    Answer: refused.
    """
    near, far = memory_streams()

    async def liar() -> bytes:
        tls = trio.SSLStream(near, dialler_context())
        await tls.do_handshake()
        frames = Frames(tls)
        nonce = await frames.receive()
        session = tls.get_channel_binding("tls-unique")
        statement = handshake._statement(BOB.public, nonce, session, ALICE.public)
        await frames.send(ALICE.public + MALLORY.sign(handshake.PURPOSE, statement))
        return await frames.receive()

    accepted, _ = await both(lambda: accept(far, BOB), liar)
    assert refused(accepted, "signature")


async def send_as_proof(near: MemoryStream, raw: bytes) -> bytes:
    """Dial Bob and send `raw` where the proof belongs."""
    tls = trio.SSLStream(near, dialler_context())
    await tls.do_handshake()
    await Frames(tls).receive()
    await tls.send_all(raw)
    return await Frames(tls).receive()


@pytest.mark.check("identity.sound")
async def test_a_dialler_of_small_order_is_refused() -> None:
    near, far = memory_streams()
    proof = UNIVERSAL_KEY + UNIVERSAL_KEY + bytes(32)
    raw = len(proof).to_bytes(4, "big") + proof
    accepted, _ = await both(lambda: accept(far, BOB), lambda: send_as_proof(near, raw))
    assert refused(accepted, "not of prime order")


@pytest.mark.check("frames.length")
@pytest.mark.parametrize("length", [97, 2**17, 2**31])
async def test_a_long_proof_is_refused_by_its_header(length: int) -> None:
    near, far = memory_streams()
    raw = length.to_bytes(4, "big") + bytes(100)
    accepted, _ = await both(lambda: accept(far, BOB), lambda: send_as_proof(near, raw))
    assert refused(accepted, f"a frame of {length} bytes")


@pytest.mark.parametrize("length", [1, 31, 32, 95])
async def test_a_short_proof_is_refused(length: int) -> None:
    near, far = memory_streams()
    raw = length.to_bytes(4, "big") + (ALICE.public + bytes(64))[:length]
    accepted, _ = await both(lambda: accept(far, BOB), lambda: send_as_proof(near, raw))
    assert refused(accepted, "")


async def test_an_expected_key_of_small_order_is_not_dialled() -> None:
    near, _ = memory_streams()
    with pytest.raises(PeerError, match="bad-handshake"):
        await connect(near, ALICE, UNIVERSAL_KEY)
    assert await is_closed(near)


@pytest.mark.parametrize("as_dialler", [True, False])
async def test_tls_1_2_is_refused(as_dialler: bool) -> None:
    near, far = memory_streams()

    async def old_fashioned(stream: MemoryStream, context: ssl.SSLContext) -> None:
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            await trio.SSLStream(stream, context, server_side=not as_dialler).do_handshake()
        finally:
            await trio.aclose_forcefully(stream)

    if as_dialler:
        ours, theirs = await both(
            lambda: accept(far, BOB), lambda: old_fashioned(near, dialler_context())
        )
    else:
        ours, theirs = await both(
            lambda: connect(near, ALICE, BOB.public),
            lambda: old_fashioned(far, listener_context(BOB)),
        )
    assert refused(ours, "broke off")
    causes = f"{ours.__cause__.__cause__} {theirs.__cause__}".lower()
    assert "unsupported protocol" in causes or "protocol version" in causes


def bobs_certificate() -> bytes:
    return x509.load_pem_x509_certificate(certificate._certificate(BOB, b"x")).public_bytes(
        serialization.Encoding.DER
    )


async def test_the_forger_would_do_with_the_right_key() -> None:
    """Control for the next test: an honest key behind the certificate is accepted by TLS."""
    near, far = memory_streams()

    async def dial() -> bytes | None:
        tls = trio.SSLStream(near, dialler_context())
        await tls.do_handshake()
        key = certificate_key(tls.getpeercert(binary_form=True))
        await trio.aclose_forcefully(tls)
        return key

    key, _ = await both(dial, lambda: serve_forged(far, bobs_certificate(), BOB.expose_secret()))
    assert key == BOB.public


async def test_a_stolen_certificate_is_refused() -> None:
    near, far = memory_streams()
    dialled, answer = await both(
        lambda: connect(near, ALICE, BOB.public),
        lambda: serve_forged(far, bobs_certificate(), MALLORY.expose_secret()),
    )
    assert refused(dialled, "broke off")
    assert "signature" in str(dialled.__cause__.__cause__).lower()
    assert answer == b""


async def test_a_certificate_with_another_kind_of_key_is_refused(tmp_path: Path) -> None:
    near, far = memory_streams()
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, certificate._NAME)])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(certificate._NOT_BEFORE)
        .not_valid_after(certificate._NOT_AFTER)
        .sign(key, hashes.SHA256())
    )
    pem = built.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (tmp_path / "other.pem").write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "other.pem")
    tls = trio.SSLStream(far, context, server_side=True)
    dialled, _ = await both(lambda: connect(near, ALICE, BOB.public), tls.do_handshake)
    assert refused(dialled, "does not hold the expected identity key")


@given(st.data())
def test_no_certificate_raises_anything(data: st.DataObject) -> None:
    der = bytearray(bobs_certificate())
    for _ in range(data.draw(st.integers(0, 3))):
        der[data.draw(st.integers(0, len(der) - 1))] = data.draw(st.integers(0, 255))
    key = certificate_key(bytes(der[: data.draw(st.integers(0, len(der)))]))
    assert key is None or len(key) == 32


@pytest.mark.parametrize("as_dialler", [True, False])
@pytest.mark.parametrize(
    "garbage", [bytes(200), b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff"]
)
async def test_garbage_is_refused(as_dialler: bool, garbage: bytes) -> None:
    near, far = memory_streams()
    await far.send_all(garbage)
    await far.send_eof()
    with pytest.raises(PeerError, match="bad-handshake: the peer broke off"):
        await (connect(near, ALICE, BOB.public) if as_dialler else accept(near, BOB))
    assert await is_closed(near)


@pytest.mark.parametrize("as_dialler", [True, False])
async def test_a_silent_peer_runs_out_of_time(autojump_clock: MockClock, as_dialler: bool) -> None:
    near, _far = memory_streams()
    started = trio.current_time()
    with pytest.raises(PeerError, match="bad-handshake: the peer took too long"):
        await (connect(near, ALICE, BOB.public) if as_dialler else accept(near, BOB))
    assert trio.current_time() - started == pytest.approx(10)
    assert await is_closed(near)


async def test_a_dialler_that_never_proves_itself_runs_out_of_time(
    autojump_clock: MockClock,
) -> None:
    near, far = memory_streams()

    async def mute() -> bytes:
        tls = trio.SSLStream(near, dialler_context())
        await tls.do_handshake()
        await Frames(tls).receive()
        return await Frames(tls).receive()

    accepted, _ = await both(lambda: accept(far, BOB, handshake_seconds=3), mute)
    assert refused(accepted, "took too long")


async def test_cancelling_a_handshake_closes_the_stream(autojump_clock: MockClock) -> None:
    near, _far = memory_streams()
    with trio.move_on_after(1):
        await connect(near, ALICE, BOB.public)
    assert await is_closed(near)


class FlipsABit(trio.abc.SendStream):
    """Passes bytes on; once armed, with one bit changed near the end."""

    def __init__(self, stream: trio.abc.SendStream) -> None:
        self.stream = stream
        self.armed = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        changed = bytearray(data)
        if self.armed:
            changed[-3] ^= 1
        await self.stream.send_all(changed)

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self.stream.aclose()


async def test_a_bit_flipped_after_the_handshake_is_noticed() -> None:
    """Somebody between two peers changes one bit of what they send.

    Answer: the link ends; nothing false is read.
    """
    near, far = memory_streams()
    flips = FlipsABit(near)
    dialled, accepted = await linked(trio.StapledStream(flips, near), far)
    await dialled.frames.send(b"one")
    assert await accepted.frames.receive() == b"one"
    flips.armed = True
    await dialled.frames.send(b"two")
    with pytest.raises(trio.BrokenResourceError):
        await accepted.frames.receive()


async def test_an_end_without_goodbye_is_no_clean_end() -> None:
    """Somebody on the way cuts a connection, so that it looks as if the peer had said all.

    Answer: an end without a goodbye is never taken for a real one.
    """
    await a_cut_connection_is_noticed()


async def a_cut_connection_is_noticed() -> None:
    near, far = memory_streams()
    dialled, accepted = await linked(near, far)
    await dialled.frames.send(b"one")
    await near.send_eof()
    assert await accepted.frames.receive() == b"one"
    with pytest.raises(trio.BrokenResourceError):
        await accepted.frames.receive()


def test_no_clear_secret_reaches_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(Path, "write_bytes", lambda self, data: written.append(data))
    with pytest.raises(FileNotFoundError):
        listener_context(ALICE)
    assert b"BEGIN ENCRYPTED PRIVATE KEY" in written[0]
    assert b"BEGIN PRIVATE KEY" not in written[0]
