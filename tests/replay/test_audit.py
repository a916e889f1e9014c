"""The audit of whole logs, good and bad."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from p2p.protocol.entry import PURPOSE, Chain, sign_entry
from p2p.protocol.logfile import LOG_MAX, begin_log, encode_evidence, frame, split_log
from replay.audit import UnreadableError, audit
from tests.protocol.cheats import sign_again
from tests.protocol.kit import identities
from tests.replay.logs import entries, judge, match, records, with_records


def test_an_honest_match_is_complete() -> None:
    report = judge(match())
    assert (report.verdict, report.verified) == ("complete", True)
    assert (report.game, report.seats) == ("flip-over", 4)
    assert report.shuffles == 4
    assert report.names == ("seat0", "seat1", "seat2", "seat3")
    assert report.returns is not None
    assert sum(report.returns) == 0


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 1])
def test_a_log_cut_between_two_steps_is_valid_so_far(share: float) -> None:
    """Somebody cuts off the end of a saved game that he lost.

    Answer: the audit says "valid up to step k" and never "verified". Remains: such a file cannot be
    told from a game that was left.
    """
    said = entries(match())
    step = round(share * said[-1].step)
    report = judge(with_records(match(), [e.record for e in said if e.step < step]))
    assert (report.verdict, report.verified) == ("unfinished", False)
    assert report.step == step


def test_a_log_cut_inside_a_step_is_valid_so_far() -> None:
    report = judge(with_records(match(), records(match())[:-1]))
    assert (report.verdict, report.verified) == ("unfinished", False)


@pytest.mark.parametrize("cut", [1, 63, 64, 200])
def test_a_log_cut_inside_a_record_is_malformed(cut: int) -> None:
    assert judge(match()[:-cut]).verdict == "malformed"


@pytest.mark.parametrize("more", [b"\0", b"\n", bytes(4), frame(b""), frame(bytes(100))])
def test_anything_behind_the_last_record_is_refused(more: bytes) -> None:
    report = judge(match() + more)
    assert report.verdict == "malformed"
    assert not report.verified


@pytest.mark.parametrize("kept", [0, 2])
def test_two_entries_for_one_step_are_found_before_any_proof(kept: int) -> None:
    """A seat sends a false share and then, while others still check it, another entry.

    Answer: they see at once that it has signed twice, and the audit of their evidence says that
    too, whether the false entry is in their log or beyond it.
    """
    said = entries(match())
    at = next(i for i, entry in enumerate(said) if entry.kind == "deal")
    share = bytearray(said[at].payload["shares"])
    false = sign_again(said[at].record, payload={**said[at].payload, "shares": bytes(share[::-1])})
    log = with_records(match(), [*(one.record for one in said[:at]), *[false][:kept]])
    report = judge(encode_evidence(log, [false, said[at].record]))
    where = (report.verdict, report.seat, report.step)
    assert where == ("equivocation", said[at].seat, said[at].step)
    assert judge(encode_evidence(log, [false])).verdict in ("bad-share", "malformed")


@pytest.mark.slow
def test_another_file_is_no_log() -> None:
    for data in (b"", b"PK\x03\x04 a zip file", match()[1:], b"nodealer log 2\n" + match()[15:]):
        assert judge(data).verdict == "malformed"


@pytest.mark.check("audit.sequence")
def test_entries_of_a_step_stand_in_seat_order() -> None:
    """Somebody puts entries of a saved game into another order.

    Answer: their order is fixed, even at the end, where no later hash would tell.
    """
    *before, one, other = records(match())
    report = judge(with_records(match(), [*before, other, one]))
    assert report.verdict == "broken-chain"
    assert report.step == entries(match())[-1].step


@pytest.mark.parametrize("place", [0, 10, 57, -1])
def test_a_doubled_entry_is_refused(place: int) -> None:
    kept = records(match())
    kept.insert(place if place >= 0 else len(kept), kept[place])
    assert judge(with_records(match(), kept)).verdict == "broken-chain"


@pytest.mark.parametrize("place", [0, 9, 30, 77])
def test_a_missing_entry_is_refused(place: int) -> None:
    kept = records(match())
    del kept[place]
    report = judge(with_records(match(), kept))
    assert report.verdict == "broken-chain"
    assert report.step is not None


def test_two_entries_that_change_places_are_refused() -> None:
    for place in (3, 20, 60):
        kept = records(match())
        kept[place], kept[place + 1] = kept[place + 1], kept[place]
        assert judge(with_records(match(), kept)).verdict == "broken-chain"


@pytest.mark.slow
def test_a_log_under_another_header_is_refused() -> None:
    foreign = begin_log(split_log(match(seed=4)).header)
    spliced = foreign + b"".join(frame(record) for record in records(match()))
    assert judge(spliced).verdict == "broken-chain"


@pytest.mark.slow
def test_two_logs_spliced_together_are_refused() -> None:
    """Somebody joins the beginning of one saved game to the end of another.

    Answer: each entry signs the history before it; the audit names the place.
    """
    mine, other = records(match()), records(match(seed=4))
    assert judge(with_records(match(), mine[:40] + other[40:])).verdict == "broken-chain"


@pytest.mark.check("audit.link")
def test_an_entry_with_another_history_is_refused() -> None:
    """Signed by its seat, and right except for what it says about the step before."""
    *before, last = records(match())
    stray = sign_again(last, previous=bytes(32))
    assert judge(with_records(match(), [*before, stray])).verdict == "broken-chain"


@pytest.mark.check("audit.order")
def test_an_entry_behind_an_incomplete_step_is_refused() -> None:
    """A seat alone signs on, as if nobody else had been asked: its own hashes fit."""
    said = entries(match())
    coin = [entry for entry in said if entry.step == 0]
    assert [entry.seat for entry in coin] == [0, 1, 2, 3]
    chain = Chain(coin[0].table)
    chain.advance([coin[0].body])
    alone = sign_entry(identities(4)[0], chain, 0, "shuffle", None, bytes(16))
    report = judge(with_records(match(), [coin[0].record, alone.record]))
    assert (report.verdict, report.seat, report.step) == ("broken-chain", None, 0)


def test_an_entry_that_nobody_owed_is_refused_behind_those_that_were() -> None:
    """Seat 0 shuffles in step 1, alone; seat 3 signs the same step as well."""
    said = [entry for entry in entries(match()) if entry.step <= 1]
    assert [entry.seat for entry in said if entry.step == 1] == [0]
    more = sign_again(said[-1].record, seat=3)
    report = judge(with_records(match(), [*(entry.record for entry in said), more]))
    assert (report.verdict, report.seat, report.step) == ("illegal-move", 3, 1)


def test_the_keys_of_a_map_may_stand_in_any_order() -> None:
    *before, last = records(match())
    payload = dict(reversed(entries(match())[-1].payload.items()))
    report = judge(with_records(match(), [*before, sign_again(last, payload=payload)]))
    assert report.verdict == "complete"


def test_behind_the_close_step_nothing_follows() -> None:
    kept = records(match())
    close = entries(match())[-1]
    chain = Chain(close.table)
    chain.step, chain.head = close.step, close.previous
    chain.advance([entry.body for entry in entries(match()) if entry.step == close.step])
    more = sign_entry(identities(4)[0], chain, 0, "close", None, bytes(16)).record
    report = judge(with_records(match(), [*kept, more]))
    assert (report.verdict, report.seat, report.step) == ("broken-chain", None, close.step)


@pytest.mark.call(
    "replay.chain:chained -> e.check_signature",
    "p2p.protocol.entry:Entry.check_signature -> verify",
)
def test_an_entry_signed_by_somebody_else_is_refused() -> None:
    said = entries(match())
    forged = said[12].body + identities(4)[(said[12].seat + 1) % 4].sign(PURPOSE, said[12].body)
    kept = records(match())
    kept[12] = forged
    report = judge(with_records(match(), kept))
    assert (report.verdict, report.seat, report.step) == (
        "bad-signature",
        None,  # whoever holds the file can spoil a signature in it
        said[12].step,
    )


def _flips(data: bytes, count: int) -> None:
    """One bit of one byte at a time, all over the file: each is found, by name."""
    log, rng = bytearray(data), Random(count)
    for at in sorted(rng.sample(range(len(log)), count)):
        bit = 1 << rng.randrange(8)
        log[at] ^= bit
        report = judge(bytes(log))
        log[at] ^= bit
        assert not report.verified, f"byte {at}, bit {bit}: {report.verdict}"
        assert report.verdict not in ("complete", "unfinished", "closed-without")


@pytest.mark.slow
def test_any_flipped_bit_is_found() -> None:
    """Somebody changes one bit of a saved game.

    Answer: the audit finds it, wherever it is.
    """
    _flips(match(), 300)


@pytest.mark.full
def test_any_of_many_flipped_bits_is_found() -> None:
    _flips(match(), 2000)


@pytest.mark.full
@pytest.mark.parametrize("name", ["flop-a", "sneak", "you-fink", "flaps-level-1", "flaps-level-7"])
def test_so_it_is_in_the_logs_of_all_games(name: str) -> None:
    logs = Path(__file__).parent.parent / "vectors" / "logs"
    _flips((logs / f"good-{name}.ndlog").read_bytes(), 2000)


@pytest.mark.slow
def test_every_byte_of_the_frame_and_the_header_counts() -> None:
    """Places that a sample of a long log rarely hits: magic, lengths, signatures, last record."""
    log = bytearray(match())
    ends = [*range(64), *range(len(log) - 64, len(log))]
    for at in ends:
        log[at] ^= 0x01
        assert not judge(bytes(log)).verified, at
        log[at] ^= 0x01


def test_evidence_that_shows_nothing_convicts_nobody() -> None:
    """Somebody presents the honest entries of a seat as evidence.

    Answer: the audit judges them again and convicts nobody.
    """
    said = records(match())
    report = judge(encode_evidence(with_records(match(), said[:50]), said[48:52]))
    assert report.verdict == "unfinished"
    assert report.seat is None


@pytest.mark.call(
    "replay.beyond:signed -> check_origin",
    "p2p.protocol.entry:check_origin -> entry.check_signature",
)
def test_evidence_that_nobody_signed_is_refused() -> None:
    """Somebody writes an evidence file against a seat without its signature.

    Answer: an accusation needs the signature of the accused; the file accuses nobody.
    """
    said = entries(match())
    forged = sign_again(said[-1].record, payload=None)[:-64] + said[-1].record[-64:]
    before = [entry.record for entry in said if entry.step < said[-1].step]
    report = judge(encode_evidence(with_records(match(), before), [forged]))
    assert report.verdict == "bad-signature"
    assert report.seat is None
    assert not report.verified


@pytest.mark.call("p2p.protocol.entry:check_origin -> check_place")
def test_evidence_of_another_table_is_refused() -> None:
    """It is signed, and says nothing about this table."""
    said = records(match())
    other = sign_again(said[-1], table=bytes(32))
    report = judge(encode_evidence(with_records(match(), said[:50]), [other]))
    assert (report.verdict, report.seat) == ("malformed", None)


@pytest.mark.slow
def test_evidence_of_two_bodies_convicts_their_signer() -> None:
    said = entries(match())
    second = sign_again(said[30].record, payload=None)
    report = judge(encode_evidence(match()[:], [second]))
    assert report.verdict == "complete", "a table that is closed is closed"
    unclosed = with_records(match(), records(match())[:-1])
    report = judge(encode_evidence(unclosed, [second]))
    assert (report.verdict, report.seat) == ("equivocation", said[30].seat)
    assert report.step == said[30].step


def test_a_file_on_disk_is_audited(tmp_path: Path) -> None:
    path = tmp_path / "match.ndlog"
    path.write_bytes(match())
    report = audit(path)
    assert report.verified
    assert report.path == str(path)


def test_a_file_that_cannot_be_read_is_the_user_s_affair(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot be read"):
        audit(tmp_path / "nothing.ndlog")
    with pytest.raises(UnreadableError, match="cannot be read"):
        audit(tmp_path)
    huge = tmp_path / "huge.ndlog"
    with huge.open("wb") as opened:
        opened.truncate(LOG_MAX + 1)
    with pytest.raises(UnreadableError, match="larger than 256 MB"):
        audit(huge)


@pytest.mark.slow
@pytest.mark.check("audit.torn")
def test_zeros_behind_a_log_are_a_cut_where_the_game_is_not_over() -> None:
    """The power fails while a game is saved: the file ends in zeros.

    Answer: an unfinished game is valid up to what was written.  A whole one has nothing after it.
    """
    begun = with_records(match(), records(match())[:40])
    assert judge(begun + bytes(4096)).reason == judge(begun).reason
    whole = judge(match() + bytes(4096))
    assert (whole.verdict, whole.seat, whole.step) == ("malformed", None, None)
