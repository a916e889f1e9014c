"""What a table does when a seat is lost: it waits, or the others go on together.

A policy is written in one way, `wait` or `carry-on T`: T seats have to agree and to be there, and
any T of them together could read all cards (`p2p.crypto.sharing`), which is the price.
"""

from __future__ import annotations

import re
from typing import Final

from engine.errors import UsageError
from engine.game import Game

WAIT: Final = "wait"
_CARRY_ON: Final = re.compile("carry-on ([1-9][0-9]?)")


def carry_on(least: int) -> str:
    """The policy by which `least` seats can go on together."""
    return f"carry-on {least}"


def least_of(policy: str) -> int | None:
    """The least number of seats that go on; 0 if all wait, None if this is not a policy."""
    if policy == WAIT:
        return 0
    found = _CARRY_ON.fullmatch(policy)
    return None if found is None else int(found[1])


def allowed(seats: int) -> range:
    """How many may go on at a table of this size: a majority, but not all of them."""
    return range(seats // 2 + 1, seats)


def check_policy(game: Game, seats: int, policy: str) -> None:
    """UsageError, with what is allowed, for a policy that such a table cannot have."""
    least = least_of(policy)
    if least is None:
        raise UsageError("the policy for lost players is wait, or carry-on and a number of players")
    if least == 0:
        return
    if game.lose is None:
        raise UsageError(
            f"{game.title} cannot go on without a player: its tables wait, leave out --carry-on"
        )
    if seats < 3:
        raise UsageError("a table carries on without a lost player if it has three or more")
    if least not in allowed(seats):
        able = allowed(seats)
        most = "" if len(able) == 1 else f" to {able[-1]}"
        raise UsageError(
            f"of {seats} players {able[0]}{most} have to carry on together (not {least})"
        )


def narrowed(policy: str, game: Game, seats: int) -> str:
    """The same policy for the next table, at which fewer people sit, or another game is played.

    With two left, and in a game that cannot lose a player, all wait.
    """
    least = min(least_of(policy) or 0, seats - 1)
    return carry_on(least) if least in allowed(seats) and game.lose is not None else WAIT
