"""What there is to see and to do when a game is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cli.kit.bindings import (
    CHAT,
    EVENTS,
    HAIL,
    INVITE,
    LEAVE,
    PAGE,
    REPLAY,
    STORY,
    WHO,
    Binding,
    Where,
    foot,
)
from cli.screen.board import ResultShown
from cli.screen.deciding import Deciding

if TYPE_CHECKING:
    from p2p.player.events import PlayAgain

AT: Final = Where.OVER
STORY_KEY: Final = STORY.letter
"""Shows all that was told."""
TALK_KEPT: Final = 8
"""How many lines of talk are seen at most when a game is over."""


@dataclass(slots=True)
class Afterwards:
    """Filled in while the screen stays after a game; empty during one."""

    result: ResultShown | None = None
    """How the game ended, once that is known."""
    deciding: Deciding | None = None
    """What is asked about the next game with the same people, if they can be asked."""
    said: PlayAgain | None = None
    """What the others have said of the next game; it may come before our own game is over."""
    look_back: Callable[[], None] | None = None
    """Shows the game once more, step by step."""
    story: Callable[[], None] | None = None
    """Shows the game as prose."""
    export: Callable[[], None] | None = None
    """Writes a page that shows and checks the game, for others."""
    talk: tuple[str, ...] = ()
    """The newest lines of what people say since the game is over."""

    def hear(self, said: PlayAgain) -> None:
        """How far the others have come."""
        self.said = said
        if self.deciding is not None:
            self.deciding.hear(said)

    def listen(self, lines: Sequence[str]) -> None:
        """Somebody says this."""
        self.talk = (*self.talk, *lines)[-TALK_KEPT:]

    def decide(self, deciding: Deciding) -> None:
        """From now on our own person is asked."""
        self.deciding = deciding
        if self.said is not None:
            deciding.hear(self.said)

    def sentence(self, ended: str) -> str:
        """What is asked, as it is drawn now; `ended` if nothing is."""
        return ended if self.deciding is None else self.deciding.draw().sentence

    def shown(self) -> ResultShown | None:
        """The result, with what is proposed."""
        if self.result is None:
            return None
        result = self.result._replace(said=self.talk)
        if self.deciding is None:
            return result
        outlook = self.deciding.outlook
        return result._replace(heading=outlook.heading(), offer=tuple(outlook.lines()))

    def keys(self, *, watching: bool) -> str:
        """The keys of this moment; where there is little room the later ones are left out, but
        not the last.
        """
        asked = self.deciding.keys() if self.deciding is not None else []
        offered = [one for one, act in self._acts().items() if act is not None]
        talk = [] if watching else [CHAT, HAIL, WHO]
        talk += [INVITE] if self.deciding is not None else []
        return foot(AT, *asked, *offered, EVENTS, *talk, LEAVE)

    def look(self, at: Binding) -> bool:
        """Do what a function of this page does; whether it is one that there is now."""
        act = self._acts().get(at)
        if act is not None:
            act()
        return act is not None

    def _acts(self) -> dict[Binding, Callable[[], None] | None]:
        return {REPLAY: self.look_back, STORY: self.story, PAGE: self.export}

    def clear(self) -> None:
        """Another game begins, or the person leaves."""
        self.result = self.deciding = None
        self.look_back = self.story = self.export = None
        self.talk = ()
