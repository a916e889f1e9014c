"""The handshake: an authenticated, encrypted channel between two identities (protocol section 7).

TLS 1.3; the listener proves its key by its certificate, the dialler compares that key before
it sends a byte and then proves its own in band:

    listener -> dialler   nonce (32 bytes)
    dialler -> listener   own key (32) || signature (64) over
                          listener key || nonce || TLS session || own key

The listener's key in the signature makes a proof worthless to any other listener, the nonce
makes it worthless later, and the session (the dialler's Finished message, a MAC over the
whole TLS handshake) makes it worthless in another session even to a thief of the listener's
key.  RFC 9266 prefers an exporter, which `ssl` does not offer.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

import trio

from p2p import checks
from p2p.checks import Entropy
from p2p.errors import LocalError, PeerError
from p2p.identity.keys import KEY_BYTES, SIGNATURE_BYTES, Identity, decode_identity, verify
from p2p.net.certificate import certificate_key, dialler_context, listener_context
from p2p.net.link import Channel, Frames
from p2p.protocol.frame_kinds import FRAME_MAX
from p2p.version import CHANNEL_VERSION, label

BROKEN_OFF: Final = "the peer broke off the handshake"
"""A program listens there; it may be busy."""
HANDSHAKE_SECONDS: Final = 10.0
PURPOSE: Final = label("handshake", CHANNEL_VERSION)
NONCE_BYTES: Final = 32
_PROOF_BYTES: Final = KEY_BYTES + SIGNATURE_BYTES

_contexts: WeakKeyDictionary[Identity, ssl.SSLContext] = WeakKeyDictionary()
_T = TypeVar("_T")


async def connect(
    stream: trio.abc.Stream,
    identity: Identity,
    expected: bytes,
    *,
    handshake_seconds: float = HANDSHAKE_SECONDS,
) -> Channel:
    """Dial: a channel over `stream` to the holder of `expected`, or PeerError.

    The verdict is always `bad-handshake`, and the stream is closed, whatever went wrong.  Only its
    first frame shows that the listener accepts us.
    """

    async def shake_hands() -> Channel:
        decode_identity(expected)
        tls = trio.SSLStream(stream, _dialler_context(), server_side=False)
        await tls.do_handshake()
        presented = certificate_key(tls.getpeercert(binary_form=True) or b"")
        checks.require(
            "channel.listener-key",
            presented == expected,
            "bad-handshake",
            "the listener does not hold the expected identity key",
        )
        frames = Frames(tls, limit=NONCE_BYTES)
        nonce = await frames.receive()
        checks.require(
            "channel.nonce", len(nonce) == NONCE_BYTES, "bad-handshake", "a nonce has 32 bytes"
        )
        statement = _statement(expected, nonce, _session(tls), identity.public)
        await frames.send(identity.public + identity.sign(PURPOSE, statement))
        frames.set_limit(FRAME_MAX)
        return Channel(expected, frames)

    return await _guarded(stream, shake_hands, handshake_seconds)


async def holds(
    stream: trio.abc.Stream, expected: bytes, *, handshake_seconds: float = HANDSHAKE_SECONDS
) -> bool:
    """Dial, to see whether the listener holds this key; the stream ends.

    PeerError for what is no listener of ours.
    """

    async def look() -> bool:
        tls = trio.SSLStream(stream, _dialler_context(), server_side=False)
        await tls.do_handshake()
        return certificate_key(tls.getpeercert(binary_form=True) or b"") == expected

    try:
        return await _guarded(stream, look, handshake_seconds)
    finally:
        await trio.aclose_forcefully(stream)


async def accept(
    stream: trio.abc.Stream,
    identity: Identity,
    allowed: Callable[[bytes], bool] | None = None,
    *,
    handshake_seconds: float = HANDSHAKE_SECONDS,
    entropy: Entropy = os.urandom,
) -> Channel:
    """Listen: a channel over `stream` to a dialler whose key `allowed` accepts (None: any).

    PeerError as for `connect`; the stream is closed on any failure.
    """

    async def shake_hands() -> Channel:
        tls = trio.SSLStream(stream, _listener_context(identity), server_side=True)
        await tls.do_handshake()
        frames = Frames(tls, limit=_PROOF_BYTES)
        nonce = entropy(NONCE_BYTES)
        await frames.send(nonce)
        proof = await frames.receive()
        dialler = _check_proof(proof, identity.public, nonce, _session(tls))
        checks.require(
            "channel.allowed",
            allowed is None or allowed(dialler),
            "bad-handshake",
            "the dialler is not expected here",
        )
        frames.set_limit(FRAME_MAX)
        return Channel(dialler, frames)

    return await _guarded(stream, shake_hands, handshake_seconds)


def _check_proof(proof: bytes, listener: bytes, nonce: bytes, session: bytes) -> bytes:
    """The dialler's key, once it and the signature are checked.

    A proof of another length fails anyway: by the frame limit, or for lack of a whole signature.
    """
    dialler, signature = proof[:KEY_BYTES], proof[KEY_BYTES:]
    verify(dialler, PURPOSE, _statement(listener, nonce, session, dialler), signature)
    return dialler


def _statement(listener: bytes, nonce: bytes, session: bytes, dialler: bytes) -> bytes:
    """What the dialler signs; the session is framed by its length, the rest is fixed."""
    return listener + nonce + len(session).to_bytes(1, "big") + session + dialler


def _session(tls: trio.SSLStream[trio.abc.Stream]) -> bytes:
    """The dialler's Finished message: the same at both ends of one TLS session only."""
    finished: bytes | None = tls.get_channel_binding("tls-unique")
    if not finished:
        raise LocalError("this TLS library does not give the Finished message")
    return finished


async def _guarded(
    stream: trio.abc.Stream, shake_hands: Callable[[], Awaitable[_T]], seconds: float
) -> _T:
    """Run one side of the handshake; close the transport whatever stops it.

    `SSLStream` does not flush its alert on failure: the peer would wait for ever.
    """
    try:
        with trio.fail_after(seconds):
            return await shake_hands()
    except PeerError as error:
        await trio.aclose_forcefully(stream)
        raise PeerError("bad-handshake", error.reason) from error
    except trio.TooSlowError as error:
        await trio.aclose_forcefully(stream)
        raise PeerError("bad-handshake", "the peer took too long to shake hands") from error
    except (trio.BrokenResourceError, trio.EndOfChannel) as error:
        await trio.aclose_forcefully(stream)
        raise PeerError("bad-handshake", BROKEN_OFF) from error
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise


@cache
def _dialler_context() -> ssl.SSLContext:
    return dialler_context()


def _listener_context(identity: Identity) -> ssl.SSLContext:
    context = _contexts.get(identity)
    if context is None:
        context = _contexts[identity] = listener_context(identity)
    return context
