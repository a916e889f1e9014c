"""The lobby on the full screen: the invite, or who is here and who is ready.  Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import Final, NamedTuple

from cli.kit.bindings import BOTS as BOTS_KEY
from cli.kit.bindings import CHAT, GAME, INVITE, LEAVE, Where
from cli.kit.bindings import foot as keys_of
from cli.kit.plates import Sitting
from cli.kit.reaction import REST_SECONDS
from cli.screen.board import Overlay
from cli.screen.layout import Scroll, WindowShown, scrolled
from cli.words.said import BY_HOST

AT: Final = Where.LOBBY
INVITING: Final = keys_of(AT, "Enter: who is here", "{bots}i invite to copy", CHAT, LEAVE)
SPOKEN: Final = f"{keys_of(AT, 'Enter: who is here', CHAT)}   "
"""What stands before the newest line of talk while the invite is shown."""
UNREADY: Final = "Enter: I'm ready"
READY: Final = "Ready.  Enter: not yet"
BOTS: Final = BOTS_KEY.shown(AT)
MORE: Final = "Down more"
CHANGED: Final = "The table has changed: read it, then press Enter."
KNOCKING: Final = "The host is asked for a seat, and may have to let you in ..."
SAID_KEPT: Final = 40
"""How many rows of talk can be looked back at in the lobby."""


class Gathered(NamedTuple):
    """The lobby as it is shown; `ready`: we are; `full`: all seats are taken.

    `signing` is what is said below once nobody has to press ready any more; `plan` is what the
    person agrees to by that.
    """

    lines: tuple[str, ...]
    summary: str
    ready: bool
    full: bool
    signing: str
    plan: object = None


def _indented(line: str) -> str:
    return line.indented() if isinstance(line, Sitting) else f" {line}".rstrip()


class Lobby:
    """What is seen before the game; `title` stands above the invite."""

    def __init__(self, title: str) -> None:
        self.set_ready: Callable[[bool], None] | None = None
        """Says whether we are ready; None before and after."""
        self.change_bots: Callable[[], str] | None = None
        """Asks a host how well the bots play; why not, in a sentence.  None if nobody can say."""
        self.change_game: Callable[[], None] | None = None
        """Asks a host what is played; None if nobody can say."""
        self.invite: tuple[str, ...] = ()
        """The invite, and how to join."""
        self.gathered: Gathered | None = None
        self.title: Final = title
        self.knocks = False
        """Whether a host has to let this person in."""
        self._inviting = True
        self._offered = True
        """What Enter says, as last drawn: that we are ready, or not yet."""
        self._rests_until = -inf
        """Until then, Enter was meant for what the host had planned before."""
        self._top = 0
        self._said: Final[deque[str]] = deque(maxlen=SAID_KEPT)
        self._unread = False

    def show(self, lines: Sequence[str]) -> None:
        """Show the invite until all seats are taken, or Enter is pressed."""
        self.invite = tuple(lines)

    def gather(self, gathered: Gathered, now: float) -> None:
        """Who is here; the invite gives way when all seats are taken."""
        if self.gathered is not None and self.gathered.plan != gathered.plan:
            self._rests_until = now + REST_SECONDS
        self.gathered = gathered
        self._inviting &= not gathered.full

    def hear(self, lines: Sequence[str]) -> None:
        """Somebody says this."""
        self._said.extend(lines)
        self._unread = True

    def knocking(self) -> str:
        """What a guest reads until the host lets them in; "" for everybody else."""
        return KNOCKING if self.knocks and self.gathered is None else ""

    def close(self) -> None:
        """The game begins: nobody is invited any more."""
        self.invite = ()

    def enter(self, now: float) -> str:
        """Go from the invite to who is here; there, say what was drawn: ready, or not yet.

        Return why that was not done, in a sentence; empty if it was.
        """
        if self._inviting and self.invite:
            self._inviting = False
        elif self.set_ready is not None and self.gathered is not None:
            if now < self._rests_until:
                return CHANGED
            self.set_ready(self._offered)
        return ""

    def ask_for_bots(self) -> str:
        """Ask how well the bots play, and then show who is here; why not, in a sentence."""
        if self.change_bots is None:
            return BY_HOST
        self._inviting = False
        return self.change_bots()

    def ask_for_game(self) -> str:
        """Ask what is played, and then show who is here; why not, in a sentence."""
        if self.change_game is None or self.gathered is None:
            return BY_HOST
        self._inviting = False
        self.change_game()
        return ""

    def turn(self) -> None:
        """Switch between the invite and who is here."""
        self._inviting = not self._inviting

    def scroll(self, by: Scroll, window: WindowShown) -> None:
        """Scroll: what will be signed is more than a small window shows."""
        page = self.page(seated=False)
        if page is not None and page.lines != self.invite:
            self._top = scrolled(page, by, window).top

    def page(self, *, seated: bool) -> Overlay | None:
        """What is shown; None if there is no invite, and nobody, or all are `seated` already."""
        gathered = self.gathered
        title = self.title if gathered is None else gathered.summary
        if self.invite and (self._inviting or gathered is None):
            bots = "  ".join([*self._bots(), ""])
            foot = f"{SPOKEN}{self._said[-1]}" if self._unread else INVITING.format(bots=bots)
            return Overlay(title, self.invite, whole=True, foot=foot)
        if gathered is None or seated:
            return None
        self._offered, self._unread = not gathered.ready, False
        keys = READY if gathered.ready else UNREADY
        ask = self.set_ready is not None
        foot, longer = (
            keys_of(AT, keys, *more, *self._bots(), *self._keys(), CHAT, LEAVE)
            if ask
            else gathered.signing
            for more in ((), (MORE,))
        )
        lines = tuple(map(_indented, gathered.lines))
        said = tuple(self._said)
        return Overlay(title, lines, self._top, whole=True, foot=foot, said=said, longer=longer)

    def _keys(self) -> list[str]:
        return ["Tab QR", INVITE.shown(AT)] if self.invite else []

    def _bots(self) -> list[str]:
        games = [] if self.change_game is None else [GAME.shown(AT)]
        return games if self.change_bots is None else [BOTS, *games]
