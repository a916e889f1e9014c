"""What a key was meant for: the table and the question that were to be seen when it was pressed.

A press counts for the picture that it was made for; a letter counts for the word it belongs to.
Between two steps of a table nothing is
asked for some hundredths of a second: if the same picture is asked again after that (somebody
else touched his forehead), a key pressed meanwhile counts; if another picture has come (a card
was opened), it was not meant for that.  Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cli.kit.reaction import EARLY_SECONDS, LATE_SECONDS, REST_SECONDS
from cli.screen.board import Board

if TYPE_CHECKING:  # nothing is asked in the first picture
    from cli.screen.asking import Asking

KEPT_SECONDS: Final = 1.0
"""How long a press waits at most for its picture to be asked again."""
DOUBLE_SECONDS: Final = 0.3
"""A second press this soon after a claim is a hand that hit twice, and claims nothing."""
WORD_SECONDS: Final = 0.5
"""A letter so soon after another belongs to the same word, whatever has come on the screen."""
Sight = tuple[Any, ...]


def table_sight(board: Board) -> Sight:
    """What lies on the table; who has touched or says something beside it does not count."""
    piles = tuple((pile.label, pile.count, pile.top, pile.suit) for pile in board.piles)
    return (board.headline, board.middle, piles)


def asked_sight(board: Board, asking: Asking) -> Sight:
    """What lies on the table, and what is asked."""
    labels = tuple(choice.label for choice in asking.legal)
    return (*table_sight(board), board.prompt, labels, tuple(asking.hand))


class Kept(NamedTuple):
    """A press for which nothing is asked now, and what it was meant for."""

    sight: Sight | None
    again: Callable[[], None]
    at: float


class Eyes:
    """Since when the person has seen what is to be seen."""

    def __init__(self) -> None:
        self._table: Sight | None = None
        self._table_since = 0.0
        self._asked: Sight | None = None
        self._asked_since = 0.0
        self._withdrawn: Asking | None = None
        self._withdrawn_at = self._rests_until = -inf
        self._kept: Kept | None = None
        self._typed_at = self._claimed_at = -inf
        self.sees_leaving = True
        """Whether the question how to leave was drawn since it was asked."""

    def see(self, board: Board, now: float) -> None:
        """This is drawn now."""
        seen = table_sight(board)
        if seen != self._table:
            self._table, self._table_since = seen, now

    def ask(
        self, board: Board, asking: Asking, now: float, *, typed: bool = False
    ) -> Callable[[], None] | None:
        """This is asked now; what a key was pressed for that counts for it, if there is one.

        If it was asked before and nobody has answered, the cursor stands where it stood.  `typed`:
        the line already holds text, and whoever typed it has not seen this question.
        """
        self.see(board, now)
        seen, before, kept = asked_sight(board, asking), self._withdrawn, self._kept
        self._withdrawn = self._kept = None
        if before is not None and seen == self._asked:
            asking.carry_on(before)
        else:
            self._asked, self._asked_since = seen, now
            # A race waits for nobody: there only what can be meant in time counts (EARLY_SECONDS).
            closed = self._withdrawn_at + REST_SECONDS if before is not None else -inf
            unseen = now + LATE_SECONDS if typed else -inf
            self._rests_until = -inf if asking.racing else max(closed, unseen)
        fits = kept is not None and kept.sight in (self._table, self._asked)
        return kept.again if kept is not None and fits and now - kept.at <= KEPT_SECONDS else None

    def withdraw(self, asking: Asking, now: float) -> None:
        """It is not asked any more, and was not answered."""
        self._withdrawn, self._withdrawn_at = asking, now

    def forget(self, now: float) -> None:
        """What was asked was decided by somebody else: a key that was meant for it is lost."""
        self._withdrawn = self._kept = None
        self.blink(now)

    def keep_claim(self, again: Callable[[], None], now: float) -> None:
        """A claim while nothing is asked: it is for this table."""
        if not self.hasty_claim(now) and now - self._claimed_at >= DOUBLE_SECONDS:
            self._kept = Kept(self._table, again, now)

    def claim(self, now: float) -> None:
        """Something is claimed."""
        self._claimed_at = now

    def keep_answer(self, again: Callable[[], None], now: float) -> None:
        """An answer while nothing is asked: it is for the question that was taken back."""
        if self._withdrawn is not None and not self.hasty(now):
            self._kept = Kept(self._asked, again, now)

    def hasty(self, now: float, early: float = EARLY_SECONDS) -> bool:
        """Whether the question came up so recently that no key can have been meant for it."""
        return now - self._asked_since < early or self.rests(now)

    def rests(self, now: float) -> bool:
        """Whether an Enter was meant for the question that went away unanswered."""
        return now < self._rests_until

    def hasty_claim(self, now: float) -> bool:
        """The same of the table."""
        return now - self._table_since < EARLY_SECONDS

    def type(self, now: float) -> None:
        """A letter of a word is typed."""
        self._typed_at = now

    def word_goes_on(self, now: float) -> bool:
        """Whether a letter belongs to the word that is just being typed."""
        return now - self._typed_at < WORD_SECONDS

    def typed_since(self) -> bool:
        """Whether a letter was typed since this question came up."""
        return self._typed_at >= self._asked_since

    def hasty_letter(self, now: float) -> bool:
        """Whether a letter that answers at once was meant for something else."""
        since = now - max(self._asked_since, self._withdrawn_at)
        return since < EARLY_SECONDS or (since < REST_SECONDS and self.word_goes_on(now))

    def blink(self, now: float) -> None:
        """Something else than a question comes into sight, for which Enter may be pressed."""
        self._asked, self._asked_since = None, now
