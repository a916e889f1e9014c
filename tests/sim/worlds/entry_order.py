"""Checks on a new entry of an honest seat against the steps before it in its log.

*Coins:* from the first share of a coin until its value is known, seats sign shares and votes and
nothing else (docs/explanation/lost-seat.md, "What is settled first").

*False shuffles:* nobody signs anything upon a deck that was shuffled falsely (decision 13).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Final

from p2p.protocol.entry import Entry
from p2p.protocol.step_kinds import COIN, VOTE, Asked, asks

Records = Sequence[Sequence[bytes]]
Tossed = tuple[bytes, int, bytes]
"""A step in which a share of a coin was sent: its table, its number, the hash before it."""


class EntryOrder:
    """The coins of a world and its false decks; `read` decodes a record."""

    def __init__(self, read: Callable[[bytes], Entry]) -> None:
        self.false_decks: Final[set[bytes]] = set()
        """Packed decks that modified seats have sent instead of those that they proved."""
        self._read: Final = read
        self._tossed: Final[set[Tossed]] = set()

    def note(self, entry: Entry) -> None:
        """Note that an honest seat's entry leaves it."""
        if entry.kind == COIN:
            self._tossed.add(_place(entry))

    def coin_is_open(self, entry: Entry, records: Records) -> bool:
        """Return whether this entry is signed while a coin lacks its value."""
        if entry.kind in (COIN, VOTE):
            return False
        return is_open((first.kind, _place(first) in self._tossed) for first in self._run(records))

    def _run(self, records: Records) -> list[Entry]:
        """Return the first entries of the last steps, as far as all are coins or votes."""
        firsts = (self._read(step[0]) for step in reversed(records) if step)
        return [*takewhile(lambda entry: entry.kind in (COIN, VOTE), firsts)][::-1]

    def false_deck_before(self, entry: Entry, records: Records) -> int | None:
        """Return the step of a false shuffle on which this entry is signed, if there is one.

        Seats verify a chain of shuffles after its last one, and drop it if they vote a seat out.
        """
        if not self.false_decks or entry.kind == VOTE or asks(entry.kind, Asked.SHUFFLES):
            return None
        firsts = [self._read(step[0]) for step in reversed(records) if step]
        since = takewhile(lambda one: one.kind != VOTE, firsts)
        false = (one.step for one in since if deck_of(one) in self.false_decks)
        return next(false, None)


def is_open(steps: Iterable[tuple[str, bool]]) -> bool:
    """Return whether a coin lacks its value after these steps of coins and votes.

    Each is its kind, and whether a share was sent in it.  After a loss the seats that remain send
    their shares again, and then those of the lost key.
    """
    lost = again = False
    for kind, sent in steps:
        if kind == VOTE:
            lost, again = lost or sent, False
        else:
            lost, again = lost and not again, lost and not again
    return lost


def deck_of(entry: Entry) -> object:
    """Return the deck that an entry of a shuffle brings."""
    return entry.payload.get("deck") if isinstance(entry.payload, dict) else None


def _place(entry: Entry) -> Tossed:
    return entry.table, entry.step, entry.previous
