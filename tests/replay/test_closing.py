"""Logs whose close lacks a seat: the ballots of all others stand for its signature."""

from __future__ import annotations

from functools import cache

import pytest

from engine.games import load
from p2p.protocol.ballot import PURPOSE, sign_ballot
from p2p.protocol.entry import SIGNATURE_BYTES, decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import frame, split_log
from replay.game import SavedGame
from replay.report import page
from tests.protocol.kit import Hub, Seat, game_hub, identities, log_bytes
from tests.replay.logs import entries, judge, match, records, with_records

GONE = 2
"""The seat that leaves before it signs the close."""


@cache
def _left() -> Hub:
    hub = game_hub(load("flip-over"), 3, seed=5)
    hub.bend = lambda seat, record: [] if _closes(record) and seat == GONE else [record]
    hub.run()
    assert not hub.faults
    return hub


def _closes(record: bytes) -> bool:
    return decode_entry(record).kind == "close"


def _honest() -> Seat:
    return _left().seats[0]


def unclosed() -> bytes:
    """The log as far as signatures could be had."""
    return log_bytes(_honest()) + b"".join(frame(r) for r in _honest().machine.current())


def ballot(voter: int, absent: int = GONE) -> bytes:
    return sign_ballot(identities(3)[voter], _honest().machine.chain, voter, absent).record


@pytest.mark.slow
def test_without_ballots_the_log_is_unfinished() -> None:
    assert judge(unclosed()).verdict == "unfinished"


def test_ballots_of_all_others_stand_for_the_missing_signature() -> None:
    report = judge(unclosed() + frame(ballot(0)) + frame(ballot(1)))
    assert (report.verdict, report.verified, report.returns) == ("closed-without", False, None)
    last = max(entry.step for entry in entries(log_bytes(_honest())) if entry.seat == GONE)
    assert report.proven_to == last, "the last step that seat 2 signed; its close is missing"
    assert report.reason == (
        f"all is right up to step {last}, the last that seat2 signed; what follows, and the "
        "result, is the word of those who stayed"
    )
    said = page(report)
    assert f"  proven to    all seats stand behind everything before step {last}" in said
    assert "  result       not proven: the word of those who stayed" in said


def test_the_ending_names_who_lacks_a_signature() -> None:
    log = split_log(unclosed() + frame(ballot(0)) + frame(ballot(1)))
    game = SavedGame(decode_header(log.header), log)
    assert game.ending == "seat0 and seat1 signed the result, without seat2"


def test_a_log_that_ends_in_the_close_is_unfinished_there() -> None:
    log = split_log(unclosed())
    game = SavedGame(decode_header(log.header), log)
    assert game.ending == f"unfinished: the log ends in step {len(game.steps)}"


@pytest.mark.check("audit.ballots")
@pytest.mark.parametrize("voters", [(0,), (1, 0), (0, 1, 1), (0, 0)])
def test_the_ballots_are_one_a_seat_in_order(voters: tuple[int, ...]) -> None:
    report = judge(unclosed() + b"".join(frame(ballot(voter)) for voter in voters))
    assert report.verdict == "broken-chain"
    assert not report.verified


def test_a_ballot_of_the_missing_seat_itself_is_refused() -> None:
    report = judge(unclosed() + frame(ballot(0)) + frame(ballot(2, 1)))
    assert report.verdict == "broken-chain"


def test_ballots_in_the_middle_of_a_game_close_nothing() -> None:
    """All others agree that a seat is gone, to end a game that it was winning.

    Answer: they can only agree on that when the result is to be signed, not before.
    """
    kept = records(log_bytes(_honest()))[:30]
    report = judge(with_records(unclosed(), kept) + frame(ballot(0)) + frame(ballot(1)))
    assert report.verdict == "broken-chain"


def test_ballots_behind_a_complete_log_are_refused() -> None:
    signer = identities(4)[0]
    chain = _left().seats[0].machine.chain
    more = sign_ballot(signer, chain, 0, 1).record
    report = judge(match() + frame(more))
    assert (report.verdict, report.step) == ("broken-chain", entries(match())[-1].step)


def test_a_forged_ballot_is_refused() -> None:
    """Somebody forges a ballot of another seat, which says that a seat is gone.

    Answer: ballots are signed too; it is refused.
    """
    sound = ballot(1)
    forged = sound[:-SIGNATURE_BYTES] + identities(3)[0].sign(PURPOSE, sound[:-SIGNATURE_BYTES])
    report = judge(unclosed() + frame(ballot(0)) + frame(forged))
    step = _honest().machine.chain.step
    assert (report.verdict, report.seat, report.step) == ("bad-signature", None, step)


def test_an_entry_behind_a_ballot_is_refused() -> None:
    report = judge(unclosed() + frame(ballot(0)) + frame(_honest().machine.current()[0]))
    assert report.verdict == "malformed"
