"""The TLS contexts are the same whatever a Python and an OpenSSL set by default."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import pytest

from p2p.net import certificate, handshake
from p2p.net.certificate import dialler_context, listener_context

from .test_channel import ALICE, a_cut_connection_is_noticed

OP_IGNORE_UNEXPECTED_EOF = 1 << 7
"""By OpenSSL's ssl.h; the ssl module of Python 3.11 sets it but has no name for it."""


class CarelessContext(ssl.SSLContext):
    """A context with the defaults of another Python and another OpenSSL."""

    def __new__(cls, protocol: int) -> CarelessContext:
        context = super().__new__(cls, protocol)
        context.options |= OP_IGNORE_UNEXPECTED_EOF
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        return context


class CarelessModule:
    """The module `ssl` of such a machine."""

    SSLContext = CarelessContext

    def __getattr__(self, name: str) -> object:
        return getattr(ssl, name)


@pytest.fixture
def careless_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(certificate, "ssl", CarelessModule())
    handshake._dialler_context.cache_clear()
    handshake._contexts.clear()
    yield
    handshake._dialler_context.cache_clear()
    handshake._contexts.clear()


def test_no_default_of_a_python_reaches_a_context(careless_python: None) -> None:
    for context in (dialler_context(), listener_context(ALICE)):
        assert type(context) is CarelessContext
        assert not context.options & OP_IGNORE_UNEXPECTED_EOF
        assert context.minimum_version == ssl.TLSVersion.TLSv1_3
        assert context.maximum_version == ssl.TLSVersion.TLSv1_3


async def test_cut_connection_is_noticed_by_careless_python(careless_python: None) -> None:
    await a_cut_connection_is_noticed()
