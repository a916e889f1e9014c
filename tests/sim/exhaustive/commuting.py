"""What a seat may as well meet at once, since it changes nothing to meet it later.

A frame that waits on a link, or a write, is *settled* in a state of its seat if the seat comes to
the same state and sends the same over each link, whether it meets this now or after anything else
that it may meet before.  Then it is enough to look at this one event: each history is, but for the
order of events that do not touch each other, one that begins with it.  This is the independence
that persistent sets are made of (Godefroid, Partial-Order Methods for the Verification of
Concurrent Systems, 1996, chapter 3), asked of states and inputs that exist.

What may come before it?  Whatever may come after it, but for frames of the same link: the others
cannot know yet whether it was met.  And what may come after it was met in a search, or may itself
come before something that was chosen there.  Nobody knows that before a search is at its end.  So a
search takes for settled what has not been refuted yet, and `refute` then looks at each choice, with
all that may come before it by then.  If one of them does not hold, the search begins again without
it; at last all hold.

That no history is lost: let h be one that begins at a state that was met, and compare histories by
length, then by how far the state is from an end (from each state one is reached; a search sees to
that).  If an event e was chosen there, each event of h before e, of the same seat, is met after e
in a history of the same length that begins nearer to an end; so it was among what may come before
e, was compared, and e may be moved to the front.  An error of a seat is found in the same way: it
would be met in a search, or when the choice before which it comes is looked at.

What a seat ignores, now and later, is settled even if somebody may still crash, for it is the same
to lose it; it is taken from the wire at once.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

from p2p.protocol.frame_kinds import LINKED
from tests.sim.exhaustive.automaton import Automaton, Input, Met
from tests.sim.exhaustive.seat import WrongError

_ENDS: Final = frozenset(["wait", "crash", "return", "start"])
"""What comes before no frame that waits: time goes by when none does, and a crash ends it."""


class Choice(NamedTuple):
    """In this state, this was met first."""

    state: int
    one: Input


class Commuting:
    """Which frames and writes are settled in which states, as far as nothing speaks against it."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton: Final = automaton
        self._refuted: Final[set[Choice]] = set()
        self._chosen: Final[set[Choice]] = set()

    def ignores(self, state: int, one: Input) -> bool:
        """Whether a seat neither changes nor sends anything for this frame, now and later."""
        choice = Choice(state, one)
        if choice in self._refuted:
            return False
        try:
            met = self._automaton.would_meet(state, one)
        except WrongError:
            return False  # it will be met
        if met.state != state or met.sent:
            return False
        self._automaton.inputs[state].add(one)
        self._chosen.add(choice)
        return True

    def is_settled(self, state: int, one: Input) -> bool:
        """Whether nothing has shown that it matters when this is met."""
        return Choice(state, one) not in self._refuted

    def choose(self, state: int, one: Input) -> None:
        """It is met first here."""
        self._chosen.add(Choice(state, one))

    def refute(self) -> int:
        """Look at all choices; how many of them do not hold."""
        wrong = _Doubts(self._automaton).wrong(self._chosen)
        found = len(wrong & self._chosen)
        self._refuted.update(wrong)
        self._chosen -= wrong
        return found


class _Doubts:
    """What may come before each choice, and whether that matters."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton: Final = automaton
        self._may_meet: Final = defaultdict[int, set[Input]](
            set, {state: set(inputs) for state, inputs in automaton.inputs.items()}
        )
        """What a seat may meet in each state, as far as it is known."""
        self._first: Final = defaultdict[int, set[Choice]](set)
        """The choices that lead to each state."""
        self._tried: Final[set[tuple[Choice, Input]]] = set()
        self._before: Final = defaultdict[Choice, list[Choice]](list)
        self._wrong: Final[set[Choice]] = set()
        self._waiting: Final[list[Choice]] = []

    def wrong(self, chosen: set[Choice]) -> set[Choice]:
        """Which choices do not hold, and those by which one comes to them."""
        for choice in chosen:
            self._add(choice)
        while self._waiting:
            choice = self._waiting.pop()
            try:
                self._look(choice)
            except WrongError:
                self._wrong.add(choice)
        waiting = list(self._wrong)
        while waiting:
            new = set(self._before[waiting.pop()]) - self._wrong
            self._wrong |= new
            waiting.extend(new)
        return self._wrong

    def _add(self, choice: Choice) -> None:
        target = self._automaton.would_meet(*choice).state
        if choice not in self._first[target]:
            self._first[target].add(choice)
            self._waiting.append(choice)
            self._learn(choice.state, choice.one)

    def _learn(self, state: int, one: Input) -> None:
        """A seat may meet this here: what leads here may be met after it."""
        if one not in self._may_meet[state]:
            self._may_meet[state].add(one)
            self._waiting.extend(self._first[state] - self._wrong)

    def _look(self, choice: Choice) -> None:
        """Whatever may be met after this may be met before it.  WrongError if that matters."""
        state, one = choice
        first = self._automaton.would_meet(state, one)
        for other in list(self._may_meet[first.state]):
            if (choice, other) in self._tried or not self._may_overtake(state, one, other):
                continue
            self._tried.add((choice, other))
            self._learn(state, other)
            later = one._replace(there=other.there)
            self._compare(state, first, later, other)
            after = Choice(self._automaton.would_meet(state, other).state, later)
            self._before[after].append(choice)
            self._add(after)

    def _may_overtake(self, state: int, one: Input, other: Input) -> bool:
        """Whether the other input may come before this one, which waits."""
        if other.what in _ENDS or other.what == one.what == "write":
            return False
        if other.what == "write":
            return self._automaton.states[state].writes
        if one.what == "write" or other.what == "safe" or other.other != one.other:
            return True
        return other.what == "frame" and other.frame[0] == LINKED.number

    def _compare(self, state: int, first: Met, one: Input, other: Input) -> None:
        """WrongError if it matters in which order these are met."""
        meet = self._automaton.would_meet
        after = meet(first.state, other)
        instead = meet(state, other)
        last = meet(instead.state, one)
        ways = sent_over(first, after), sent_over(instead, last)
        if after.state != last.state or ways[0] != ways[1]:
            raise WrongError("it matters when this is met")


def sent_over(*met: Met) -> dict[int, list[bytes]]:
    """What is sent to each seat, in order."""
    links = defaultdict[int, list[bytes]](list)
    for one in met:
        for to, frame in one.sent:
            links[to].append(frame)
    return dict(links)
