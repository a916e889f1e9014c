"""Which decisions a bot took in somebody's place (`NAME.ndbot`, beside the log).

What others see of that is talk, which is not in a log.  So the program of whoever left the game to
a bot notes it on its own disk: a review blames nobody for a decision of the bot, and statistics do
not count a game that it finished as theirs.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final, NamedTuple

from p2p.disk import durable as disk
from p2p.disk.outside import TIMES_MAX, read_outside
from p2p.errors import StorageError

SUFFIX: Final = ".ndbot"
MODE: Final = 0o600
END: Final = "end"
_NUMBER: Final = re.compile("[0-9]{1,9}")


class ByBot(NamedTuple):
    """What a bot did in the reader's seat.

    `decided` are its decisions, each by how many answers the rules had before it; `finished` says
    whether it still decided when the game was over.
    """

    decided: frozenset[int] = frozenset()
    finished: bool = False


def note_bot(log: Path, decided: AbstractSet[int], *, finished: bool) -> None:
    """Note what a bot did in one's own seat (as in ByBot), besides what was noted before.

    StorageError if the disk refuses.
    """
    note = log.with_suffix(SUFFIX)
    known = by_bot(log)
    numbers = sorted(known.decided | decided)
    lines = [*map(str, numbers), *[END] * (known.finished or finished)]
    try:
        disk.write_file(note, "".join(f"{line}\n" for line in lines).encode("ascii"), MODE)
    except OSError as error:
        raise StorageError.of(note, error) from error


def by_bot(log: Path) -> ByBot:
    """What was noted; a garbled line ends it."""
    try:
        lines = read_outside(log.with_suffix(SUFFIX), TIMES_MAX).decode("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return ByBot()
    decided: set[int] = set()
    for line in lines:
        if line == END:
            return ByBot(frozenset(decided), finished=True)
        if not _NUMBER.fullmatch(line):
            break
        decided.add(int(line))
    return ByBot(frozenset(decided))
