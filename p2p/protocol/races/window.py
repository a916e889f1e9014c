"""When a pass may leave (docs/explanation/races.md, "Why passes wait")."""

from __future__ import annotations

from typing import Final

from engine.zone import Seat
from p2p.protocol.races.book import Races
from p2p.protocol.races.times import pass_after
from p2p.protocol.races.timing import Timing


class Window:
    """One race as one seat sees it: until when it may still claim.

    A pass leaves when our claim could no longer win, or when the window ends; that of a
    player who does not want to claim leaves earlier.  If the claims come out of hidden hands,
    none leaves before the table's hold, whatever the hand.

    `at` is the step of the claims, `length` how long the window stays open (microseconds; None:
    until somebody claims), `awaited` the seat whose turn it is: when it has passed, nobody
    waits any longer.
    """

    def __init__(
        self,
        races: Races,
        timing: Timing,
        at: int,
        *,
        length: int | None,
        hidden: bool,
        awaited: Seat | None,
    ) -> None:
        self._races: Final = races
        self._timing: Final = timing
        self._at: Final = at
        self._hold: Final = races.hold_us if hidden else 0
        self._length: Final = length
        self._awaited: Final = awaited
        self._declined = False
        self._best: int | None = None
        self._claimants: Final = [] if races.me is None else [races.me]

    def take(self, seat: Seat, claims: bool) -> None:
        """Take the entry of another seat; `claims` is False for a pass."""
        if not claims:
            self._declined |= seat == self._awaited
            return
        time = self._races.sighting(seat, self._timing, self._at).time or 0
        self._claimants.append(seat)
        self._best = time if self._best is None else min(self._best, time)

    def leave(self, seat: Seat) -> None:
        """Take note that a seat leaves the game.

        The race ends as if it had passed or, if nobody waits for it, claimed: so a seat that leaves
        neither holds up the others nor shortens their time to claim.
        """
        if seat != self._races.me:
            self.take(seat, seat != self._awaited)

    def pass_at(self, wants: bool) -> int | None:
        """When a pass may leave, on the clock; None while nothing ends the window.

        `wants` is False once the player has said that it will not claim.
        """
        began = self._timing.began(self._at)
        if began is None:  # after a restart: our claim would have no witness
            return self._timing.clock()
        ends = []
        if not wants or self._declined:
            ends.append(0)
        if self._length is not None:
            ends.append(self._length)
        if self._best is not None:
            ends.append(self._against(self._best))
        return began + max(self._hold, min(ends)) if ends else None

    def _against(self, best: int) -> int:
        """When our claim can no longer win against one with this time.

        Where a coin decides, a later claim could still win; so it could, by a dispute, if the seat
        sees the card through others, who may hold it.  Such a pass waits as long as anybody needs
        to react, and no longer: who has nothing to claim says nothing, and the game goes on.
        """
        after = pass_after(best, self._races.cap_us)
        any_may_win = self._races.relayed or self._races.by_coin(self._claimants)
        return max(after, self._races.hold_us) if any_may_win else after
