"""One seat at one step from which somebody may be gone: a small consensus, without I/O.

Either the step is completed by its entries, or it *is* the votes by which all others have decided
to go on without the seats in a set A.  A table forks if two seats end the step differently, so:

1. A seat signs one vote a round.  Two different ones are `equivocation`.
2. A is *decided* in a round if all seats outside A have voted A in it, and they are at least
   `Voters.least`, a majority of the table.  Those votes, in seat order, are the step.
3. A vote for A is *refuted* by a vote of the same round, of another seat outside A, for another
   set: then rule 2 can never hold for A in that round.
4. A seat completes the step by entries only if all its own votes for a set (one that is not empty)
   are refuted.
5. A seat takes up a decision only if all its own votes for a set in later rounds are refuted.
6. A seat that has ended the step, either way, votes only *present* (the empty set) from then on,
   and does so in each round that it sees: that refutes whatever votes others still wait for.
7. A seat may vote in a later round at any time, whatever became of its last vote.
8. A decision is not taken up while one who would go on has a later vote, not refuted, for another
   who would: it could not follow.  (Only for coming to an end; whoever does not know of that vote
   goes on, and nothing is unsafe.)

Why it is safe
--------------
Let i have decided A in round r, and j be another seat that signs one vote a round.

*Nobody completes beside a decision.*  If j is not in A, then j has voted A in round r, as have all
seats outside A; so nothing refutes that vote, now or ever, and by rule 4 j does not complete.  (Nor
has it completed before it voted, by rule 6.)

*Nobody decides otherwise.*  Let j have decided B in round s, and (A, r) differ from (B, s).
If r = s: were i outside B, it would have voted A and B in one round; the same for j outside A.  So
both are named: i is in B, and j is in A.
If r < s: were i outside B, it would have voted B in round s.  Not after it decided, by rule 6.  Nor
before, for by rule 5 its vote of round s was refuted then, and rule 2 says that it was not.  So i
is in B: it is out for j, and has perhaps signed steps that nobody else continues.
If r > s: the same with i and j exchanged.
So of two who decide differently one is always named by the other's decision.  And some seat is
outside both A and B (rule 2).  It ends the step in one way at most, by what was just shown, and the
group of the other set lacks its entry for ever: nothing follows there.

*Rounds count.*  Two decisions for the same set in different rounds would give the step two hashes.
So (A, r) and (A, s) are different above, rule 5 speaks of votes for A as well, and a seat that has
decided A answers with *present*: by votes for A it could make up a second round that is decided.

*A liar* splits a table only if it signs two bodies.  Either two votes in one round, for each
argument above uses one vote of each seat a round and nothing else that j does.  Or two of the next
step: if it is the only seat outside both A and B, it may vote A with some and B with others, in
different rounds, and both tables stop unless it signs their next step, once for each.  Both are
`equivocation`, and name it as soon as somebody has both.

Why it comes to an end
----------------------
Let the seats outside A be linked with each other and be at least `least`, let their persons all say
A, and let none of them have ended the step.  Whoever is behind votes in the highest round that it
knows of (an earlier round could be decided by it, and leave those behind who went on); if not all
vote A there, some go on to a new one, and all follow.  Where all vote A nobody has a later vote, so
all decide.  Rule 7 is needed: with "only if the last vote is refuted" two who had voted for
somebody who came back, while the third went away, could never say that the third is gone.

If one of them *has* ended the step, its *present* releases all votes of the others but those that
name it.  Such a vote may have been decided by whoever is gone: then it has to wait for that seat
(`Poll.awaited`), and the table loses nothing by it.

`tests/sim/vote_states.py` tries all of this, and finds a fork or a standstill when a rule is
taken away.

What has to be on disk
----------------------
A vote before it leaves, and before it counts here (`Poll.written`): a seat that forgets it could
sign another one.  Whoever is started again gives its own votes for this step back (`Past.votes`),
and whether it has signed anything for a later step (`Past.beyond`): then it has ended this one, and
must not vote for a set before it has found out how.  The votes of others, and how the step ended,
need not be remembered: the first are sent again, the second follows from them.  If the log has the
step, that is given back too (`Past.completed`, `Past.decision`): others may need an answer from
this seat when those who refuted its own votes are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError, OutdatedError
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.vote import PRESENT, ROUNDS_MAX, Absent, Place, Vote, Voters


def voted_otherwise() -> OutdatedError:
    """A vote of our own came back that does not go with what our files say."""
    return OutdatedError(
        "This seat has voted otherwise before: its files are older than its votes. "
        "Restore newer files of this table to go on"
    )


class Choice(NamedTuple):
    """What this seat is to sign: its vote in round `number`."""

    number: int
    absent: Absent


@dataclass(frozen=True, slots=True)
class Past:
    """What is durable of a seat that was started again.

    `votes` are its own for this step.  `beyond`: it has signed an entry or a vote for a later step.
    If its log has this step, that is `completed`, or by a `decision`.
    """

    votes: tuple[Vote, ...] = ()
    beyond: bool = False
    completed: bool = False
    decision: Decision | None = None


class Poll:
    """What one seat knows of the votes about one step, and what it may do.

    Whoever only follows a table has no seat: it takes up the first decision of which it has all
    votes.

    In: `receive` (a vote of another seat), `say` (what the person here says), `complete` (all owed
    entries are there).  Out: `next_vote` (to be signed, written, and given to `written`; then it
    may leave), `decision`, `may_complete`.  After each of the former, ask for the latter.
    """

    def __init__(
        self, place: Place, voters: Voters, seat: Seat | None, past: Past = Past()
    ) -> None:
        is_voter = seat is None or seat in voters.left
        if not is_voter or any((v.place, v.seat) != (place, seat) for v in past.votes):
            raise LocalError("a poll is for a seat that is left, and its own votes")
        self.place: Final = place
        self.voters: Final = voters
        self.seat: Final = seat
        self._beyond: Final = past.beyond
        self._cast: Final[dict[int, dict[Seat, Vote]]] = {}
        self._writing: Choice | None = None
        self._word: Absent | None = None
        self._is_fresh = False
        self._ended = past.decision
        self._completed = past.completed
        for vote in past.votes:
            self._put(vote)

    # -- votes -------------------------------------------------------------------------------

    def receive(self, vote: Vote) -> bool:
        """Count a vote that was read by `decode_vote`; return whether it is new and about this.

        A vote of this seat itself that it did not know of (its disk went back) counts as well;
        whoever calls writes it before anything else leaves.  PeerError `illegal-move` for one that
        its seat may not say, `equivocation` for a second one in a round (the first is `vote_of`);
        both are the fault of the seat that signed.  OutdatedError for a second one of our own.
        """
        if vote.place != self.place:
            return False
        if vote.seat == self.seat:
            return self._remember(vote)
        allowed = self.voters.may_say(vote.seat, vote.absent)
        checks.require(
            "poll.allowed", allowed, "illegal-move", "a vote about seats that cannot be voted out"
        )
        known = self.vote_of(vote.seat, vote.round)
        once = known is None or known.record == vote.record
        checks.require("poll.once", once, "equivocation", "two votes of one seat in one round")
        if known is None:
            self._put(vote)
        return known is None

    def _remember(self, vote: Vote) -> bool:
        """Count a vote of our own that others have; False if it is known, or being written."""
        known, writing = self.vote_of(self.seat, vote.round), self._writing
        is_written = writing is not None and writing.number == vote.round
        if is_written and writing == Choice(vote.round, vote.absent):
            return False
        if is_written or (known is not None and known.record != vote.record):
            raise voted_otherwise()
        if known is None:
            self._put(vote)
        return known is None

    def vote_of(self, seat: Seat | None, number: int) -> Vote | None:
        """The vote of this seat in round `number`, if it is known."""
        return None if seat is None else self._cast.get(number, {}).get(seat)

    def newest(self) -> dict[Seat, Absent]:
        """The newest vote of each seat that has voted."""
        return {seat: vote.absent for _, votes in sorted(self._cast.items())
                for seat, vote in votes.items()}  # fmt: skip

    def records(self) -> list[bytes]:
        """All votes that are known, by round and seat: for whoever is linked anew or behind."""
        return [
            self._cast[number][seat].record
            for number in sorted(self._cast)
            for seat in sorted(self._cast[number])
        ]

    def _put(self, vote: Vote) -> None:
        self._cast.setdefault(vote.round, {})[vote.seat] = vote

    def _own(self) -> Iterator[Choice]:
        """This seat's votes for a set, with the one that is being written."""
        for number in self._cast:
            vote = self.vote_of(self.seat, number)
            if vote is not None and vote.absent:
                yield Choice(number, vote.absent)
        if self._writing is not None and self._writing.absent:
            yield self._writing

    def _is_refuted(self, said: Choice) -> bool:
        """Rule 3."""
        return any(
            vote.absent != said.absent and vote.seat not in said.absent
            for vote in self._cast.get(said.number, {}).values()
        )

    # -- how the step ends -------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether this seat has ended the step."""
        return self._completed or self._ended is not None

    @property
    def may_complete(self) -> bool:
        """Whether the step may be completed by its entries (rule 4)."""
        return self._ended is None and all(map(self._is_refuted, self._own()))

    def complete(self) -> None:
        """The step is completed by entries.  LocalError unless it may be."""
        if not self.may_complete:
            raise LocalError("a step is completed beside an open vote")
        self._completed = True

    @property
    def decision(self) -> Decision | None:
        """What is decided, and may be taken up by this seat (rules 2 and 5); there is one at most.

        `decide` takes it up.
        """
        if self._completed or self._ended is not None:
            return self._ended
        if self.seat is None:
            return self._decided_about(bool)
        own = sorted(self._own(), key=lambda said: said.number, reverse=True)
        for said in own:
            agreed = self._agreed(said)
            if agreed is not None:
                return None if self._would_strand(agreed) else agreed
            if not self._is_refuted(said):
                break
        return None

    def decide(self) -> Decision:
        """Take up the decision.  LocalError if there is none."""
        decision = self.decision
        if decision is None:
            raise LocalError("nothing is decided")
        self._ended = decision
        return decision

    def _agreed(self, said: Choice) -> Decision | None:
        """The votes of all seats outside the set, if all agree in that round (rule 2)."""
        votes = self._cast.get(said.number, {})
        others = self.voters.others(said.absent)
        agree = [votes[seat] for seat in others if seat in votes]
        whole = len(agree) == len(others) >= self.voters.least
        if whole and all(vote.absent == said.absent for vote in agree):
            return Decision(said.absent, said.number, tuple(agree))
        return None

    def _would_strand(self, decision: Decision) -> bool:
        """Rule 8: whether one who goes on has since voted for another who goes on."""
        others = self.voters.others(decision.absent)
        return any(
            not vote.absent.isdisjoint(others) and not self._is_refuted(Choice(number, vote.absent))
            for number, votes in self._cast.items()
            for seat, vote in votes.items()
            if number > decision.round and seat in others
        )

    @property
    def against_me(self) -> Decision | None:
        """A decision of the others to go on without this seat, if there is one."""
        return self._decided_about(lambda absent: self.seat in absent)

    def _decided_about(self, about: Callable[[Absent], bool]) -> Decision | None:
        """The first decision about such a set."""
        named = {
            Choice(number, vote.absent)
            for number, votes in self._cast.items()
            for vote in votes.values()
            if about(vote.absent)
        }
        agreed = (self._agreed(said) for said in sorted(named, key=lambda said: said.number))
        return next((decision for decision in agreed if decision is not None), None)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that this one waits for: they have not voted in a round of its open votes."""
        if self.is_over:
            return ()
        waiting = [said for said in self._own() if not self._is_refuted(said)]
        silent = {
            seat
            for said in waiting
            for seat in self.voters.others(said.absent)
            if seat not in self._cast.get(said.number, {})
        }
        return tuple(sorted(silent))

    # -- what this seat says -----------------------------------------------------------------

    def say(self, absent: Absent) -> None:
        """The person here says: go on without these, or (the empty set) wait for all.

        It stands until something else is said: whoever opens another round with it is joined.
        LocalError for a set that this seat may not name.
        """
        if self.seat is None or not self.voters.may_say(self.seat, absent):
            raise LocalError("a seat votes about others who are left, and not about too many")
        self._word = absent
        self._is_fresh = True

    def next_vote(self) -> Choice | None:
        """What is to be signed now.  It is handed out once, and counts until it is `written`."""
        if self._writing is None:
            self._writing = self._next()
            return self._writing
        return None

    def written(self, vote: Vote) -> None:
        """The vote that was handed out is on disk: it counts, and may leave."""
        if self._writing != Choice(vote.round, vote.absent) or vote.seat != self.seat:
            raise LocalError("a vote was written that was not handed out")
        self._writing = None
        self._put(vote)

    def _next(self) -> Choice | None:
        if self.seat is None:
            return None
        mine = [number for number in self._cast if self.vote_of(self.seat, number) is not None]
        last = max(mine, default=-1)
        # An empty vote in a round that others have opened harms nobody, and may release them.
        limit = ROUNDS_MAX if self.is_over else last
        unanswered = [n for n in self._cast if n < limit and n not in mine]
        if unanswered:
            return Choice(min(unanswered), PRESENT)
        number = max(last + 1, *self._cast) if self._cast else 0
        if self.is_over or self._beyond or self._word is None or number >= ROUNDS_MAX:
            return None
        return Choice(number, self._word) if self._speaks(last) else None

    def _speaks(self, last: int) -> bool:
        """Whether the word of the person here is to be said in the round after `last`."""
        fresh, self._is_fresh = self._is_fresh, False
        others_are_further = any(number > last for number in self._cast)
        if not self._word:
            return fresh and others_are_further  # else there is nothing to speak against
        before = self.vote_of(self.seat, last)
        if before is None or others_are_further:
            return True
        said = before.absent == self._word and not self._is_refuted(Choice(last, self._word))
        return fresh and not said
