"""Ends of a table's logs that nobody continues, because their seats were voted out.

Whoever is voted out may have gone on without knowing it: its own log tells the void step, and
perhaps steps after it, in another way than the logs of those who stayed.  That is no second history
as long as nobody but the seats that are out has signed anything after that step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p.protocol import step_kinds
from p2p.protocol.absence.vote import PRESENT, Absent, decode_vote
from p2p.protocol.entry import Entry


class Tail(NamedTuple):
    """From step `step` on, a file tells what only seats in `absent` went on with: all others had
    agreed in that step to go on without them.
    """

    step: int
    absent: Absent


class History:
    """What one file tells of a table of `identities`, step by step, in the order of the chain."""

    def __init__(self, identities: Sequence[bytes]) -> None:
        self._identities: Final = identities
        self.before: Final[list[bytes]] = []
        """The hash before each step."""
        self._records: Final[list[set[bytes]]] = []
        self._signed: Final[list[set[Seat]]] = []
        self._absent: Final[dict[int, Absent]] = {}

    def add(self, entry: Entry) -> None:
        """Take the next entry or vote; its signature and place are right.

        PeerError for a vote of another shape.
        """
        vote = entry.kind == step_kinds.VOTE
        absent = decode_vote(entry.record, self._identities).absent if vote else PRESENT
        if entry.step == len(self.before):
            self.before.append(entry.previous)
            self._records.append(set())
            self._signed.append(set())
        self._records[-1].add(entry.record)
        self._signed[-1].add(entry.seat)
        self._absent[entry.step] = absent

    def records(self, step: int) -> frozenset[bytes]:
        """What it has of a step that it has begun."""
        return frozenset(self._records[step])

    def tail_beside(self, other: History) -> Tail | None:
        """What this file tells from the first step on that the other one tells otherwise, if that
        is a tail of it.
        """
        both = range(min(len(self.before), len(other.before)))
        step = next((n for n in both if not self._records[n] <= other._records[n]), None)
        absent = PRESENT if step is None else other._absent[step]
        if step is None or not absent:
            return None
        after = frozenset[Seat]().union(*self._signed[step + 1 :])
        return Tail(step, absent) if after <= absent else None


def tails(histories: Sequence[History]) -> dict[int, Tail]:
    """The first tail of each of these that has one, by its place among them."""
    found = {
        number: [tail for other in histories if (tail := one.tail_beside(other)) is not None]
        for number, one in enumerate(histories)
    }
    return {number: min(some, key=lambda tail: tail.step) for number, some in found.items() if some}


def ends(ended: Iterable[Tail]) -> list[Tail]:
    """The same, each once, in the order of their steps."""
    return sorted(set(ended), key=lambda tail: (tail.step, sorted(tail.absent)))
