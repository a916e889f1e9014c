"""Identity keys: RFC 8032 vectors, purposes, fingerprints, and every unsound key."""

from __future__ import annotations

import hashlib
import pickle

import pytest

from p2p.errors import LocalError, PeerError
from p2p.identity import ed25519
from p2p.identity import keys as identity
from p2p.identity.keys import Identity, decode_identity, verify, word_list, words

from .helpers import seeded

PURPOSE = b"nodealer test v1\0"

# RFC 8032, section 7.1: secret key, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]

# The eight points of order 1, 2, 4 and 8 in their canonical encodings, and the same
# y coordinates written in other ways (Chalkias et al., SSR 2020, table 1 of its cases).
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
]
NOT_CANONICAL = [
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    # y = p + 3, on the curve: what a library that reduces y would take for y = 3
    "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]
OFF_CURVE = ["0200000000000000000000000000000000000000000000000000000000000000"]


def encode(point: ed25519.Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, ed25519.FIELD_PRIME)
    x, y = x * inverse % ed25519.FIELD_PRIME, y * inverse % ed25519.FIELD_PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_rfc_8032_vectors(secret: str, public: str, message: str, signature: str) -> None:
    """The vectors have no purpose, so they are put to the parts below it."""
    person = Identity(bytes.fromhex(secret))
    assert person.public.hex() == public
    assert person._key.sign(bytes.fromhex(message)).hex() == signature
    key = identity._library_key(decode_identity(person.public))
    assert identity._is_valid(key, bytes.fromhex(message), bytes.fromhex(signature))


def test_the_base_point_and_multiples_match_the_library() -> None:
    base = ed25519.decompress(
        ((4 * pow(5, -1, ed25519.FIELD_PRIME)) % ed25519.FIELD_PRIME).to_bytes(32, "little")
    )
    assert base is not None
    assert ed25519.has_prime_order(base)
    hashed = int.from_bytes(hashlib.sha512(bytes(32)).digest()[:32], "little")
    scalar = hashed & ((1 << 254) - 8) | 1 << 254
    assert encode(ed25519.multiply(scalar, base)) == Identity(bytes(32)).public


def test_a_signature_verifies_for_its_purpose_key_and_message_only() -> None:
    alice, bob = Identity.generate(seeded(1)), Identity.generate(seeded(2))
    signature = alice.sign(PURPOSE, b"message")
    verify(alice.public, PURPOSE, b"message", signature)
    for public, purpose, message in [
        (bob.public, PURPOSE, b"message"),
        (alice.public, b"nodealer other v1\0", b"message"),
        (alice.public, PURPOSE, b"another"),
    ]:
        with pytest.raises(PeerError, match="bad-signature"):
            verify(public, purpose, message, signature)


@pytest.mark.check("identity.signature")
@pytest.mark.parametrize("cut", [0, 32, 63, 65])
@pytest.mark.call("p2p.identity.keys:_is_valid -> key.verify")
def test_a_forged_or_cut_signature_is_refused(cut: int) -> None:
    alice = Identity.generate(seeded(1))
    signature = (alice.sign(PURPOSE, b"another message") + b"\0")[: cut or 64]
    with pytest.raises(PeerError, match="bad-signature"):
        verify(alice.public, PURPOSE, b"message", signature)


@pytest.mark.check("identity.signature")
def test_a_signature_with_s_above_the_group_order_is_refused() -> None:
    """A neighbour makes a second valid form of somebody's signature, so that it seems to have
    signed twice.

    Answer: there is one form only; all others are refused.
    """
    alice = Identity.generate(seeded(1))
    signature = alice.sign(PURPOSE, b"message")
    s = int.from_bytes(signature[32:], "little") + ed25519.GROUP_ORDER
    with pytest.raises(PeerError, match="bad-signature"):
        verify(alice.public, PURPOSE, b"message", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.check("identity.sound")
@pytest.mark.parametrize("encoding", SMALL_ORDER + NOT_CANONICAL + OFF_CURVE)
def test_unsound_keys_are_refused(encoding: str) -> None:
    with pytest.raises(PeerError, match="bad-key"):
        decode_identity(bytes.fromhex(encoding))


@pytest.mark.check("identity.sound")
def test_small_order_keys_are_refused_before_their_universal_signature_counts() -> None:
    """With A = R = identity and s = 0 the library accepts any message whatever."""
    key = bytes.fromhex(SMALL_ORDER[0])
    assert identity._is_valid(identity._library_key(key), b"anything", key + bytes(32))
    with pytest.raises(PeerError, match="bad-key"):
        verify(key, PURPOSE, b"anything", key + bytes(32))


@pytest.mark.check("identity.sound")
@pytest.mark.parametrize("torsion", SMALL_ORDER[1:])
def test_keys_of_mixed_order_are_refused(torsion: str) -> None:
    honest = ed25519.decompress(Identity.generate(seeded(3)).public)
    small = ed25519.decompress(bytes.fromhex(torsion))
    assert honest is not None
    assert small is not None
    with pytest.raises(PeerError, match="bad-key"):
        decode_identity(encode(ed25519.add(honest, small)))


@pytest.mark.check("identity.length")
def test_a_key_of_another_length_is_refused() -> None:
    public = Identity.generate(seeded(1)).public
    for data in (public + b"\0", public[:31], b""):
        with pytest.raises(PeerError, match="bad-key"):
            decode_identity(data)
    assert decode_identity(bytearray(public)) == public


@pytest.mark.parametrize("purpose", [b"", b"\0", b"no end", b"two\0zeros\0", b"after\0it"])
def test_a_purpose_that_could_run_into_the_message_is_our_bug(purpose: bytes) -> None:
    alice = Identity.generate(seeded(1))
    with pytest.raises(LocalError):
        alice.sign(purpose, b"message")
    with pytest.raises(LocalError):
        verify(alice.public, purpose, b"message", bytes(64))


def test_the_secret_does_not_show() -> None:
    alice = Identity.generate(seeded(1), "Alice")
    assert repr(alice) == f"Identity({alice.words}, 'Alice')"
    with pytest.raises(LocalError):
        pickle.dumps(alice)
    with pytest.raises(LocalError):
        Identity(b"short")


def test_fingerprints_are_six_words_and_differ() -> None:
    fingerprints = {Identity.generate(seeded(seed)).words for seed in range(50)}
    assert len(fingerprints) == 50
    assert all(len(each.split("-")) == 6 for each in fingerprints)
    assert words(bytes(32)) == words(bytes(32))


def test_the_word_list_is_easy_to_tell_apart() -> None:
    listed = word_list()
    assert len(listed) == 512 == len({word[:4] for word in listed})
    assert all(3 <= len(word) <= 8 and word.isascii() and word.islower() for word in listed)
