"""Table keys: committed, then revealed with a proof of possession (protocol section 3).

Commit-then-reveal keeps the last seat from choosing its key after the others', and the
proof of possession, bound to every commitment, keeps anybody from cancelling another's key
in the sum (Ristenpart and Yilek, "The Power of Proofs-of-Possession", EUROCRYPT 2007).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import group, sigma
from p2p.crypto.group import IDENTITY, Point, Scalar
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError

OPENING_BYTES: Final = 32
PROOF_BYTES: Final = 64
_POSSESSION: Final = "nodealer proof of possession"


class TableSecret:
    """A seat's secret key for one table, with its public key.  Never logged, never shown."""

    __slots__ = ("public", "scalar")

    def __init__(self, scalar: Scalar) -> None:
        if not 0 < scalar < group.ORDER:
            raise LocalError("a table secret is a scalar other than zero")
        self.scalar: Final = scalar
        self.public: Final[Point] = group.base(scalar)

    @classmethod
    def generate(cls, entropy: Entropy) -> Self:
        """A fresh secret."""
        return cls(group.random_scalar(entropy))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The secret kept in a seat file.  PeerError("malformed") if the file is damaged."""
        scalar = group.decode_scalar(data)
        checks.require("keys.secret-zero", scalar != 0, "malformed", "the table secret is zero")
        return cls(scalar)

    def to_bytes(self) -> bytes:
        """32 bytes for the seat file."""
        return group.encode_scalar(self.scalar)

    def __repr__(self) -> str:
        return f"TableSecret(public={self.public.hex()[:16]})"

    def __reduce__(self) -> tuple[object, ...]:
        raise LocalError("a table secret is not pickled")


@dataclass(frozen=True)
class KeyContext:
    """Whose key it is: table token (random bytes of the table), seat, raw identity key."""

    token: bytes = field(repr=False)
    seat: int
    identity: bytes

    def bind(self, transcript: Transcript) -> None:
        """Absorb this context."""
        transcript.append("token", self.token)
        transcript.append_numbers("seat", self.seat)
        transcript.append("identity", self.identity)

    def possession(self, of: str, public: Point, commitments: Sequence[bytes]) -> Transcript:
        """What the proof of possession of this public key is about; `of` names the kind of key."""
        transcript = Transcript(of)
        self.bind(transcript)
        transcript.append("public", public)
        transcript.append("commitments", *commitments)
        return transcript


def commit_key(context: KeyContext, public: Point, opening: bytes, also: bytes = b"") -> bytes:
    """The 64-byte commitment to a table key, and to what else is announced with it; `opening` is
    32 random bytes, kept until the reveal."""
    digest = hashlib.sha512(b"nodealer key commitment")
    seat = context.seat.to_bytes(8, "big")
    for part in (context.token, seat, context.identity, public + also, opening):
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
    return digest.digest()


def _challenge(transcript: Transcript, nonce: Point) -> Scalar:
    transcript.append("nonce", nonce)
    return transcript.challenge("possession")


def prove_key(
    secret: TableSecret, context: KeyContext, commitments: Sequence[bytes], entropy: Entropy
) -> bytes:
    """Proof of possession (Schnorr, 64 bytes) bound to every seat's commitment, in seat order."""
    transcript = context.possession(_POSSESSION, secret.public, commitments)
    nonce = transcript.witness_rng(entropy, secret.to_bytes()).scalar("nonce")
    return sigma.prove_log(secret.scalar, nonce, lambda first: _challenge(transcript, first))


def verify_key(
    context: KeyContext,
    public: Point,
    opening: bytes,
    proof: bytes,
    commitments: Sequence[bytes],
    also: bytes = b"",
) -> None:
    """Accept a revealed table key: it opens the seat's commitment and its holder knows x.

    `commitments` are what each seat began with: its commitment, and behind it whatever else it
    showed then.  `also` is what was announced with the key, and committed to.

    Raises PeerError("bad-key"), or "malformed" if `public` is no point or the identity.
    """
    group.decode_point(public)
    checks.require(
        "keys.opening-length",
        len(opening) == OPENING_BYTES,
        "bad-key",
        "the opening is not 32 bytes",
    )
    expected = commit_key(context, public, opening, also)
    announced = commitments[context.seat] if context.seat < len(commitments) else b""
    checks.require(
        "keys.commitment",
        hmac.compare_digest(expected, announced[: len(expected)]),
        "bad-key",
        "the table key is not the one committed to",
    )
    challenge, response = group.decode_scalars(proof, 2, verdict="bad-key")
    transcript = context.possession(_POSSESSION, public, commitments)
    nonce = sigma.log_commitment(public, (challenge, response))
    checks.require(
        "keys.possession",
        _challenge(transcript, nonce) == challenge,
        "bad-key",
        "the proof of possession of the table key is false",
    )


def joint_key(publics: Sequence[Point]) -> Point:
    """The sum of all table keys.

    Raises PeerError("bad-key") for a repeated key, an identity key or an identity sum.
    """
    checks.require(
        "keys.repeated",
        len(set(publics)) == len(publics),
        "bad-key",
        "two seats have one table key",
    )
    checks.require("keys.identity", IDENTITY not in publics, "bad-key", "a table key is zero")
    joint = group.add_all(publics)
    checks.require("keys.joint", joint != IDENTITY, "bad-key", "the table keys cancel out")
    return joint
