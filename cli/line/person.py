"""A person at the table, on a plain terminal: what happened above, the question below."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from threading import Event as Signal
from typing import Any, Final, TypeVar, TypeVarTuple

import trio

from cli.failures import LeftTableError
from cli.kit.attention import Attention
from cli.kit.clock import left
from cli.kit.output import say
from cli.line.about import about
from cli.line.between import OTHER, STORY, Between, ChoosesGame, Means
from cli.line.calls import Calls
from cli.line.choices import (
    CHANGED,
    Choice,
    Decided,
    choices,
    listed,
    normal,
    read,
    usual_choice,
)
from cli.line.going import Going
from cli.line.hints import Hints
from cli.line.in_lobby import BOTS, InLobby
from cli.line.lines import Lines
from cli.line.listing import entries, how_many, in_columns
from cli.line.missed import MissedLines
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.options.table_pace import TablePace
from cli.words.going import (
    AT_ONCE,
    BOT,
    BOT_SAID,
    BY_BOT,
    GOES,
    GOES_FOR_GOOD,
    GOOD_SAID,
    LAST_WORDS_SECONDS,
    LATER_SAID,
    STAYS,
    YOURSELF,
    YOURSELF_SAID,
)
from cli.words.hints import REFUSED, THINKS
from cli.words.invitation import watching_lines
from cli.words.next_game import NOTHING_SAID
from cli.words.said import NOT_INVITED, UNHEARD
from engine.errors import UsageError
from engine.question import PASS, Question
from engine.time_out import is_under_clock
from engine.view import View
from engine.wording.layout import fit
from p2p.installation import program
from p2p.player.choosing import Choosing
from p2p.player.events import Event, Gathering, Missed, PlayAgain, Seated, Talk, TimeOver, Watchable
from p2p.protocol.terms import Terms
from p2p.supervisor import Supervisor

Result = TypeVar("Result")
Given = TypeVarTuple("Given")
REMEMBERED: Final = 200
SHOWN: Final = 15
HELP: Final = """\
  a choice by its number in the list, or by its name (7c, pass; a beginning is
  enough); Enter alone takes the only choice, or the one that says so
  u  when others race: nothing more until it is my turn
  t  show the table again      l  the last events      ? 7c  what a card does
  w  who sits here, and how they are reached      c hello  says hello to all
  m  your own cards that lie by your side
  e  a hint: what a hard bot would do, in games against bots only (or /hint)
  i  the line with which your friends can watch (or /invite)
  q  leave: to come back, with a bot in your place, or for good      ?  this help
All the rules: {program} rules {game}"""
REMINDS_SECONDS: Final = 10
"""How long before the end of the clock that is said; not if it is hardly longer itself."""
REST: Final = "u"
TALKS: Final = ("c", "/say")
INVITES: Final = ("i", "/invite")
HINTS: Final = ("e", "/hint")


class Person:
    """A `Player` (p2p.peer) who reads and types lines; `attention` calls one who types none."""

    def __init__(
        self,
        settings: Settings,
        lines: Lines,
        *,
        lobby: bool = False,
        attention: Attention | None = None,
    ) -> None:
        self._settings = settings
        self._lines = lines
        self._attention = attention or Attention()
        self._calls = Calls(self._attention)
        self._teller = Teller(settings, lobby=lobby, later=self.show_news)
        self._hints: Final = Hints(self._teller, Random())
        self._past: deque[str] = deque(maxlen=REMEMBERED)
        self._left = False
        self._talk: Callable[[str], bool] | None = None
        self._for_watchers: Sequence[str] = (NOT_INVITED,)
        self._prompt = ""
        """What is asked in the lobby; it is asked again after each piece of news."""
        self._in_lobby: InLobby | None = None
        self._unanswered: list[str] | None = None
        """What was listed for the last question, if it was taken back before it was answered."""
        self._heard: PlayAgain | None = None
        """What the others have said of the next game; it may come before our own game is over."""
        self._between: Between | None = None
        self._resting = False
        """Whether this person claims nothing until it is their turn again."""
        self._clock = 0
        self._reminds_at = math.inf
        """When we say that little time is left."""
        self._was_late = False
        """Whether the clock has decided what was asked last."""
        self._going: Final = Going(TablePace(settings.pace).thinks)
        self._story: Final = Supervisor("story", self._say)
        self._missed: Final = MissedLines(self._read_missed, self._say, self._besides)

    def tell(self, event: Event) -> None:
        """Print what happened, and remember it for `l`; print nothing to somebody who left."""
        if isinstance(event, Talk):
            self._talk = event.say
        if isinstance(event, Missed):
            self._miss(event)
        if isinstance(event, Gathering) and self._in_lobby is not None:
            self._prompt = self._in_lobby.gather(event, self._prompt)
        if isinstance(event, Watchable):
            self._for_watchers = watching_lines(event.invite)
        self._calls.tell(event)
        self._going.hear(event)
        lines = self._teller.news(event)
        if isinstance(event, TimeOver):
            self._was_late, lines = True, ["", *lines]
        if isinstance(event, Seated):
            self._heard, self._clock = None, event.terms.clock
            self._hints.sit(event)
        if isinstance(event, PlayAgain):
            self._heard = event
            if self._between is not None:
                lines += self._between.hear(event)
                self._prompt = self._prompt and self._between.ask()
        self.show_news(lines)

    def show_news(self, lines: Sequence[str]) -> None:
        """Print these lines above the question, if any; print nothing to a person who left."""
        if self._left:
            return
        if lines and self._prompt:
            self._say("")
        for line in lines:
            self._past.append(line)
            self._say(line)
        if lines and self._prompt:
            say(self._prompt, end="")

    async def get_ready(self, lobby: InLobby) -> None:
        """Ask whether this person is ready, until the game begins.

        LeftTableError if the person leaves instead, or the input ends.
        """
        self._in_lobby = lobby
        try:
            while True:
                self._prompt = lobby.ask()
                line = await self._read(self._prompt)
                self._prompt = ""  # what follows from the line is told before it is asked again
                commands = line.startswith("/") and spoken(line) is None
                if self._speaks(f"c {line}" if commands else line):
                    continue
                typed = normal(line)
                if typed in ("q", "quit"):
                    raise self._leave()
                if typed == BOTS and lobby.bots is not None:
                    self.show_news(await lobby.change_bots(lobby.bots, self._chosen))
                else:
                    lobby.hear(typed)
        finally:
            self._prompt, self._in_lobby = "", None
            self._say("")

    @property
    def bot_plays(self) -> bool:
        """Whether a bot decides for the person."""
        return self._going.bot_plays

    @property
    def bot_decided(self) -> frozenset[int]:
        """What a bot decided for the person in this game."""
        return self._going.bot_decided

    async def decide(self, view: View, question: Question[Any]) -> object:
        """Show the table and ask until a legal decision is typed, unless a bot decides.

        LeftTableError if the person leaves instead, or the input ends.
        """
        return await self._going.decide(view, question, self._asked, self._take_back)

    async def _take_back(self) -> None:
        """While a bot decides: a line, and the person decides again."""
        await self._read("")
        self._say(YOURSELF)
        self._announce(YOURSELF_SAID)
        self._going.play_again()

    async def _asked(self, view: View, question: Question[Any]) -> object:
        aside = question.for_others(view.seat)
        self._resting &= aside
        if self._resting:
            return PASS
        if self._was_late:  # nothing was typed for what is asked now
            self._was_late, self._unanswered = False, None
            self._lines.drop()
        legal = choices(view, question, self._teller.decision)
        numbers = [choice.label for choice in listed(view, question, legal)]
        if self._unanswered not in (None, numbers) and (digits := self._lines.drop_number()):
            self._say("")
            self._say(CHANGED.format(digits))
        self._unanswered = numbers
        self._show(view, question, legal, aside=aside)
        self._start_clock(view, question)
        with (
            self._calls.asked(view, question),
            trio.move_on_after(self._teller.text.by_itself.get(question.topic, math.inf)),
        ):
            decision = await self._typed(view, question, legal, aside=aside)
            self._unanswered = None
            return decision
        return legal[0].decision

    def _start_clock(self, view: View, question: Question[Any]) -> None:
        """Say how much time there is, if there is a limit."""
        self._reminds_at = math.inf
        if self._clock and is_under_clock(question, view.seat):
            self._say(f"  {left(self._clock)} to decide, then the clock does.")
            if self._clock > 2 * REMINDS_SECONDS:
                self._reminds_at = trio.current_time() + self._clock - REMINDS_SECONDS

    async def _read_decision(self) -> str:
        """A line; when little time is left, that is said once."""
        with trio.move_on_at(self._reminds_at):
            return await self._read("> ")
        self._reminds_at = math.inf
        self._say("")
        self._say(f"*** {left(REMINDS_SECONDS)} left to decide.")
        return await self._read("> ")

    async def _typed(
        self, view: View, question: Question[Any], legal: Sequence[Choice], *, aside: bool
    ) -> object:
        """The decision that is typed at last."""
        while True:
            typed = await self._read_decision()
            if self._speaks(typed) or self._missed.obey(normal(typed)):
                continue
            if aside and normal(typed) == REST:
                self._resting = True
                return PASS
            if await self._commanded(normal(typed), view, question, legal):
                continue
            found = read(typed, view, question, legal, self._teller.decision)
            if isinstance(found, Decided):
                return found.decision
            self._say(found.why)

    async def _commanded(
        self, typed: str, view: View, question: Question[Any], legal: Sequence[Choice]
    ) -> bool:
        """Obey `?`, `t`, `l`, `m`, `w`, `e`, `i` or `q`; whether it was one of them."""
        if typed in ("?", "help"):
            self._help()
        elif typed.startswith("?"):
            told = about(typed[1:], view, self._teller.text, ascii=self._settings.ascii)
            self._say_wrapped(told)
        elif typed in ("t", "table"):
            self._show(view, question, legal)
        elif typed in ("l", "log"):
            for line in list(self._past)[-SHOWN:]:
                self._say(line)
        elif typed in ("m", "mine"):
            for line in self._teller.own_side(view):
                self._say_wrapped(line)
        elif typed in ("w", "who"):
            for line in self._teller.who():
                self._say(line)
        elif typed in HINTS:
            await self._hint(view, question)
        elif typed in INVITES:
            for line in self._for_watchers:
                self._say(line)
        elif typed in ("q", "quit"):
            await self._maybe_leave()
        else:
            return False
        return True

    async def again(
        self, choosing: Choosing, story: Callable[[], Sequence[str]], choose: ChoosesGame
    ) -> None:
        """After a game: agree to the next one, until this person leaves, or the input ends.

        `story` tells the game, `choose` asks a host for another one; both may take their time.
        """
        between = self._between = Between(choosing, self._heard or NOTHING_SAID, time.monotonic)
        try:
            while True:
                self._prompt = between.ask()
                line = await self._read(self._prompt)
                self._prompt = ""
                if self._speaks(line):
                    continue
                if normal(line) == STORY:
                    with self._story.contained():
                        for told in await trio.to_thread.run_sync(story):
                            self._say(told)
                elif normal(line) in INVITES:
                    for told in self._for_watchers:
                        self._say(told)
                elif normal(line) == OTHER and between.hosts:
                    await self._propose(choosing, choose)
                elif (meant := between.means(normal(line))) is Means.LEAVE:
                    return
                elif meant is not Means.NOTHING:
                    self._agree(choosing, meant)
        except LeftTableError:
            return
        finally:
            self._prompt, self._between = "", None

    async def _propose(self, choosing: Choosing, choose: ChoosesGame) -> None:
        """Let a host choose another game, and propose it."""
        people = choosing.people  # the thread may not ask who is gone
        plan = await self._chosen(partial(choose, people))
        if plan is not None:
            self._agree(choosing, plan)

    async def _chosen(self, choose: Callable[[Signal], Result]) -> Result:
        """What is typed or chosen in a thread, unless that is given up."""
        given_up = Signal()
        try:
            return await trio.to_thread.run_sync(choose, given_up, abandon_on_cancel=True)
        except trio.Cancelled:
            given_up.set()
            raise

    def _agree(self, choosing: Choosing, plan: Terms) -> None:
        try:
            choosing.agree(plan)
        except UsageError as error:
            self._say(f"{error}.")

    def _speaks(self, typed: str) -> bool:
        """Say to the others what is for them; whether it was."""
        line = spoken(typed)
        if line is None:
            return False
        if self._talk is None:
            self._say(UNHEARD)
        elif not self._talk(line):
            self._say("Not said: at most 6 lines in 10 s.")
        return True

    async def _maybe_leave(self) -> None:
        going = self._going
        ways = "  ".join([*going.ways(), "Enter stay"])
        self._say(going.asks)
        answer = normal(await self._read(f"{ways} > "))
        if going.is_way(AT_ONCE, answer[:1]):
            if self._announce(LATER_SAID):
                await trio.sleep(LAST_WORDS_SECONDS)
            raise self._leave()
        if going.is_way(BY_BOT, answer):
            self._say(BOT.format("Enter"))
            self._announce(BOT_SAID)
            going.let_bot_play()
            await trio.sleep_forever()  # what is asked here is taken back
        elif going.is_way(GOES_FOR_GOOD, answer) and await self._is_sure():
            self._say(GOES)
            self._announce(GOOD_SAID)
            going.leave()
            await trio.sleep_forever()
        else:
            self._say(STAYS)

    async def _is_sure(self) -> bool:
        self._say(self._going.sure)
        return normal(await self._read("y leave for good  Enter stay > ")) in ("y", "yes")

    def _announce(self, said: str) -> bool:
        """The others read how this person leaves; whether anybody is there."""
        return self._talk is not None and self._talk(said)

    def _leave(self) -> LeftTableError:
        self._left = True
        return LeftTableError("You left the table.")

    def _show(
        self, view: View, question: Question[Any], legal: Sequence[Choice], *, aside: bool = False
    ) -> None:
        """The table and the choices; if `aside`, in a race for others' turns, there is no time."""
        if not aside:
            self._say("")
            for line in self._teller.table(view):
                self._say(line)
        for line in self._teller.question(view, question):
            self._say(self._settings.strong(line))
        shown = listed(view, question, legal)
        for row in in_columns(entries(shown, usual_choice(view, question, legal))):
            self._say(row)
        others = [choice for choice in legal if choice not in shown]
        if others:
            self._say(f"  {how_many(legal)} choices. Type one, such as: {others[-1].label}")

    async def _hint(self, view: View, question: Question[Any]) -> None:
        """What a hard bot would do; it stands among what happened as well."""
        offered = self._hints.offered(view, question)
        self._say(THINKS if offered else REFUSED)
        if offered:
            self.show_news(fit(await self._hints.give(view, question)))

    def _help(self) -> None:
        """How to play, in short, and what may be typed."""
        brief = self._teller.text.brief
        for paragraph in [*brief.splitlines(), ""] if brief else []:
            self._say_wrapped(paragraph)
        for line in HELP.format(program=program(), game=self._teller.game).splitlines():
            self._say(line)

    def _say_wrapped(self, text: str) -> None:
        for line in fit(text):
            self._say(line)

    def _say(self, line: str) -> None:
        say(self._settings.paint(line))

    async def beside(
        self, function: Callable[[*Given], Awaitable[Result]], *args: *Given
    ) -> Result:
        """Run this; while nothing is asked, the person may say something of who is missed."""
        return await self._missed.beside(function, *args)

    async def _besides(self, typed: str) -> bool:
        """Obey what is typed while only somebody is missed; whether it meant anything."""
        if normal(typed) in ("q", "quit"):
            await self._maybe_leave()
            return True
        return self._speaks(typed)

    async def _read(self, prompt: str) -> str:
        """A line; meanwhile nothing else is read."""
        with self._missed.stepping_aside():
            return await self._read_line(prompt)

    def _miss(self, event: Missed) -> None:
        """Somebody is missed; when that is over, what was asked of it is asked no more."""
        self._missed.hear(event)
        if event.say is None and self._prompt:
            self._prompt = ""
            self._say("")

    async def _read_missed(self, prompt: str) -> str:
        """A line about somebody who is missed; it is asked again after each piece of news."""
        self._prompt = prompt
        try:
            return await self._read_line(prompt)
        finally:
            self._prompt = ""

    async def _read_line(self, prompt: str) -> str:
        try:
            typed = await self._chosen(partial(self._lines.read, prompt))
        except (EOFError, KeyboardInterrupt):
            raise self._leave() from None
        self._attention.key()
        return typed


def spoken(typed: str) -> str | None:
    """What is to be said to the others, or None if something else was typed."""
    word, _, line = typed.strip().partition(" ")
    return line.strip() or None if word.lower() in TALKS else None
