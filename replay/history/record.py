"""What a saved game says of one of its players, who is known by the identity key."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.zone import Seat
from p2p.text.names import called
from replay.audit import UnreadableError
from replay.game import SavedGame, open_game


class Player(NamedTuple):
    """Who sat somewhere: the key, the name of then, and whether it said that it is a bot."""

    key: bytes
    name: str
    bot: bool


class Contest(NamedTuple):
    """A race in which several claimed: the agreed times of those of whom one is known (us)."""

    own: int | None
    others: tuple[int, ...]
    first: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A game of the player in seat `seat`.

    `when` is when the log was written (seconds since 1970).  `result` is None if the game is not
    over in it, `winners` are the seats that won, and `left` says whether the player was not there
    to the end.  `contests` are the races in which the player claimed.  `by_bot`: a bot finished it
    in the player's place here.
    """

    table: bytes
    game: str
    title: str
    when: float
    seat: Seat
    players: tuple[Player, ...]
    result: tuple[int, ...] | None
    winners: tuple[Seat, ...]
    left: bool
    contests: tuple[Contest, ...]
    by_bot: bool = False

    @property
    def over(self) -> bool:
        """Whether the game came to a result."""
        return self.result is not None

    def won(self, seat: Seat) -> bool:
        """Whether this seat won."""
        return seat in self.winners


class Unreadable(NamedTuple):
    """A log that tells nothing, and why."""

    path: Path
    reason: str


def record_of(path: Path, key: bytes) -> Record | Unreadable | None:
    """What a log says of the player with this key; None if nobody there had it."""
    try:
        game = open_game(path)
        when = path.stat().st_mtime
    except (UnreadableError, OSError) as error:
        return Unreadable(path, str(error))
    if key not in game.header.proposal.identities:
        return None
    if game.trouble:
        return Unreadable(path, f"{path}: {game.ending}")
    seat = game.header.proposal.identities.index(key)
    return _record(game, seat, when)


def _record(game: SavedGame, seat: Seat, when: float) -> Record:
    proposal = game.header.proposal
    races = [step.race for step in game.steps if step.race is not None]
    contests = []
    for race in races:
        times = dict(race.times)
        others = [time for one, time in times.items() if one != seat and time is not None]
        if seat in times:
            contests.append(Contest(times[seat], tuple(others), race.first == seat))
    return Record(
        table=game.header.table,
        game=proposal.game.name,
        title=proposal.game.title,
        when=when,
        seat=seat,
        players=tuple(Player(one.identity, called(one.name), one.bot) for one in proposal.seats),
        result=game.result,
        winners=game.winners,
        left=seat in game.session.table.lost,
        contests=tuple(contests),
        by_bot=game.by_bot.finished,
    )
