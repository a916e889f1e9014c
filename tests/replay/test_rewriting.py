"""A log that was closed without a seat proves nothing beyond what that seat signed."""

from __future__ import annotations

import pytest

from p2p.protocol.entry import decode_entry
from tests.replay.logs import judge, records
from tests.replay.rewriting import LAST, RESULTS, closed, complete, own_log, played


@pytest.mark.slow
def test_those_who_stayed_can_write_another_end_and_it_is_not_verified() -> None:
    """Another choice, another result, right signatures and proofs: no file alone shows that."""
    for anew in (False, True):
        report = judge(closed(anew=anew))
        close = decode_entry(played(anew=anew).seats[0].machine.current()[0])
        assert close.payload["result"] == RESULTS[anew]
        assert (report.verdict, report.verified) == ("closed-without", False)
        assert (report.step, report.seat, report.returns) == (None, None, None)
        assert report.proven_to == LAST
        assert report.reason.startswith(f"all is right up to step {LAST}, the last that seat2")


def test_up_to_that_step_they_can_change_nothing() -> None:
    """What is proven of either file, both tell alike."""
    for one, other in zip(records(closed()), records(closed(anew=True)), strict=False):
        if decode_entry(one).step > LAST:
            break
        assert one == other
    assert closed() != closed(anew=True)


def test_of_a_game_that_all_closed_everything_is_proven() -> None:
    report = judge(complete())
    assert (report.verified, report.proven_to) == (True, report.steps)
    assert list(report.returns or ()) == RESULTS[0]


def test_an_unfinished_game_is_proven_as_far_as_all_seats_signed() -> None:
    """Whoever signs on alone could as well have signed something else."""
    report = judge(own_log())
    assert (report.verdict, report.verified, report.proven_to) == ("unfinished", False, LAST)
