"""What polls by chance come to: `python -m tests.protocol.polled` writes the page again.

A line is a table: all its seats and somebody who only follows vote, hear each other in any order,
lie, complete, decide, and start again from their disks; the digest is of all that each poll says
after each of these.  `tests.sim.vote_states` shows that polls are safe; this shows that they are
the same ones.
"""

from __future__ import annotations

import hashlib
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

from p2p.errors import LocalError, OutdatedError, PeerError
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.poll import Past, Poll
from p2p.protocol.absence.vote import ROUNDS_MAX, Absent, Place, Vote, Voters

PAGE: Final = Path(__file__).with_name("polled.txt")
PLACE: Final = Place(bytes(32), 7, bytes(range(32)))
ELSEWHERE: Final = Place(bytes(32), 8, bytes(range(32)))
TABLES: Final = (
    *(Voters((0, 1, 2), 2, 3), Voters((0, 1, 2, 3), 3, 4), Voters((0, 2, 3, 4), 3, 5)),
    *(Voters((0, 1, 2, 3, 4), 3, 5), Voters((1, 2), 2, 3)),
)
SEEDS: Final = 8
EVENTS: Final = 200
FAR: Final = ROUNDS_MAX - 2
"""A round so late that there are few after it."""


class _Table:
    """The polls of one table, and what everybody has signed."""

    def __init__(self, voters: Voters, seed: int) -> None:
        self._voters: Final = voters
        self._rng: Final = Random(f"{voters} {seed}")
        self._mostly: Final = frozenset(self._rng.sample(voters.left, voters.room))
        self._signed: Final[list[Vote]] = []
        self._polls: Final[list[Poll]] = [
            Poll(PLACE, voters, seat) for seat in (*voters.left, None)
        ]
        self._digest: Final = hashlib.sha256()

    def play(self) -> str:
        """Some events, one after the other."""
        events = (*[self._say] * 3, *[self._hear] * 6, self._end, self._start_again)
        for _ in range(EVENTS):
            at = self._rng.randrange(len(self._polls))
            event = self._rng.choice(events)
            try:
                said = str(event(at))
            except (LocalError, OutdatedError, PeerError) as refusal:
                said = repr(refusal)
            self._digest.update(f"{said} {_seen(self._polls[at])}\n".encode())
        ended = sum(poll.is_over for poll in self._polls)
        return f"{len(self._signed)} votes, {ended} ended: {self._digest.hexdigest()[:16]}"

    def _set(self) -> Absent:
        """Mostly the same, for some have to agree."""
        if self._rng.random() < 0.6:
            return self._mostly
        seats = range(self._voters.seats)
        some = [frozenset(one) for size in range(3) for one in combinations(seats, size)]
        return self._rng.choice(some)

    def _vote(self, seat: int, number: int, absent: Absent) -> Vote:
        place = PLACE if self._rng.random() < 0.95 else ELSEWHERE
        record = repr((place.step, seat, number, sorted(absent))).encode()
        return Vote(place, seat, number, absent, record)

    def _say(self, at: int) -> object:
        """A person says something, and the vote is written, if there is one."""
        poll = self._polls[at]
        if self._rng.random() < 0.7:
            poll.say(self._set())
        choice = poll.next_vote()
        if choice is None or poll.seat is None or self._rng.random() < 0.1:
            return choice
        vote = self._vote(poll.seat, *choice)
        poll.written(vote)
        self._signed.append(vote)
        return choice

    def _hear(self, at: int) -> object:
        """A vote arrives; now and then one that nobody honest has signed."""
        if not self._signed or self._rng.random() < 0.05:
            number = self._rng.choice((0, 1, 2, FAR))
            return self._polls[at].receive(self._vote(self._any_seat(), number, self._set()))
        return self._polls[at].receive(self._rng.choice(self._signed))

    def _any_seat(self) -> int:
        return self._rng.randrange(self._voters.seats)

    def _end(self, at: int) -> object:
        """Mostly nothing, for most would be over soon."""
        poll, by = self._polls[at], self._rng.random()
        if by < 0.05:
            poll.complete()
        return poll.decide() if 0.05 < by < 0.4 else None

    def _start_again(self, at: int) -> None:
        """With what is on disk, which may tell of the end or of something later."""
        poll = self._polls[at]
        signed = [vote for vote in self._signed if vote.place == PLACE]
        own = tuple([vote for vote in signed if vote.seat == poll.seat])
        beyond = poll.is_over and self._rng.random() < 0.5
        self._polls[at] = Poll(PLACE, self._voters, poll.seat, Past(own, beyond))


def _seen(poll: Poll) -> str:
    newest = [(seat, sorted(absent)) for seat, absent in poll.newest().items()]
    said = poll.is_over, poll.may_complete, poll.awaited, newest
    return f"{said} {_kept(poll.decision)} {_kept(poll.against_me)} {poll.records()}"


def _kept(decision: Decision | None) -> str:
    return "" if decision is None else f"{sorted(decision.absent)} in {decision.round}"


def page() -> str:
    """All tables."""
    return "".join(_line(voters, seed) for voters in TABLES for seed in range(SEEDS))


def _line(voters: Voters, seed: int) -> str:
    said = _Table(voters, seed).play()
    return f"{len(voters.left)} of {voters.seats}, {voters.least} agree: {said}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
