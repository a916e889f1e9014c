"""Somebody is gone: the question whether to go on, and what its keys say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # nobody is missed in the first picture
    from p2p.player.events import Missed


class Missing:
    """Who is missed just now, if anybody is."""

    def __init__(self) -> None:
        self._event: Missed | None = None

    def hear(self, event: Missed) -> None:
        """Somebody is missed, or (without seats) nobody any more."""
        self._event = event if event.seats else None

    @property
    def says(self) -> bool:
        """Whether somebody is missed."""
        return self._event is not None

    @property
    def asks(self) -> bool:
        """Whether there is something to say yes or no to."""
        return self._event is not None and self._event.say is not None

    def question(self) -> str:
        """Who is missed, and what each has said; empty while nobody is."""
        if self._event is None:
            return ""
        from cli.words.missed import question  # noqa: PLC0415 (after the first picture)

        return question(self._event)

    def keys(self) -> str:
        """What answers, while keys are no text."""
        if self._event is None:
            return ""
        from cli.words.missed import keys  # noqa: PLC0415 (after the first picture)

        return keys(self._event)

    def bar(self) -> str:
        """The same in one row while the game asks something: with commands, for keys are text."""
        if self._event is None:
            return ""
        from cli.words.missed import bar  # noqa: PLC0415 (after the first picture)

        return bar(self._event)

    def say(self, goes_on: bool) -> str:
        """The person says it; a remark if that cannot be."""
        from cli.words.missed import answered  # noqa: PLC0415 (after the first picture)

        return answered(self._event, goes_on=goes_on)
