"""What the full screen knows between two pictures: the table, what is asked, what is typed.

No terminal and no clock of its own: `now` gives seconds, `changed` is called when there is
something new to draw.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cli.kit.themes import DEFAULT
from cli.screen.asking import Asking
from cli.screen.board import Board, Overlay
from cli.screen.presenter import Presenter, SeatState
from cli.screen.races import DOUBLE_SECONDS, EARLY_SECONDS, Stated, key_names, space_claim
from engine.question import PASS, Question
from engine.view import View
from engine.zone import Seat

KEPT: Final = 400
"""How many events can be looked back at."""
FLASH_SECONDS: Final = 0.3
"""How long a new event stands out, unless a key is pressed earlier."""
ASKED: Final = "Enter plays  arrows, digits, names  ? help  l events  q leave"
PICKING: Final = f"Space picks  {ASKED}"
RACING: Final = "n not now  u rest  ? help  l events  q leave"
IDLE: Final = "? help  l events  w who  c chat  t theme  / commands  q leave"
WATCHING: Final = "? help  l events  w who  t theme  s size  / commands  q leave"
SETTING: Final = "The table is being set: keys are made, seats are linked ..."
NOT_YET: Final = "You see the table once all seats are taken and everybody is ready."
INVITING: Final = "Enter: who is here   i the invite as one line to copy   q leave"
UNREADY: Final = "Enter: I am ready"
READY: Final = "You are ready.  Enter: not yet"
SURE: Final = "Leave the table? The others cannot go on without you. (y/n)"


def nothing() -> None:
    """Nobody looks."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The lobby as it is shown; `ready`: we are; `full`: all seats are taken.

    `signing` is what is said below once nobody has to press ready any more.
    """

    lines: tuple[str, ...]
    summary: str
    ready: bool
    full: bool
    signing: str


class Model:
    """The state of one full screen; `title` stands above it until a game begins."""

    def __init__(self, title: str, now: Callable[[], float], *, theme: str = DEFAULT) -> None:
        self.now: Final = now
        self.theme = theme
        self.watching = False
        """Whether this person only looks on: nobody waits for them if they leave."""
        self.changed: Callable[[], None] = nothing
        self.leave: Callable[[], None] = nothing
        self.print_plainly: Callable[[Sequence[str]], None] = lambda lines: None
        """Shows lines on the bare terminal, where they can be selected as they are."""
        self.send_chat: Callable[[str], object] | None = None
        """Says something to the table; None if nobody would hear it."""
        self.play_again: Callable[[], None] | None = None
        """Plays another game with the same people, if they can be asked."""
        self.presenter: Presenter | None = None
        self.view: View | None = None
        self.waits_for: Callable[[], Question[Any] | None] = lambda: None
        self.states: dict[Seat, SeatState] = {}
        self.events: deque[str] = deque(maxlen=KEPT)
        self.asking: Asking | None = None
        self.people: tuple[str, ...] = ()
        """Who sits at the table, with the words of their keys, and what the races credit."""
        self.mode = ""
        """What keys are for: "" the table, "say", "command", or "sure"."""
        self.entry = ""
        self.notice = ""
        self.resting = False
        self.ended = ""
        """What is said when there is nothing left to do but leave; empty until then."""
        self.card_size: int | None = None
        self._title = title
        self.set_ready: Callable[[bool], None] | None = None
        """Says in the lobby whether we are ready; None before and after."""
        self._lobby: tuple[str, ...] = ()
        self._gathered: Gathered | None = None
        self._inviting = True
        self._lobby_top = 0
        self._page: Overlay | None = None
        self._since = 0
        self._fresh_until: deque[float] = deque(maxlen=KEPT)
        self._answer: Callable[[object], None] | None = None
        self._early: float | None = None
        self._asked_at = 0.0
        self._unsent = ""
        """What was being typed when its question was taken back; it belongs to the next."""
        self._claimed_at = -DOUBLE_SECONDS

    # -- what happens at the table -----------------------------------------------------

    def lobby(self, lines: Sequence[str]) -> None:
        """What is shown until the game begins: the invite, how to join."""
        self._lobby = tuple(lines)
        self.changed()

    def gather(self, gathered: Gathered) -> None:
        """Who is in the lobby; the invite gives way when all seats are taken."""
        self._gathered = gathered
        self._inviting &= not gathered.full
        self.changed()

    @property
    def gathers(self) -> bool:
        """Whether the lobby is open."""
        return self._gathered is not None and self.presenter is None

    def lobby_enter(self) -> None:
        """Go from the invite to who is here; there, switch between ready and not ready."""
        if self._inviting and self._lobby:
            self._inviting = False
        elif self.set_ready is not None and self._gathered is not None:
            self.set_ready(not self._gathered.ready)

    def lobby_turn(self) -> None:
        """Switch between the invite and who is here."""
        self._inviting = not self._inviting

    def lobby_scroll(self, rows: int) -> None:
        """Scroll: eight seats with long names are more than a small window shows."""
        last = len(self._gathered.lines) if self._gathered is not None else 0
        self._lobby_top = max(0, min(last, self._lobby_top + rows))

    def invite(self) -> bool:
        """Show the invite on the bare terminal; False if there is none."""
        if self._lobby:
            self.print_plainly(self._lobby[-1:])
        return bool(self._lobby)

    def happened(self, lines: Sequence[str]) -> None:
        """Add events."""
        for line in lines:
            if line:
                self.events.append(line)
                self._fresh_until.append(self.now() + FLASH_SECONDS)
                self._since += 1
        self.changed()

    def opened(self, view: View, waits_for: Callable[[], Question[Any] | None]) -> None:
        """The game begins: `view` stays true as it goes on."""
        self.view, self.waits_for, self._lobby = view, waits_for, ()
        self.changed()

    def ask(self, asking: Asking, answer: Callable[[object], None]) -> None:
        """Ask for a decision; `answer` is called with it.  See `withdraw`."""
        self.view, self.asking, self._answer = asking.view, asking, answer
        self.notice = ""
        self._asked_at = self.now()
        unsent, self._unsent = self._unsent, ""
        if unsent and asking.begins(unsent):
            asking.type(unsent)
        early, self._early = self._early, None
        if early is not None and self.now() - early <= EARLY_SECONDS:
            self.claim()
        self.changed()

    def withdraw(self) -> None:
        """Nothing is asked any more."""
        if self.asking is not None:
            self._unsent = self.asking.typed
        self.asking = self._answer = None
        self.changed()

    def forget(self) -> None:
        """Drop what was being typed when its question was taken back."""
        self._unsent = ""

    # -- what keys do ------------------------------------------------------------------

    def decide(self, decision: object) -> None:
        """Hand a decision to the table."""
        answer, self._answer = self._answer, None
        if answer is None:
            return
        if decision is not PASS or self.asking is None or not self.asking.aside:
            self._since = 0
        self.asking = None
        answer(decision)

    @property
    def stated_keys(self) -> Stated:
        """The keys of claims as the game states them."""
        return self.presenter.text.keys if self.presenter is not None else None

    @property
    def hasty(self) -> bool:
        """Whether the question came up so recently that no key can have been meant for it."""
        return self.now() - self._asked_at < EARLY_SECONDS

    def claim(self) -> None:
        """Space in a race: slap, flap, call.  A blink too early, it counts for what comes next."""
        if self._answer is None or self.asking is None:
            if self.now() - self._claimed_at >= DOUBLE_SECONDS:
                self._early = self.now()
            return
        found = space_claim(self.asking, self.stated_keys)
        if isinstance(found, str):
            self.notice = found
        else:
            self._claimed_at = self.now()
            self.decide(found.decision)

    def rest(self) -> None:
        """Claim nothing more until it is one's own turn."""
        self.resting = True
        self.decide(PASS)

    def show(self, title: str, lines: Sequence[str], *, end: bool = False) -> None:
        """A page over the table; `end` begins with its last lines."""
        self._page = Overlay(title, tuple(lines), len(lines) * 9 if end else 0)

    def hide(self) -> None:
        """Back to the table."""
        self._page = None

    @property
    def page(self) -> Overlay | None:
        """The page over the table, if any."""
        return self._page

    def scroll(self, rows: int, last: int) -> None:
        """Move the page; `last` is the highest first line."""
        if self._page is not None:
            top = min(self._page.top, last)
            self._page = replace(self._page, top=max(0, min(last, top + rows)))

    def since_decided(self) -> list[str]:
        """What has happened since one's own last decision; at least the last events."""
        return list(self.events)[-max(self._since, 1) :]

    def calm(self) -> None:
        """A key was pressed: nothing stands out any more."""
        self._fresh_until.clear()

    # -- the picture -------------------------------------------------------------------

    def board(self) -> Board:
        """What to draw now."""
        presenter, view = self.presenter, self.view
        if presenter is None or view is None:
            board = Board(self._title, middle=(), prompt=self._opening())
            board = replace(board, overlay=self._lobby_page())
        else:
            board = presenter.board(
                view, question=self.waits_for(), asking=self.asking, states=self.states
            )
        return replace(
            board,
            events=tuple(self.events),
            fresh=self.fresh(),
            overlay=self._page or board.overlay,
            **self._lines(board),
        )

    def _lobby_page(self) -> Overlay | None:
        gathered = self._gathered
        title = self._title if gathered is None else f"nodealer   {gathered.summary}"
        if self._lobby and (self._inviting or gathered is None):
            return Overlay(title, self._lobby, whole=True, foot=INVITING)
        if gathered is None or self.presenter is not None:
            return None
        keys = READY if gathered.ready else UNREADY
        foot = f"{keys}   {self._lobby_keys()}q leave" if self.set_ready else gathered.signing
        lines = tuple(f" {line}".rstrip() for line in gathered.lines)
        return Overlay(title, lines, self._lobby_top, whole=True, foot=foot)

    def _lobby_keys(self) -> str:
        return "Tab the QR code   i the invite to copy   " if self._lobby else ""

    def _opening(self) -> str:
        return self.ended or (NOT_YET if self.watching and self.presenter is None else SETTING)

    def fresh(self) -> int:
        """How many events have just come."""
        now = self.now()
        while self._fresh_until and self._fresh_until[0] <= now:
            self._fresh_until.popleft()
        return len(self._fresh_until)

    def _keys(self) -> str:
        if self.asking is None:
            return WATCHING if self.watching else IDLE
        if not self.asking.racing:
            return PICKING if self.asking.several else ASKED
        # Space does what may be done now, so it is called by its name.
        found = space_claim(self.asking, self.stated_keys)
        space = [] if isinstance(found, str) else [f"Space: {found.label}"]
        keys = [*space, *key_names(self.asking, self.stated_keys)]
        return "  ".join([*keys, RACING if self.asking.aside else ASKED])

    def _lines(self, board: Board) -> dict[str, Any]:
        """What the last rows show: what is asked of the person, not of the table."""
        lines: dict[str, Any] = {"notice": self.notice, "keys": self._keys()}
        if self.resting and self.asking is None:
            lines["keys"] = f"resting until your turn   {IDLE}"
        if self.ended:
            lines |= {"prompt": self.ended, "keys": "Enter or q leaves   l events", "yours": True}
        if self.mode == "sure":
            lines["notice"] = SURE
        elif self.mode:
            lines |= {"label": self.mode, "typed": self.entry}
        return lines
