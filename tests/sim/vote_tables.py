"""Small tables whose seats vote: their shapes and their states."""

from __future__ import annotations

from typing import Final, NamedTuple

from p2p.protocol.absence.vote import ROUNDS_MAX, Absent


class End(NamedTuple):
    """How a seat ended the step; `absent` is None if it did by entries."""

    absent: Absent | None
    round: int = -1


BY_ENTRIES: Final = End(None)


class Kept(NamedTuple):
    """One seat: its vote in each round, and how it ended the step."""

    votes: tuple[Absent | None, ...]
    end: End | None = None


Signed = tuple[int, int, Absent]
"""Seat, round, set."""
State = tuple[Kept, ...]
Code = tuple[int, ...]
"""A state: the number of what each seat has kept, in `Explorer._kept`."""


class Shape(NamedTuple):
    """A table: seats, how many have to agree, rounds; who lies, and whether twice in a round."""

    seats: int
    least: int
    rounds: int
    liar: int | None = None
    twice: bool = False
    most: int = 9
    """The maximum number of seats that one vote names."""
    jumps: bool = False
    """Whether the liar may also vote in the last round that there is, which is not far."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The rounds that are looked at."""
        return (*range(self.rounds), self.end - 1) if self.jumps else tuple(range(self.rounds))

    @property
    def end(self) -> int:
        """The first round that there is not: honest seats alone need fewer to come to an end."""
        return self.rounds + self.seats if self.jumps else ROUNDS_MAX


def shown(state: State) -> str:
    """A state in lines, one a seat."""
    return "\n".join(f"seat {seat}: {shown_one(kept)}" for seat, kept in enumerate(state))


def shown_one(kept: Kept) -> str:
    """What a seat has voted, and how it ended the step."""
    votes = ["-" if one is None else str(sorted(one)) for one in kept.votes]
    end = kept.end and (kept.end.absent and sorted(kept.end.absent), kept.end.round)
    return f"votes {' '.join(votes)}, ended {end}"
