"""The listener's first flight of TLS 1.3, by hand, with any certificate and any key.

`ssl` refuses to load a certificate together with a key that is not its own; a thief who
holds the (public) certificate of somebody else does not ask.  RFC 8446 with
TLS_AES_128_GCM_SHA256, x25519 and Ed25519; just enough for one handshake.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HANDSHAKE_RECORD, PROTECTED_RECORD = 22, 23
SERVER_HELLO, ENCRYPTED_EXTENSIONS, CERTIFICATE, CERTIFICATE_VERIFY, FINISHED = 2, 8, 11, 15, 20
X25519_GROUP = b"\x00\x1d"
KEY_SHARE = b"\x00\x33"


def sized(data: bytes, length_bytes: int) -> bytes:
    return len(data).to_bytes(length_bytes, "big") + data


def message(kind: int, body: bytes) -> bytes:
    return bytes([kind]) + sized(body, 3)


def expand(secret: bytes, label: bytes, context: bytes, length: int) -> bytes:
    """HKDF-Expand-Label (RFC 8446, 7.1); every length here is at most one hash."""
    info = length.to_bytes(2, "big") + sized(b"tls13 " + label, 1) + sized(context, 1)
    return hmac.digest(secret, info + b"\x01", "sha256")[:length]


@dataclass
class Reader:
    """Cuts the fields of a ClientHello."""

    data: bytes

    def take(self, count: int) -> bytes:
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def take_sized(self, length_bytes: int) -> bytes:
        return self.take(int.from_bytes(self.take(length_bytes), "big"))


def read_hello(hello: bytes) -> tuple[bytes, bytes]:
    """Session id and x25519 share of a ClientHello."""
    reader = Reader(hello)
    reader.take(4 + 2 + 32)
    session, _suites, _compression = (reader.take_sized(size) for size in (1, 2, 1))
    extensions = Reader(reader.take_sized(2))
    while extensions.data:
        kind, body = extensions.take(2), extensions.take_sized(2)
        shares = Reader(Reader(body).take_sized(2) if kind == KEY_SHARE else b"")
        while shares.data:
            group, share = shares.take(2), shares.take_sized(2)
            if group == X25519_GROUP:
                return session, share
    raise AssertionError("the dialler offers no x25519 share")


@dataclass
class Forger:
    """Answers one ClientHello with `certificate` (DER), signing with `secret` (32 bytes)."""

    certificate: bytes
    secret: bytes
    transcript: bytes = b""

    def flight(self, hello: bytes) -> bytes:
        """Everything from ServerHello to Finished, as records."""
        session, share = read_hello(hello)
        ours = X25519PrivateKey.from_private_bytes(bytes(range(32)))
        extensions = b"\x00\x2b" + sized(b"\x03\x04", 2)
        extensions += KEY_SHARE + sized(
            X25519_GROUP + sized(ours.public_key().public_bytes_raw(), 2), 2
        )
        body = b"\x03\x03" + bytes(32) + sized(session, 1) + b"\x13\x01\x00" + sized(extensions, 2)
        server_hello = message(SERVER_HELLO, body)
        self.transcript = hello + server_hello
        traffic = self.traffic_secret(ours.exchange(X25519PublicKey.from_public_bytes(share)))
        record = bytes([HANDSHAKE_RECORD]) + b"\x03\x03" + sized(server_hello, 2)
        return record + self.protect(traffic, self.proofs(traffic))

    def digest(self) -> bytes:
        return hashlib.sha256(self.transcript).digest()

    def traffic_secret(self, shared: bytes) -> bytes:
        early = hmac.digest(bytes(32), bytes(32), "sha256")
        derived = expand(early, b"derived", hashlib.sha256(b"").digest(), 32)
        handshake = hmac.digest(derived, shared, "sha256")
        return expand(handshake, b"s hs traffic", self.digest(), 32)

    def proofs(self, traffic: bytes) -> bytes:
        """EncryptedExtensions, Certificate, CertificateVerify, Finished."""
        start = len(self.transcript)
        self.transcript += message(ENCRYPTED_EXTENSIONS, sized(b"", 2))
        entry = sized(self.certificate, 3) + sized(b"", 2)
        self.transcript += message(CERTIFICATE, sized(b"", 1) + sized(entry, 3))
        signed = b" " * 64 + b"TLS 1.3, server CertificateVerify\x00" + self.digest()
        signature = Ed25519PrivateKey.from_private_bytes(self.secret).sign(signed)
        self.transcript += message(CERTIFICATE_VERIFY, b"\x08\x07" + sized(signature, 2))
        finished_key = expand(traffic, b"finished", b"", 32)
        self.transcript += message(FINISHED, hmac.digest(finished_key, self.digest(), "sha256"))
        return self.transcript[start:]

    @staticmethod
    def protect(traffic: bytes, messages: bytes) -> bytes:
        """One record under the listener's handshake keys, sequence number 0."""
        key, nonce = expand(traffic, b"key", b"", 16), expand(traffic, b"iv", b"", 12)
        inner = messages + bytes([HANDSHAKE_RECORD])
        header = bytes([PROTECTED_RECORD]) + b"\x03\x03" + (len(inner) + 16).to_bytes(2, "big")
        return header + AESGCM(key).encrypt(nonce, inner, header)


async def serve_forged(stream: trio.abc.Stream, certificate: bytes, secret: bytes) -> bytes:
    """Answer one dialler; what it sends after our flight, up to its end."""
    record = b""
    while len(record) < 5 or len(record) < 5 + int.from_bytes(record[3:5], "big"):
        record += await stream.receive_some()
    await stream.send_all(Forger(certificate, secret).flight(record[5:]))
    answer = b""
    try:
        while data := await stream.receive_some():
            answer += data
    except trio.BrokenResourceError:
        pass
    return answer
