"""What a host asked for besides the game, as the options of `nodealer host` say it."""

from __future__ import annotations

from dataclasses import dataclass

from cli.options.race_options import AskedPace, AskedRaces
from cli.options.reach_option import AskedReach


@dataclass(frozen=True, slots=True)
class AskedBots:
    """How many bots sit down, how fast they are, and the seed of their choices."""

    bots: int
    pace: AskedPace
    seed: int | None


@dataclass(frozen=True, slots=True)
class AskedEndpoint:
    """Where the table listens, and who is told of it."""

    port: int
    bind: str | None
    no_announce: bool
    no_map: bool
    reach: AskedReach


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """What everybody signs besides the game: what becomes of a lost player, races, the clock."""

    carry_on: int | None
    race: AskedRaces
    clock: int
