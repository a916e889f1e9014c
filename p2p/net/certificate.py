"""TLS contexts around an identity: its self-signed certificate, and the key inside a peer's.

TLS 1.3 only.  The certificate carries nothing but the identity key: its dates are fixed, so
that a wrong clock shuts nobody out, and its names are empty of meaning.

Certificates are a twentieth of what importing a peer takes, and nobody needs one before the first
link: so that part of `cryptography` is imported then.
"""

from __future__ import annotations

import datetime
import os
import ssl
import tempfile
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2p.identity.keys import Identity

_NAME: Final = "nodealer"
_NOT_BEFORE: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_NOT_AFTER: Final = datetime.datetime(2120, 1, 1, tzinfo=datetime.UTC)
_OPTIONS: Final = ssl.OP_NO_COMPRESSION | ssl.OP_ENABLE_MIDDLEBOX_COMPAT
"""The same whatever this Python and this OpenSSL set by default.

The Python of Debian 12 sets OP_IGNORE_UNEXPECTED_EOF: a connection that is cut without a goodbye
(close_notify, RFC 8446 section 6.1) then looks as if the peer had ended it.
"""


def listener_context(identity: Identity) -> ssl.SSLContext:
    """A context that proves `identity` in the TLS handshake.

    `ssl` has no callback to judge an unknown client's certificate, so none is asked for:
    the dialler proves itself in band (`channel`).
    """
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    _load(context, identity)
    return context


def dialler_context() -> ssl.SSLContext:
    """A context that leaves judging the key to `channel`.

    Without certificate verification OpenSSL still checks that the listener holds the
    certificate's private key (CertificateVerify, RFC 8446 section 4.4.3).
    """
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _context(side: int) -> ssl.SSLContext:
    """A context of TLS 1.3 without any default of this machine."""
    context = ssl.SSLContext(side)
    context.options = ssl.Options(_OPTIONS)
    # The maximum first: a machine's openssl.cnf may forbid 1.3, and a minimum above it.
    context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def certificate_key(der: bytes) -> bytes | None:
    """The raw Ed25519 key (32 bytes) in a certificate, or None if there is none."""
    from cryptography import x509  # noqa: PLC0415 (see above)

    try:
        key = x509.load_der_x509_certificate(der).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm, x509.InvalidVersion):
        return None
    return key.public_bytes_raw() if isinstance(key, Ed25519PublicKey) else None


def _load(context: ssl.SSLContext, identity: Identity) -> None:
    # `ssl` loads keys from files only.  The file holds the key encrypted under a password
    # that never leaves this function, so that a crash here leaves no secret on the disk.
    password = os.urandom(32).hex().encode()
    with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
        path = Path(folder, "certificate.pem")
        path.write_bytes(_certificate(identity, password))
        context.load_cert_chain(path, password=password)


def _certificate(identity: Identity, password: bytes) -> bytes:
    """Self-signed certificate and encrypted private key, both in PEM."""
    from cryptography import x509  # noqa: PLC0415 (see above)
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 (see above)

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
    key = Ed25519PrivateKey.from_private_bytes(identity.expose_secret())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
        .sign(key, None)
    )
    encrypted = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password),
    )
    return certificate.public_bytes(serialization.Encoding.PEM) + encrypted
