"""What was checked in a log, in numbers: nothing is counted before it is known to hold.

Of the record at which a fault is found only the signature counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p.protocol import step_kinds
from p2p.protocol.cards import Cards
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.machine import Machine
from p2p.protocol.step_kinds import Asked, asks
from replay.proofs import Proof, proofs


@dataclass(slots=True)
class Tally:
    """How much of everything was checked and held.

    `keys` are table keys proven to be held; `signatures` those of the header and of the
    entries and votes in the log, `beyond` signed ones that an evidence file holds besides,
    `ballots` those that a close needed, `votes` those by which the others went on without somebody.
    `entries` and `steps` (whole ones) are judged by the rules too, or are those of a genesis.
    `openings` fitted what was committed to, `forfeits` did not.
    `races` are questions of who is first that some seat answered; in `contested` ones several
    claimed; `disputes` are those in which the two seats of a table contradicted each other.
    """

    keys: int = 0
    signatures: int = 0
    beyond: int = 0
    ballots: int = 0
    votes: int = 0
    entries: int = 0
    steps: int = 0
    shuffles: int = 0
    shares: int = 0
    transfers: int = 0
    oaths: int = 0
    openings: int = 0
    forfeits: int = 0
    coins: int = 0
    races: int = 0
    contested: int = 0
    disputes: int = 0

    def add_step(self, entries: Sequence[Entry]) -> None:
        """Count a whole step of a game, with all its entries or votes."""
        kind = entries[0].kind
        self.steps += 1
        if kind == step_kinds.VOTE:
            self.votes += len(entries)
            return
        for entry in entries:
            self.add(entry)
        self.races += any(entry.kind == step_kinds.RACE for entry in entries)
        # Whether choices fit what was committed to is told by the whole step.
        self.openings += len(entries) if kind == step_kinds.REVEAL else 0

    def add(self, entry: Entry) -> None:
        """Count an entry of a game whose proofs hold, except what its whole step has to show."""
        self.entries += 1
        for _, proof, count in proofs(entry):
            self._add(proof, count, entry.kind)

    def add_genesis_step(self, entries: Sequence[Entry]) -> None:
        """Count a whole step of a table that never began."""
        for entry in entries:
            self.add_genesis(entry)
        self.steps += 1

    def add_genesis(self, entry: Entry) -> None:
        """Count an entry of a table that never began."""
        self.entries += 1
        self.keys += entry.kind == step_kinds.REVEAL

    def _add(self, proof: Proof, count: int, kind: str) -> None:
        match proof:
            case Proof.SHUFFLE:
                self.shuffles += not asks(kind, Asked.SHUFFLES)
            case Proof.SHARES:
                self.shares += count
            case Proof.TRANSFERS:
                self.transfers += count
            case Proof.OATH:
                self.oaths += 1
            case Proof.OPENING:
                self.openings += kind != step_kinds.REVEAL

    def add_shown(self, shown: ShownCards) -> None:
        """Count what whole steps have shown beyond what is in their entries."""
        self.shuffles += shown.shuffles
        self.coins += shown.coins
        self.openings -= shown.forfeits
        self.forfeits += shown.forfeits
        self.contested += shown.contested
        self.disputes += shown.disputes


class ShownCards(NamedTuple):
    """What the whole steps of a table have shown beyond what is in their entries."""

    shuffles: int = 0
    coins: int = 0
    forfeits: int = 0
    contested: int = 0
    disputes: int = 0


class LeftSeat(NamedTuple):
    """A seat that left for good, and said so in step `step`."""

    seat: Seat
    step: int


class LostSeat(NamedTuple):
    """A seat without which the others went on, from step `step` on.

    `last` is the last step that it signed, and so the last that it has confirmed the table before;
    None if it signed none.
    """

    seat: Seat
    step: int
    last: int | None


class Count:
    """The tally while a log is read, which step each seat signed last, and who went when."""

    def __init__(self) -> None:
        self.tally: Final = Tally()
        self.lost: Final[list[LostSeat]] = []
        self.leaving: Final[dict[Seat, int]] = {}
        """The step in which each seat said that it leaves for good."""
        self._last: Final[dict[Seat, int]] = {}
        self._begun: list[bytes] = []
        self._shown = ShownCards()

    def passed(
        self, machine: Machine, cards: Cards | None, steps: Iterable[Sequence[Entry]]
    ) -> None:
        """No fault so far: `steps` have become whole since the last time, the next has begun.

        `cards` are those of the table, None in a genesis.
        """
        for step in steps:
            if cards is None:
                self.tally.add_genesis_step(step)
            else:
                self.tally.add_step(step)
            self._note(step)
        self._begun = [] if machine.ended else machine.current()
        if cards is not None:
            races = cards.races
            self._shown = ShownCards(
                *(cards.shuffles, cards.coins, cards.forfeits),
                *(len(races.reports), races.disputes),
            )

    def _note(self, step: Sequence[Entry]) -> None:
        """Who signed this step, who left and who was lost in it."""
        first = step[0]
        if first.kind == step_kinds.VOTE:
            last = self._last
            gone = [LostSeat(seat, first.step, last.get(seat)) for seat in first.payload["absent"]]
            self.lost.extend(gone)
        leaves = [entry for entry in step if entry.kind == step_kinds.LEAVE]
        self.leaving.update((entry.seat, entry.step) for entry in leaves)
        self._last.update((entry.seat, entry.step) for entry in step)

    def total(self, genesis: bool) -> Tally:
        """Everything that was checked and held until now."""
        total = replace(self.tally)
        for entry in map(decode_entry, self._begun):
            if genesis:
                total.add_genesis(entry)
            else:
                total.add(entry)
        total.add_shown(self._shown)
        return total

    def last(self) -> dict[Seat, int]:
        """The last step for which each seat signed an entry; seats that signed none are missing."""
        begun = {entry.seat: entry.step for entry in map(decode_entry, self._begun)}
        return {**self._last, **begun}
