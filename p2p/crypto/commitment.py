"""Secret simultaneous choices: commit, then open (protocol section 4)."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from p2p import checks
from p2p.errors import LocalError

NONCE_BYTES: Final = 32
COMMITMENT_BYTES: Final = 64


def commit_choice(context: bytes, nonce: bytes, choice: bytes) -> bytes:
    """64 bytes that hide `choice` and bind to it.

    `context` names label, table, step and seat; `nonce` is 32 random bytes, on disk before
    the commitment is sent.
    """
    if len(nonce) != NONCE_BYTES:
        raise LocalError("the nonce of a choice has 32 bytes")
    return _hash(context, nonce, choice)


def verify_choice(commitment: bytes, context: bytes, nonce: bytes, choice: bytes) -> None:
    """Accept `choice` as the one committed to.  Raises PeerError("bad-opening")."""
    checks.require(
        "commitment.nonce-length",
        len(nonce) == NONCE_BYTES,
        "bad-opening",
        "the nonce of the opening is not 32 bytes",
    )
    checks.require(
        "commitment.opening",
        hmac.compare_digest(_hash(context, nonce, choice), commitment),
        "bad-opening",
        "the opening is not the choice committed to",
    )


def _hash(*parts: bytes) -> bytes:
    digest = hashlib.sha512(b"nodealer choice")
    for part in parts:
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()
