"""The terms of a table: what is played, and what holds for lost players, races and the clock.

They are written in one way, for a proposal, for a lobby, and for the next game of an evening.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.errors import UsageError
from engine.game import Game, Value
from engine.games import load
from p2p import checks
from p2p.protocol import wire
from p2p.protocol.clock import NO_CLOCK, check_clock, decode_clock
from p2p.protocol.policy import WAIT, check_policy, least_of, narrowed
from p2p.protocol.races.terms import RaceTerms, decode_race_terms
from p2p.text.names import is_name

NEXT_MAX: Final = 1024
"""The longest terms of a next game, in bytes; every option of our longest game takes a third."""

TERMS: Final[wire.Shape] = {
    "game": str,
    "rules": int,
    "options": dict,
    "policy": str,
    "race": dict,
    "clock": int,
}
"""Their fields, in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, on which terms.  UsageError for a clock that no table has.

    `rules` is the version of the game's rules, `policy` is as in `p2p.protocol.policy`, and `clock`
    is in seconds.
    """

    game: str
    rules: int
    options: Mapping[str, Value]
    policy: str = WAIT
    race: RaceTerms = field(default_factory=RaceTerms)
    clock: int = NO_CLOCK

    def __post_init__(self) -> None:
        check_clock(self.clock)

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, Value] | None = None,
        policy: str = WAIT,
        race: RaceTerms | None = None,
        clock: int = NO_CLOCK,
    ) -> Terms:
        """Terms under our rules.  UsageError for an unknown game, or a clock that no table has."""
        rules = load(game).rules_version
        return cls(game, rules, dict(options or {}), policy, race or RaceTerms(), clock)

    def load(self) -> Game:
        """Return the game.  UsageError, with the games that there are, if this program lacks it."""
        return load(self.game)

    @property
    def least(self) -> int:
        """The minimum number of seats that go on without a lost one; 0: they wait for it."""
        return least_of(self.policy) or 0

    @property
    def unknown(self) -> str:
        """Why this program cannot play this; empty if it can."""
        try:
            ours = self.load().rules_version
        except UsageError:
            return f"this program does not have the game {self.game}"
        if self.rules == ours:
            return ""
        return f"it has version {self.rules} of the rules, and this program {ours}"

    def check(self, seats: int) -> None:
        """UsageError, with a sentence, if this cannot be played by so many."""
        check_playable(self.game, self.options, self.policy, seats)

    def narrowed(self, seats: int) -> Terms:
        """The same for people of an old table who stay, this many; see `policy.narrowed`."""
        return replace(self, policy=narrowed(self.policy, self.load(), seats))

    def encode(self) -> dict[str, Any]:
        """The fields `TERMS`."""
        return {
            "game": self.game,
            "rules": self.rules,
            "options": dict(sorted(self.options.items())),
            "policy": self.policy,
            "race": self.race.encode(),
            "clock": self.clock,
        }

    @property
    def data(self) -> bytes:
        """The bytes by which players agree to these terms for their next game."""
        return wire.pack(self.encode())


def check_playable(game: str, options: Mapping[str, Value], policy: str, seats: int) -> Game:
    """Return the game; UsageError, with a sentence, if these do not go together."""
    rules = load(game)
    rules.check(seats, options)
    check_policy(rules, seats, policy)
    return rules


def decode_terms(fields: Mapping[str, Any]) -> Terms:
    """Read the fields `TERMS` among others; PeerError `malformed` for a race or clock out of range.

    The types of the fields are checked before, and whether the game can be played is not.
    """
    return Terms(
        fields["game"],
        fields["rules"],
        fields["options"],
        fields["policy"],
        decode_race_terms(fields["race"]),
        decode_clock(fields["clock"]),
    )


def bounded(data: bytes) -> bytes:
    """Terms of a next game, unread; PeerError `malformed` if they are too long."""
    checks.require("again.size", len(data) <= NEXT_MAX, "malformed", "the plan is too long")
    return data


def read_next(data: bytes, seats: int) -> Terms:
    """Read the terms that the host of an old table of this size proposes for the next game.

    PeerError `malformed` for garbage, and for a game that no number of those people can play.
    Rules that this program does not have are no fault: see `Terms.unknown`.
    """
    fields = wire.take(wire.unpack(bounded(data)), TERMS)
    name, known = fields["game"], least_of(fields["policy"]) is not None
    checks.require("again.game", is_name(name), "malformed", "no game has such a name")
    checks.require("again.policy", known, "malformed", "nobody knows that policy")
    terms = decode_terms(fields)
    able = bool(terms.unknown) or _can_be_played(terms.load(), terms.options, seats)
    checks.require("again.plan", able, "malformed", "nobody here could play that")
    plain = terms.data == data
    checks.require("again.bytes", plain, "malformed", "a plan is written in another way")
    return terms


def _can_be_played(game: Game, options: Mapping[str, Value], most: int) -> bool:
    return any(_fits(game, options, seats) for seats in range(1, most + 1))


def _fits(game: Game, options: Mapping[str, Value], seats: int) -> bool:
    try:
        game.check(seats, options)
    except UsageError:
        return False
    return True
