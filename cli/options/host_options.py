"""What was asked for besides the game, as the options of `nodealer host` and `join` say it."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cli.failures import UserMistakeError
from cli.options.bot_levels import AskedLevels, AskedPace
from cli.options.reach_option import AskedReach

if TYPE_CHECKING:
    import click


def own_host(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Return the IP address that --bind names, or None for all interfaces (0.0.0.0, ::)."""
    if value is None:
        return None
    try:
        found = socket.getaddrinfo(value, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UserMistakeError(
            f"--bind needs an address of this machine, such as 192.168.1.5, not {value!r}."
        ) from error
    found.sort(key=lambda one: one[0] != socket.AF_INET)  # localhost is 127.0.0.1 and ::1
    host = str(found[0][4][0])
    return None if ip_address(host).is_unspecified else host


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
class AskedHost:
    """A host's own: the patience with a lost player (s), and whether they need not be asked to be
    ready.
    """

    give_up: int
    ready: bool


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
