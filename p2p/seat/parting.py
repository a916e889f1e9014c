"""How seats part: each after the end of the game, or one that leaves it for good before.

The frame `finished` says that a seat has the whole table, or all up to the farewell of whom it is
sent to, and needs nothing more of the other (protocol section 7).  Whoever leaves for good goes
only when another seat has said so, and has it on its disk.  Whoever stays floods nothing more to
the leaver: so no entry of ours is with somebody who is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final

from engine.lost import Lost
from engine.session import Session
from engine.zone import Seat
from p2p.protocol.frame_kinds import FINISHED
from p2p.protocol.proposal import Proposal
from p2p.seat.desk import Desk
from p2p.seat.reply import Reply
from p2p.seat.stages import Audience


class Parting:
    """One seat's part in this.  `awaited` are those that may still ask us for something."""

    def __init__(
        self,
        desk: Desk,
        proposal: Proposal,
        seat: Seat,
        audience: Audience,
        awaited: Callable[[], AbstractSet[bytes]],
    ) -> None:
        self._desk: Final = desk
        self._proposal: Final = proposal
        self._own: Final = proposal.identities[seat]
        self._audience: Final = audience
        self._awaited: Final = awaited
        self._finished: Final[set[bytes]] = set()
        self._lingers: Reply[None] | None = None
        self._released: Reply[None] | None = None
        self._left: Final[dict[bytes, None]] = {}
        """The seats that left for good, in that order."""
        self._safe: Final[set[bytes]] = set()
        """Those whose farewell is on our disk."""
        self._apart: Final[set[bytes]] = set()
        """Those whose link has ended since."""
        self._gone: Final[set[bytes]] = set()
        """Those who did not say that they leave."""

    # -- all, at the end -------------------------------------------------------------------

    def finished(self, peer: bytes, payload: bytes) -> None:
        """A peer needs nothing more of us."""
        if payload == self._proposal.id:  # else late, from the table before this one
            self._finished.add(peer)
            self.look_again()

    def linger(self, seconds: float) -> Reply[None]:
        """Stay until all peers have everything, or that long."""
        self._desk.flood(FINISHED.make(self._proposal.id))
        self._lingers = self._desk.sleep(seconds)
        self.look_again()
        return self._lingers

    def look_again(self) -> None:
        """A link began or ended, or somebody has said something."""
        if self._released is not None and self._finished - self._left.keys():
            self._released.give(None)  # those who left before us have not seen our farewell
        if self._lingers is not None and self._finished >= self._awaited():
            self._lingers.give(None)

    # -- one, for good ---------------------------------------------------------------------

    def released(self) -> Reply[None]:
        """Given once another seat has our farewell on its disk: then we may go for good."""
        self._released = Reply()
        self.look_again()
        return self._released

    def has_left(self, key: bytes) -> bool:
        """Whether this was the key of a seat that has left."""
        return key in self._left

    def is_apart(self, key: bytes) -> bool:
        """Whether nothing links us any more with this seat, which has left."""
        return key in self._apart

    def look_at(self, session: Session) -> tuple[bytes, ...]:
        """Let go of the seats that have left by now; the keys of those who are new.

        One that is gone may come back and ask what has become of its seat.
        """
        seats = session.table.lost[len(self._left) :]
        keys = tuple([self._proposal.identities[seat] for seat in seats])
        gone = (
            {one.seat for one in session.journal if type(one) is Lost and one.gone} if keys else ()
        )
        for seat, key in zip(seats, keys, strict=True):
            self._left[key] = None
            if key != self._own:
                self._desk.retire(key)
                self._audience.left(key)
            if key != self._own and seat not in gone:
                self._desk.save(lambda files: files.sync_log()).then(partial(self._kept, key))
            self._gone.update({key} if seat in gone else ())
        return keys

    def _kept(self, key: bytes, _: object) -> None:
        self._safe.add(key)
        self._release(key)

    def _release(self, key: bytes) -> None:
        self._desk.post(key, FINISHED.make(self._proposal.id))

    def link_changed(self, key: bytes, up: bool) -> None:
        """A seat that left is linked again, or no longer."""
        if key in self._gone:
            return
        if not up:
            self._apart.add(key)
        elif key in self._safe:
            self._release(key)
