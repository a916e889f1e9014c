"""The votes of one machine: a poll about the step at hand, and about some that are over.

Polls about steps that are over answer those who are behind: this seat votes *present* there, which
refutes what they still wait for, and it has the votes of others that they may lack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from engine.zone import Seat
from p2p import checks
from p2p.protocol.absence.decision import is_decision, read_decision
from p2p.protocol.absence.poll import Past, Poll, voted_otherwise
from p2p.protocol.absence.vote import Absent, Place, Vote, Voters, decode_vote, place_of, sign_vote
from p2p.protocol.context import Keys
from p2p.protocol.effects import Agenda, Cast
from p2p.protocol.entry import Chain, decode_entry
from p2p.protocol.held import AHEAD
from p2p.protocol.own_seat import NOTHING, OwnSeat

POLLS_MAX: Final = 8
"""So many polls are kept, of the newest steps; another one is made again from the log if need be,
and lacks only what others have said."""

Records = Sequence[Sequence[bytes]]
Said = tuple[int, Seat, int]
"""What a seat signs one vote for: a step, the seat, a round."""
WhoVotes = Callable[[], Voters | None]
"""The seats that are left; None at a table at which nobody can be voted out."""


def nobody_votes() -> None:
    """At this table nobody can be voted out."""


def voters_of(keys: Keys) -> Voters | None:
    """Those who are left, where the others hold shares of a lost key."""
    shares = keys.shares
    return None if shares is None else Voters(keys.seats, shares.least, len(keys.public))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a table is whose step does not come to an end, for those who sit there.

    `votes` is the newest vote of each seat, `awaited` the seats for which an open vote of ours
    has to wait.
    """

    votes: dict[Seat, Absent]
    awaited: tuple[Seat, ...]


class Voting:
    """`records` are the steps of `chain` that are over.

    Without a seat it only counts.
    """

    def __init__(
        self,
        chain: Chain,
        records: Records,
        identities: Sequence[bytes],
        own: OwnSeat | None,
        who_votes: WhoVotes,
        agenda: Agenda,
    ) -> None:
        past = (own and own.past) or NOTHING
        self._chain: Final = chain
        self._records: Final = records
        self._identities: Final = identities
        self._own: Final = own
        self._who_votes: Final = who_votes
        self._agenda: Final = agenda
        self._polls: Final[dict[int, Poll]] = {}
        self._early: Final[dict[Said, Vote]] = {}
        self._strays: Final[dict[Said, Vote]] = {}
        """Votes about the step at hand on another history: they do not count, but whoever has
        signed another one in that round is guilty."""
        self._saved: Final = [decode_vote(record, identities) for record in past.votes]
        """The votes that are on the disk: this seat's own, and what it knew when it voted."""
        self._until: Final = past.until
        self._left: Final[dict[int, Voters]] = {}
        """Who was left at each step that has begun."""

    @property
    def voters(self) -> Voters | None:
        """Who votes here and how many have to agree; None if nobody can be voted out."""
        return self._who_votes()

    # -- steps -------------------------------------------------------------------------------

    def begin(self) -> list[bytes]:
        """A step has begun: note who is left; the votes about it that came before."""
        voters, step = self._who_votes(), self._chain.step
        self._strays.clear()
        if voters is None:
            return []
        self._left[step] = voters
        due = sorted(place for place in self._early if place[0] <= step)
        return [self._early.pop(place).record for place in due]

    def current(self, *, make: bool = False) -> Poll | None:
        """The poll about the step at hand; without `make` None if nobody has said anything."""
        step = self._chain.step
        if step not in self._left:
            return None  # it has not begun here, or nobody can be voted out
        make = make or any(vote.place.step == step for vote in self._mine())
        return self._here() if make else self._polls.get(step)

    def _about(self, step: int) -> Poll:
        """The poll about a step that has begun."""
        if step == self._chain.step:
            return self._here()
        return self._polls.get(step) or self._keep(self._over(step))

    def _here(self) -> Poll:
        """The poll about the step at hand."""
        place = place_of(self._chain)
        return self._polls.get(place.step) or self._keep(self._poll(place, self._past(place)))

    def _keep(self, poll: Poll) -> Poll:
        self._polls[poll.place.step] = poll
        for step in sorted(self._polls)[:-POLLS_MAX]:
            del self._polls[step]
        return poll

    def _poll(self, place: Place, past: Past) -> Poll:
        seat = None if self._own is None else self._own.seat
        return Poll(place, self._left[place.step], seat, past)

    def _mine(self) -> list[Vote]:
        return [vote for vote in self._saved if self._is_own(vote)]

    def _past(self, place: Place) -> Past:
        """What this seat has said of a step, and whether it has signed a later one."""
        mine = self._mine()
        last = max([self._until, *(vote.place.step for vote in mine)])
        here = [vote for vote in self._saved if vote.place == place]
        own = tuple([vote for vote in here if self._is_own(vote)])
        return Past(own, last > place.step, heard=tuple([vote for vote in here if vote not in own]))

    def _over(self, step: int) -> Poll:
        """A poll about a step that is over: what the log says of it."""
        records = self._records[step]
        place = Place(self._chain.table, step, decode_entry(records[0]).previous)
        past = self._past(place)
        if not is_decision(records):
            return self._poll(place, replace(past, completed=True))
        decision = read_decision(records, place, self._left[step], self._identities)
        return self._poll(place, replace(past, decision=decision))

    # -- votes -------------------------------------------------------------------------------

    def read(self, record: bytes) -> Vote:
        """A vote that somebody sent.  PeerError if nobody here has signed it."""
        return decode_vote(record, self._identities)

    def known(self, vote: Vote) -> Vote | None:
        """What the seat of a vote has already said in that round."""
        poll = self._polls.get(vote.place.step)
        return None if poll is None else poll.vote_of(vote.seat, vote.round)

    def receive(self, vote: Vote) -> bool:
        """Count a vote; whether it is new.  One of our own that our disk lacked is written again.

        PeerError for a seat that may not say so (`Poll.receive`) or has said something else on
        another history.  OutdatedError for a vote of our own on another history: we might vote
        again in that round, for our files have forgotten where we were.
        """
        step, ours = vote.place.step, self._chain.step
        if not self._left or step > ours + AHEAD:
            return False
        if step not in self._left:  # it has not begun here, or nobody could be voted out then
            return step >= ours and self._first(self._early, vote)
        if step < ours and not self._records[step]:
            return False
        poll = self._about(step)
        if vote.place != poll.place:
            if self._is_own(vote):
                raise voted_otherwise()
            self._require_once(vote, poll.vote_of(vote.seat, vote.round))
            return step == ours and self._first(self._strays, vote)
        self._require_once(vote, self._strays.get(_said(vote)))
        is_new = poll.receive(vote)
        if is_new and self._is_own(vote):
            self._save(vote, lambda: None)
        return is_new

    def _first(self, kept: dict[Said, Vote], vote: Vote) -> bool:
        """Keep the first vote of a seat in a round; whether it is this one."""
        first = kept.setdefault(_said(vote), vote)
        self._require_once(vote, first)
        return first is vote

    def _require_once(self, vote: Vote, known: Vote | None) -> None:
        """A seat signs one vote in a round, on whatever history."""
        once = known is None or known.record == vote.record
        if not once and self._is_own(vote):
            raise voted_otherwise()
        checks.require("voting.once", once, "equivocation", "a second vote of a seat in a round")

    def _is_own(self, vote: Vote) -> bool:
        return self._own is not None and vote.seat == self._own.seat

    def speak(self, then: Callable[[], None]) -> None:
        """Sign what is to be voted now; it counts and leaves once it is on disk, `then` as well."""
        own = self._own
        for poll in list(self._polls.values()) if own is not None else ():
            choice = poll.next_vote()
            if choice is not None and own is not None:
                for vote in poll.votes():
                    self._save(vote, lambda: None)
                vote = sign_vote(own.identity, poll.place, own.seat, *choice)
                self._save(vote, partial(self._written, vote, then))

    def _save(self, vote: Vote, then: Callable[[], None]) -> None:
        """Have a vote written, unless it is; and `then` this."""
        if vote not in self._saved:
            self._saved.append(vote)
            self._agenda.write("vote", vote.record, None, then)

    def _written(self, vote: Vote, then: Callable[[], None]) -> None:
        poll = self._polls.get(vote.place.step)
        if poll is not None:
            poll.written(vote)
        self._agenda.at_once(Cast(vote.record))
        then()

    def all(self) -> list[bytes]:
        """All votes that are here, for a peer that may lack some of them."""
        known = [record for step in sorted(self._polls) for record in self._polls[step].records()]
        kept = self._early | self._strays
        return known + [kept[said].record for said in sorted(kept)]

    def without_me(self) -> list[tuple[bytes, int]]:
        """Steps at which the others have agreed to go on without this seat, each with its hash if
        they did.
        """
        polls = self._polls.values() if self._own is not None else ()
        found = [(poll.place, poll.against_me) for poll in polls]
        return [
            (Chain(*place).after(decision.bodies), place.step)
            for place, decision in found
            if decision is not None
        ]

    @property
    def standing(self) -> Standing:
        """What is said about the step at hand."""
        poll = self.current()
        if poll is None or poll.is_over:
            return Standing({}, ())
        return Standing(poll.newest(), poll.awaited)


def _said(vote: Vote) -> Said:
    return vote.place.step, vote.seat, vote.round
