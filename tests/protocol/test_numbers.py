"""The numbers on which all programs at a table agree are those of the specification."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from p2p.crypto import keys
from p2p.protocol import chat, entry, held, proposal, wire
from p2p.protocol import terms as table_terms
from p2p.protocol.acts import witnessing
from p2p.protocol.races import book, relays, terms, times, timing

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"
WORDS: Final = {3: "three", 6: "six"}
SAID: Final = [
    ("at most {} arrays and maps inside each other", wire.DEPTH_MAX),
    ("at most {:,} items in all arrays and maps of a value together", wire.ITEMS_MAX),
    ("A record has 65 to {:,} bytes", wire.RECORD_MAX),
    ("`seen` and `late` are 0 to {:,}", witnessing.TIME_MAX_US),
    ("`max({:,}, seen - credit)", times.FLOOR_US),
    ("max({:,}, its time)", relays.FLOOR_US),
    ("at most {:,} above the least", times.TIE_US),
    ("`seen + late - 2 credit` by at most {:,}", times.AGREEMENT_US),
    ("late by more than {:,} counts as late", relays.HELD_US),
    ("or by more than {:,} if none of the first together", 2 * relays.HELD_US),
    ("(delay of w, c) + {:,}", terms.HOP_US),
    ("plus {:,} for each of these", terms.RELAY_US),
    ("in microseconds, 1 to {:,}", terms.PING_MAX_US),
    ("share of that card, less {:,}", book.ALLOWANCE_US),
    ("that are for steps more than {} ahead", held.AHEAD),
    ("at most {} steps before the `race` step", timing.REMEMBERED - 2),
    ("`text` (1 to {} printable code points", chat.TEXT_MAX),
    ("`number` (0 to 2^{})", chat.NUMBER_MAX.bit_length() - 1),
    ("`clock` (as in the proposal), of at most {:,} bytes", table_terms.NEXT_MAX),
    ("old table id)`, first {} bytes", proposal.TOKEN_BYTES),
    ("(array of `[identity key, name, bot]`: 2 to {}", proposal.SEATS_MAX),
]


@pytest.mark.parametrize(("sentence", "number"), SAID, ids=[sentence for sentence, _ in SAID])
def test_a_number_is_that_of_the_specification(sentence: str, number: int) -> None:
    assert sentence.format(number) in PAGE.read_text("utf-8")


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("After {} disputes of one pair, no `witness` step is owed", times.DISPUTES_MAX),
        ("After {} disputes no `witness` step is owed", times.DISPUTES_MAX),
        ("After {} disputes of any pairs that a seat was between", times.BETWEEN_MAX),
    ],
)
def test_so_are_those_that_it_writes_as_words(sentence: str, number: int) -> None:
    assert sentence.format(WORDS[number]) in PAGE.read_text("utf-8")


def test_what_has_a_length_has_this_one() -> None:
    """In bytes, as sections 1 to 4 give them."""
    lengths = entry.STATE_BYTES, entry.HASH_BYTES, entry.SIGNATURE_BYTES
    assert lengths == (16, 32, 64)
    assert (keys.OPENING_BYTES, keys.PROOF_BYTES) == (32, 64)
