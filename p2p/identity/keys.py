"""A person's long-lived Ed25519 identity: sign, verify, and refuse unsound keys.

Pure: `p2p.identity.file` deals with the file that keeps the secret.  Each use of a key has its own
purpose, a fixed prefix of what is signed (protocol, opening paragraph), so that a signature made
for one use is worth nothing in another.
"""

from __future__ import annotations

import hashlib
import pkgutil
from functools import cache, lru_cache
from typing import Final, final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2p import checks
from p2p.checks import Entropy
from p2p.errors import LocalError
from p2p.identity.ed25519 import is_sound_key

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
FINGERPRINT_WORDS: Final = 6
_BITS_PER_WORD: Final = 9


@final
class Identity:
    """The secret half of an identity, with its owner's name, and whether a bot decides for it."""

    __slots__ = ("__weakref__", "_key", "_secret", "bot", "name", "public")

    def __init__(self, secret: bytes, name: str = "", *, bot: bool = False) -> None:
        if len(secret) != KEY_BYTES:
            raise LocalError("an identity secret has 32 bytes")
        self._secret = secret
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public: Final = self._key.public_key().public_bytes_raw()
        self.name: Final = name
        self.bot: Final = bot

    @classmethod
    def generate(cls, entropy: Entropy, name: str = "") -> Identity:
        """A fresh identity from 32 bytes of `entropy`."""
        return cls(entropy(KEY_BYTES), name)

    def renamed(self, name: str) -> Identity:
        """The same key under another name, which is only a label."""
        return Identity(self._secret, name, bot=self.bot)

    def as_bot(self) -> Identity:
        """The same key, for a bot: others are told so, which is only a label too."""
        return Identity(self._secret, self.name, bot=True)

    @property
    def words(self) -> str:
        """The fingerprint in words, to be compared by eye or read out."""
        return words(self.public)

    def sign(self, purpose: bytes, message: bytes) -> bytes:
        """Ed25519 signature (64 bytes) over purpose and message."""
        return self._key.sign(_signed(purpose, message))

    def expose_secret(self) -> bytes:
        """The 32 secret bytes: for the identity file, the TLS certificate and keys made of them."""
        return self._secret

    def __repr__(self) -> str:
        return f"Identity({self.words}, {self.name!r})"

    def __reduce__(self) -> str:
        raise LocalError("an identity does not leave the process by pickling")


def verify(public: bytes, purpose: bytes, message: bytes, signature: bytes) -> None:
    """Return if `public` signed `message` for `purpose`.

    PeerError `bad-key` for an unsound key, `bad-signature` for anything else.
    """
    signed = _signed(purpose, message)
    valid = _is_valid(_library_key(decode_identity(public)), signed, signature)
    checks.require("identity.signature", valid, "bad-signature", "a signature does not verify")


def decode_identity(data: bytes) -> bytes:
    """`data` as an identity key (32 bytes), or PeerError `bad-key`.

    Call it wherever a key comes in: invite, handshake, genesis, audit.
    """
    checks.require(
        "identity.length", len(data) == KEY_BYTES, "bad-key", "an identity key has 32 bytes"
    )
    checks.require(
        "identity.sound",
        _is_sound(bytes(data)),
        "bad-key",
        "an identity key is not canonical, not on the curve, or not of prime order",
    )
    return bytes(data)


def words(public: bytes) -> str:
    """The fingerprint of a public key: six of 512 words, 54 bits of its hash.

    For people who compare keys; the programs themselves always compare all 32 bytes.
    """
    digest = hashlib.sha512(b"nodealer fingerprint v1\0" + public).digest()
    number = int.from_bytes(digest, "big")
    chosen = []
    for _ in range(FINGERPRINT_WORDS):
        number, index = divmod(number, 1 << _BITS_PER_WORD)
        chosen.append(word_list()[index])
    return "-".join(chosen)


@cache
def word_list() -> tuple[str, ...]:
    """512 nouns of 3 to 8 letters, no two of which share their first four letters."""
    # Quicker than importlib.resources by 5 ms.
    listed = pkgutil.get_data("p2p.identity", "words.txt")
    if listed is None:
        raise LocalError("the list of words is missing")
    return tuple(listed.decode("ascii").split())


def _signed(purpose: bytes, message: bytes) -> bytes:
    # A purpose that ends at its only zero byte makes the pairs prefix-free: no other
    # purpose and message give the same bytes.
    if purpose.find(b"\0") != len(purpose) - 1 or len(purpose) < 2:
        raise LocalError("a signing purpose is a label that ends with its only zero byte")
    return purpose + message


def _is_valid(key: Ed25519PublicKey, signed: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, signed)
    except InvalidSignature:
        return False
    return True


# A proof of prime order costs a millisecond; a table has few keys and many signatures.
@lru_cache(maxsize=4096)
def _is_sound(data: bytes) -> bool:
    return is_sound_key(data)


@lru_cache(maxsize=1024)
def _library_key(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)
