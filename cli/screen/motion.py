"""Cards that move: turned over on a pile, or in the hand when dealt, and taken with a trick.

Pure: a picture follows from two tables and the time since the second one came about.  Nothing
waits for a movement, a key ends it, and it never hides what somebody might have to answer: on
a pile the name is seen at once, and cards are dealt face down only while nothing is asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from cli.screen.board import Board, CardShown, PileShown, Sliding
from cli.screen.seats import side_of

SECONDS: Final = 0.2
"""How long turning a card takes, or a trick to its winner; the design allows 0.3 s."""
PICTURES: Final = 3
"""How many pictures there are of a trick on its way."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Which piles have a new top card, which cards of the hand are new, which trick was taken."""

    piles: frozenset[int] = frozenset()
    hand: frozenset[int] = frozenset()
    trick: PileShown | None = None

    def __bool__(self) -> bool:
        return bool(self.piles or self.hand or self.trick)


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
    return Moves(frozenset(piles), frozenset(dealt), _taken(before, after))


def _taken(before: Board, after: Board) -> PileShown | None:
    """The cards of a trick that lies there no more, closed up, the winning one on top."""
    trick = [pile for pile in before.piles if pile.count is None and pile.owner is not None]
    won = [pile for pile in trick if pile.lit]
    left = {(pile.label, pile.top) for pile in after.piles}
    if len(won) != 1 or len(trick) < 2 or any((one.label, one.top) in left for one in trick):
        return None
    others = (CardShown(one.top, one.suit) for one in trick if not one.lit)
    return replace(won[0], under=tuple(others), past=False)


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
    sliding = None if moved.trick is None else _on_its_way(board, moved.trick, elapsed)
    return replace(board, piles=tuple(piles), hand=tuple(hand), sliding=sliding)


def _on_its_way(board: Board, trick: PileShown, elapsed: float) -> Sliding | None:
    side = None if trick.owner is None else side_of(board, trick.owner)
    part = (1 + int(PICTURES * elapsed / SECONDS)) / PICTURES
    return None if side is None else Sliding(trick, *side, min(1.0, part))


class Motion:
    """The movement on one screen; if `on` is False, every table is drawn as it is."""

    def __init__(self, *, on: bool = True) -> None:
        self._on: Final = on
        self._last: Board | None = None
        self._moves = Moves()
        self._since = 0.0

    def picture(self, board: Board, now: float, *, calm: bool = True) -> Board:
        """What to draw of this table now; `calm`: there is time for a trick to be taken."""
        found = moves(self._last, board) if self._on and self._last is not None else Moves()
        if not calm:
            found = replace(found, trick=None)
            self._moves = replace(self._moves, trick=None)
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

    @property
    def pause(self) -> float:
        """How many seconds until it will."""
        return SECONDS if self._moves.trick is None else SECONDS / PICTURES

    def stop(self) -> None:
        """Stop: a key was pressed, or it is over."""
        self._moves = Moves()
