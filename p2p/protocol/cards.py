"""The cards of one table as one machine sees them: what every act of the protocol works on.

The same state serves a seat that plays (it holds a secret and makes its own entries) and an
audit (it holds none and only checks).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.cards import Card
from engine.course import Course
from engine.table import Table
from engine.view import View
from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto.group import Point
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError, blaming
from p2p.protocol.context import Keys, KeyShares, bind
from p2p.protocol.entry import Chain
from p2p.protocol.parts import Parts
from p2p.protocol.races.book import Races
from p2p.protocol.races.timing import Timing
from p2p.protocol.slots import Seen, Slots


class Cards:
    """The cards of one table as this machine sees them."""

    def __init__(
        self,
        chain: Chain,
        keys: Keys,
        table: Table,
        parts: Parts | None = None,
        *,
        races: Races,
        timing: Timing | None = None,
        slots: Slots | None = None,
    ) -> None:
        self.chain: Final = chain
        self.keys: Final = keys
        self.table: Final = table
        self.slots: Final = slots or Slots()
        self.seen: Final[list[Seen]] = []
        """Every card that this machine's seat came to read, for its own replay."""
        self.parts: Final = parts or Parts(keys.entropy)
        self.parts.draw_from(keys.entropy)
        self.races: Final = races
        self.timing: Final = timing or Timing()
        self.kept: Final[dict[int, bytes]] = {}
        """Secrets behind own entries, by step: nonces of commitments (on disk first)."""
        self.shuffles = 0
        """Proven shuffles with a step of their own; those of a chain are counted at its end."""
        self.forfeits = 0
        """Secret choices that were not opened as committed."""
        self.coins = 0
        """Public random values that were drawn."""
        self._commitments: set[bytes] = set()

    def view(self, seat: Seat, course: Course | None = None) -> View:
        """What the seat of this machine may know; `course` is how its game came here."""
        slots = self.slots

        def read(slot: Slot) -> Card:
            return slots.card(slots.own[slot])

        return View(self.table, seat, read, slots.memory.at, course, slots.memory.among)

    def bind(self, seat: Seat, operation: str, slots: tuple[Slot, ...]) -> Transcript:
        """A transcript for a proof of `seat` in the current step."""
        return bind(self.chain, self.keys, seat, operation, slots)

    def learn(self, slots: tuple[Slot, ...], seat: Seat) -> None:
        """Slots now stand under the key of `seat`: read them if it is this machine's seat."""
        if seat == self.keys.me:
            self.slots.learn(slots, self.keys.own)
            step, own = self.chain.step, self.slots.own
            self.seen.extend([Seen(step, slot, own[slot]) for slot in slots])

    @property
    def key_shares(self) -> KeyShares:
        """The shares of this table's keys; LocalError where nobody can be lost."""
        if self.keys.shares is None:
            raise LocalError("a seat was lost at a table that has no shares of its key")
        return self.keys.shares

    def miss(self, absent: Collection[Seat]) -> None:
        """Continue without these seats, whose keys are still in the cards."""
        self.keys.miss(absent)
        for seat in absent:
            self.races.lose(seat)

    def lose(self, seat: Seat) -> None:
        """The key of a seat that left, or was missed before, is out of every hidden card."""
        if seat in self.keys.seats:
            self.miss({seat})
        before = self.keys.joint
        self.keys.lose(seat)
        self.parts.exchange(before, self.keys.joint)

    def count_part(self, commitment: Point, seat: Seat) -> None:
        """Note the offline part in a shuffle or an oath of `seat`; it may be used only once.

        Reuse reveals the permutation (protocol section 4), so honest seats never do it.
        """
        new = commitment not in self._commitments
        with blaming(seat):
            checks.require("shuffle.reuse", new, "bad-shuffle", "an offline part was used twice")
        self._commitments.add(commitment)
