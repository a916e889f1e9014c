"""Cards that are turned over: on a pile when they are laid there, in the hand when dealt.

Pure: a picture follows from two tables and the time since the second one came about.  Nothing
waits for a movement, a key ends it, and it never hides what somebody might have to answer: on
a pile the name is seen at once, and cards are dealt face down only while nothing is asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from cli.screen.board import Board, PileShown

SECONDS: Final = 0.2
"""How long turning a card takes; the design allows 0.3 s."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Which piles have a new top card, and which cards of the hand are new."""

    piles: frozenset[int] = frozenset()
    hand: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.piles or self.hand)


def moves(before: Board, after: Board) -> Moves:
    """What is new on the second table."""
    laid = {(pile.label, pile.top) for pile in before.piles}
    heights = {pile.label: pile.count or 0 for pile in before.piles}
    piles = [place for place, pile in enumerate(after.piles) if _is_new(pile, laid, heights)]
    held, dealt = Counter(card.name for card in before.hand), []
    for place, card in enumerate(after.hand):
        held[card.name] -= 1
        if held[card.name] < 0:
            dealt.append(place)
    return Moves(frozenset(piles), frozenset(dealt))


def _is_new(pile: PileShown, laid: set[tuple[str, str]], heights: dict[str, int]) -> bool:
    if pile.count is None:
        return (pile.label, pile.top) not in laid
    return bool(pile.top) and pile.count > heights.get(pile.label, 0)


def frame(board: Board, moved: Moves, elapsed: float) -> Board:
    """The table, `elapsed` seconds after these moves."""
    if elapsed >= SECONDS or not moved:
        return board
    piles = [replace(pile, turning=place in moved.piles) for place, pile in enumerate(board.piles)]
    hand = [
        replace(card, down=place in moved.hand and not board.yours)
        for place, card in enumerate(board.hand)
    ]
    return replace(board, piles=tuple(piles), hand=tuple(hand))


class Motion:
    """The movement on one screen; if `on` is False, every table is drawn as it is."""

    def __init__(self, *, on: bool = True) -> None:
        self._on: Final = on
        self._last: Board | None = None
        self._moves = Moves()
        self._since = 0.0

    def picture(self, board: Board, now: float) -> Board:
        """What to draw of this table now."""
        found = moves(self._last, board) if self._on and self._last is not None else Moves()
        self._last = board
        if found:
            self._moves, self._since = found, now
        elif self._moves and now - self._since >= SECONDS:
            self.stop()
        return frame(board, self._moves, now - self._since)

    @property
    def moving(self) -> bool:
        """Whether a later picture will differ even if the table stays the same."""
        return bool(self._moves)

    def stop(self) -> None:
        """Stop: a key was pressed, or it is over."""
        self._moves = Moves()
