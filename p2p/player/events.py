"""What a peer tells its player: people read it, bots ignore it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from engine.question import Question
from engine.view import View
from engine.zone import Seat
from p2p.net.invite import Invite
from p2p.net.seat_links import SeatLink
from p2p.player.waits import SAYS_SECONDS, Awaited
from p2p.protocol.races.book import RaceReport
from p2p.protocol.races.relays import Pair
from p2p.protocol.terms import Terms

IN_A_ROW: Final = 3
"""After so many decisions in a row that the clock made, a seat is told to be away."""


def _no_limit() -> float | None:
    """There is no clock."""
    return None


def _others_continue() -> None:
    """Return None: nobody plays here, so nobody's leaving ends the game."""


def _nobody() -> tuple[Seat, ...]:
    """Nobody's answer is known to be missing."""
    return ()


@dataclass(frozen=True, slots=True)
class Seated:
    """All seats are taken and every table key is proven; `seat` is the player's own.

    In a race no player is credited with more delay than `race_cap_us` (microseconds, protocol
    section 5), which may be less than the terms allow.
    """

    names: tuple[str, ...]
    fingerprints: tuple[str, ...]
    seat: Seat
    terms: Terms
    race_cap_us: int
    bots: frozenset[Seat] = frozenset()
    """The seats that say of themselves that a bot decides there."""
    unlinked: tuple[Pair, ...] = ()
    """Pairs without a link, and the seats between the two: races depend on those."""
    can_leave: bool = False
    """Whether the game can go on without a player."""

    @property
    def bots_only(self) -> bool:
        """Whether no person plays here."""
        return len(self.bots) == len(self.names)

    @property
    def among_bots(self) -> bool:
        """Whether all others are bots."""
        return self.bots == {*range(len(self.names))} - {self.seat}


@dataclass(frozen=True, slots=True)
class Opened:
    """The game begins, or goes on after a restart.

    `view` is what this seat may know, and stays true as the game goes on; `waits_for` gives the
    question that the table waits for, whoever has to answer it (None if there is none),
    `time_left` how many seconds the clock gives whoever is waited for (None if it gives no limit),
    `missing` whose part in the step has not come here, and `winners_without` the winners if this
    player leaves for good now and the game ends with that; None if the others can continue.
    """

    view: View
    waits_for: Callable[[], Question[Any] | None]
    time_left: Callable[[], float | None] = _no_limit
    missing: Callable[[], tuple[Seat, ...]] = _nobody
    winners_without: Callable[[], tuple[Seat, ...] | None] = _others_continue


@dataclass(frozen=True, slots=True)
class WentBack:
    """The files of this seat are older than what it signed, or come from elsewhere.

    Nothing is decided before all others have been asked what it has signed since.
    """


@dataclass(frozen=True, slots=True)
class Talk:
    """From now on `say(line)` says a line to everybody in the lobby, or at the table.

    At most 200 printable characters of it; False if nothing is left, or if the player said too much
    just now (6 lines in 10 s).
    """

    say: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Chat:
    """Somebody in the lobby or at the table, perhaps the player, says something; it is signed.

    In the lobby `seat` is the speaker's place so far.
    """

    seat: Seat
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Watchable:
    """The game has begun: from now on anybody may watch it with this invite."""

    invite: Invite


@dataclass(frozen=True, slots=True)
class Arrived:
    """A spectator has reached the host, known by these words, and waits for the table."""

    fingerprint: str


@dataclass(frozen=True, slots=True)
class Spectators:
    """Who is watching now, by the names that they gave; they see what the log will show."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """After a game: who agrees to the next one, and who has left or will leave, by name.

    `plan` is what the host proposes; without it, those who stay would play the same once more.
    `why_not` says why this seat cannot play that, or no game follows; empty if nothing is known.
    """

    staying: tuple[str, ...]
    leaving: tuple[str, ...]
    plan: Terms | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody sat down while the table fills: who has a seat, and how many seats there are."""

    names: tuple[str, ...]
    seats: int


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """Refusal of a guest whose program has another version of the protocol, or another revision.

    Told to the host of a table once.
    """

    version: int
    revision: bytes


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody in the lobby; `ready` is None for a person who cannot be reached just now.

    `bot`: this seat says of itself that a bot decides there.
    """

    name: str
    fingerprint: str
    ready: bool | None
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Gathering:
    """The lobby now: what will be proposed, and who is in it, in the order of seats.

    Told whenever that changes.  `seat` is the player's place so far: it moves up when somebody
    leaves.  For a guest everything but its own links is the host's word, and a proposal that says
    anything else is refused.
    """

    terms: Terms
    seats: int
    people: tuple[Present, ...]
    seat: Seat
    unlinked: tuple[Pair, ...] = ()
    """Pairs that have had a few seconds to link and have not, and the seats between the two."""

    @property
    def missing(self) -> int:
        """How many seats are free."""
        return self.seats - len(self.people)

    @property
    def ready(self) -> bool:
        """Whether we have said so."""
        return bool(self.people[self.seat].ready)


class LobbyDoor(Protocol):
    """The host's power over its lobby until the table is signed; guests have their key's words."""

    def lock(self, *, by_hand: bool) -> None:
        """Let newcomers wait until the host admits them, or seat whoever comes."""

    def admit(self, fingerprint: str) -> bool:
        """Seat a newcomer who waits; False if nobody with this key waits, or no seat is free."""

    def remove(self, fingerprint: str) -> bool:
        """Take the seat of a guest for good, or turn a newcomer away.

        False if there is nobody with this key, or if the table is being signed.
        """

    def change(self, terms: Terms, seats: int) -> None:
        """Plan a table for this many seats on these terms; guests have to agree to it anew.

        UsageError, with a sentence, if they do not go together, if more players than that have
        sat down, or if the table is being signed.
        """


@dataclass(frozen=True, slots=True)
class AtTheDoor:
    """The newcomers who wait for the host: told to a host when the lobby opens, and later."""

    waiting: tuple[Present, ...]
    door: LobbyDoor


@dataclass(frozen=True, slots=True)
class HeldUp:
    """In the lobby, or while all sign, nothing has moved for `seconds`: whom all wait for."""

    awaited: tuple[Awaited, ...]
    seconds: float = SAYS_SECONDS


@dataclass(frozen=True, slots=True)
class Noted:
    """The rules say that something happened (`engine.table.Table.note`)."""

    note: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """The player's claim in a race was sent, this long after the question; the witnesses decide."""

    topic: str
    microseconds: int


@dataclass(frozen=True, slots=True)
class TimeOver:
    """The player was asked for too long, and is asked no more: our own program has decided this.

    `view` and `question` are what was asked.
    """

    view: View
    question: Question[Any]
    decision: object


@dataclass(frozen=True, slots=True)
class Away:
    """The last `IN_A_ROW` decisions of a seat, perhaps one's `own`, came when its time was over.

    If it is no longer `away`, the last one came sooner.  Each machine finds that by its own clock.
    """

    seat: Seat
    name: str
    away: bool
    own: bool


@dataclass(frozen=True, slots=True)
class Raced:
    """A race with several claims is decided."""

    report: RaceReport


@dataclass(frozen=True, slots=True)
class LinkNews:
    """How every other seat is reached now, and how each was before (None at first).

    Told when a way or a round trip changes, besides `Lost` and `Back`.
    """

    links: tuple[SeatLink, ...]
    before: tuple[SeatLink, ...] | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A seat cannot be reached over any link; the table waits and dials on."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Back:
    """A lost seat can be reached again, directly or through another."""

    seat: Seat
    name: str


class MissedSeat(NamedTuple):
    """Somebody who has been gone for a while.

    `through` is the name of the only player who ever reached it last, and may have cut it off;
    empty if it was reached directly.
    """

    seat: Seat
    name: str
    through: str = ""


@dataclass(frozen=True, slots=True)
class Missed:
    """The table waits for these, and can go on without them if all others say so.

    `said` is what each player has said: whether to go on.  `awaited` are the names of those for
    whose word a vote has to wait that was given already.  `seconds` is for how long they are gone.
    `say(True)` says "go on without them", `say(False)` "wait"; None if too few would be left, and
    while somebody who would have to agree is `unreached` too, though not yet for so long.
    Without seats: nobody is missed any more.
    """

    seats: tuple[MissedSeat, ...]
    said: tuple[tuple[str, bool], ...] = ()
    awaited: tuple[str, ...] = ()
    seconds: int = field(default=0, compare=False)
    say: Callable[[bool], None] | None = field(default=None, compare=False)
    unreached: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flooding:
    """A seat sends more than the game needs; from now on it is read more slowly.

    This breaks no rule, and convicts nobody.
    """

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """A seat is caught and the table ends; `evidence` is a file that `audit` accepts.

    `name` is the seat's, if one was caught.  `state` is a file with the public state as we see it,
    if the seat signed another.
    """

    verdict: str
    reason: str
    seat: Seat | None
    evidence: Path | None
    name: str = ""
    state: Path | None = None


@dataclass(frozen=True, slots=True)
class Differed:
    """Another seat says that we signed another state; `state` is a file with ours."""

    name: str
    state: Path


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over and closed; `returns` is None if this seat has left it before."""

    returns: tuple[int, ...] | None
    log: Path


Event = (
    Seated
    | Opened
    | WentBack
    | Talk
    | Chat
    | Watchable
    | Arrived
    | Spectators
    | PlayAgain
    | Waiting
    | OtherVersion
    | Gathering
    | AtTheDoor
    | HeldUp
    | Noted
    | Claimed
    | TimeOver
    | Away
    | Raced
    | LinkNews
    | Lost
    | Missed
    | Back
    | Flooding
    | Stopped
    | Differed
    | Finished
)
