"""What one seat does with votes: how a step ends, what is on disk first, who is at fault."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import load
from p2p.errors import LocalError, OutdatedError, PeerError
from p2p.protocol.absence.decision import Decision, read_decision
from p2p.protocol.absence.poll import Choice, Past, Poll
from p2p.protocol.absence.vote import (
    PRESENT,
    Absent,
    Place,
    Vote,
    Voters,
    place_of,
    sign_vote,
)
from p2p.protocol.effects import Out, Write
from p2p.protocol.entry import Chain, sign_entry
from p2p.protocol.inline import run_inline
from tests.protocol.kit import TABLE, bare_hub, identities

PEOPLE = identities(5)
KEYS = [one.public for one in PEOPLE]
PLACE = Place(TABLE, 3, bytes(range(32)))
THREE, FOUR = Voters((0, 1, 2), 2, 3), Voters((0, 1, 2, 3), 3, 4)


def vote(seat: int, absent: Iterable[int] = (), number: int = 0, place: Place = PLACE) -> Vote:
    return sign_vote(PEOPLE[seat], place, seat, number, frozenset(absent))


def poll(seat: int = 0, *known: Vote, voters: Voters = THREE) -> Poll:
    made = Poll(PLACE, voters, seat)
    for one in known:
        assert made.receive(one)
    return made


def cast(one: Poll) -> Vote | None:
    """Sign and write what a seat wants to say."""
    choice = one.next_vote()
    if choice is None:
        return None
    signed = vote(one.seat, choice.absent, choice.number)
    one.written(signed)
    return signed


def say(one: Poll, *absent: int) -> Vote | None:
    one.say(frozenset(absent))
    return cast(one)


def test_all_others_agree_and_the_step_is_their_votes() -> None:
    one = poll(0, vote(1, {2}))
    assert one.decision is None
    mine = say(one, 2)
    decided = one.decide()
    assert decided == Decision(frozenset({2}), 0, (mine, vote(1, {2})))
    assert one.is_over
    assert not one.may_complete
    assert one.awaited == ()
    chains = [Chain(TABLE), Chain(TABLE)]
    chains[0].advance(decided.bodies)
    chains[1].advance(list(reversed(decided.bodies)))
    assert chains[0].head != chains[1].head


def test_those_who_go_on_have_to_be_enough() -> None:
    """A seat that is lost already does not vote, and is not voted for."""
    voters = Voters((0, 1, 2), 3, 4)
    one = poll(0, voters=voters)
    with pytest.raises(LocalError, match="too many"):
        one.say(frozenset({1}))


def test_a_seat_with_an_open_vote_does_not_complete() -> None:
    one = poll()
    assert one.may_complete
    one.say(frozenset({2}))
    choice = one.next_vote()
    assert choice == Choice(0, frozenset({2}))
    assert not one.may_complete, "also while the vote is being written"
    assert one.next_vote() is None, "it is handed out once"
    one.written(vote(0, {2}))
    assert one.awaited == (1,)
    with pytest.raises(LocalError, match="open vote"):
        one.complete()
    one.receive(vote(2, {1}))
    assert not one.may_complete, "who is named refutes nothing"
    one.receive(vote(1))
    assert one.may_complete
    one.complete()
    assert one.decision is None


def test_a_vote_counts_when_it_is_written() -> None:
    one = poll(0, vote(1, {2}))
    one.say(frozenset({2}))
    assert one.next_vote() == (0, frozenset({2}))
    assert one.decision is None
    assert one.records() == [vote(1, {2}).record]
    with pytest.raises(LocalError, match="not handed out"):
        one.written(vote(0, {1}))
    one.written(vote(0, {2}))
    assert one.decision is not None
    with pytest.raises(LocalError, match="not handed out"):
        one.written(vote(0, {2}))


def test_whoever_has_ended_the_step_answers_present() -> None:
    one = poll()
    one.complete()
    assert one.next_vote() is None
    for number in (0, 1, 2):
        one.receive(vote(1, {2}, number))
        assert cast(one) == vote(0, PRESENT, number)
    one.say(frozenset({2}))
    assert one.next_vote() is None
    other = poll(0, vote(1, {2}))
    say(other, 2)
    other.decide()
    other.receive(vote(1, {2}, 1))
    assert cast(other) == vote(0, PRESENT, 1)


def test_a_word_is_said_again_where_others_went_on() -> None:
    one = poll()
    assert say(one, 2) == vote(0, {2})
    assert say(one, 2) is None, "it is said already"
    one.receive(vote(1))
    assert cast(one) is None, "nobody asks again"
    one.receive(vote(1, {2}, 1))
    assert cast(one) == vote(0, {2}, 1)
    assert one.decide().round == 1


def test_latecomer_votes_in_the_first_round_that_may_decide() -> None:
    one = poll(0, vote(1), vote(2), vote(1, {2}, 1), vote(1, {2}, 2))
    assert say(one, 2) == vote(0, {2}, 1)
    assert cast(one) == vote(0, PRESENT, 0)
    assert one.decide().round == 1


def test_waiting_needs_no_word_unless_somebody_voted() -> None:
    one = poll()
    assert say(one) is None
    one.receive(vote(1, {2}))
    assert cast(one) is None, "the person is asked anew"
    assert say(one) == vote(0)


def test_a_seat_may_say_something_else_while_its_vote_is_open() -> None:
    """Seat 2 came back, and now seat 1 is away: nobody is left who could refute the first vote."""
    one, two = poll(0), poll(2)
    first = say(one, 2)
    assert first is not None
    two.receive(first)
    assert two.against_me is None
    second, theirs = say(one, 1), say(two, 1)
    assert second is not None
    assert theirs is not None
    two.receive(second)
    third = cast(two)
    assert third == vote(2, {1}, 1)
    for answer in (theirs, third):
        one.receive(answer)
    assert one.decide() == two.decide()
    assert two.decide().absent == {1}


def test_an_older_decision_waits_until_later_votes_are_refuted() -> None:
    one = poll(0, voters=FOUR)
    say(one, 3)
    say(one, 2)
    for seat in (1, 2):
        one.receive(vote(seat, {3}))
    assert one.decision is None
    one.receive(vote(3, {1}, 1))
    assert one.decide().absent == {3}


def test_a_decision_that_leaves_one_behind_is_not_taken_up() -> None:
    """Seat 1 has voted for seat 2, and since then for this one: it could not follow."""
    one = poll()
    say(one, 2)
    one.receive(vote(1, {0}, 1))
    one.receive(vote(1, {2}))
    assert one.decision is None
    assert cast(one) == vote(0, PRESENT, 1), "that vote has to be refuted, as far as this seat can"
    one.receive(vote(1, {2}, 2))
    assert cast(one) == vote(0, {2}, 2)
    assert one.decide().round == 2


def test_a_seat_that_was_voted_out_learns_it() -> None:
    one = poll(2, vote(0, {2}))
    assert one.against_me is None
    one.receive(vote(1, {2}))
    against = one.against_me
    assert against is not None
    assert against.votes == (vote(0, {2}), vote(1, {2}))


def test_a_vote_about_a_step_to_come_is_new_once() -> None:
    """It is kept, and passed on once."""
    hub = bare_hub(load("flip-over"), 3, least=2)
    machine = hub.seats[0].machine
    machine.start()
    later = Place(TABLE, machine.chain.step + 1, bytes(32))
    early = vote(1, {2}, place=later)
    assert machine.voting.receive(early)
    assert not machine.voting.receive(vote(1, {2}, place=later))
    assert early.record in machine.voting.all()


def test_a_vote_of_its_own_that_its_disk_lacked_is_written() -> None:
    hub = bare_hub(load("flip-over"), 3, least=2)
    machine = hub.seats[0].machine
    machine.start()
    run_inline(machine)
    mine = vote(0, {2}, place=place_of(machine.chain))
    assert machine.voting.receive(mine)
    written = [one for one in run_inline(machine, disk=True) if isinstance(one, Write)]
    assert [(one.kind, one.record) for one in written] == [("vote", mine.record)]


@pytest.mark.parametrize("last", [0, 1, 2])
def test_who_waits_at_the_step_learns_that_the_others_went_on(last: int) -> None:
    """Two votes and one entry of the next step, whichever comes last."""
    machine = bare_hub(load("flip-over"), 3, least=2).seats[2].machine
    machine.start()
    run_inline(machine)
    votes = [vote(seat, {2}, place=place_of(machine.chain)) for seat in (0, 1)]
    after = Chain(TABLE)
    after.advance([one.body for one in votes])
    records = [one.record for one in votes]
    records.append(sign_entry(PEOPLE[0], after, 0, "shuffle", b"", bytes(16)).record)
    for record in [*records[last + 1 :], *records[:last]]:
        machine.receive(record)
    assert not machine.ended
    machine.receive(records[last])
    assert machine.ended
    assert [one for one in run_inline(machine) if isinstance(one, Out)] == [Out(0)]


def test_a_fault_counts_once_it_is_known_that_the_step_does() -> None:
    """While our vote is open the step may become one of votes, to which no entry belongs."""
    machine = bare_hub(load("flip-over"), 3, least=2).seats[0].machine
    machine.start()
    run_inline(machine)
    place = place_of(machine.chain)
    machine.go_on_without(frozenset({2}))
    run_inline(machine)
    assert machine.step is not None
    kind = str(machine.step.kind)
    wrong = sign_entry(PEOPLE[1], machine.chain, 1, kind, b"", bytes(15) + b"1")
    machine.receive(wrong.record)
    assert machine.fault is None
    machine.receive(vote(1, place=place).record)
    assert machine.fault is not None
    assert machine.fault.seat == 1


# -- who comes back ------------------------------------------------------------------------------


def test_what_a_seat_said_is_said_after_a_crash() -> None:
    mine = vote(0, {2})
    back = Poll(PLACE, THREE, 0, Past((mine,)))
    assert back.records() == [mine.record]
    assert not back.may_complete
    assert say(back, 1) == vote(0, {1}, 1)


def test_who_has_gone_on_votes_for_nobody_when_it_comes_back() -> None:
    back = Poll(PLACE, THREE, 0, Past((vote(0, {2}),), beyond=True))
    assert say(back, 1) is None
    back.receive(vote(1, {2}))
    assert back.decide().absent == {2}


def test_whose_log_has_the_step_answers_at_once() -> None:
    """It does not know any more who refuted its own vote."""
    mine = vote(0, {2})
    for past in (
        Past((mine,), beyond=True, completed=True),
        Past((mine,), beyond=True, decision=Decision(frozenset({2}), 0, (mine, vote(1, {2})))),
    ):
        back = Poll(PLACE, THREE, 0, past)
        assert back.is_over
        for number in (0, 1):
            back.receive(vote(1, {2}, number))
        assert cast(back) == vote(0, PRESENT, 1)


@pytest.mark.parametrize("foreign", [vote(1, {2}), vote(0, {2}, place=PLACE._replace(step=4))])
def test_a_past_is_ones_own(foreign: Vote) -> None:
    with pytest.raises(LocalError, match="its own votes"):
        Poll(PLACE, THREE, 0, Past((foreign,)))


def test_its_own_vote_comes_back_from_others() -> None:
    """Its disk went back: what it has signed counts, and is not signed another time."""
    one = poll()
    assert one.receive(vote(0, {2}))
    assert not one.receive(vote(0, {2}))
    assert not one.may_complete
    assert say(one, 1) == vote(0, {1}, 1)


def test_a_second_vote_of_its_own_is_nobody_elses_fault() -> None:
    one = poll()
    say(one, 2)
    one.say(frozenset({1}))
    assert one.next_vote() == (1, frozenset({1}))
    assert not one.receive(vote(0, {1}, 1)), "the same, which is being written"
    for foreign in (vote(0), vote(0, {2}, 1)):
        with pytest.raises(OutdatedError):
            one.receive(foreign)


# -- who is at fault -----------------------------------------------------------------------------


@pytest.mark.check("poll.once")
def test_two_votes_in_a_round_are_equivocation() -> None:
    one = poll(0, vote(1, {2}))
    assert not one.receive(vote(1, {2}))
    assert one.receive(vote(1, {2}, 1))
    with pytest.raises(PeerError) as refusal:
        one.receive(vote(1))
    assert refusal.value.verdict == "equivocation"
    assert one.vote_of(1, 0) == vote(1, {2})


@pytest.mark.check("poll.allowed")
@pytest.mark.parametrize(("seat", "absent"), [(1, {1}), (1, {3}), (1, {0, 2}), (3, {1})])
def test_some_votes_are_nobodys_to_cast(seat: int, absent: set[int]) -> None:
    with pytest.raises(PeerError) as refusal:
        poll().receive(vote(seat, absent))
    assert refusal.value.verdict == "illegal-move"


@pytest.mark.parametrize("change", [{"step": 4}, {"previous": bytes(32)}, {"table": bytes(32)}])
def test_votes_from_elsewhere_do_not_count(change: dict[str, object]) -> None:
    one = poll()
    assert not one.receive(vote(1, {2}, place=PLACE._replace(**change)))  # type: ignore[arg-type]
    assert one.records() == []


# -- a poll depends on what it knows, and on nothing else ---------------------------------------

SETS = st.sampled_from([PRESENT, *(frozenset({seat}) for seat in range(4))])
VOTES = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 1)), SETS, max_size=8)


def _seen(one: Poll) -> tuple[object, ...]:
    return (one.records(), one.may_complete, one.decision, one.awaited, one.against_me)


def _made(said: dict[tuple[int, int], Absent], seat: int, word: Absent) -> Poll:
    """A seat that knows these votes, by seat and round, and whose person said this."""
    votes = [
        Vote(PLACE, s, n, a, repr((s, n)).encode()) for (s, n), a in said.items() if s not in a
    ]
    one = Poll(PLACE, FOUR, seat, Past(tuple(one for one in votes if one.seat == seat)))
    for each in votes:
        one.receive(each)
    one.say(word)
    return one


@given(VOTES, st.randoms(use_true_random=False), SETS.filter(lambda word: 0 not in word))
def test_the_order_in_which_votes_come_does_not_matter(
    said: dict[tuple[int, int], Absent], random: Random, word: Absent
) -> None:
    items = list(said.items())
    random.shuffle(items)
    one, other = _made(said, 0, word), _made(dict(items), 0, word)
    assert _seen(one) == _seen(other)
    assert one.next_vote() == other.next_vote()


@given(VOTES, st.permutations(range(4)), SETS.filter(lambda word: 0 not in word))
def test_the_numbers_of_seats_do_not_matter(
    said: dict[tuple[int, int], Absent], order: list[int], word: Absent
) -> None:
    """So a search may look at states that differ in them once."""

    def moved(absent: Absent) -> Absent:
        return frozenset(order[seat] for seat in absent)

    one = _made(said, 0, word)
    other = _made({(order[s], n): moved(a) for (s, n), a in said.items()}, order[0], moved(word))
    assert one.may_complete == other.may_complete
    assert (one.decision is None) == (other.decision is None)
    if one.decision is not None and other.decision is not None:
        assert moved(one.decision.absent) == other.decision.absent
        assert one.decision.round == other.decision.round
    choice, theirs = one.next_vote(), other.next_vote()
    assert (choice and Choice(choice.number, moved(choice.absent))) == theirs


def test_who_was_there_and_who_came_back_do_the_same() -> None:
    """All orders of four votes, of which two are one's own: by memory and from the disk."""
    others = (vote(1, {2}), vote(2), vote(1, {3}, 1))
    for order in permutations(others):
        there = poll(0, voters=FOUR)
        mine = [say(there, 2)]
        for one in order:
            there.receive(one)
        mine.append(say(there, 3))
        back = Poll(PLACE, FOUR, 0, Past(tuple(one for one in mine if one is not None)))
        for one in order:
            back.receive(one)
        assert _seen(there) == _seen(back)


# -- a decision in a log -------------------------------------------------------------------------

DECIDED = [vote(seat, {3}, 1) for seat in (0, 1, 2)]


def read(votes: Iterable[Vote], voters: Voters = FOUR, place: Place = PLACE) -> Decision:
    return read_decision([one.record for one in votes], place, voters, KEYS)


def refused(votes: Iterable[Vote], voters: Voters = FOUR, place: Place = PLACE) -> str:
    with pytest.raises(PeerError) as refusal:
        read(votes, voters, place)
    assert refusal.value.verdict == "broken-chain"
    return refusal.value.reason


def test_a_decision_is_read_from_its_votes() -> None:
    assert read(DECIDED) == Decision(frozenset({3}), 1, tuple(DECIDED))


@pytest.mark.check("decision.place")
def test_a_decision_is_about_this_step() -> None:
    assert "this step" in refused(DECIDED, place=PLACE._replace(step=4))
    assert "this step" in refused([vote(0, {3}, 1, PLACE._replace(step=4)), *DECIDED[1:]])
    assert "this step" in refused([])


@pytest.mark.check("decision.allowed")
def test_a_decision_is_about_those_who_are_left() -> None:
    assert "left" in refused([vote(seat) for seat in range(4)])
    assert "left" in refused(DECIDED, Voters((0, 1, 2, 4), 3, 5))
    assert "left" in refused([vote(seat, {2, 3}) for seat in (0, 1)])


@pytest.mark.check("decision.alike")
def test_all_votes_of_a_decision_agree() -> None:
    assert "agree" in refused([*DECIDED[:2], vote(2, {3})])
    assert "agree" in refused([vote(0, {3}), vote(1, {3}), vote(2, {1})])


@pytest.mark.check("decision.everybody")
def test_all_who_go_on_have_voted_once_in_order() -> None:
    for votes in (DECIDED[:2], DECIDED[::-1], [*DECIDED, DECIDED[2]], DECIDED[1:]):
        assert "each seat" in refused(votes)
