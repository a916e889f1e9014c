"""What our own person is told of the lobby: who is there, and on whom races would rest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from p2p.identity.keys import words
from p2p.lobby.plan import TablePlan
from p2p.lobby.seats import Taken
from p2p.player.events import Gathering, Present
from p2p.protocol.races.relays import Pair, unlinked
from p2p.seat.desk import Desk
from p2p.seat.presence import Absences

LINK_SECONDS: Final = 3.0
"""How long people in the lobby have to link with each other before anything is said of it."""


def gathering(
    plan: TablePlan, seats: Sequence[Taken], own: bytes, apart: tuple[Pair, ...] = ()
) -> Gathering:
    """What a person is told of the lobby."""
    people = tuple(Present(one.name, words(one.identity), one.ready, one.bot) for one in seats)
    place = [one.identity for one in seats].index(own)
    return Gathering(plan.terms, plan.seats, people, place, apart)


class Apart:
    """Which people of a lobby have had the time to link with each other, and have not.

    Two are linked if one of them says so, as at the table.  On our own links we need believe
    nobody else: a host that is between two guests cannot hide that from the two.
    """

    def __init__(self, desk: Desk, own: bytes) -> None:
        self._desk: Final = desk
        self._own: Final = own
        self._unlinked: Final = Absences[frozenset[bytes]](desk.now)

    def look(self, seats: Sequence[Taken]) -> tuple[Pair, ...]:
        """The pairs as of now, by their places among `seats`; none with somebody who is away."""
        here = [place for place, one in enumerate(seats) if one.ready is not None]
        apart = [(seats[one], seats[two]) for one, two in combinations(here, 2)]
        self._unlinked.see(_keys(one, two) for one, two in apart if not self._linked(one, two))
        late = self._unlinked.lasting(LINK_SECONDS)
        rows = [
            [None if _keys(seats[one], seats[two]) in late else 0 for two in here] for one in here
        ]
        return tuple(_placed(pair, here) for pair in unlinked(rows))

    def _linked(self, one: Taken, two: Taken) -> bool:
        if self._own in (one.identity, two.identity):
            other = two if one.identity == self._own else one
            return self._desk.links.is_linked(other.identity)
        return two.identity in one.linked or one.identity in two.linked


def _keys(one: Taken, two: Taken) -> frozenset[bytes]:
    return frozenset((one.identity, two.identity))


def _placed(pair: Pair, here: Sequence[int]) -> Pair:
    one, two = pair.seats
    return Pair((here[one], here[two]), tuple(here[seat] for seat in pair.between))


class Shown:
    """Tells our own person how the lobby stands, whenever that has changed since the last time."""

    def __init__(self, desk: Desk, own: bytes) -> None:
        self._desk: Final = desk
        self._own: Final = own
        self._apart: Final = Apart(desk, own)
        self._now: tuple[TablePlan, tuple[Taken, ...]] | None = None
        self._last: Gathering | None = None

    def show(self, plan: TablePlan, seats: tuple[Taken, ...]) -> None:
        """The lobby as it stands now."""
        self._now = plan, seats
        self.look()

    def look(self) -> None:
        """Tell what has changed, even if only because time went by."""
        if self._now is None:
            return
        plan, seats = self._now
        now = gathering(plan, seats, self._own, self._apart.look(seats))
        if now != self._last:
            self._last = now
            self._desk.tell(now)
