"""The entries that one machine holds for the current step and around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.zone import Seat
from p2p import checks
from p2p.protocol import step_kinds
from p2p.protocol.absence.decision import is_decision
from p2p.protocol.entry import Entry, Unread, decode_entry

AHEAD: Final = 32
"""For this many steps ahead, one entry is held for each seat.

A seat that owes several steps in a row sends them at once, and a peer that is still verifying
the first must not lose the others; anything beyond is fetched by catching up.
"""

REMEMBERED: Final = 256
"""Of this many records, and of at most as many before them, it is known at once that they
were taken; older ones that come again are looked up in the log.
"""


class Held:
    """Entries of the step itself (`current`), of later ones (`early`), of other histories.

    `strays` has one entry for each seat whose `previous` is not ours: nobody is guilty of that
    until two bodies are shown.
    """

    def __init__(self) -> None:
        self.current: Final[dict[Seat, Entry]] = {}
        self.early: Final[dict[tuple[int, Seat], Entry]] = {}
        self.strays: Final[dict[Seat, Entry]] = {}
        self._taken: set[bytes] = set()
        self._taken_before: set[bytes] = set()

    def admit(self, entry: Entry) -> None:
        """Take an entry of the current step."""
        self.current[entry.seat] = entry
        self._remember(entry.record)

    def hold(self, entry: Entry) -> None:
        """Keep an entry for a step that has not begun here yet."""
        self.early[entry.step, entry.seat] = entry
        self._remember(entry.record)

    def has_taken(self, record: bytes) -> bool:
        """Whether it is known that this record need not be looked at again."""
        return record in self._taken or record in self._taken_before

    def _remember(self, record: bytes) -> None:
        if len(self._taken) >= REMEMBERED:
            self._taken_before, self._taken = self._taken, set()
        self._taken.add(record)

    def known(self, seat: Seat, step: int) -> Entry | None:
        """The entry of that seat for a step that is not over, whatever it says."""
        for held in (self.strays.get(seat), self.current.get(seat)):
            if held is not None and held.step == step:
                return held
        return self.early.get((step, seat))

    def known_of(self, entry: Entry | Unread, records: Sequence[Sequence[bytes]]) -> Entry | None:
        """Our entry of the same seat and step, whatever it says; `records` are the steps before."""
        held = self.known(entry.seat, entry.step)
        if held is None and 0 <= entry.step < len(records):
            mine = (decode_entry(record) for record in records[entry.step])
            held = next((known for known in mine if known.seat == entry.seat), None)
        return None if held is not None and held.kind == step_kinds.VOTE else held

    def has_on(self, step: int, previous: bytes) -> bool:
        """Whether somebody has signed this step after a step with that hash."""
        held = [*self.early.values(), *self.strays.values()]
        return any((entry.step, entry.previous) == (step, previous) for entry in held)

    def now(self) -> list[bytes]:
        """The records of the current step, in seat order."""
        return [entry.record for _, entry in sorted(self.current.items())]

    def later(self) -> list[bytes]:
        """The records for later steps, in order."""
        return [entry.record for _, entry in sorted(self.early.items())]

    def strayed(self, step: int) -> set[Seat]:
        """The seats known to have signed this step on another history."""
        return {seat for seat, stray in self.strays.items() if stray.step == step}


def check_late(entry: Entry, records: Sequence[Sequence[bytes]]) -> None:
    """Refuse an entry of a seat that owed none for a step that is over; `records` are those steps.

    Otherwise some machines would stop at it while others played on without them.
    """
    past = records[entry.step] if entry.step >= 0 else ()
    if is_decision(past):
        return  # no entry of that step counts, and not everybody has seen the same ones
    asked = decode_entry(past[0]).previous if past else b""
    checks.require("entry.late", entry.previous != asked, "illegal-move", entry.unasked)
