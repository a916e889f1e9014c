"""What is typed at the table: it waits in the line for the question that it is for.

Nothing in it is ever sent, and no letter of a word acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from cli.screen.sight import Eyes

if TYPE_CHECKING:  # nothing is asked in the first picture
    from cli.screen.asking import Asking

LONGEST: Final = 200
"""The longest line that can be typed or pasted."""


class TypedLine:
    """The line of one person; `eyes` know what they have seen, `now` gives seconds.

    `asked` is the question that takes names, if there is one: a race during another player's turn
    takes keys alone.
    """

    def __init__(self, eyes: Eyes, now: Callable[[], float]) -> None:
        self._eyes: Final = eyes
        self._now: Final = now
        self._early = ""
        self._listed: Sequence[str] | None = None
        """The choices among which a number in the early text was typed."""
        self.asked: Asking | None = None
        self.raced = False
        """Whether the last question was a race during another player's turn."""

    @property
    def text(self) -> str:
        """What is typed, for the question that is asked or for the next one."""
        return self._early if self.asked is None else self.asked.typed

    def __bool__(self) -> bool:
        return bool(self.text)

    def ask(self, asking: Asking) -> str:
        """This is asked now: it takes the text; a remark if part of it means nothing any more."""
        self.raced, self.asked = asking.aside, None if asking.aside else asking
        if asking.aside or not self._early:
            return ""
        typed, self._early = self._early, ""
        return asking.take(typed, self._listed)

    def withdraw(self) -> None:
        """The question went away unanswered: what was typed waits for the next one."""
        asked, self.asked = self.asked, None
        if asked is not None:
            self._early, self._listed = asked.typed, asked.listed

    def answered(self) -> None:
        """What was typed for this question is used up."""
        self.asked = None

    def clear(self) -> None:
        """There is no table any more for which it could be."""
        self._early = ""

    def type(self, text: str) -> str:
        """Add to the line; nothing else happens by that.  A remark if it means nothing."""
        self._eyes.type(self._now())
        text = text[: LONGEST - len(self.text)]
        if self.asked is not None:
            return self.asked.type(text) if text else ""
        self._early, self._listed = (self._early + text).lstrip(), None
        return ""

    def erase(self, key: str) -> None:
        """Take back the last letter of early text, or with "escape" all of it."""
        self._early = self._early[:-1] if key == "backspace" else ""

    @property
    def goes_on(self) -> bool:
        """Whether the next letter belongs to the line, even if it is a key of the race."""
        recent = self._eyes.word_goes_on(self._now()) or self._eyes.typed_since()
        return bool(self) and recent

    def takes(self) -> bool:
        """Whether a letter that would act at once belongs to a word, or to an earlier picture."""
        if not self._eyes.hasty_letter(self._now()):
            return False
        self._eyes.type(self._now())
        return True
