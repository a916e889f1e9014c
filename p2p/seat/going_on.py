"""Asks the person here whether to go on without somebody who is gone; tells what others say.

Only at a table that agreed to it (policy `carry-on`), and only about seats that nobody here has
reached for a while and for whom the table waits.  Nobody is asked about a player who thinks: for
that there is the clock.  A bot agrees as soon as a person has; it begins where no person is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from engine.zone import Seat
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import Missed, MissedSeat
from p2p.protocol.absence.vote import PRESENT, Absent
from p2p.protocol.absence.voting import Standing
from p2p.protocol.machine import Machine
from p2p.protocol.proposal import Proposal
from p2p.seat.desk import Desk
from p2p.seat.presence import Absences
from p2p.seat.timer import Timer

LOOKS_SECONDS: Final = 1.0
Links = tuple[SeatLink, ...]


class GoingOn:
    """One seat's part in this.  `gives_up` is in seconds, `links` how the others are reached.

    `then` is done after the person has said something.
    """

    def __init__(
        self,
        desk: Desk,
        proposal: Proposal,
        seat: Seat,
        gives_up: float,
        links: Callable[[], Links],
        then: Callable[[], None],
    ) -> None:
        self._desk: Final = desk
        self._proposal: Final = proposal
        self._seat: Final = seat
        self._gives_up: Final = gives_up
        self._links: Final = links
        self._then: Final = then
        self._timer: Final = Timer(desk)
        self._unreached: Final = Absences[Seat](desk.now)
        self._through: Final[dict[Seat, str]] = {}
        """Who carried the entries of each seat that was reached through another one at last."""
        self._told: Missed | None = None

    def watch(self, machine: Machine) -> None:
        """Look from now on, as long as this machine runs; nobody is lost at other tables."""
        if machine.voting.voters is not None:
            self._timer.every(LOOKS_SECONDS, partial(self.look, machine))

    def stop(self) -> None:
        """Ask nothing more: the walk is over."""
        self._timer.stop()
        self._tell(None)

    def hurry(self) -> None:
        """Look soon: a link began or ended, here or at a neighbour."""
        self._timer.hurry()

    def look(self, machine: Machine) -> None:
        """See who is gone, and tell the person here if that, or what is said of it, has changed.

        Whoever is out already is missed no more, although its key is still being taken out.
        """
        voters = machine.voting.voters
        left = () if voters is None else voters.left
        self._note(tuple([link for link in self._links() if link.seat in left]))
        standing = machine.voting.standing
        gone = self._gone(machine, standing)
        if self._seat in self._proposal.bots:
            self._follow(machine, standing, PRESENT if set(self._unreached) - gone else gone)
            return
        self._tell(self._missed(machine, gone, standing) if gone else None)

    def _tell(self, missed: Missed | None) -> None:
        """Tell what is new; None takes back what was asked before."""
        if missed != self._told:
            self._told = missed
            self._desk.tell(missed or Missed(()))

    def _note(self, links: Links) -> None:
        """Note since when each seat is not reached."""
        self._unreached.see(link.seat for link in links if link.way is Way.LOST)
        for link in links:
            if link.way is not Way.LOST:
                self._through.pop(link.seat, None)
            if link.way is Way.VIA:
                self._through[link.seat] = link.via

    def _gone(self, machine: Machine, standing: Standing) -> Absent:
        """The seats that are not reached for so long, or of which others say that they are gone,
        if the table waits for one of them.
        """
        named = frozenset[Seat]().union(*standing.votes.values())
        gone = frozenset(self._unreached.lasting(self._gives_up) | (named & set(self._unreached)))
        waits_for = {*machine.missing(), *standing.awaited}
        waits = machine.step is not None and not machine.closing
        return gone if waits and not gone.isdisjoint(waits_for) else PRESENT

    def _missed(self, machine: Machine, gone: Absent, standing: Standing) -> Missed:
        """What to tell of them.  While somebody who would have to agree is not reached either,
        that is said and nothing is asked: a vote could wait for ever.
        """
        names = self._proposal.names
        voters, unreached = machine.voting.voters, sorted(set(self._unreached) - gone)
        enough = voters is not None and len(gone) <= voters.room
        asks = enough and not unreached
        return Missed(
            tuple(
                [
                    MissedSeat(seat, names[seat], self._through.get(seat, ""))
                    for seat in sorted(gone)
                ]
            ),
            tuple([(names[seat], bool(absent)) for seat, absent in sorted(standing.votes.items())]),
            tuple([names[seat] for seat in standing.awaited]),
            round(min(map(self._unreached.seconds, gone))),
            partial(self._say, machine, gone) if asks else None,
            tuple([names[seat] for seat in unreached]),
        )

    def _say(self, machine: Machine, gone: Absent, goes_on: bool) -> None:
        """The person here has decided; too late, if somebody of those is out by now."""
        voters = machine.voting.voters
        if voters is None or not voters.may_say(self._seat, gone):
            return
        machine.go_on_without(gone if goes_on else PRESENT)
        self._then()

    def _follow(self, machine: Machine, standing: Standing, gone: Absent) -> None:
        """A bot says what a person says, if it does not reach those seats either."""
        for absent in self._words(machine, standing, gone):
            if absent and absent <= gone:
                machine.go_on_without(absent)
                self._then()
                return

    def _words(self, machine: Machine, standing: Standing, gone: Absent) -> Iterator[Absent]:
        """What people say, in seat order; where none of them is left, what bots see themselves."""
        voters, bots = machine.voting.voters, self._proposal.bots
        if voters is not None and bots >= set(voters.left):
            if len(gone) <= voters.room:
                yield gone
            return
        yield from (said for seat, said in sorted(standing.votes.items()) if seat not in bots)
