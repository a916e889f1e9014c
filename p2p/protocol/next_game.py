"""What the host of an evening wants to play next, with those of the old table who stay.

It is agreed by its bytes, before it is clear who stays: the table that follows has these terms and
no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.errors import UsageError
from engine.game import Game, Value
from engine.games import load
from p2p import checks
from p2p.protocol import wire
from p2p.protocol.clock import NO_CLOCK, check_clock, decode_clock
from p2p.protocol.policy import least_of, narrowed
from p2p.protocol.proposal import Proposal, ProposedSeat, propose
from p2p.protocol.races.terms import RaceTerms, decode_terms
from p2p.text.names import is_name

NEXT_MAX: Final = 1024
"""The longest plan, in bytes; every option of the longest game of ours takes a third of it."""

_NEXT: Final[dict[str, type | tuple[type, ...]]] = {
    "game": str,
    "rules": int,
    "options": dict,
    "policy": str,
    "race": dict,
    "clock": int,
}


@dataclass(frozen=True, slots=True)
class NextGame:
    """A plan: game, version of its rules, options, policy for lost players, terms of races, clock.

    `data` are its exact bytes.  `unknown` says why this program cannot play it; empty if it can.
    """

    game: str
    rules: int
    options: Mapping[str, Value]
    policy: str
    race: RaceTerms
    data: bytes
    unknown: str = ""
    clock: int = NO_CLOCK
    """In seconds."""

    @property
    def least(self) -> int:
        """How many go on without somebody who is lost, as in `Proposal`."""
        return least_of(self.policy) or 0

    def propose(self, token: bytes, seats: Sequence[ProposedSeat]) -> Proposal:
        """The table of those who stay, (identity key, name) each.

        If they are fewer than before, the policy is `narrowed`.  UsageError if so many cannot play
        this, or this program cannot.
        """
        game, options = load(self.game), {**self.options}
        policy = narrowed(self.policy, game, len(seats))
        return propose(token, game, options, policy, seats, self.race, self.clock)


def plan_next(
    game: Game,
    options: Mapping[str, Value],
    policy: str,
    race: RaceTerms,
    clock: int = NO_CLOCK,
) -> NextGame:
    """What is to be played next.  UsageError for a clock that no table has."""
    check_clock(clock)
    chosen = dict(sorted(options.items()))
    fields = {
        "game": game.name,
        "rules": game.rules_version,
        "options": chosen,
        "policy": policy,
        "race": race.encode(),
        "clock": clock,
    }
    data = wire.pack(fields)
    return NextGame(game.name, game.rules_version, chosen, policy, race, data, clock=clock)


def the_same(old: Proposal) -> NextGame:
    """What was played at the old table."""
    return plan_next(old.game, old.options, old.policy, old.race, old.clock)


def bounded(data: bytes) -> bytes:
    """A plan that somebody names, unread; PeerError `malformed` if it is too long to be one."""
    checks.require("again.size", len(data) <= NEXT_MAX, "malformed", "the plan is too long")
    return data


def read_next(data: bytes, seats: int) -> NextGame:
    """The plan that the host of an old table of this size sent.

    PeerError `malformed` for garbage, and for what no number of those people could play.  Rules
    that this program does not have are no fault: see `NextGame.unknown`.
    """
    fields = wire.take(wire.unpack(bounded(data)), _NEXT)
    name, options, policy = fields["game"], fields["options"], fields["policy"]
    checks.require("again.game", is_name(name), "malformed", "no game has such a name")
    checks.require(
        "again.policy", least_of(policy) is not None, "malformed", "nobody knows that policy"
    )
    race, clock = decode_terms(fields["race"]), decode_clock(fields["clock"])
    unknown = _unknown(name, fields["rules"])
    able = bool(unknown) or _can_be_played(load(name), options, seats)
    checks.require("again.plan", able, "malformed", "nobody here could play that")
    return NextGame(name, fields["rules"], options, policy, race, data, unknown, clock)


def _unknown(name: str, rules: int) -> str:
    try:
        ours = load(name).rules_version
    except UsageError:
        return f"this program does not have the game {name}"
    return "" if rules == ours else f"it has version {rules} of the rules, and this program {ours}"


def _can_be_played(game: Game, options: Mapping[str, Value], most: int) -> bool:
    return any(_fits(game, options, seats) for seats in range(1, most + 1))


def _fits(game: Game, options: Mapping[str, Value], seats: int) -> bool:
    try:
        game.check(seats, options)
    except UsageError:
        return False
    return True
