"""Every reader of foreign bytes, given bent ones: a value, or a refusal in a sentence."""

from __future__ import annotations

from random import Random

import msgpack
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from tests.fuzz import corpus
from tests.fuzz.mutation import bend_wire
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS

EACH = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
FEW, HEAVY, MANY = 24, 8, 3000
GIVEN = settings(print_blob=True)
CHANCE = st.randoms(use_true_random=False)


def test_bending_makes_nothing_that_is_much_larger() -> None:
    """Of text that is repeated again and again: the fuzzer has to live with what it makes."""
    data = msgpack.packb({"a": "x" * 60_000})
    assert max(len(bend_wire(data, data, Random(seed))) for seed in range(300)) < 4_000_000


def read(reader: Reader, data: bytes) -> None:
    note(f"{reader.name}: {len(data)} bytes, {data[:2000]!r}")
    reader.take(data)


def bent_ones(reader: Reader, count: int) -> None:
    @settings(GIVEN, max_examples=count)
    @given(CHANCE)
    def read_bent(rng: Random) -> None:
        read(reader, reader.bent(rng))

    @settings(GIVEN, max_examples=count // 2)
    @given(st.binary(max_size=600))
    def read_any(data: bytes) -> None:
        read(reader, data)

    read_bent()
    read_any()


@EACH
def test_what_is_sound_is_read(reader: Reader) -> None:
    """Somebody keeps to the rules.

    Of each reader at least one example is read; the others are refused in a sentence.
    """
    refused = [reader.take(data) for data in reader.examples]
    assert None in refused or "refused" in reader.name, refused


@EACH
def test_what_is_bent_is_read_or_refused(reader: Reader) -> None:
    """A peer, a file or a gateway says anything at all, near to sound or far from it.

    A value, or a refusal of the right family in a sentence; never an error of ours.
    """
    bent_ones(reader, HEAVY if reader.heavy or reader.clocked else FEW)


@pytest.mark.full
@EACH
def test_many_bent_ones(reader: Reader) -> None:
    """The same, very many times.

    As above.
    """
    bent_ones(reader, MANY)


@pytest.mark.parametrize("name", corpus.names())
def test_what_was_interesting_once(name: str) -> None:
    """The fuzzer's finds, and what reached the farthest (`make fuzz`).

    As above.
    """
    for data in corpus.of(name):
        READERS[name].take(data)
