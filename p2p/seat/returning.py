"""A seat that was restarted: when it may sign again, and whether it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from p2p.errors import OutdatedError
from p2p.protocol.machine import Machine
from p2p.seat.desk import Desk


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds: tests and slow links change these numbers."""

    asks_again: float = 4.0
    """Between two requests for what is missing."""
    for_the_rest: float = 20.0
    """After a restart, for peers that say that they have more than they send, or say nothing."""
    gives_up: float = 60.0
    """Before the person here is asked whether to go on without a seat that cannot be reached."""
    for_a_close: float = 60.0
    """Before ballots are cast about a seat whose close signature is missing."""
    lingers: float = 8.0
    """After the end, for peers that do not have everything yet."""


class Returning:
    """What the other seats have said to one that asks for its own newest entries.

    `told` are those that have sent all they had.  Usually the linked seats are enough: our files
    have all that we signed.  If they do not (`needs_all`: they went back, or come from
    elsewhere), anybody may have an entry of ours, and every seat must have told us.
    """

    def __init__(
        self,
        desk: Desk,
        others: Callable[[], Sequence[bytes]],
        told: AbstractSet[bytes],
        patience: Patience,
    ) -> None:
        self.needs_all = False
        self.came_back = False
        """Whether this seat was restarted: then others may have to link before they can ask."""
        self._desk = desk
        self._others: Final = others
        self._told = told
        self._patience = patience

    def all_told(self) -> bool:
        """Whether every other seat has sent all it had."""
        return self._told >= set(self._others())

    def linked(self) -> set[bytes]:
        """The other seats that have a link to us."""
        return {key for key in self._others() if self._desk.links.is_linked(key)}

    def awaited(self) -> AbstractSet[bytes]:
        """The other seats that may still ask us for something when the table is over."""
        return set(self._others()) if self.came_back else self.linked()

    def give_up_on_silence(self, machine: Machine, waited: float) -> bool:
        """Let `machine` sign without the seats that cannot be linked; whether it may now.

        What we signed before reached them through a linked seat, or not at all.  We wait for a
        linked seat until it has told us everything.  If it says that it is further on, but does
        not send what comes before (at its step, ours is complete), that is no use to it: when
        patience ends, its link does too.
        """
        if machine.may_sign or self.needs_all:
            return False
        silent = self.linked() - self._told
        if silent and machine.missing() and waited >= self._patience.for_the_rest:
            for peer in sorted(silent):  # in an order that does not change from run to run
                self._desk.drop(peer, "the peer does not send what it says that it has")
            silent.clear()
        if not self._told or silent:
            return False
        machine.allow_signing()
        return True

    def why_not(self, machine: Machine) -> OutdatedError | None:
        """An error if we signed something that neither our files nor anybody else can show."""
        if machine.lacks_own and self.all_told():
            return OutdatedError(
                f"This seat has signed step {machine.chain.step} before: its files are older than "
                "what it signed, and nobody sends that. Restore newer files of this table to go on"
            )
        return None
