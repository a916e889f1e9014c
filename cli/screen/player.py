"""A person at the full screen as a player at the table.

Imported after the first picture is drawn: it needs the peers' events.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import trio

from cli.kit import bindings
from cli.kit.attention import Attention
from cli.line.calls import Calls
from cli.line.going import Going
from cli.line.hints import Hints
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.screen.asking import Asking
from cli.screen.chapters import Chapters
from cli.screen.countdown import countdown
from cli.screen.hints import HintKey
from cli.screen.lobby import Gathered
from cli.screen.model import Model
from cli.screen.others_time import TICK_SECONDS
from cli.screen.presenter import UNKNOWN, Presenter, SeatState
from cli.words import lobby as lobby_text
from cli.words.going import LATER_SAID
from cli.words.invitation import watching_lines
from cli.words.said import GONE_FOR_GOOD, LEAVES
from engine.question import PASS, Question
from engine.view import View
from engine.wording.layout import chair_of
from engine.zone import Seat
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import (
    Away,
    Back,
    Chat,
    Event,
    Finished,
    Gathering,
    HeldUp,
    LinkNews,
    Lost,
    Missed,
    Noted,
    Opened,
    OtherVersion,
    PlayAgain,
    Raced,
    Seated,
    Stopped,
    Talk,
    TimeOver,
    Waiting,
    Watchable,
)
from p2p.player.waits import AWAY_SECONDS

WHO: Final = (
    f"All seats are taken. {bindings.label(bindings.WHO.keys[0])} shows each player's key in words."
)
PROVEN: Final = "proofs check"
SLOW_MS: Final = 150
"""From this round trip on a direct link is worth a word: one feels it."""
BEGINS: Final = "All are ready: everybody signs, keys are made ..."
AWAY: Final = (
    f"Somebody is away. Given up after {AWAY_SECONDS:.0f} seconds, unless you have signed already."
)
"""A seat that has all signatures plays, and waits (p2p.seat.genesis)."""


class ScreenPlayer:
    """A `Player` (p2p.player.player) whose decisions come from the keys of a model."""

    def __init__(
        self,
        model: Model,
        settings: Settings,
        *,
        lobby: bool = False,
        attention: Attention | None = None,
    ) -> None:
        self._model = model
        model.going = self._going = Going(model.pictures.pace.thinks)
        self._settings = settings
        self._teller = Teller(settings, lobby=True, later=model.happened, folded=str.splitlines)
        self._calls = Calls(attention or Attention())
        self._hints = Hints(self._teller, Random())
        self._hint_key = HintKey(model, self._hints)
        self._chapters = Chapters()
        self.gathering: Gathering | None = None
        """The lobby as last told."""
        self._held_up: Sequence[str] = ()
        self._clock = 0
        self._lobby = lobby
        """Whether people sit down one by one; there is then a page about them."""
        self.last_words: list[str] = []
        """What the table said when it stopped; it is read after the screen is gone."""

    def tell(self, event: Event) -> None:
        """Show what happened."""
        model = self._model
        if isinstance(event, Gathering if not self._lobby else Waiting):
            return  # the other one tells it
        self._calls.tell(event)
        lines = self._teller.news(event)
        match event:
            case Gathering():
                self._change_lobby(event)
                lines = [line for line in lines if line.startswith("***")]
            case HeldUp() if self.gathering is not None and model.gathers:
                self._gather(self.gathering, lines)
            case Lost() | Back() if self.gathering is not None and model.gathers:
                self._gather(_without(self.gathering, event))
            case Seated():
                self._sit(event, lines)
                lines = [WHO]
            case Opened():
                self._open(event)
            case Chat() | OtherVersion():
                self._hear(event, lines)
            case Talk():
                model.send_chat = event.say
            case Watchable():
                model.for_watchers = watching_lines(event.invite)
            case LinkNews():
                for link in event.links:
                    self._link(link)
            case PlayAgain() if model.watching:
                said = " ".join(lines).removeprefix("*** ")
                if model.ended and said:
                    model.ended = f"The game is over; {said}. {LEAVES}"
            case PlayAgain():
                model.afterwards.hear(event)
                model.asks_anew()
            case Finished() if event.returns is None:
                model.ended = GONE_FOR_GOOD
            case Stopped():
                self.last_words = lines
                self._catch(event.seat)
            case TimeOver():
                model.time_over(" ".join(lines).removeprefix("*** "))
            case Away():
                self._absent(event)
            case Missed():
                model.miss(event)
            case Raced():
                model.notice = ""
            case Noted():
                self._note(event, lines)
                return
        model.happened(lines)

    def _open(self, event: Opened) -> None:
        self._chapters = Chapters()
        self._going.open(event)
        self._model.opened(event.view, event.waits_for, event.time_left, event.missing)

    def _sit(self, event: Seated, lines: Sequence[str]) -> None:
        """All seats are taken; `lines` say by whom."""
        model, teller = self._model, self._teller
        self._clock = event.terms.clock
        self._going.sit(event)
        self._hints.sit(event)
        model.seated(Presenter(teller.text, teller.names, self._settings.ascii))
        model.states = {
            seat: SeatState(proof=PROVEN, bot=seat in event.bots)
            for seat in range(len(event.names))
            if seat != event.seat
        }
        model.people = tuple(line.rstrip() for line in lines[1:])

    def _catch(self, seat: int | None) -> None:
        """A seat is caught, if it is clear which."""
        if seat is not None:
            state = self._model.states.get(seat, UNKNOWN)
            self._model.states[seat] = replace(state, proof="caught")

    def _hear(self, event: Chat | OtherVersion, lines: Sequence[str]) -> None:
        """Whoever says that he comes back later is not only lost; any other word takes it back."""
        model = self._model
        (model.afterwards.listen if model.ended else model.lobby.hear)(lines)
        if isinstance(event, Chat) and (state := model.states.get(event.seat)) is not None:
            model.states[event.seat] = replace(state, later=event.text == LATER_SAID)

    def _absent(self, event: Away) -> None:
        """The seat seems to be away, or is there again; one's own stands nowhere else."""
        if not event.own:
            state = self._model.states.get(event.seat, UNKNOWN)
            self._model.states[event.seat] = replace(state, away=event.away)

    def _note(self, event: Noted, lines: Sequence[str]) -> None:
        """The rules tell something, in these lines."""
        self._model.notice = ""
        for seat, why in chair_of(event.note).items():
            self._gone(seat, why)
        self._model.noted(event.note, lines, self._headed(event, lines))

    def _gone(self, seat: Seat, why: str) -> None:
        """A seat is empty for good: nobody links to it any more."""
        if seat in self._model.states:
            state = replace(self._model.states[seat], lost=False, away=False)
            self._model.states[seat] = replace(state, link=why, notable=False)

    async def decide(self, view: View, question: Question[Any]) -> object:
        """Ask, and wait for the keys; in a race the table may stop waiting."""
        return await self._going.decide(view, question, self._asked)

    async def _asked(self, view: View, question: Question[Any]) -> object:
        model = self._model
        aside = question.for_others(view.seat)
        model.resting &= aside
        if model.resting:
            return PASS
        decided, found = trio.Event(), list[object]()

        def answer(decision: object) -> None:
            found.append(decision)
            decided.set()

        teller = self._teller
        asking = Asking(view, question, teller.decision, teller.text.held)
        model.ask(asking, answer)
        model.ends = countdown(view, question, teller.text, model.now(), self._clock)
        try:
            with (
                self._calls.asked(view, question),
                trio.move_on_after(teller.text.by_itself.get(question.topic, math.inf)),
            ):
                async with self._hint_key.offered(asking):
                    await self._wait(decided)
        finally:
            model.withdraw()
        return found[0] if found else asking.legal[0].decision

    async def _wait(self, decided: trio.Event) -> None:
        """Until a key has decided; the time that is left is drawn meanwhile."""
        pause = math.inf if self._model.ends is None else TICK_SECONDS
        while not decided.is_set():
            with trio.move_on_after(pause):
                await decided.wait()
            self._model.changed()

    def _headed(self, event: Noted, lines: Sequence[str]) -> list[str]:
        """What a note tells, with a heading if something begins with it."""
        teller, view = self._teller, self._model.view
        if view is None:
            return list(lines)
        return self._chapters.headed(lines, str(event.note[0]), teller.text, view, teller.names)

    def _change_lobby(self, lobby: Gathering) -> None:
        """Show the lobby, and below it what the host has changed."""
        changed = [*lobby_text.change_of_table(self.gathering or lobby, lobby)]
        if changed:
            self._model.lobby.hear(changed)
        self._gather(lobby, self._held_up if self._is_standing(lobby) else ())

    def _is_standing(self, lobby: Gathering) -> bool:
        """Whether nothing moves: links between people are no step towards the table."""
        known = self.gathering
        return known is not None and known == replace(lobby, unlinked=known.unlinked)

    def _gather(self, lobby: Gathering, held_up: Sequence[str] = ()) -> None:
        """Show the lobby, and above it the people it waits for, until something changes."""
        self.gathering, self._held_up = lobby, held_up
        above = (*held_up, "") if held_up else ()
        page, summary = (*above, *lobby_text.paragraphs(lobby)), lobby_text.summary(lobby)
        present = all(one.ready is not None for one in lobby.people)
        signing = BEGINS if present else AWAY
        plan = lobby.terms, lobby.seats
        gathered = Gathered(page, summary, lobby.ready, not lobby.missing, signing, plan)
        self._model.gather(gathered)

    def _link(self, link: SeatLink) -> None:
        state = self._model.states.get(link.seat, UNKNOWN)
        slow = link.rtt_ms is not None and link.rtt_ms >= SLOW_MS
        notable = link.way is not Way.DIRECT or slow
        lost = link.way is Way.LOST
        later = state.later and (lost or not state.lost)
        now = replace(state, link=link.words, lost=lost, notable=notable, later=later)
        self._model.states[link.seat] = now


def _without(lobby: Gathering, event: Lost | Back) -> Gathering:
    """The lobby while everybody signs, with a seat that is away or back."""
    ready = True if isinstance(event, Back) else None
    people = [
        replace(one, ready=ready) if seat == event.seat else one
        for seat, one in enumerate(lobby.people)
    ]
    return replace(lobby, people=tuple(people))
