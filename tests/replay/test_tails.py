"""The log of a seat that was voted out beside the logs of those who went on without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p.protocol.absence.vote import Place, sign_vote
from p2p.protocol.entry import SIGNATURE_BYTES, Chain, Entry, decode_entry, sign_entry
from replay.compare import Comparison, Copy, compare
from tests.protocol.kit import identities, log_bytes
from tests.protocol.losing import LOSING, go_on, lost_log, sit_down
from tests.replay.logs import entries, judge, with_records

NAMES = [one.name for one in identities(5)]
OUT = 3


def compared(*logs: bytes) -> Comparison:
    return compare([Copy(f"{n}.ndlog", "unfinished", 0, log) for n, log in enumerate(logs)])


def void_steps(name: str) -> list[list[Entry]]:
    """The votes of each step that became void."""
    votes = [one for one in entries(lost_log(name)) if one.kind == "vote"]
    return [[v for v in votes if v.step == step] for step in sorted({v.step for v in votes})]


def before(name: str, votes: Sequence[Entry]) -> list[bytes]:
    return [one.record for one in entries(lost_log(name)) if one.step < votes[0].step]


def signed(chain: Chain, seat: int, kind: str = "play") -> bytes:
    return sign_entry(identities(5)[seat], chain, seat, kind, None, bytes(16)).record


def bodies(records: Sequence[bytes]) -> list[bytes]:
    return [record[:-SIGNATURE_BYTES] for record in records]


def tail(name: str, votes: Sequence[Entry], first: Sequence[int], *later: Sequence[int]) -> bytes:
    """A log in which these seats have signed the void step, and those the steps after it."""
    chain = Chain(votes[0].table, votes[0].step, votes[0].previous)
    records = before(name, votes)
    for seats in (first, *later):
        step = [signed(chain, seat) for seat in seats]
        records += step
        chain.advance(bodies(step))
    return with_records(lost_log(name), records)


def said(name: str, step: int, *absent: int) -> str:
    who = " and ".join(NAMES[seat] for seat in absent)
    were = "was" if len(absent) == 1 else "were"
    return (
        f"; {who} {were} voted out in step {step}, and what else a file tells from there on was "
        "continued by nobody"
    )


@pytest.mark.parametrize("later", [(), ([1],), ([1], [1])])
def test_a_tail_of_a_voted_out_seat_is_no_second_history(later: Sequence[Sequence[int]]) -> None:
    """It completed the step that the others gave up, and went on alone."""
    (votes,) = void_steps("one")
    for files in ((0, 1), (1, 0)):
        logs = (lost_log("one"), tail("one", votes, [0, 1, 2, 3], *later))
        found = compared(*[logs[one] for one in files])
        assert (found.same, found.verdict, found.seats) == (True, None, ())
        most = f"2 files tell one history: {files.index(0)}.ndlog has most of it ("
        assert found.reason.startswith(most), "a tail does not count"
        assert found.reason.endswith(said("one", votes[0].step, 1))


def test_two_that_were_voted_out_in_turn() -> None:
    """Each has a tail of its own; the second one's log knows of the first one's end."""
    first, second = void_steps("relock")
    gone = [votes[0].payload["absent"][-1] for votes in (first, second)]
    logs = (
        tail("relock", first, range(5), [gone[0]]),
        tail("relock", second, [gone[1]], [gone[1]]),
        lost_log("relock"),
    )
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        found = compared(*[logs[one] for one in order])
        assert (found.same, found.seats) == (True, ()), found.reason
        both = [said("relock", v[0].step, *v[0].payload["absent"]) for v in (first, second)]
        most = f"3 files tell one history: {order.index(2)}.ndlog has most of it ("
        assert found.reason.startswith(most)
        assert found.reason.endswith("".join(both))


def test_a_seat_that_decided_and_then_was_voted_out_itself() -> None:
    """It took up a decision of an earlier round, which nobody else did, and locked cards anew."""
    (votes,) = void_steps("two")
    place = Place(votes[0].table, votes[0].step, votes[0].previous)
    people = identities(5)
    early = [sign_vote(people[s], place, s, 0, frozenset({3})) for s in (0, 1, 2, 4)]
    late = [sign_vote(people[s], place, s, 1, frozenset({1, 3})) for s in (0, 2, 4)]

    def went_on(step: Sequence[bytes], seat: int) -> bytes:
        chain = Chain(*place)
        chain.advance(bodies(step))
        records = [*before("two", votes), *step, signed(chain, seat, "relock")]
        return with_records(lost_log("two"), records)

    alone = went_on([one.record for one in early], 1)
    others = went_on([one.record for one in late], 0)
    found = compared(alone, others)
    assert (found.same, found.seats) == (True, ())
    assert found.reason.endswith(said("two", place.step, 1, 3))


def test_who_goes_on_at_both_tables_is_named() -> None:
    """A player votes somebody out, and also signs a later step at that player's table.

    Answer: it has signed that step twice, as the logs of both tables show; nobody else is named.
    """
    (votes,) = void_steps("one")
    step = votes[0].step
    mine = next(one for one in entries(lost_log("one")) if one.step > step and one.seat == 2)
    later = [[1]] * (mine.step - step - 1) + [[2]]
    found = compared(lost_log("one"), tail("one", votes, [0, 1, 2, 3], *later))
    assert (found.same, found.verdict, found.step) == (False, "equivocation", step)
    assert [(one.seat, one.step) for one in found.seats] == [(2, mine.step)]


def test_two_tails_in_which_a_seat_signed_the_void_step_twice() -> None:
    """No entry of a void step counts; but nobody signs two."""
    (votes,) = void_steps("two")
    chain = Chain(votes[0].table, votes[0].step, votes[0].previous)
    one = with_records(lost_log("two"), [*before("two", votes), signed(chain, 0)])
    other = with_records(lost_log("two"), [*before("two", votes), signed(chain, 0, "open")])
    found = compared(lost_log("two"), one, other)
    assert (found.verdict, [seat.seat for seat in found.seats]) == ("equivocation", [0])


def test_who_signs_at_the_other_table_alone_is_not_proven_guilty() -> None:
    """A liar's second vote could have released an honest seat: only two bodies are a proof."""
    (votes,) = void_steps("one")
    found = compared(lost_log("one"), tail("one", votes, [0, 1, 2, 3], [3]))
    assert (found.same, found.verdict, found.seats) == (False, "broken-chain", ())
    assert found.step == votes[0].step


def test_the_log_of_a_seat_that_went_on_without_knowing() -> None:
    """Nobody has its entry; it has all the others', and ends the step that they give up."""
    plan = LOSING["mend"]._replace(gone=())
    hub = sit_down(plan)
    opens, bend = [], hub.bend

    def withholds(seat: int, record: bytes) -> list[bytes]:
        if seat == OUT and (opens or decode_entry(record).kind == "open"):
            opens.append(record)
            return []
        return bend(seat, record)

    hub.bend = withholds
    hub.run(10**6)
    own = log_bytes(hub.seats[OUT])
    hub.kill(OUT)
    go_on(hub)
    assert not hub.faults
    log = log_bytes(hub.seats[0])
    (step,) = [one.step for one in judge(log).lost]
    assert [one.step for one in entries(own)][-1] >= step
    found = compared(log, own)
    assert (judge(log).verdict, judge(own).verdict) == ("complete", "unfinished")
    assert (found.same, found.seats) == (True, ())
    assert found.reason.endswith(said("mend", step, OUT))


@pytest.mark.parametrize("payload", [None, {"round": 0}, {"round": 0, "absent": 3}])
def test_a_vote_of_another_shape_is_where_a_file_ends(payload: object) -> None:
    """Whoever signs a vote can write anything in it."""
    (votes,) = void_steps("one")
    chain = Chain(votes[0].table, votes[0].step, votes[0].previous)
    odd = sign_entry(identities(5)[0], chain, 0, "vote", payload, bytes(16)).record
    spoilt = with_records(lost_log("one"), [*before("one", votes), odd])
    assert compared(lost_log("one"), spoilt).same
