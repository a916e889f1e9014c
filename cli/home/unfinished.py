"""Tables that were begun here and not closed: which can go on, and who has to come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.failures import UserMistakeError
from cli.home.folders import unfinished, when
from cli.home.own_bots import OwnBot, Stand, is_whole, own_bots, sweep
from cli.home.person_identity import own_key
from cli.kit.choice import choose
from cli.kit.marks import mark
from cli.kit.output import say
from engine.wording import listed
from p2p.disk import durable as disk
from p2p.disk.lock import is_locked
from p2p.disk.outside import SEAT_MAX
from p2p.errors import StorageError
from p2p.files.saved import left_by_another, saved_seat
from p2p.files.seat_memory import SeatMemory
from p2p.installation import program
from p2p.protocol.proposal import Proposal, decode_proposal
from p2p.text.names import called


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A table that was left: its seat file, what it is, and what keeps it from going on.

    `hindrance` is empty if nothing does.  A `busy` one is being played by another program;
    `elsewhere`: it goes on with another version of nodealer.
    """

    seat_file: Path
    about: str
    hindrance: str = ""
    busy: bool = False
    elsewhere: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether one may sit down there again now."""
        return not self.hindrance and not self.busy

    @property
    def is_stuck(self) -> bool:
        """Whether no program can go on there: nothing is lost if it is struck off."""
        return bool(self.hindrance) and not self.elsewhere

    @property
    def why_not(self) -> str:
        """What is said of one at which nobody may sit down now."""
        why = "another nodealer of yours plays there" if self.busy else self.hindrance
        return f"{self.about}: {why}"


def left_tables(folder: Path) -> list[LeftTable]:
    """All tables that were begun in `folder` and not closed, newest first.

    Where a crash came while a closed table's secrets were erased, that is done now.
    """
    found = []
    for path in unfinished(folder):
        if path.with_suffix(".ndhand").exists() and not is_whole(path):
            _erase(path)
        else:
            found.append(left_table(path))
    return found


def left_table(path: Path) -> LeftTable:
    """The table of this seat file."""
    try:
        left = when(path.stat().st_mtime).strftime("%d %B, %H:%M")
        busy = is_locked(path, SEAT_MAX)
        known = saved_seat(path)
    except (OSError, StorageError):
        other = left_by_another(path)
        damaged = "its seat file is damaged"
        return LeftTable(path, path.stem, other or damaged, elsewhere=other is not None)
    proposal = decode_proposal(known.proposal)
    bots = own_bots(proposal)
    about = f"{proposal.game.title} with {_others(proposal, known.seat)}, left {left}"
    people = missing(proposal, known.seat, bots)
    if people:
        about += f" ({listed(people)} {_have(people)} to come back too)"
    return LeftTable(path, about, _hindrance(proposal, known, bots), busy)


def missing(proposal: Proposal, seat: int, bots: Sequence[OwnBot]) -> list[str]:
    """The other people at a table: without them it does not go on."""
    here = {proposal.identities[seat], *(bot.identity.public for bot in bots)}
    return [called(one.name) for one in proposal.seats if one.identity not in here]


def who_comes_back(proposal: Proposal, seat: int, bots: Sequence[OwnBot]) -> list[str]:
    """What is told to somebody who goes back to this table."""
    names = [called(bot.identity.name) for bot in bots]
    people = missing(proposal, seat, bots)
    told = [f"{listed(names)} {'come' if names[1:] else 'comes'} back with you."] if names else []
    if people:
        told.append(f"The game goes on as soon as {listed(people)} can be reached.")
        told.append("Whoever has closed it goes back with: nodealer resume")
    return told


def _have(people: Sequence[str]) -> str:
    return "have" if people[1:] else "has"


def _others(proposal: Proposal, seat: int) -> str:
    others = (one for place, one in enumerate(proposal.seats) if place != seat)
    return ", ".join(called(one.name) + mark(bot=one.bot) for one in others)


def _hindrance(proposal: Proposal, known: SeatMemory, bots: Sequence[OwnBot]) -> str:
    if proposal.identities[known.seat] != own_key():
        return "the key of its seat is not yours"
    lost = [called(bot.identity.name) for bot in bots if bot.stand(proposal) is Stand.LOST]
    return f"what {listed(lost)} signed there is gone" if lost else ""


def seat_to_go_back_to(folder: Path, *, choosing: bool) -> Path:
    """The seat file of the newest table in `folder` that can go on, or of the one that is chosen.

    UserMistakeError if there is none.
    """
    found = left_tables(folder)
    sweep()
    able = [table for table in found if table.goes_on]
    for table in found:
        if table.elsewhere or (choosing and not table.goes_on):
            say(f"Cannot go on: {table.why_not}.", err=not choosing)
    if not able:
        stuck = sum(table.is_stuck for table in found)
        raise UserMistakeError("There is no unfinished table to go back to." + _then(stuck))
    if not choosing:
        return able[0].seat_file
    return able[choose([table.about for table in able], "Which table")].seat_file


def _then(count: int) -> str:
    """What to do where so many tables are left that cannot go on."""
    if not count:
        return f" {program()} play begins one."
    tables, them = ("1 table", "it") if count == 1 else (f"{count} tables", "them")
    return f" {tables} cannot go on; {program()} resume --forget strikes {them} off."


def check(path: Path) -> None:
    """UserMistakeError if one may not sit down again at the table of this seat file."""
    table = left_table(path)
    if not table.goes_on:
        raise UserMistakeError(
            f"This table cannot go on: {table.why_not}. Others: {program()} resume, without a log."
        )


def forget(table: LeftTable) -> None:
    """Strike a table off: the secrets of its seats here are overwritten, its log stays.

    UserMistakeError if it is being played; StorageError if the disk refuses.
    """
    if table.busy:
        raise UserMistakeError(f"It is not struck off: {table.why_not}. Leave it there first.")
    _erase(table.seat_file)
    sweep()


def _erase(seat_file: Path) -> None:
    try:
        disk.erase(seat_file)
    except OSError as error:
        raise StorageError.of(seat_file, error, "erased") from error
