"""Everything that can happen while seats vote about somebody who may be gone, with the real `Poll`.

A state is what each seat has voted, and how it ended the step, if it did.  What can happen: a
person says anything; a seat votes, completes the step by its entries, takes up a decision, or
crashes and comes back with its disk: as if it had not ended the step, or knowing only that it must
have, since it has signed something later.  Loss is delay without an end.  A liar votes as it likes,
once a round.  States that differ only in the numbers of honest seats are looked at once.

**Every order of delivery.**  A poll is made anew for each thing that a seat may do next: from its
disk, and from *each* subset of the votes that others have signed.  That is all that any order of
delivery, loss and crash can lead to, if a poll depends only on what it has received and not on the
order; `tests/protocol/test_polls.py` shows that.  `Explorer.reached_by_deliveries` goes the
long way, in which each delivery is an event and polls remember; both reach the same states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, permutations
from typing import Final

from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.poll import Past, Poll
from p2p.protocol.absence.vote import PRESENT, Absent, Place, Vote, Voters
from tests.sim.vote_tables import (
    BY_ENTRIES,
    Code,
    End,
    Kept,
    Shape,
    Signed,
    State,
    shown,
    shown_one,
)

PLACE: Final = Place(bytes(32), 7, bytes(range(32)))
TURNS: Final = 40
"""How often each seat acts before a table counts as stuck."""


@dataclass
class Found:
    """The result of a search: states, and tables that came to an end from one of them."""

    states: int = 0
    ends: int = 0
    events: int = 0
    """Every state within fewer events than this was looked at."""
    left: int = 0
    """States that are known and were not looked at."""


class ForkError(AssertionError):
    """Two seats ended the step differently, or one seat did."""


class StuckError(AssertionError):
    """All who are left are linked and agree, and nothing happens."""


@cache
def _vote(seat: int, number: int, absent: Absent) -> Vote:
    record = repr((seat, number, sorted(absent))).encode()
    return Vote(PLACE, seat, number, absent, record)


class Explorer:
    """All states of one table."""

    def __init__(self, shape: Shape) -> None:
        self.shape: Final = shape
        self.seats: Final = tuple(range(shape.seats))
        self.voters: Final = Voters(self.seats, shape.least, shape.seats)
        room = min(self.voters.room, shape.most)
        self.sets: Final[list[Absent]] = [
            frozenset(chosen)
            for size in range(room + 1)
            for chosen in combinations(self.seats, size)
        ]
        self._exact: Final[dict[tuple[int, Kept, frozenset[Signed]], frozenset[Kept]]] = {}
        self._any: Final[dict[tuple[Kept, frozenset[Signed]], frozenset[Kept]]] = {}
        self._turns: Final = [dict(enumerate(order)) for order in permutations(self.seats)]
        self._back: Final = [{new: old for old, new in turn.items()} for turn in self._turns]
        self._places: Final[list[dict[Signed, tuple[int, ...]]]] = [{} for _ in self._turns]
        self._number: Final[dict[Kept, int]] = {}
        self._kept: Final[list[Kept]] = []
        self._votes: Final[list[int]] = []
        """For what each seat has kept, the number of the same without an end."""
        self._following: Final[dict[tuple[int, int, Code], tuple[int, ...]]] = {}
        self._checked: Final[set[tuple[End | None, ...]]] = set()
        self._ran: Final[set[object]] = set()
        honest = [seat for seat in self.seats if seat != shape.liar]
        self._orders: Final = [
            {**dict(zip(honest, order, strict=True)), **{one: one for one in self.liars()}}
            for order in permutations(honest)
        ]
        self._renumbered: Final[list[dict[int, int]]] = [{} for _ in self._orders]

    def liars(self) -> tuple[int, ...]:
        """The columns of a state that are a liar's: two if it signs twice in a round."""
        if self.shape.liar is None:
            return ()
        return (self.shape.liar, self.shape.seats)[: 1 + self.shape.twice]

    # -- what one seat may do --------------------------------------------------------------

    def poll(
        self, seat: int, kept: Kept, known: frozenset[Signed], *, forgot: bool = False
    ) -> Poll | None:
        """The seat with its disk, when it knows these votes; None if it cannot have ended so.

        If it `forgot` how the step ended, it knows only that it did.
        """
        own = (_vote(seat, n, absent) for n, absent in enumerate(kept.votes) if absent is not None)
        poll = Poll(PLACE, self.voters, seat, Past(tuple(own), forgot))
        for signed in known:
            poll.receive(_vote(*signed))
        if any(n > poll.newest_round() for n, said in enumerate(kept.votes) if said is not None):
            return None  # what opened the round of a vote is on the disk with that vote
        if kept.end is None or forgot:
            return poll
        if kept.end == BY_ENTRIES and poll.may_complete:
            poll.complete()
        elif kept.end != BY_ENTRIES and _end_of(poll.decision) == kept.end:
            poll.decide()
        return poll if poll.is_over else None

    def exactly(self, seat: int, kept: Kept, known: frozenset[Signed]) -> frozenset[Kept]:
        """What may become of a seat that knows just these votes."""
        key = (seat, kept, known)
        if key not in self._exact:
            found = set(self._nexts(*key, forgot=False))
            if kept.end is not None:
                found.update(self._nexts(*key, forgot=True))
                found.add(Kept(kept.votes))
            self._exact[key] = frozenset(found)
        return self._exact[key]

    def _nexts(
        self, seat: int, kept: Kept, known: frozenset[Signed], *, forgot: bool
    ) -> Iterator[Kept]:
        made = self.poll(seat, kept, known, forgot=forgot)
        if made is None:
            return
        yield from self._ended(kept, made)
        for word in (None, *(word for word in self.sets if seat not in word)):
            poll = copy(made)  # what they are told of votes they share, and do not change here
            if word is not None:
                poll.say(word)
            choice = poll.next_vote()
            if choice is not None and choice.number in self.shape.numbers:
                votes = list(kept.votes)
                if votes[choice.number] is not None:
                    raise ForkError(f"seat {seat} votes twice in a round: {kept}")
                votes[choice.number] = choice.absent
                voted = kept._replace(votes=tuple(votes))
                yield voted
                yield from self._ended(voted, poll)  # while it is being written

    @staticmethod
    def _ended(kept: Kept, poll: Poll) -> Iterator[Kept]:
        """The ways in which the seat may end the step now."""
        if poll.is_over:
            return
        ends = [BY_ENTRIES] if poll.may_complete else []
        if poll.decision is not None:
            ends.append(_end_of(poll.decision))
        for end in ends:
            if kept.end not in (None, end):
                raise ForkError(f"a seat ended the step as {kept.end}, came back, and as {end}")
            yield Kept(kept.votes, end)

    def anyhow(self, seat: int, kept: Kept, known: frozenset[Signed]) -> frozenset[Kept]:
        """What may become of a seat that knows some of these votes.

        It is asked as if it were seat 0, and the others in one order of all: a poll does not depend
        on the numbers of seats (`tests/protocol/test_polls.py`).
        """
        at = self._as_first(seat, kept, known)
        turn, back = self._turns[at], self._back[at]
        key = _turned(kept, turn), frozenset((turn[s], n, _moved(a, turn)) for s, n, a in known)
        if key not in self._any:
            less = (self.anyhow(0, key[0], key[1] - {one}) for one in key[1])
            whole = self.exactly(0, *key) if _one_a_round(key[1]) else frozenset()
            self._any[key] = whole.union(*less)
        return frozenset(_turned(one, back) for one in self._any[key])

    def _as_first(self, seat: int, kept: Kept, known: frozenset[Signed]) -> int:
        """The order of seats in which this one comes first, and all that is known is least."""
        votes = _votes_of(seat, kept.votes) | known
        named = kept.end.absent if kept.end is not None and kept.end.absent is not None else ()
        found = []
        for at, turn in enumerate(self._turns):
            if turn[seat] == 0:
                places = self._places[at]
                for one in votes:
                    if one not in places:
                        who, number, absent = one
                        places[one] = (turn[who], number, *sorted(_moved(absent, turn)))
                ordered = sorted(places[one] for one in votes)
                found.append((ordered, sorted(turn[one] for one in named), at))
        return min(found)[-1]

    def _lies(self, kept: Kept) -> Iterator[Kept]:
        """The votes of a liar, also late ones in rounds before its last vote."""
        for number in self.shape.numbers:
            for absent in self.sets if kept.votes[number] is None else ():
                if self.shape.liar not in absent:
                    votes = list(kept.votes)
                    votes[number] = absent
                    yield Kept(tuple(votes))

    # -- all that can happen ---------------------------------------------------------------

    def start(self) -> State:
        """Nobody has said anything."""
        count = self.shape.seats + self.shape.twice
        return tuple(Kept((None,) * (1 + self.shape.numbers[-1])) for _ in range(count))

    def signed(self, state: State, but: int = -1) -> frozenset[Signed]:
        """All votes that exist, without those of one seat."""
        columns = (
            _votes_of(self.shape.liar if column in self.liars() else column, kept.votes)
            for column, kept in enumerate(state)
            if column != but
        )
        return frozenset(chain.from_iterable(columns))

    def code(self, kept: Kept) -> int:
        """The number of what a seat has kept."""
        if kept not in self._number:
            self._number[kept] = len(self._kept)
            self._kept.append(kept)
            self._votes.append(len(self._votes))  # holds a place for the next line
            self._votes[-1] = self.code(Kept(kept.votes)) if kept.end else len(self._votes) - 1
        return self._number[kept]

    def state_of(self, code: Code) -> State:
        """What the numbers stand for."""
        return tuple(self._kept[one] for one in code)

    def following(self, code: Code) -> Iterator[Code]:
        """The states after one event."""
        votes = tuple(self._votes[one] for one in code)
        for column, kept in enumerate(code):
            key = (column, kept, votes)
            if key not in self._following:
                nexts = sorted(self._column(column, code), key=shown_one)
                self._following[key] = tuple(map(self.code, nexts))
            for new in self._following[key]:
                yield (*code[:column], new, *code[column + 1 :])

    def _column(self, column: int, code: Code) -> Iterable[Kept]:
        if column in self.liars():
            return self._lies(self._kept[code[column]])
        state = self.state_of(code)
        return self.anyhow(column, state[column], self.signed(state, column))

    def same(self, code: Code) -> Code:
        """The state that stands for all that differ from this one in the numbers of seats only."""
        return min(self._permuted(at, code) for at in range(len(self._orders)))

    def _permuted(self, at: int, code: Code) -> Code:
        order, known = self._orders[at], self._renumbered[at]
        new = list(code)
        for column, one in enumerate(code):
            if one not in known:
                seats = {seat: order[seat] for seat in self.seats}
                known[one] = self.code(_turned(self._kept[one], seats))
            new[order[column]] = known[one]
        return tuple(new)

    def search(self, *, lively: bool = True, stop: Callable[[], bool] = lambda: False) -> Found:
        """Look at every state, those of the fewest events first, until `stop` says so.

        ForkError, or StuckError, for what must not be.
        """
        found, start = Found(), tuple(map(self.code, self.start()))
        seen, level = {start}, [start]
        while level:
            later: list[Code] = []
            for at, code in enumerate(level):
                if stop():
                    found.left = len(level) - at + len(later)
                    return found
                found.states += 1
                self.check(code)
                if lively:
                    found.ends += self.run_on(code)
                new = {self.same(one) for one in self.following(code)} - seen
                seen |= new
                later += sorted(new)
            level = later
            found.events += 1
        return found

    def reached(self) -> set[State]:
        """Every state, each numbering of the seats by itself."""
        start = tuple(map(self.code, self.start()))
        seen, ways = {start}, [start]
        while ways:
            new = set(self.following(ways.pop())) - seen
            seen |= new
            ways.extend(new)
        return set(map(self.state_of, seen))

    def reached_by_deliveries(self) -> set[State]:
        """The same the long way: each delivery is an event, and polls remember what they know."""
        known: tuple[frozenset[Signed], ...] = (frozenset(),) * self.shape.seats
        first = (self.start(), known)
        met, todo = {first}, [first]
        while todo:
            for each in self._delivering(*todo.pop()):
                if each not in met:
                    met.add(each)
                    todo.append(each)
        return {state for state, _ in met}

    def _delivering(
        self, state: State, known: tuple[frozenset[Signed], ...]
    ) -> Iterator[tuple[State, tuple[frozenset[Signed], ...]]]:
        for seat, kept in enumerate(state):
            if seat in self.liars():
                for new in self._lies(kept):
                    yield (*state[:seat], new, *state[seat + 1 :]), known
                continue
            before, after = known[:seat], known[seat + 1 :]
            if kept.end is None:
                yield state, (*before, frozenset(), *after)  # a crash
            for signed in self.signed(state, seat) - known[seat]:
                yield state, (*before, known[seat] | {signed}, *after)
            for new in self.exactly(seat, kept, known[seat]):
                yield (*state[:seat], new, *state[seat + 1 :]), known

    # -- what must not be ------------------------------------------------------------------

    def check(self, code: Code) -> None:
        """No fork: see "Why it is safe" in `p2p.protocol.absence.poll`.

        Two tables that only a liar connects may both go on: it signs the next step at both.
        """
        ended = tuple(self._kept[code[seat]].end for seat in self.seats)
        if ended in self._checked:
            return
        self._checked.add(ended)
        ends = {seat: end for seat, end in enumerate(ended) if end is not None}
        for one, end in ends.items():
            for other, theirs in ends.items():
                named = other in (end.absent or ()) or one in (theirs.absent or ())
                if theirs != end and not named:
                    raise ForkError(f"seats {one} and {other}\n{shown(self.state_of(code))}")
        whole = [end for end in set(ends.values()) if self._all_there(end, ends)]
        for one_end, other_end in combinations(whole, 2):
            if self.shape.liar not in {*self._members(one_end)} & {*self._members(other_end)}:
                raise ForkError(f"two tables go on\n{shown(self.state_of(code))}")

    def _members(self, end: End) -> tuple[int, ...]:
        return self.voters.others(end.absent or PRESENT)

    def _all_there(self, end: End, ends: dict[int, End]) -> bool:
        """Whether all who go on after this end have come to it; a liar goes wherever it likes."""
        return all(seat == self.shape.liar or ends.get(seat) == end for seat in self._members(end))

    def run_on(self, code: Code) -> int:
        """Let all who are left be linked and say the same; StuckError unless they come to an end.

        For each set that may be gone for good, with the votes of those who are gone, and without;
        at once, or after one of the players has said that they will wait.
        """
        ran = 0
        for gone in self.sets[1:]:
            left = self.voters.others(gone)
            if self.shape.liar in left:
                continue
            key = (gone, *(code[s] if s in left else self._votes[code[s]] for s in self.seats))
            if key not in self._ran:
                self._ran.add(key)
                state = self.state_of(code)
                every = self.signed(state)
                ended = any(state[seat].end for seat in left)
                theirs = frozenset(one for one in every if one[0] in left)
                for known in {every, *(() if ended else [theirs])}:
                    for later in (None, *(seat for seat in left if state[seat].end is None)):
                        self._run(state, gone, known, later)
                        ran += 1
        return ran

    def _run(self, state: State, gone: Absent, known: frozenset[Signed], later: int | None) -> None:
        polls: dict[int, Poll] = {}
        for seat in self.voters.others(gone):
            others = frozenset(one for one in known if one[0] != seat)
            poll = self.poll(seat, state[seat], others)
            if poll is None:
                return  # it has ended the step by a vote that is not among these
            polls[seat] = poll
            if not poll.is_over:
                poll.say(PRESENT if seat == later else gone)
        self._turns_of(polls)
        if later is not None and not polls[later].is_over:
            polls[later].say(gone)
            self._turns_of(polls)
        over = {seat for seat, poll in polls.items() if poll.is_over}
        out = {seat for one in polls.values() if one._ended for seat in one._ended.absent}
        before = {seat for seat in polls if state[seat].end is not None}
        for seat in set(polls) - over - out:
            waits_for_one_who_ended = any(
                not before.isdisjoint(said.absent) for said in polls[seat]._own()
            )
            if not (polls[seat].awaited and waits_for_one_who_ended):
                raise StuckError(f"without {set(gone)}, seat {seat} waits\n{shown(state)}")

    def _turns_of(self, polls: dict[int, Poll]) -> None:
        for _ in range(TURNS):
            acted = [self._turn(poll, polls) for poll in polls.values()]
            if not any(acted):
                return

    def _turn(self, poll: Poll, polls: dict[int, Poll]) -> bool:
        """One seat does what it can, and all hear of it; entries come from who completed."""
        acted = False
        while (choice := poll.next_vote()) is not None:
            acted = True
            if choice.number >= self.shape.end:
                raise StuckError("no round is left")
            vote = _vote(poll.seat, *choice)
            poll.written(vote)
            for other in polls.values():
                other.receive(vote)
        if not poll.is_over and poll.decision is not None:
            acted = poll.decide() is not None
        if not poll.is_over and any(one._completed for one in polls.values()) and poll.may_complete:
            poll.complete()
            acted = True
        return acted


def _moved(absent: Absent, turn: dict[int, int]) -> Absent:
    return frozenset(turn[seat] for seat in absent)


@cache
def _turned_by(kept: Kept, turn: tuple[int, ...]) -> Kept:
    order = dict(enumerate(turn))
    votes = tuple(one if one is None else _moved(one, order) for one in kept.votes)
    end = kept.end
    if end is not None and end.absent is not None:
        end = End(_moved(end.absent, order), end.round)
    return Kept(votes, end)


def _turned(kept: Kept, turn: dict[int, int]) -> Kept:
    """The same with other numbers of seats."""
    return _turned_by(kept, tuple(turn[seat] for seat in range(len(turn))))


def _end_of(decision: Decision | None) -> End:
    return BY_ENTRIES if decision is None else End(decision.absent, decision.round)


def _one_a_round(known: frozenset[Signed]) -> bool:
    """Whether nobody voted twice in a round among these: who sees two stops."""
    return len({(seat, number) for seat, number, _ in known}) == len(known)


@cache
def _votes_of(column: int, votes: tuple[Absent | None, ...]) -> frozenset[Signed]:
    return frozenset((column, n, absent) for n, absent in enumerate(votes) if absent is not None)
