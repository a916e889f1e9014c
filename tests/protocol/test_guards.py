"""What no caller of ours does is refused, and moments that mean nothing are none."""

from __future__ import annotations

import hashlib

import pytest

from engine.errors import UsageError
from p2p.crypto.coin import draw
from p2p.crypto.group import ORDER
from p2p.crypto.hedged import Hedged
from p2p.crypto.sharing import Polynomial
from p2p.crypto.shuffle_offline import random_permutation
from p2p.errors import LocalError
from p2p.protocol.ballot import decode_ballot, sign_ballot
from p2p.protocol.entry import Chain
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.races.timing import REMEMBERED, Timing
from p2p.protocol.table import open_table
from tests.protocol.kit import TABLE, identities, make_header, seeded
from tests.protocol.scenes import SCENES


def test_an_auditor_sees_no_table_of_its_own() -> None:
    table = open_table(make_header(SCENES["dealt"], 2), seeded("auditor"))
    with pytest.raises(LookupError, match="an auditor has no seat"):
        table.view()


def test_a_ballot_says_to_its_signer_what_it_says_to_all() -> None:
    people, chain = identities(3), Chain(TABLE)
    ballot = sign_ballot(people[1], chain, 1, 2)
    assert ballot == decode_ballot(ballot.record, [one.public for one in people])
    assert (ballot.table, ballot.step, ballot.seat, ballot.absent) == (TABLE, 0, 1, 2)


def test_a_polynomial_has_no_value_zero() -> None:
    for wrong in ((1,), (1, 0), (0, 1), (1, ORDER)):
        with pytest.raises(LocalError, match="two or more values other than zero"):
            Polynomial(wrong)
    assert Polynomial((2, ORDER - 1)).share(1) == ORDER - 1


def test_terms_of_races_say_their_limits() -> None:
    with pytest.raises(UsageError, match="the race cap is 1 to 250 ms"):
        RaceTerms(cap_us=999)
    with pytest.raises(UsageError, match="the hold is 0 to 5000 ms"):
        RaceTerms(hold_us=-1)


def test_a_clock_that_goes_back_gives_no_time_below_zero() -> None:
    now = [100]
    timing = Timing(lambda: now[0])
    timing.begin(1, automatic=False)
    now[0] = 40
    timing.leave(1)
    timing.note(1, 0)
    assert (timing.own_after(1), timing.since(1, 0), timing.after_own(1, 0, 1)) == (0, 0, 0)


def test_moments_are_forgotten_after_some_steps() -> None:
    now = [0]
    timing = Timing(lambda: now[0])
    for step in range(REMEMBERED + 2):
        now[0] = step
        timing.begin(step, automatic=False, kind="open")
        timing.note(step, 1)
        timing.leave(step)
    kept = range(2, REMEMBERED + 2)
    for told in (timing.began, timing.own_after, lambda step: timing.arrived(step, 1)):
        assert [step for step in range(REMEMBERED + 2) if told(step) is not None] == [*kept]


def test_a_hedged_source_gives_what_its_definition_says() -> None:
    """Compared with other programs by nobody, so the test has the bytes."""
    drawn = Hedged(seeded("entropy"), b"place", b"one", b"two")(40)
    assert hashlib.sha256(drawn).hexdigest()[:16] == "46c2569a734f7532"


def test_a_draw_beyond_the_last_whole_turn_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2^512 values the last does not count for three sides: 2^512 = 3 n + 1."""
    tops = iter([b"\xff" * 64, b"\xff" * 63 + b"\xfe"])

    class Known:
        def __init__(self, data: bytes) -> None:
            self.digest = lambda: next(tops)

    monkeypatch.setattr("p2p.crypto.coin.hashlib.sha512", Known)
    assert draw(bytes(64), 0, 3) == 2
    assert next(tops, None) is None


@pytest.mark.parametrize("count", [0, -1])
def test_nothing_cannot_be_permuted(count: int) -> None:
    with pytest.raises(LocalError):
        random_permutation(count, seeded(1))
    assert random_permutation(1, seeded(1)) == [0]
