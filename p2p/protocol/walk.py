"""Where a machine stands on its way along the chain of a table: what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from engine.zone import Seat
from p2p.errors import PeerError
from p2p.protocol import step_kinds
from p2p.protocol.absence.voting import Voting, WhoVotes, nobody_votes
from p2p.protocol.ballot import Ballots
from p2p.protocol.effects import Agenda
from p2p.protocol.entry import Chain, no_state
from p2p.protocol.held import Held
from p2p.protocol.own_seat import NOTHING, OwnPast, OwnSeat
from p2p.protocol.races.timing import Timing
from p2p.protocol.step import Step


class GameSays(NamedTuple):
    """What the game says to the machine that walks through it: the digest of its public state, and
    which seats are left to vote about one that is gone.
    """

    state: Callable[[], bytes] = no_state
    who_votes: WhoVotes = nobody_votes


SAYS_NOTHING: Final = GameSays()


class Walk:
    """One machine's place on the chain; `Machine` goes on from there.

    `identities` are the seats' identity keys; `own` is given if this machine plays a seat.
    `records[k]` are the records of step k, in seat order.
    """

    def __init__(
        self,
        chain: Chain,
        identities: Sequence[bytes],
        own: OwnSeat | None,
        timing: Timing,
        who_votes: WhoVotes,
    ) -> None:
        self.chain: Final = chain
        self.timing: Final = timing
        self.identities: Final = tuple(identities)
        self.seat: Final = None if own is None else own.seat
        self.identity: Final = None if own is None else own.identity
        self.records: list[tuple[bytes, ...]] = []
        self.step: Step | None = None
        self.fault: PeerError | None = None
        self.started = False
        self.ended = False
        self._agenda: Final = Agenda()
        self.ballots: Final = Ballots(chain, self.identities, own, self._agenda)
        self.voting: Final = Voting(
            *(chain, self.records, self.identities, own, who_votes), self._agenda
        )
        self._may_sign = own is None or own.past is None
        self._own: OwnPast = (own and own.past) or NOTHING
        self._held = Held()
        self._parsed: dict[Seat, Any] = {}

    def current(self) -> list[bytes]:
        """The records of the unfinished step that are here, in seat order."""
        return self._held.now()

    def beyond(self) -> list[bytes]:
        """All records here that are beyond the finished steps, for peers that lack them.

        They include those held for steps that have not begun here: a seat that restarts may
        have signed one of them, and must not sign another.
        """
        return self.current() + self._held.later()

    def missing(self) -> tuple[Seat, ...]:
        """The seats whose entry for the current step is not here."""
        step = self.step
        return () if step is None else tuple(s for s in step.owed if s not in self._held.current)

    def closed_without(self) -> tuple[bytes, ...]:
        """The ballots that stand for the missing signatures of the close; empty until complete."""
        step = self.step
        if step is None or not self.closing:
            return ()
        return self.ballots.unanimous(sorted(step.owed), self.missing())

    @property
    def wanted(self) -> int:
        """The step from which on to ask the others for records.

        If somebody has signed on another history, it is the step before: there the two
        differ, and the seat that signed two bodies there has to be found.
        """
        strays = self._held.strayed(self.chain.step)
        return max(0, self.chain.step - 1) if strays else self.chain.step

    @property
    def may_sign(self) -> bool:
        """Whether this seat may sign: after a restart, others are asked first."""
        return self._may_sign

    @property
    def lacks_own(self) -> bool:
        """Whether this seat may already have signed the current step, and nobody has shown it."""
        return self._may_sign and self._owing() and not self._is_new()

    @property
    def closing(self) -> bool:
        """Whether nothing but the signatures of the close step is missing."""
        return self.step is not None and self.step.kind == step_kinds.CLOSE

    def _owing(self) -> bool:
        """Whether this seat owes an entry for the current step that is not here."""
        step = self.step
        owed = step is not None and step.make is not None and self.seat in step.owed
        return owed and self.seat not in self._held.current

    def _is_new(self) -> bool:
        """Whether this seat cannot already have signed the current step, on any history."""
        elsewhere = self.seat in self._held.strayed(self.chain.step)
        return self.chain.step > self._own.until and not elsewhere
