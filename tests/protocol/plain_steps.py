"""A game without cards, rules or proofs: steps by chance, the same ones at each machine of a table.

It asks of a machine all that a step may ask (heavy work, entries that are judged, decisions, seats
that leave), and costs nothing.  For `tests.protocol.walked`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from typing import Any, Final, cast

from p2p.errors import PeerError
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.vote import Voters
from p2p.protocol.races.book import Races
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from p2p.protocol.step import LEAVE, Kept, Parsed, Program, Step, Work
from p2p.protocol.step_kinds import CHOOSE, CLOSE, COIN, COMMIT, DEAL, OPEN, PLAY, RACE, StepKind

STEPS: Final = (1, 3, 6)
"""Before the close; few, so that some tables come that far."""
KINDS: Final = (CHOOSE, COIN, COMMIT, DEAL, OPEN, PLAY, RACE)
DECIDED: Final = frozenset({CHOOSE, PLAY, RACE})
SEVEN: Final = 7
"""No entry may say so: what `verify` finds."""
LATER: Final = 55
"""What the work after a step finds."""
AT_ONCE: Final = 66
"""What is found when the step is over."""
MOST: Final = 99


class PlainGame:
    """The game as the machine of one seat walks through it; `me` is None for one that only reads.

    If `least` is 0, nobody can be voted out.
    """

    def __init__(self, seed: int, seats: int, least: int, me: int | None, timing: Timing) -> None:
        self.left: tuple[int, ...] = tuple(range(seats))
        self._rng: Final = Random(f"steps {seed}")
        self._seats: Final = seats
        self._least: Final = least
        self._me: Final = me
        self._timing: Final = timing
        self._state = b"at the start"

    def state(self) -> bytes:
        """The digest of all that was said."""
        return hashlib.sha256(self._state).digest()[:16]

    def voters(self) -> Voters | None:
        """Who is left, if the others can go on without somebody."""
        return Voters(self.left, self._least, self._seats) if self._least else None

    def program(self) -> Program[str]:
        """All steps, and the close."""
        for number in range(self._rng.choice(STEPS)):
            step = self._step(number)
            said = yield step
            self._take(said)
            if self._rng.random() < 0.2:
                self._state += yield Work(self._worked)
            if len(self.left) < 2:
                break
        yield Step(CLOSE, self.left, _parsed, make=self._making(lambda _: 0))
        return f"{len(self.left)} are left"

    def _step(self, number: int) -> Step:
        rng, kind = self._rng, self._rng.choice(KINDS)
        asked = kind in DECIDED
        return Step(
            kind,
            self._owed(),
            _parsed,
            verify=_judge if rng.random() < 0.7 else None,
            make=self._making(self._maker(kind, number)),
            question=cast(Any, f"what of {number}?") if asked else None,
            heavy=rng.random() < 0.3,
            judges_own=rng.random() < 0.3,
            may_leave=asked and rng.random() < 0.5,
            window=self._window(number) if kind == RACE else None,
        )

    def _owed(self) -> tuple[int, ...]:
        """Mostly all, now and then one or nobody."""
        by = self._rng.random()
        if by < 0.3:
            return (self.left[self._rng.randrange(len(self.left))],)
        return () if by > 0.95 else self.left

    def _maker(self, kind: StepKind, number: int) -> Callable[[Any], object]:
        def make(decision: Any) -> object:
            said = number + 8 if decision is None else decision
            return Kept(said, b"behind %d" % said) if kind == COMMIT else said

        return make

    def _making(self, make: Callable[[Any], object]) -> Callable[[Any], object] | None:
        return None if self._me is None else make

    def _window(self, number: int) -> Window:
        races, awaited = Races(self._seats, me=self._me), self.left[0]
        return Window(races, self._timing, number, length=None, hidden=False, awaited=awaited)

    def _take(self, said: Parsed | Decision) -> None:
        if isinstance(said, Decision):
            gone, told = set(said.absent), repr(sorted(said.absent))
        else:
            gone = {seat for seat, one in said.items() if one is LEAVE}
            told = repr(sorted(said.items(), key=lambda one: one[0]))
            if AT_ONCE in said.values():
                raise PeerError("bad-shuffle", "found when the step was over")
        self.left = tuple(seat for seat in self.left if seat not in gone)
        self._state += told.encode()

    def _worked(self) -> bytes:
        if str(LATER).encode() in self._state:
            raise PeerError("bad-share", "found by the work after a step")
        return b"worked"


def _parsed(seat: int, payload: object) -> int:
    if type(payload) is not int or payload > MOST:
        raise PeerError("malformed", "no number that can be said")
    return payload


def _judge(seat: int, said: int) -> None:
    if said == SEVEN:
        raise PeerError("illegal-move", "nobody may say seven")
