"""What the full screen knows between two pictures: the table, what is asked, what is typed.

No terminal and no clock of its own: `now` gives seconds, `changed` is called when there is
something new to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cli.home.preferences import Setting
from cli.kit.bindings import Where
from cli.kit.reaction import EARLY_SECONDS, LATE_SECONDS
from cli.kit.themes import DEFAULT
from cli.options.table_pace import TablePace
from cli.screen.afterwards import Afterwards
from cli.screen.board import Board, Overlay
from cli.screen.endings import Endings, Note, seconds_to_read
from cli.screen.happened import Happened
from cli.screen.layout import Scroll, WindowShown, scrolled
from cli.screen.line import TypedLine
from cli.screen.lobby import Gathered, Lobby
from cli.screen.low_rows import (
    Rows,
    asked_keys,
    held_keys,
    idle_keys,
    leaving,
    meanwhile,
    takes_no_enter,
    typing_keys,
)
from cli.screen.missed import Missing
from cli.screen.new_cards import NewCards
from cli.screen.others_time import OthersTime, no_limit
from cli.screen.over_table import OverTable
from cli.screen.pace import MOST_WHEN_ASKED, Picture, Pictures
from cli.screen.sight import Eyes
from cli.words.going import NobodyGoes
from engine.cloths import HOUSE
from engine.question import PASS
from engine.zone import Seat

if TYPE_CHECKING:  # in the first picture there is no game yet
    from cli.screen.asking import Asking
    from cli.screen.countdown import Countdown
    from cli.screen.presenter import Presenter, SeatState
    from cli.screen.races import Stated
    from engine.question import Question
    from engine.view import View
    from p2p.player.events import Missed

HELPING: Final = "Type a card's name to read what it does; arrows scroll; Esc goes back"
SETTING: Final = "The table is being set: keys are made, seats are linked ..."
NOT_YET: Final = "You see the table once everybody who plays is ready."


def nothing() -> None:
    """Nobody looks."""


def nobody_is_asked() -> None:
    """There is no game."""


class Model:
    """The state of one full screen; `title` stands above it until a game begins."""

    def __init__(
        self,
        title: str,
        now: Callable[[], float],
        *,
        theme: str = DEFAULT,
        pace: TablePace | None = None,
    ) -> None:
        self.now: Final = now
        self.theme = theme
        self.pictures: Final = Pictures(pace or TablePace("off"))
        """What has to be seen before the table as it is, and for how long."""
        self.going = NobodyGoes()
        """How the person leaves while the game is played."""
        self.watching = False
        """Whether this person only looks on: nobody waits for them if they leave."""
        self.changed: Callable[[], None] = nothing
        self.leave: Callable[[], None] = nothing
        self.part: Callable[[], None] = nothing
        """Leaves as soon as what was said last has gone out."""
        self.print_plainly: Callable[[Sequence[str]], None] = lambda lines: None
        """Shows lines on the bare terminal, where they can be selected as they are."""
        self.remember: Callable[[Setting, str], None] = lambda one, value: None
        """Keeps a setting that was chosen by key."""
        self.send_chat: Callable[[str], object] | None = None
        """Says something to the table; None if nobody would hear it."""
        self.afterwards, self.over = Afterwards(), OverTable()
        self.presenter: Presenter | None = None
        self.view: View | None = None
        self.waits_for: Callable[[], Question[Any] | None] = nobody_is_asked
        self.others_time, self.missing = OthersTime(), Missing()
        self.states: dict[Seat, SeatState] = {}
        self.events: Final = Happened(now)
        self.asking: Asking | None = None
        self.people: tuple[str, ...] = ()
        """Who sits at the table, with the words of their keys, and what the races credit."""
        self.for_watchers: Sequence[str] = ()
        """How others may watch the game, with an invite in the last line."""
        self.mode = ""
        """What keys are for: "" the table, "say", "command", "help", or "sure"."""
        self.entry, self.notice, self.doubted = "", "", ""
        """Words after "/" or to the table, a remark, and talk that was asked about for a card."""
        self.ends: Countdown | None = None
        """When what is asked ends by itself."""
        self.resting, self.window = False, WindowShown()
        self.card_size: int | None = None
        self.lobby: Final = Lobby(title)
        """What is shown until the game begins."""
        self._page: Overlay | None = None
        self._passing = 0
        self._answer: Callable[[object], None] | None = None
        self._waiting: tuple[Asking, Callable[[object], None]] | None = None
        """A question that comes up once everything that led to it was seen."""
        self._endings, self._new = Endings(), NewCards()
        self._was_held, self._ended = False, ""
        self.eyes: Final = Eyes()
        self.line: Final = TypedLine(self.eyes, now)

    def notify(self, said: str) -> None:
        """Show a remark until the next key."""
        self.notice = said

    # -- what happens at the table -----------------------------------------------------

    def gather(self, gathered: Gathered) -> None:
        """Show who is in the lobby."""
        self.lobby.gather(gathered, self.now())
        self.changed()

    @property
    def gathers(self) -> bool:
        """Whether the lobby is open."""
        return self.lobby.gathered is not None and self.presenter is None

    @property
    def where(self) -> Where:
        """Which keys there are now."""
        if self._ended:
            return Where.OVER
        if self.watching:
            return Where.WATCHING
        before = self.presenter is None
        return Where.LOBBY if before and (self.lobby.gathered or self.lobby.invite) else Where.TABLE

    @property
    def is_heard(self) -> bool:
        """Whether anybody hears what is said here."""
        return self.send_chat is not None

    def invite(self) -> bool:
        """Show on the bare terminal how others may join, or watch; False if nobody can."""
        lines = self.lobby.invite[-1:] or self.for_watchers
        if lines:
            self.print_plainly(lines)
        return bool(lines)

    @property
    def ended(self) -> str:
        """What is said when there is nothing left to do but leave; empty until then."""
        return self._ended

    @ended.setter
    def ended(self, said: str) -> None:
        self._ended = said
        self.line.clear()
        self.eyes.blink(self.now())

    def asks_anew(self) -> None:
        """What is asked after the game is another thing now: no key was meant for it yet."""
        self.notice = ""
        self.eyes.blink(self.now())
        self.changed()

    def happened(self, lines: Sequence[str]) -> None:
        """Add events."""
        self.events.add(lines)
        self.changed()

    def noted(self, note: Note, lines: Sequence[str], told: Sequence[str]) -> None:
        """The rules say that something happened: if it ends something, its picture stays.

        `told` are the same lines, perhaps with a heading, as they are added to the story.
        They are still at work: what they asked before is answered, and must not be drawn.
        """
        count = self.events.add(told)
        self.changed()
        presenter, view = self.presenter, self.view
        if presenter is None:
            return
        ending = self._endings.note(presenter.text, note)
        if view is None:
            return
        if ending is None:
            self._passing += count
            return
        count, self._passing = count + self._passing, 0
        said = [*map(presenter.told, ending.recalled), *lines]
        board = presenter.ending(view, ending, " ".join(said), self.states, self._new)
        self._new.see(board.hand)
        board = replace(board, events=self.events.told(), fresh=count)
        least = seconds_to_read(board.prompt, ending.seconds)
        self.pictures.stay(board, ending.cards, self.now(), least)

    def _pass_by(self) -> None:
        """What has happened behind a picture that is held is seen after it."""
        count, self._passing = self._passing, 0
        if count and self.pictures.look(self.now()) is not None:
            board = replace(self._table(), events=self.events.told(), fresh=count, held=True)
            self.pictures.pass_by(replace(board, prompt=""), self.now())

    def seated(self, presenter: Presenter) -> None:
        """Another table is signed: nothing of the one before, perhaps of another game, is drawn."""
        if self.presenter is not None:
            self.events.clear()
            self._passing = 0
            self.line.clear()
        self.presenter, self.view = presenter, None
        self.waits_for, self.others_time.left = nobody_is_asked, no_limit
        self.afterwards.said = None
        self._endings, self._new = Endings(), NewCards()

    def opened(
        self,
        view: View,
        waits_for: Callable[[], Question[Any] | None],
        time_left: Callable[[], float | None] = no_limit,
        missing: Callable[[], Sequence[Seat]] = tuple,
    ) -> None:
        """The game begins: `view` stays true as it goes on."""
        self.view, self.waits_for = view, waits_for
        self.others_time.left, self.others_time.missing = time_left, missing
        self.lobby.close()
        self.changed()

    def ask(self, asking: Asking, answer: Callable[[object], None]) -> None:
        """Ask for a decision; `answer` is called with it.  See `withdraw`.

        What led there is seen first, but a race is on the screen at once.
        """
        self.view = asking.view
        self._pass_by()
        if asking.racing:
            self.pictures.clear()
        self._waiting = asking, answer
        if self.held is None:
            self._come_up()
        else:
            self.pictures.shorten(MOST_WHEN_ASKED, self.now())
        self.changed()

    def _come_up(self) -> None:
        """Everything was seen: the question that waits is asked, if there is one."""
        if self._was_held:
            self._was_held = False
            self.eyes.blink(self.now())
        if self._waiting is None:
            return
        (asking, self._answer), self._waiting = self._waiting, None
        self.asking = asking
        typed = bool(self.line) and not asking.aside
        kept = self.eyes.ask(self._table(), asking, self.now(), typed=typed)
        self.notice = self.line.ask(asking)
        if kept is not None:
            kept()

    def withdraw(self) -> None:
        """Nothing is asked any more."""
        if self.asking is not None:
            self.line.withdraw()
            self.eyes.withdraw(self.asking, self.now())
        self.asking = self._answer = self._waiting = self.ends = None
        self.changed()

    def time_over(self, said: str) -> None:
        """The clock has decided what was asked: no key that was meant for it counts any more."""
        self.asking = self._answer = self._waiting = self.ends = None
        self.line.answered()
        self.eyes.forget(self.now())
        self.notice = said

    @property
    def cloth(self) -> str:
        """What the game is played on; the house's cloth before that is known."""
        return self.presenter.text.cloth if self.presenter is not None else HOUSE

    def miss(self, event: Missed) -> None:
        """Somebody is missed, or nobody any more: what was answered is past then."""
        asked_before = self.missing.asks
        self.missing.hear(event)
        if self.missing.asks and not asked_before and self.asking is None:
            self.eyes.blink(self.now())
        self.notice = self.notice if self.missing.says else ""

    def decide(self, decision: object) -> None:
        """Hand a decision to the table."""
        answer, self._answer = self._answer, None
        if answer is None:
            return
        if decision is not PASS or self.asking is None or not self.asking.aside:
            self.events.decided()
            if self.asking is not None:
                self._new.decided()
        self.asking = None
        self.line.answered()
        answer(decision)

    @property
    def stated_keys(self) -> Stated:
        """The keys of claims as the game states them."""
        return self.presenter.text.keys if self.presenter is not None else None

    def hasty(self, key: str) -> bool:
        """Whether what is asked is so new, or not yet drawn, that this key was not meant for it."""
        late = LATE_SECONDS if self._ended and key == "enter" else EARLY_SECONDS
        return self._was_held or self.eyes.hasty(self.now(), late)

    def claim(self) -> None:
        """Space in a race: slap, flap, call."""
        from cli.screen.races import space_claim  # noqa: PLC0415 (after the first picture)

        if self.asking is None:
            return
        found = space_claim(self.asking, self.stated_keys)
        if isinstance(found, str):
            self.notice = found
        elif not self.eyes.hasty_claim(self.now()):
            self.eyes.claim(self.now())
            self.decide(found.decision)

    @property
    def held(self) -> Picture | None:
        """The picture that is held on the screen now, if any."""
        asked = self.waits_for()
        if asked is not None and asked.timed:
            self.pictures.clear()
        found = self.pictures.look(self.now())
        self._was_held |= found is not None
        return found

    @property
    def calm_table(self) -> bool:
        """Whether there is time to see more than what is: no race, and a pace that holds things."""
        asked = self.waits_for()
        racing = asked is not None and asked.timed
        return not racing and self.pictures.pace.stretched(1.0) > 0

    def go_on(self) -> None:
        """Look no longer at the picture that is held, once it can have been seen."""
        if self.pictures.shown_for(self.now()) >= EARLY_SECONDS:
            self.pictures.go_on()

    def seconds_held(self) -> float:
        """How long the picture on the screen still stays; 0 if it is the table as it is."""
        return self.pictures.left(self.now())

    def next_look(self) -> float:
        """After how many seconds another picture is due by itself; 0 for never."""
        others = self.others_time.next_look(self.waits_for(), self._me) if self._looks_on else 0.0
        return self.seconds_held() or others

    @property
    def _me(self) -> Seat:
        return -1 if self.view is None else self.view.seat

    @property
    def _looks_on(self) -> bool:
        """Whether the table waits for others, and for nothing that has to come from here."""
        has_to = self.asking is not None and (not self.asking.aside or self.ends is not None)
        return not has_to and self._waiting is None and not self.ended

    def rest(self) -> None:
        """Claim nothing more until it is one's own turn."""
        self.resting = True
        self.decide(PASS)

    def show(self, title: str, lines: Sequence[str], *, end: bool = False) -> None:
        """A page over the table; `end` begins with its last lines."""
        self._page = Overlay(title, tuple(lines), len(lines) * 9 if end else 0)

    def show_help(self, title: str, lines: Sequence[str]) -> None:
        """A page on which the name of a card asks what that card does, if cards do something."""
        self.show(title, lines)
        if self._page is not None and self.presenter is not None and self.presenter.text.about:
            self._page = replace(self._page, names=True, foot=HELPING)

    def hide(self) -> None:
        """Back to the table."""
        self._page = None

    @property
    def page(self) -> Overlay | None:
        """The page over the table, if any."""
        return self._page

    def scroll(self, by: Scroll) -> bool:
        """Move the page, or who is in the lobby; whether a page was not at its end yet."""
        if self._page is None:
            self.lobby.scroll(by, self.window)
            return False
        before = scrolled(self._page, Scroll(), self.window)
        self._page = scrolled(before, by, self.window)
        return self._page != before

    # -- the picture -------------------------------------------------------------------

    def board(self) -> Board:
        """What to draw now."""
        self._pass_by()
        if (held := self.held) is not None:
            self.pictures.drawn(self.now())
            board = replace(held.board, overlay=self._page)
            return replace(board, **self._lines(board))
        self._come_up()
        board = self._table()
        self.eyes.see(board, self.now())
        return replace(
            board,
            events=self.events.told(),
            fresh=self.events.fresh(),
            overlay=self._page or board.overlay,
            **self._lines(board),
        )

    def _table(self) -> Board:
        """The table as it is now."""
        presenter, view = self.presenter, self.view
        if presenter is None or view is None:
            page = self.lobby.page(seated=presenter is not None)
            return Board(self.lobby.title, prompt=self._opening(), overlay=page)
        asked, asking = self.waits_for(), self.asking
        board = presenter.board(
            view, question=asked, asking=asking, states=self.states, new=self._new
        )
        self._new.see(board.hand)
        return board

    def _opening(self) -> str:
        before = NOT_YET if self.watching and self.presenter is None else SETTING
        return self.ended or self.lobby.knocking() or before

    def _lines(self, board: Board) -> Rows:
        """What the last rows show: what is asked of the person, not of the table."""
        over, asking = bool(self.ended) and not board.held, self.asking
        if self.mode in ("sure", "for good"):
            self.eyes.sees_leaving = True
            result = self.afterwards.shown() if over else None
            page = board.overlay is not None
            return leaving(self.mode, self.going, over_a_page=page, result=result)
        rows: Rows = {"notice": self.notice, "keys": idle_keys(self.where)}
        if over:
            rows |= {
                "prompt": self.afterwards.sentence(self.ended),
                "keys": self.afterwards.keys(watching=self.watching),
                "yours": True,
                "result": self.afterwards.shown(),
            }
        elif board.held:
            due = self._waiting is not None
            rows["keys"] = held_keys(
                self.pictures.waiting(), due=due, bot_plays=self.going.bot_plays
            )
        elif asking is not None:
            rows["notice"] = self.notice or self.missing.bar()
            rows["keys"] = asked_keys(asking, self.stated_keys, heard=self.is_heard)
            rows["prompt"] = self._timed(board.prompt)
        else:
            rows["prompt"] = self._timed(board.prompt)
            rows |= meanwhile(self.missing, self.going, resting=self.resting)
        if self.mode:
            rows |= {"label": self.mode, "typed": self.entry}
        elif self.line and not over:
            rows["typed"] = self.line.text
            rows |= takes_no_enter(board.choices) if asking is not None and asking.aside else {}
        if "typed" in rows:
            asked = self.line.asked is not None
            voting = asking is None and not board.held and self.missing.asks
            rows["keys"] = typing_keys(self.mode, asked=asked, voting=voting)
        return rows

    def _timed(self, prompt: str) -> str:
        """What is asked, with the time that is left for it, or that others have."""
        if self.asking is not None and self.ends is not None:
            alone = self.others_time.alone(self.asking.question, self._me)
            return f"{prompt}  ({self.ends.said(self.now())}{alone})"
        if not prompt or not self._looks_on or self.presenter is None:
            return prompt
        return self.others_time.beside(prompt, self.waits_for(), self._me, self.presenter.names)
