"""Several files of one table: one history, or who signed two."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p.protocol.entry import Chain
from p2p.protocol.logfile import encode_evidence
from replay.audit import UnreadableError
from replay.compare import Comparison, Copy, compare
from tests.protocol.cheats import sign_again
from tests.replay.logs import entries, judge, match, records, with_records
from tests.replay.rewriting import CHOSEN, GONE, LAST, closed, complete, own_log, until


def compared(*files: bytes) -> Comparison:
    """What the audit says about each, and then about all of them."""
    reports = [judge(data) for data in files]
    told = [(report.verdict, report.proven_to) for report in reports]
    copies = [Copy(f"{n}.ndlog", *told[n], data) for n, data in enumerate(files)]
    return compare(copies)


def signed_twice(found: Comparison) -> dict[int, int]:
    return {one.seat: one.step for one in found.seats}


@pytest.mark.slow
def test_two_honest_copies_are_equal() -> None:
    found = compared(match(), match())
    assert (found.same, found.verdict, found.step, found.seats) == (True, None, None, ())
    assert found.reason == "2 files, equal byte for byte: they count as one copy"
    assert found.table == judge(match()).table
    assert found.paths == ("0.ndlog", "1.ndlog")


@pytest.mark.parametrize("kept", [0, 1, 40, 79])
def test_a_file_that_ends_before_the_other_tells_the_same(kept: int) -> None:
    found = compared(match(), with_records(match(), records(match())[:kept]))
    assert found.same
    steps = len({entry.step for entry in entries(match())[:kept]})
    least = f"to step {steps - 1}" if steps else "no step"
    assert found.reason == (
        f"2 files tell one history: 0.ndlog has most of it (to step 88), 1.ndlog least ({least})"
    )


@pytest.mark.slow
def test_the_same_close_with_and_without_a_seat_is_one_history() -> None:
    """The signature came late: a seat that had left without it has ballots instead."""
    found = compared(closed(), complete())
    assert found.same
    assert found.reason == (
        "2 files tell one history; they differ only in the signatures of its last step"
    )


@pytest.mark.slow
def test_a_seat_that_signs_its_last_entry_again_is_named_alone() -> None:
    """Its own file is unfinished: nothing stands behind the entry."""
    said = entries(match())
    play = max(n for n, entry in enumerate(said) if entry.kind == "play")
    other = sign_again(said[play].record, payload=None)
    found = compared(match(), with_records(match(), [*records(match())[:play], other]))
    entry = said[play]
    assert (found.same, found.verdict, found.step) == (False, "equivocation", entry.step)
    assert signed_twice(found) == {entry.seat: entry.step}
    name = f"seat{entry.seat}"
    assert found.reason == (
        f"the files agree up to step {entry.step - 1} and differ from step {entry.step} on: "
        f"{name} signed two different entries for step {entry.step}"
    )
    assert found.sides == (("0.ndlog",), ("1.ndlog",))


@pytest.mark.slow
def test_who_wrote_the_end_anew_is_named_by_the_log_of_who_had_left() -> None:
    """It shows one choice, the closed log another; the seat that left signed nothing twice."""
    found = compared(own_log(), closed(anew=True))
    (chooser,) = [entry.seat for entry in entries(own_log()) if entry.step == CHOSEN]
    assert (found.verdict, found.step) == ("equivocation", CHOSEN)
    assert signed_twice(found) == {chooser: CHOSEN}
    assert GONE not in signed_twice(found)
    assert found.reason.endswith(
        f"; they agree on what an absent seat confirmed, up to step {LAST}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("other", [closed, complete])
def test_two_ends_name_everybody_who_signed_both(other: object) -> None:
    """Two closed logs, or one that all closed: those who stayed signed twice, the third never."""
    assert callable(other)
    found = compared(other(), closed(anew=True))
    assert found.step == CHOSEN
    assert set(signed_twice(found)) == {0, 1}
    assert sorted(signed_twice(found).values()) == [CHOSEN, CHOSEN + 1]
    assert f"they agree on what an absent seat confirmed, up to step {LAST}" in found.reason


@pytest.mark.slow
def test_three_files_are_compared_at_once() -> None:
    short = until(complete(), LAST)
    assert compared(short, own_log(), closed()).same
    found = compared(short, closed(), own_log(), closed(anew=True), closed())
    assert signed_twice(found).keys() == {0, 1}
    assert found.sides == (("1.ndlog", "2.ndlog", "4.ndlog"), ("3.ndlog",)), "0 ends before"


@pytest.mark.slow
def test_a_file_that_ends_inside_the_step_is_on_the_side_that_it_fits() -> None:
    """With nothing but the entries that all have it fits both, and is on neither."""
    said = entries(match())
    first, second, *_ = (n for n, entry in enumerate(said) if entry.kind == "confirm")
    other = sign_again(said[second].record, payload=bytes(32))
    forked = with_records(match(), [*records(match())[:second], other])
    cut = with_records(match(), records(match())[: second + 1])
    fits_both = with_records(match(), records(match())[: first + 1])
    found = compared(match(), forked, cut, fits_both)
    assert found.step == said[first].step
    assert found.sides == (("0.ndlog", "2.ndlog"), ("1.ndlog",))


@pytest.mark.slow
@pytest.mark.call("replay.compare:_signed -> entry.check_signature")
def test_what_nobody_signed_accuses_nobody() -> None:
    """Whoever holds a file can spoil it: such a file tells nothing from there on."""
    said = entries(match())
    forged = sign_again(said[30].record, payload=None)[:-64] + said[30].record[-64:]
    spoilt = with_records(match(), [*records(match())[:30], forged, *records(match())[31:]])
    assert judge(spoilt).verdict == "bad-signature"
    assert compared(match(), spoilt).same
    assert compared(match(), encode_evidence(match(), [forged, b"garbage" * 20])).same


@pytest.mark.slow
def test_evidence_and_a_log_name_the_same_seat() -> None:
    second = sign_again(records(match())[30], payload=None)
    found = compared(match(), encode_evidence(until(match(), 9), [second]))
    entry = entries(match())[30]
    assert signed_twice(found) == {entry.seat: entry.step}


def _within(log: bytes, record: int) -> int:
    """A place in the middle of this record."""
    return len(with_records(log, records(log)[:record])) + 40


def _cut(log: bytes, record: int) -> bytes:
    return log[: _within(log, record)]


def _without_length(log: bytes, record: int) -> bytes:
    """The frame of this record says that it is empty; all that follows is there."""
    at = len(with_records(log, records(log)[:record]))
    return log[:at] + bytes(4) + b"x" + log[at + 5 :]


def _garbled(log: bytes, record: int) -> bytes:
    """This record is no entry; the frames are whole."""
    kept = records(log)
    return with_records(log, [*kept[:record], b"garbage" * 20, *kept[record + 1 :]])


SPOILT = pytest.mark.parametrize("spoil", [_cut, _without_length, _garbled])
Spoil = Callable[[bytes, int], bytes]


@SPOILT
def test_a_spoilt_file_tells_what_stands_before_that(spoil: Spoil) -> None:
    spoilt = spoil(match(), 40)
    assert judge(spoilt).verdict == "malformed"
    found = compared(match(), spoilt)
    least = f"to step {len({entry.step for entry in entries(match())[:40]}) - 1}"
    assert found.same
    assert found.reason == (
        f"2 files tell one history: 0.ndlog has most of it (to step 88), 1.ndlog least ({least}); "
        "1.ndlog cannot be read to the end"
    )


@SPOILT
@pytest.mark.parametrize("in_evidence", [False, True])
def test_who_signed_two_before_a_cut_is_named(spoil: Spoil, *, in_evidence: bool) -> None:
    """The other entry stands at the end of its step, so that all before it is as it was."""
    other = sign_again(records(match())[30], payload=None)
    forked = spoil(with_records(match(), [*records(match())[:30], other, b"cut" * 30]), 31)
    found = compared(match(), encode_evidence(forked, []) if in_evidence else forked)
    entry = entries(match())[30]
    assert (found.verdict, found.step) == ("equivocation", entry.step)
    assert signed_twice(found) == {entry.seat: entry.step}
    assert found.reason.endswith("; 1.ndlog cannot be read to the end")
    assert found.sides == (("0.ndlog",), ("1.ndlog",))


@pytest.mark.parametrize("beyond", [False, True])
def test_evidence_that_is_cut_names_who_signed_two_before_that(*, beyond: bool) -> None:
    """Cut in the records beyond its log, or in the log itself."""
    second = sign_again(records(match())[30], payload=None)
    ends = [second, records(match())[40]]
    log = with_records(match(), [*records(match())[:30], *([] if beyond else ends)])
    found = compared(match(), encode_evidence(log, ends if beyond else [])[:-20])
    assert signed_twice(found) == {entries(match())[30].seat: entries(match())[30].step}


def test_a_last_signature_that_is_cut_is_not_said_to_be_a_difference() -> None:
    found = compared(match(), match()[:-20])
    assert found.reason == "2 files tell one history; 1.ndlog cannot be read to the end"


@pytest.mark.call("replay.audit:_Case._split -> self._open")
def test_a_file_that_is_cut_is_known_by_its_header() -> None:
    """So that it is found to be of a table; without a whole header it is of none."""
    header = len(with_records(match(), []))
    whole, cut, less = judge(match()), judge(match()[: header + 3]), judge(match()[: header - 1])
    assert (cut.table, cut.game, cut.names) == (whole.table, "flip-over", whole.names)
    assert (less.table, less.game, less.names) == ("", None, ())


def test_two_histories_in_which_nobody_signed_twice_accuse_nobody() -> None:
    """One file has one entry more in a step, and is at fault; no seat signed both ways."""
    said = [entry for entry in entries(match()) if entry.step <= 2]
    alone = next(entry for entry in said if entry.step == 1)
    more = sign_again(alone.record, seat=3)
    first = [entry.record for entry in said if entry.step <= 1]
    behind = sign_again(said[-1].record, previous=_after(alone.previous, alone.record, more))
    found = compared(
        with_records(match(), records(match())[:6]), with_records(match(), [*first, more, behind])
    )
    assert signed_twice(found) == {said[-1].seat: 2}
    other = sign_again(behind, seat=2)
    found = compared(
        with_records(match(), records(match())[:6]), with_records(match(), [*first, more, other])
    )
    assert (found.verdict, found.step, found.seats) == ("broken-chain", 1, ())
    assert found.reason.endswith("no seat is shown to have signed twice")


def _after(before: bytes, *bodies: bytes) -> bytes:
    chain = Chain(bytes(32))
    chain.head = before
    chain.advance([record[:-64] for record in bodies])
    return chain.head


@pytest.mark.slow
def test_files_of_two_tables_are_not_compared() -> None:
    with pytest.raises(UnreadableError, match="not of one table"):
        compared(match(), match(seed=4))
