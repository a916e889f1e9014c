"""A decision: the votes that a step consists of if the others go on without some seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p import checks
from p2p.protocol import step_kinds
from p2p.protocol.absence.vote import Absent, Place, Vote, Voters, decode_vote
from p2p.protocol.entry import decode_entry


@dataclass(frozen=True, slots=True)
class Decision:
    """The seats in `absent` are gone: all others say so, by these `votes` in seat order."""

    absent: Absent
    round: int
    votes: tuple[Vote, ...]

    @property
    def records(self) -> tuple[bytes, ...]:
        """What the step consists of, in a log."""
        return tuple([vote.record for vote in self.votes])

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """What closes the step (`Chain.advance`)."""
        return tuple(vote.body for vote in self.votes)


def read_decision(
    records: Sequence[bytes], place: Place, voters: Voters, identities: Sequence[bytes]
) -> Decision:
    """The decision that these records are, as a step of a log.  PeerError if they are none.

    For an audit, and for a seat that comes back and is told that the others went on without it.
    """
    votes = tuple(decode_vote(record, identities) for record in records)
    whole = len(votes) > 0 and all(vote.place == place for vote in votes)
    checks.require("decision.place", whole, "broken-chain", "votes that are not about this step")
    said = {(vote.absent, vote.round) for vote in votes}
    checks.require("decision.alike", len(said) == 1, "broken-chain", "votes that do not agree")
    ((absent, number),) = said
    allowed = bool(absent) and all(voters.may_say(vote.seat, absent) for vote in votes)
    checks.require("decision.allowed", allowed, "broken-chain", "votes about nobody who is left")
    everybody = tuple(vote.seat for vote in votes) == voters.others(absent)
    checks.require("decision.everybody", everybody, "broken-chain", "not one vote of each seat")
    return Decision(absent, number, votes)


def is_decision(records: Iterable[bytes]) -> bool:
    """Whether a whole step consists of votes."""
    return any(decode_entry(record).kind == step_kinds.VOTE for record in records)
