"""What the viewer knows between two pictures: the step, the seat whose view it is, whether it runs.

No terminal and no clock of its own: `now` gives seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cli.home.preferences import Setting
from cli.kit.bindings import FIND, HELP, LEAVE, PLAY, REVIEW, VIEW, WHY, Where, foot
from cli.kit.themes import DEFAULT
from cli.screen.board import Board, Overlay
from cli.screen.layout import Scroll, WindowShown, scrolled
from cli.viewer.boards import board_after
from engine.view import SPECTATOR
from engine.zone import Seat
from replay.game import START, SavedGame
from replay.legal import why_legal
from replay.marks import Bookmark, marks, search
from replay.plain import proof_lines

KEYS: Final = foot(Where.VIEWER, "←→ step", "↑↓ mark", PLAY, FIND, VIEW, WHY, REVIEW, HELP, LEAVE)
ASCII_KEYS: Final = KEYS.translate(str.maketrans("←→↑↓", "<>^v"))
TYPING: Final = "Enter does it  Esc back"
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
LONGEST_SECONDS: Final = 3.0
"""The longest wait for a step, however long a player thought."""
SECONDS: Final = 0.8
"""Seconds between two steps if no times were kept and somebody decided."""
QUIET_SECONDS: Final = 0.15
"""The same for acts of the dealer."""


class Viewer:
    """One saved game on one screen.

    `checked` says in words what the audit has found so far.
    """

    def __init__(
        self,
        game: SavedGame,
        step: int,
        seat: Seat,
        now: Callable[[], float],
        *,
        checked: Callable[[], str],
        ascii: bool = False,  # noqa: A002
    ) -> None:
        self.game: Final = game
        self.step = step
        self.seat = seat
        self.ascii: Final = ascii
        self.playing = False
        self.speed = 1.0
        self.mode = ""
        """What keys are for: "" the game, "search", or "go to step"."""
        self.entry = ""
        self.notice = ""
        self.theme = DEFAULT
        self.card_size: int | None = None
        self.window = WindowShown()
        self.remember: Callable[[Setting, str], None] = lambda one, value: None
        """Keeps a setting that was chosen by key."""
        self.review: Callable[[Seat], str | Sequence[str]] = lambda seat: ()
        """Reviews a seat's decisions beside the screen: how far that is, or what came of it."""
        self.page: Overlay | None = None
        self.left = False
        self._wanted = ""
        self._now: Final = now
        self._checked: Final = checked
        self._reviewed: Seat | None = None
        self._due = 0.0
        self._marks: list[Bookmark] | None = None

    def notify(self, said: str) -> None:
        """Show a remark until the next key."""
        self.notice = said

    # -- going about -------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The last step; START if the log has none."""
        return len(self.game.steps) - 1

    def go(self, step: int) -> None:
        """Go to a step, or as near to it as possible."""
        self.step = max(START, min(step, self.last))
        self._due = self._now() + self.pause()

    def go_to_mark(self, back: bool) -> None:
        """Go to the next mark, or the one before."""
        if self._marks is None:
            self._marks = marks(self.game)
        if back:
            found = [mark for mark in self._marks if mark.step < self.step][-1:]
        else:
            found = [mark for mark in self._marks if mark.step > self.step][:1]
        if not found:
            self.notice = f"There is no mark {'before' if back else 'after'} this step."
            return
        self.go(found[0].step)
        self.notice = f"{found[0].kind.value}: {found[0].text}"

    def look_for(self, text: str, back: bool = False) -> None:
        """Go to the next step whose sentences contain this text, or the one before."""
        self._wanted = text or self._wanted
        if not self._wanted:
            self.notice = "Nothing was searched for yet: f and a word."
            return
        found = search(self.game, self._wanted, self.step, back=back)
        if found is None:
            self.notice = f"{self._wanted!r} is not told {'before' if back else 'after'} this step."
        else:
            self.go(found)

    def next_seat(self) -> None:
        """Look from the next seat; a spectator comes after the last one."""
        seats = [SPECTATOR, *range(len(self.game.names))]
        self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]

    # -- playing -----------------------------------------------------------------------

    def play(self) -> None:
        """Play on, or stop; from the beginning if the game is at its end."""
        self.playing = not self.playing
        if self.playing and self.step >= self.last:
            self.step = START
        self._due = self._now() + self.pause()

    def faster(self, by: int) -> None:
        """Change to the next speed, or the one before."""
        place = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[max(0, min(place, len(SPEEDS) - 1))]
        self.notice = f"Speed: {self.speed:g} times."

    def pause(self) -> float:
        """Seconds from this step to the next, as in the game or at a steady pace."""
        times, coming = self.game.times, self.step + 1
        if coming > self.last:
            return 0.0
        if coming in times and (self.step in times or self.step == START):
            seconds = (times[coming] - times.get(self.step, times[coming])) / 1000
        else:
            decided = self.game.steps[coming].question
            seconds = SECONDS if decided is not None and decided.deciders else QUIET_SECONDS
        return max(0.0, min(seconds, LONGEST_SECONDS)) / self.speed

    def tick(self) -> bool:
        """Go on if it is time; whether anything changed."""
        if self._reviewed is not None:
            return self._look_at_review(self._reviewed)
        if not self.playing or self._now() < self._due:
            return False
        if self.step >= self.last:
            self.playing = False
        else:
            self.go(self.step + 1)
        return True

    @property
    def wait(self) -> float:
        """Seconds until the next `tick` may do something."""
        return max(0.01, min(0.1, self._due - self._now())) if self.playing else 0.1

    # -- pages -------------------------------------------------------------------------

    def show(self, title: str, lines: Sequence[str]) -> None:
        """Show a page over the table."""
        self.page = Overlay(title, tuple(lines))

    def show_why(self) -> None:
        """Show why this step was legal."""
        if self.step >= 0:
            step = self.game.steps[self.step]
            lines = why_legal(self.game, step, ascii=self.ascii)
            self.show(f"Step {self.step}: why this was legal", lines)

    def show_proofs(self) -> None:
        """Show who proved what in this step, and what the audit says."""
        if self.step >= 0:
            lines = proof_lines(self.game, self.game.steps[self.step])
            said = f"The whole log is {self._checked()}."
            title = f"Step {self.step}: who proved what"
            self.show(title, [*(line.strip() for line in lines), "", said])

    def show_marks(self) -> None:
        """Show all marks."""
        self._marks = marks(self.game) if self._marks is None else self._marks
        here = [f"{mark.step:5}  {mark.kind.value:6}  {mark.text}" for mark in self._marks]
        self.show("Marks: g and a number goes there", here or ["There are none."])

    def show_review(self) -> None:
        """Have the decisions of this seat reviewed; the page comes when that is done."""
        if self.seat == SPECTATOR:
            self.notice = "A spectator decides nothing: v looks from a seat, then r reviews it."
        else:
            self._reviewed = self.seat
            self._look_at_review(self.seat)

    def _look_at_review(self, seat: Seat) -> bool:
        """Show how far the review is, or what came of it; whether that is news."""
        before, found = self.notice, self.review(seat)
        if isinstance(found, str):
            self.notice = found
            return found != before
        self._reviewed, self.notice = None, ""
        self.show("Review: g and a number goes to a step", found)
        return True

    def scroll(self, by: Scroll) -> None:
        """Move in the page."""
        if self.page is not None:
            self.page = scrolled(self.page, by, self.window)

    # -- the picture -------------------------------------------------------------------

    def board(self) -> Board:
        """What is to be drawn now."""
        board = board_after(self.game, self.step, self.seat, ascii=self.ascii)
        keys = ASCII_KEYS if self.ascii else KEYS
        lines = {"preview": self.status(), "keys": keys, "notice": self.notice}
        if self.mode:
            lines |= {"label": self.mode, "typed": self.entry, "keys": TYPING}
        return replace(board, **lines, overlay=self.page)  # type: ignore[arg-type]

    def status(self) -> str:
        """Where we are, whose view this is, and whether it is true."""
        where = "before the first step" if self.step < 0 else f"step {self.step} of {self.last}"
        eyes = "spectator" if self.seat == SPECTATOR else f"as {self.game.names[self.seat]}"
        pace = f"   playing {self.speed:g}x" if self.playing else ""
        return f"{where}{pace}   {eyes}   {self._checked()}"
