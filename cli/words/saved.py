"""What a list says of a saved game: which game, when, with whom, and who won.

Read from the beginning and the end of its log; nothing is verified, and no game is played through.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from cli.home.folders import Logs, when
from cli.kit.marks import mark
from cli.words.won import who_won
from engine.games import NAMES, load
from engine.totals import winners
from engine.zone import Seat
from p2p.disk.outside import open_outside
from p2p.errors import PeerError
from p2p.files.saved import of_another_version
from p2p.protocol import step_kinds
from p2p.protocol.ballot import decode_ballot, is_ballot
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import LOG_MAX, header_of, last_records
from p2p.protocol.proposal import Proposal
from p2p.text.names import called
from replay.by_bot import by_bot

LONGEST_HEADER: Final = 1 << 16
"""The most bytes that are read: a table of sixteen seats that can go on without some has fewer."""
END: Final = 1 << 15
"""So many bytes at the end hold all that sixteen seats sign when a game is over."""
LONGEST_CLOSE: Final = 1 << 12
"""The most bytes of what one seat signs then, with its length."""
NOT_FINISHED: Final = "not finished"
OTHER_VERSION: Final = "for another version of nodealer"
_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d-(?P<game>.+?)-(?P<table>[0-9a-f]{12})(?P<kind>.*)")


class Saved(NamedTuple):
    """A saved game: its log, the game's title, and all else in one line."""

    log: Path
    title: str
    about: str


def saved_games(logs: Logs, most: int) -> list[Saved]:
    """The newest of these logs."""
    newest = sorted(logs, key=lambda path: logs[path], reverse=True)
    return [_saved(path, logs[path][0]) for path in newest[:most]]


def _saved(path: Path, written_ns: int) -> Saved:
    found = _NAME.fullmatch(path.stem)
    title = _title(found["game"]) if found else path.stem
    kind = found["kind"].strip("-") if found else ""
    table = f"table {found['table'][:6]}" if found else ""
    told = (f"{when(written_ns / 1e9):%d %B %Y, %H:%M}", *_story(path), table, kind)
    return Saved(path, title, "   ".join(filter(None, told)))


def _title(game: str) -> str:
    """What a game is called; its name if it is not of the house."""
    return load(game).title if game in NAMES else game


def _story(log: Path) -> tuple[str, ...]:
    """How it ended, and everybody's name, bots marked, as far as the log can be read."""
    is_open = log.with_suffix(".ndseat").exists()
    try:
        with open_outside(log, LOG_MAX) as opened:
            begun = opened.read(LONGEST_HEADER)
            opened.seek(max(0, opened.seek(0, 2) - END))
            end = opened.read(END)
        proposal = decode_header(header_of(begun)).proposal
    except (OSError, PeerError):
        other = OTHER_VERSION if of_another_version(log) else ""
        return tuple(filter(None, (NOT_FINISHED if is_open else "", other)))
    seats = proposal.seats
    names = [called(one.name) for one in seats]
    closed = None if is_open else _closed(end, proposal)
    people = ", ".join(name + mark(bot=one.bot) for name, one in zip(names, seats, strict=True))
    if closed is None:
        return NOT_FINISHED, people
    game = proposal.game
    sides = game.sides(len(seats), {**game.defaults(), **proposal.terms.options})
    won = winners(*closed, sides)
    return who_won(names, closed.result, won, by_bot=by_bot(log).finished), people


class _Closed(NamedTuple):
    """The result that was signed, and the seats that were lost before the end."""

    result: tuple[int, ...]
    lost: list[Seat]


def _closed(end: bytes, proposal: Proposal) -> _Closed | None:
    """Read the last signatures of a log; None if nobody signed a result.

    A seat was lost if it neither signed the result nor is the subject of a ballot about that.
    """
    seats, result, there = len(proposal.seats), tuple[int, ...](), set[Seat]()
    for record in last_records(end, LONGEST_CLOSE):
        try:
            if is_ballot(record):
                there.add(decode_ballot(record, proposal.identities).absent)
                continue
            entry = decode_entry(record)
        except PeerError:
            break
        signed = _signed(entry, seats)
        if signed is None:
            break
        result = result or signed
        there.add(entry.seat)
    return _Closed(result, [seat for seat in range(seats) if seat not in there]) if result else None


def _signed(entry: Entry, seats: int) -> tuple[int, ...] | None:
    """Return the result that an entry signs; None if it is no close of this table."""
    payload = entry.payload
    if entry.kind != step_kinds.CLOSE or not isinstance(payload, dict):
        return None
    result = payload.get("result")
    if isinstance(result, list) and [*map(type, result)] == [int] * seats:
        return tuple(result)
    return None
