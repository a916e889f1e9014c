"""Transcripts: no two histories give one challenge."""

from __future__ import annotations

import hashlib

import pytest

from p2p.crypto import group
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError


def challenge_after(*appends: tuple[str, tuple[bytes, ...]], start: str = "t") -> int:
    transcript = Transcript(start)
    for label, data in appends:
        transcript.append(label, *data)
    return transcript.challenge("c")


def test_every_difference_in_history_changes_the_challenge() -> None:
    histories = [
        challenge_after(("ab", (b"c",))),
        challenge_after(("a", (b"bc",))),
        challenge_after(("ab", (b"c", b""))),
        challenge_after(("ab", (b"", b"c"))),
        challenge_after(("ab", (b"c",)), start="u"),
        challenge_after(("ab", ()), ("c", ())),
        challenge_after(("ab", ())),
        challenge_after(),
    ]
    assert len(set(histories)) == len(histories)


def test_a_challenge_is_part_of_the_history() -> None:
    once, twice = Transcript("t"), Transcript("t")
    assert once.challenge("c") == twice.challenge("c")
    assert once.challenge("c") == twice.challenge("c")
    twice.challenge("another")
    assert once.challenge("c") != twice.challenge("c")


def test_the_first_challenge_is_the_documented_hash() -> None:
    state = hashlib.sha512(b"nodealer transcript" + b"\x00\x00\x00\x01t").digest()
    state = hashlib.sha512(
        state + b"\x00\x00\x00\x00\x05label" + b"\x00\x00\x00\x01" + b"\x00\x00\x00\x02xy"
    ).digest()
    drawn = hashlib.sha512(state + b"\x01\x00\x00\x00\x01c").digest()
    transcript = Transcript("t")
    transcript.append("label", b"xy")
    assert transcript.challenge("c") == group.scalar_from_uniform(drawn)


def test_a_number_is_eight_bytes_of_the_history() -> None:
    by_numbers, by_bytes = Transcript("t"), Transcript("t")
    by_numbers.append_numbers("label", 1, 256)
    by_bytes.append("label", bytes(7) + b"\x01", bytes(6) + b"\x01\x00")
    assert by_numbers.challenge("c") == by_bytes.challenge("c")


def test_many_challenges_have_the_asked_size_and_a_common_beginning() -> None:
    drawn = Transcript("t").challenges("many", 9)
    assert len(set(drawn)) == 9
    assert 2**120 < max(drawn) < 2**128
    assert Transcript("t").challenges("many", 4) == drawn[:4]
    assert max(Transcript("t").challenges("wide", 5, bits=256)) > 2**240
    assert Transcript("t").challenges("none", 0) == []


@pytest.mark.parametrize("bits", [0, 12, 520])
def test_odd_sizes_are_our_mistake(bits: int) -> None:
    with pytest.raises(LocalError):
        Transcript("t").challenges("many", 1, bits=bits)


def test_a_copy_goes_its_own_way() -> None:
    original = Transcript("t")
    original.append("shared", b"history")
    twin = original.copy()
    assert twin.copy().challenge("c") == original.copy().challenge("c")
    twin.append("more", b"")
    assert twin.challenge("c") != original.challenge("c")


def test_numbers_are_absorbed_in_order() -> None:
    one, other = Transcript("t"), Transcript("t")
    one.append_numbers("n", 1, 2)
    other.append_numbers("n", 2, 1)
    assert one.challenge("c") != other.challenge("c")
