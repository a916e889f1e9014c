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
7. A seat may vote in any round in which it has not voted, whatever became of its other votes.
8. A decision is not taken up while one who would go on has a later vote, not refuted, for another
   who would: it could not follow.  (Only for coming to an end; whoever does not know of that vote
   goes on, and nothing is unsafe.)
9. Round 0 is open.  A later round is opened by a vote for a set of a seat that has also voted in
   the round before, which is open; a seat opens `Voters.opens` rounds at most.  Nobody votes in a
   round that is not open, but to open it, and rule 8 does not look at such rounds.  (Only for
   coming to an end, too.)

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
Let H be the seats outside A.  Let them be linked with each other and be at least `least`, let their
persons all say A now, and let none of them have ended the step.  They all know the same votes in
the end, so the same rounds are open for all.

A seat of H *stands* at a round if its last vote is one for A there, and not refuted.  If a seat
does not stand, and a later open round has no vote against A of a seat in H, it votes A in the first
such round; otherwise it votes *present* in the newest round and opens the next one with A, once for
each time that its person says A.  In the end all stand, for whoever does not stand moves on.  And
all stand at one round: let i stand at r and j at a later s.  j votes *present* in the open rounds
before s in which it has not voted, and if it has voted in r, then not A: it would have decided, or
that vote was refuted, and so is i's.  Either way i does not stand.  So all vote A in one round, and
rule 8 keeps nobody from deciding: no seat of H has voted later.

If a person of H says nothing, or waits, A is not decided, and that is as it should be: the others
may name that seat as well.

*A liar alone* cannot take this away.  Its votes in rounds that are not open mean nothing, however
far ahead.  One after the other it opens its own share of rounds, and no more.  A seat in H that
follows it uses up a round of its own share at most for each of these, and only after another seat
of H has refuted its last vote; and if it has none left, it votes where others open.

If one of H *has* ended the step, its *present* releases all votes of the others but those that
name it.  Such a vote may have been decided by whoever is gone: then it has to wait for that seat
(`Poll.awaited`), and the table loses nothing by it.

`tests/sim/vote_states.py` tries all of this, and finds a fork or a standstill when a rule is
taken away.

What has to be on disk
----------------------
A vote before it leaves, and before it counts here (`Poll.written`): a seat that forgets it could
sign another one.  Whoever is started again gives its own votes for this step back (`Past.votes`),
and whether it has signed anything for a later step (`Past.beyond`): then it has ended this one, and
must not vote for a set before it has found out how.  With each own vote go the votes of others that
it knows: those who opened its round may be gone, and nobody else may know of it.  How the step
ended need not be remembered, for it follows from the votes.  If the log has the
step, that is given back too (`Past.completed`, `Past.decision`): others may need an answer from
this seat when those who refuted its own votes are gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p import checks
from p2p.errors import LocalError, OutdatedError
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.vote import PRESENT, Absent, Place, Vote, Voters


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

    `votes` are its own for this step, and `heard` those of others that it knew when it voted.
    `beyond`: it has signed an entry or a vote for a later step.  If its log has this step, that is
    `completed`, or by a `decision`.
    """

    votes: tuple[Vote, ...] = ()
    beyond: bool = False
    completed: bool = False
    decision: Decision | None = None
    heard: tuple[Vote, ...] = ()


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
        for vote in (*past.votes, *past.heard):
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

    def votes(self) -> list[Vote]:
        """All votes that are known, by round and seat."""
        return [
            self._cast[number][seat]
            for number in sorted(self._cast)
            for seat in sorted(self._cast[number])
        ]

    def records(self) -> list[bytes]:
        """The same as records: for whoever is linked anew or behind."""
        return [vote.record for vote in self.votes()]

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
        """What is decided, and may be taken up by this seat; there is one at most.

        `decide` takes it up.
        """
        if self._completed or self._ended is not None:
            return self._ended
        if self.seat is None:
            return self._decided_about(bool)
        agreed = self._agreed_to()
        return None if agreed is None or self._would_strand(agreed) else agreed

    def _agreed_to(self) -> Decision | None:
        """The decision that the votes make, unless a later own vote stands (rules 2 and 5)."""
        own = sorted(self._own(), key=lambda said: said.number, reverse=True)
        for said in own:
            agreed = self._agreed(said)
            if agreed is not None:
                return agreed
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
        others, newest = self.voters.others(decision.absent), self.newest_round()
        return any(
            not vote.absent.isdisjoint(others) and not self._is_refuted(Choice(number, vote.absent))
            for number, votes in self._cast.items()
            for seat, vote in votes.items()
            if decision.round < number <= newest and seat in others
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

    def newest_round(self) -> int:
        """The newest round that is open (rule 9)."""
        return self._rounds()[0]

    def _rounds(self) -> tuple[int, Counter[Seat]]:
        """The newest open round, and how many rounds each seat has opened."""
        newest, opened = 0, Counter[Seat]()
        while openers := self._openers(newest, opened):
            opened.update(openers)
            newest += 1
        return newest, opened

    def _openers(self, newest: int, opened: Counter[Seat]) -> list[Seat]:
        """The seats that open the round after the `newest` one."""
        votes, before = self._cast.get(newest + 1, {}), self._cast.get(newest, {})
        follow = [seat for seat, vote in votes.items() if vote.absent and seat in before]
        return [seat for seat in follow if opened[seat] < self.voters.opens]

    def _next(self) -> Choice | None:
        if self.seat is None:
            return None
        mine = [number for number in self._cast if self.vote_of(self.seat, number) is not None]
        last, newest = max(mine, default=-1), self.newest_round()
        # An empty vote in a round that others have opened harms nobody, and may release them.
        limit = newest + 1 if self.is_over else min(last, newest)
        unanswered = [number for number in self._cast if number < limit and number not in mine]
        if unanswered:
            return Choice(min(unanswered), PRESENT)
        if self.is_over or self._beyond or last > newest:
            return None
        agreed = self._agreed_to()
        waits = agreed is not None and self._would_strand(agreed)
        if agreed is not None and not waits:
            return None
        choice = None if self._word is None else self._speak(self._word, last, newest, waits=waits)
        if choice is None and waits and last < newest:
            return Choice(newest, PRESENT)
        return choice

    def _speak(self, word: Absent, last: int, newest: int, *, waits: bool) -> Choice | None:
        """Say the word of the person here in the first round after `last` that may decide it.

        A seat that opens a round has voted in the round before it.
        """
        if not waits and self._stands(Choice(last, word)):
            self._is_fresh = False
            return None
        hopes = (n for n in range(last + 1, newest + 1) if not self._is_refuted(Choice(n, word)))
        hope = next(hopes, None) if word else None
        if hope is not None:
            self._is_fresh = False
            return Choice(hope, word)
        if not self._is_fresh:
            return None
        if last < newest and newest in self._cast:
            return Choice(newest, PRESENT)
        self._is_fresh = False
        opens = word and last == newest and self._has_rounds()
        return Choice(newest + 1, word) if opens else None

    def _has_rounds(self) -> bool:
        """Whether this seat may open another round."""
        _, opened = self._rounds()
        return self.seat is not None and opened[self.seat] < self.voters.opens

    def _stands(self, said: Choice) -> bool:
        """Whether this seat has said so, and its vote may still be decided."""
        vote = self.vote_of(self.seat, said.number)
        return vote is not None and vote.absent == said.absent and not self._is_refuted(said)
