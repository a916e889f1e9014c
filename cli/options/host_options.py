"""What was asked for besides the game, as the options of `nodealer host` and `join` say it."""

from __future__ import annotations

from dataclasses import dataclass

from cli.options.bot_levels import AskedLevels
from cli.options.race_options import AskedPace, AskedRaces
from cli.options.reach_option import AskedReach


@dataclass(frozen=True, slots=True)
class AskedBots:
    """Which bots sit down, how fast they are, and the seed of their choices."""

    bots: AskedLevels
    pace: AskedPace
    seed: int | None

    @property
    def count(self) -> int:
        """How many bots there are."""
        return len(self.bots.levels)


@dataclass(frozen=True, slots=True)
class AskedGuest:
    """A guest's own terms: the most delay in races (ms), the patience with a lost player (s), iroh,
    and whether the person need not be asked to be ready.
    """

    race_cap: int
    give_up: int
    reach: AskedReach
    ready: bool


@dataclass(frozen=True, slots=True)
class AskedBot:
    """The bot that plays a guest's seat: the seed of its choices; and, in a demonstration, at which
    decision it leaves for good, or its process dies.
    """

    seed: int | None
    leave_at: int | None
    die_at: int | None


@dataclass(frozen=True, slots=True)
class AskedEndpoint:
    """Where the table listens, who is told of it, and whether the host lets each guest in."""

    port: int
    bind: str | None
    no_announce: bool
    no_map: bool
    accept: bool
    reach: AskedReach


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """What everybody signs besides the game: what becomes of a lost player, races, the clock; and
    `give_up`, the host's own patience with a lost player.
    """

    carry_on: int | None
    race: AskedRaces
    clock: int
    give_up: int
