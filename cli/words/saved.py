"""What a list says of a saved game: which game, when, with whom, and who won.

Read from the beginning and the end of its log; nothing is verified, and no game is played through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from cli.home.folders import Logs, when
from cli.kit.marks import mark
from cli.words.won import who_won
from p2p.disk.outside import open_outside
from p2p.errors import PeerError
from p2p.protocol import step_kinds
from p2p.protocol.entry import decode_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import LOG_MAX, header_of
from p2p.text.names import called
from replay.by_bot import finished_by_bot

LONGEST_HEADER: Final = 1 << 16
"""The most bytes that are read: a table of sixteen seats that can go on without some has fewer."""
END: Final = 1 << 15
"""So many bytes at the end hold all that sixteen seats sign when a game is over."""
LONGEST_CLOSE: Final = 1 << 12
"""The most bytes of what one seat signs then."""
NOT_FINISHED: Final = "not finished"
_NAME: Final = re.compile(r"\d{4}-\d\d-\d\d-(?P<game>.+?)-(?P<table>[0-9a-f]{12})(?P<kind>.*)")
_LENGTH: Final = 4


class Saved(NamedTuple):
    """A saved game: its log, the game's title, and all else in one line."""

    log: Path
    title: str
    about: str


def saved_games(logs: Logs, titles: Mapping[str, str], most: int) -> list[Saved]:
    """The newest of these logs; `titles` by the names of games, for a log that tells none."""
    newest = sorted(logs, key=lambda path: logs[path], reverse=True)
    return [_saved(path, titles, logs[path][0]) for path in newest[:most]]


def _saved(path: Path, titles: Mapping[str, str], written_ns: int) -> Saved:
    found = _NAME.fullmatch(path.stem)
    title = titles.get(found["game"], found["game"]) if found else path.stem
    kind = found["kind"].strip("-") if found else ""
    table = f"table {found['table'][:6]}" if found else ""
    told = (f"{when(written_ns / 1e9):%d %B %Y, %H:%M}", *_story(path), table, kind)
    return Saved(path, title, "   ".join(filter(None, told)))


def _story(log: Path) -> tuple[str, ...]:
    """How it ended, and everybody's name, bots marked, as far as the log can be read."""
    is_open = log.with_suffix(".ndseat").exists()
    try:
        with open_outside(log, LOG_MAX) as opened:
            begun = opened.read(LONGEST_HEADER)
            opened.seek(max(0, opened.seek(0, 2) - END))
            end = opened.read(END)
        seats = decode_header(header_of(begun)).proposal.seats
    except (OSError, PeerError):
        return (NOT_FINISHED,) if is_open else ()
    names = [called(one.name) for one in seats]
    result = None if is_open else _result(end, len(seats))
    people = ", ".join(name + mark(bot=one.bot) for name, one in zip(names, seats, strict=True))
    if result is None:
        return NOT_FINISHED, people
    return who_won(names, result, by_bot=finished_by_bot(log)), people


def _result(end: bytes, seats: int) -> tuple[int, ...] | None:
    """What each seat came to, as the last seat signed it; None if nobody signed a result."""
    for record in _from_the_end(end):
        try:
            entry = decode_entry(record)
        except PeerError:
            continue  # a ballot about somebody whose signature is missing
        payload = entry.payload
        if entry.kind != step_kinds.CLOSE or not isinstance(payload, dict):
            return None
        result = payload.get("result")
        if isinstance(result, list) and [*map(type, result)] == [int] * seats:
            return tuple(result)
        return None
    return None


def _from_the_end(data: bytes) -> Iterator[bytes]:
    """The records at the end of a log, the last one first, as far as they are short."""
    end = len(data)
    while True:
        possible = range(end - _LENGTH - 1, max(-1, end - LONGEST_CLOSE), -1)
        start = next((at for at in possible if _length_at(data, at) == end - at - _LENGTH), None)
        if start is None:
            return
        yield data[start + _LENGTH : end]
        end = start


def _length_at(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + _LENGTH], "big")
