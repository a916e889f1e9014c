"""What the notes of a game end, and the cards that they have shown until then.  Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cli.screen.pace import READ_SECONDS, UNASKED_SECONDS
from engine.zone import Seat

if TYPE_CHECKING:  # nothing has ended in the first picture
    from engine.wording import ShownSet, Wording

Note = tuple[Any, ...]
GLANCE_WORDS: Final = 10
WORD_SECONDS: Final = 0.25
"""Above so many words, each takes so long more: people read 240 words a minute (Brysbaert 2019)."""


def seconds_to_read(said: str, least: float) -> float:
    """How long a sentence needs; `least` is for a short one."""
    return least + WORD_SECONDS * max(0, len(said.split()) - GLANCE_WORDS)


class Ending(NamedTuple):
    """What has ended: the sets that were compared, which seats take it, how many cards are new.

    Whoever takes something stays marked as long as the sets are shown.  `recalled` are the notes
    that are to be said once more, because they tell why; `seconds` is how long all that is said
    needs, besides the cards.
    """

    sets: tuple[ShownSet, ...]
    takers: frozenset[Seat]
    cards: int
    recalled: tuple[Note, ...] = ()
    seconds: float = READ_SECONDS


class Endings:
    """Follows the notes of one table.

    Sets are collected until something ends.  What ends right after that (a trick, and with it a
    round) shows them too; with the next thing that happens they are past.
    """

    def __init__(self) -> None:
        self._sets: list[ShownSet] = []
        self._takers: set[Seat] = set()
        self._past = False
        self._new = 0
        self._recalled: list[Note] = []

    def note(self, text: Wording[Any], note: Note) -> Ending | None:
        """Take note of it; what it ends, if anything."""
        word, *values = note
        if word in text.endings:
            return self._end(text.endings[word], values)
        if self._past:
            self._sets, self._takers, self._past = [], set(), False
        if word in text.unasked:
            return Ending((), frozenset(), 0, seconds=UNASKED_SECONDS)
        if word in text.recalls:
            self._recalled.append(note)
        if word in text.shows:
            shown = [one for one in text.shows[word](*values) if one.cards]
            self._sets += shown
            self._new += sum(len(one.cards) for one in shown)
        return None

    def _end(self, place: int | None, values: list[Any]) -> Ending:
        self._past, new, self._new = True, self._new, 0
        if place is not None:
            self._takers.add(values[place])
        recalled, self._recalled = tuple(self._recalled), []
        return Ending(tuple(self._sets), frozenset(self._takers), new, recalled)
