"""What machines by chance come to: `python -m tests.protocol.walked` writes the page again.

A line is a table of `tests.protocol.plain_steps`: all its seats, and somebody who only follows, get
records in any order, late, twice or never; disks and computations answer when they like; persons
give others up; seats vanish, start again from their disks, leave, and sign whatever they like.  The
digest is of all that each machine asks for, and of what it answers, after each of these events.
Other tests say what should be so; this one says whether anything is another than it was.

To see where two programs part: `python -m tests.protocol.walked LINE` tells each event of the table
in that line of the page.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from p2p.errors import LocalError, PeerError
from p2p.identity.keys import Identity
from p2p.protocol.absence.vote import place_of, sign_vote
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.entry import Chain, sign_entry, unread
from p2p.protocol.step import LEAVE
from tests.protocol.kit import identities
from tests.protocol.plain_steps import AT_ONCE, KINDS, LATER, SEVEN
from tests.protocol.rough import TABLE, RoughSeat
from tests.protocol.stable_text import tell

PAGE: Final = Path(__file__).with_name("walked.txt")
EVENTS: Final = 200
MORE: Final = 110
"""For each seat."""
ERRORS: Final = (LocalError, PeerError)


@dataclass(frozen=True)
class Plan:
    """How many sit there, how many have to go on (0: nobody can be voted out), and of 100 events
    how many are `forged`, and how `rough` it is: how often disks, links and persons fail.
    """

    seats: int
    least: int
    forged: float
    rough: float

    def __str__(self) -> str:
        return f"{self.least} of {self.seats}, {self.forged} forged, {self.rough} rough"


PLANS: Final = (
    *(Plan(2, 0, 0, 0), Plan(3, 0, 0, 2), Plan(4, 3, 0, 1), Plan(4, 3, 0, 4), Plan(5, 3, 0, 3)),
    *(Plan(3, 2, 0.5, 3), Plan(4, 3, 2, 2), Plan(3, 0, 0.7, 1), Plan(5, 3, 1, 3), Plan(2, 0, 2, 1)),
)
SEEDS: Final = 3


class _Table:
    """One table, and all that was ever sent at it."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._plan: Final = plan
        self._rng: Final = Random(f"{plan} {seed}")
        self._people: Final = identities(plan.seats)
        places = [*range(plan.seats), None]
        self._seats: Final = [
            RoughSeat(seed, place, self._people, plan.least, self._now) for place in places
        ]
        self._sent: Final[list[bytes]] = []
        self._clock = 0
        self.asked_for: Final = Counter[str]()

    def _now(self) -> int:
        return self._clock

    def play(self) -> Iterator[str]:
        """Some events, one after the other, each with what came of it."""
        for one in self._seats:
            yield one.seen()
            one.machine.start()
        for _ in range(EVENTS + MORE * self._plan.seats):
            self._clock += self._rng.choice((0, 1, 700, 20_000))
            yield self._event()

    def _event(self) -> str:
        act, one = self._act(), self._rng.choice(self._seats)
        try:
            said = tell(act(one))
        except ERRORS as refusal:
            said = f"{type(refusal).__name__}: {refusal}"
        effects = [*one.carry_out(only_at_once=self._rng.random() < 0.1)]
        for name, _, record in effects:
            self.asked_for[name] += 1
            if record is not None:
                self._spread(one, record)
        said += "".join(f"\n  {told}" for _, told, _ in effects)
        return f"{act.__name__} {one.place}: {said}\n  {one.seen()}\n"

    def _act(self) -> Any:
        by = 100 * self._rng.random()
        if by < self._plan.forged:
            return self._rng.choice((self._forge, self._forge_vote, self._spoil))
        if by < self._plan.forged + self._plan.rough:
            return self._rng.choice((self._start_again, self._give_up, self._old, self._ballot))
        usual = (*[self._hear] * 10, *[self._answer] * 4, *[self._decide] * 2)
        return self._rng.choice((*usual, self._allow, self._catch_up, self._look_back))

    # -- what happens usually ----------------------------------------------------------------

    def _spread(self, source: RoughSeat, record: bytes) -> None:
        self._sent.append(record)
        for one in self._seats:
            if one is not source and 100 * self._rng.random() >= self._plan.rough:
                one.inbox.append(record)

    def _hear(self, one: RoughSeat) -> object:
        many = self._rng.randint(1, 4)
        return [one.hear(one.inbox.pop(self._rng.randrange(min(4, len(one.inbox)))))
                for _ in range(min(many, len(one.inbox)))]  # fmt: skip

    def _answer(self, one: RoughSeat) -> object:
        return [one.answer() for _ in range(self._rng.randint(1, 4))]

    def _decide(self, one: RoughSeat) -> object:
        leaves = self._rng.random() < 0.1
        return one.decide(LEAVE if leaves else self._rng.randint(1, 5))

    def _allow(self, one: RoughSeat) -> object:
        return one.machine.allow_signing()

    def _catch_up(self, one: RoughSeat) -> object:
        """Somebody tells all that this one lacks."""
        other, since = self._rng.choice(self._seats).machine, one.machine.wanted
        past = [record for records in other.records[since:] for record in records]
        one.inbox += past + other.beyond() + other.voting.all() + other.ballots.all()
        return len(one.inbox)

    def _look_back(self, one: RoughSeat) -> object:
        """At a table where nobody votes, as in a genesis."""
        if one.machine.ended and self._sent and not self._plan.least:
            one.machine.look_back(unread(self._rng.choice(self._sent)))
        return one.machine.ended

    # -- what goes wrong ---------------------------------------------------------------------

    def _old(self, one: RoughSeat) -> object:
        return one.hear(self._rng.choice(self._sent)) if self._sent else None

    def _start_again(self, one: RoughSeat) -> object:
        return one.start_again(self._now, knows=self._rng.random() < 0.8)

    def _give_up(self, one: RoughSeat) -> object:
        """Somebody else, or wait; a few do so at once, or nothing would come of it."""
        seats = range(self._plan.seats)
        absent = frozenset(self._rng.sample(seats, self._rng.choice((0, 1, 1, 1, 2))))
        for other in self._seats:
            if other.place not in absent and other.machine.seat is not None:
                other.say(absent)
        return absent

    def _ballot(self, one: RoughSeat) -> object:
        if one.machine.closing and one.machine.may_sign:
            for absent in one.machine.missing():
                one.machine.ballots.sign(absent)
        return one.machine.missing()

    # -- what is forged ----------------------------------------------------------------------

    def _liar(self) -> tuple[int, Identity]:
        seat = self._rng.randrange(self._plan.seats)
        return seat, self._people[seat]

    def _elsewhere(self, one: RoughSeat) -> Chain:
        """Mostly where a machine is; else some steps away, or on another history or table."""
        rng, chain = self._rng, one.machine.chain
        step = chain.step + rng.choice((0, 0, 0, 0, -1, 1, 2, 8, 9, -100))
        head = chain.head if rng.random() < 0.8 else bytes(32)
        return Chain(TABLE if rng.random() < 0.95 else bytes(32), step, head)

    def _forge(self, one: RoughSeat) -> object:
        (seat, liar), rng, step = self._liar(), self._rng, one.machine.step
        usual = step.kind if step is not None else "play"
        kind = usual if rng.random() < 0.7 else rng.choice((*KINDS, "leave", "close", "odd"))
        said = rng.choice((3, SEVEN, LATER, AT_ONCE, AT_ONCE, 100, "text", None))
        state = one.game.state() if rng.random() < 0.8 else bytes(16)
        entry = sign_entry(liar, self._elsewhere(one), seat, str(kind), said, state)
        return self._slip(one, entry.record)

    def _forge_vote(self, one: RoughSeat) -> object:
        (seat, liar), rng = self._liar(), self._rng
        chain = self._elsewhere(one)
        if rng.random() < 0.3:
            record = sign_ballot(liar, chain, seat, rng.randrange(self._plan.seats)).record
        else:
            absent = frozenset(rng.sample(range(self._plan.seats), rng.randrange(3)))
            record = sign_vote(liar, place_of(chain), seat, rng.randrange(3), absent).record
        return self._slip(one, record)

    def _spoil(self, one: RoughSeat) -> object:
        """Bytes that nobody signed so."""
        record = bytearray(self._rng.choice(self._sent) if self._sent else bytes(99))
        record[self._rng.randrange(len(record))] ^= 1
        return one.hear(bytes(record[: self._rng.choice((len(record), len(record), 64, 0))]))

    def _slip(self, one: RoughSeat, record: bytes) -> object:
        """To one or to all."""
        if self._rng.random() < 0.5:
            self._spread(one, record)
        return one.hear(record)


def tables() -> list[tuple[Plan, int]]:
    """Each line of the page."""
    return [(plan, seed) for plan in PLANS for seed in range(SEEDS)]


def line(plan: Plan, seed: int) -> str:
    """What one table comes to."""
    table, digest = _Table(plan, seed), hashlib.sha256()
    for told in table.play():
        digest.update(told.encode())
    asked = ", ".join(f"{count} {name}" for name, count in sorted(table.asked_for.items()))
    return f"{plan}, seed {seed}: {asked}; {digest.hexdigest()[:16]}\n"


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.writelines(_Table(*tables()[int(sys.argv[1]) - 1]).play())
    else:
        PAGE.write_text("".join(line(*one) for one in tables()), encoding="utf-8")
