"""Events and questions in words: the game's own text module, and the table's news."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from cli.kit.marks import mark
from cli.kit.output import Whole
from cli.line.crowd import Crowd, unheard
from cli.line.talk import talk_lines
from cli.options.settings import Settings
from cli.options.terms import shown
from cli.words import lobby as lobby_text
from cli.words import missed
from cli.words.next_game import HOST, title_of
from engine.game import spell
from engine.games import load, load_text
from engine.question import Question
from engine.view import View
from engine.wording import Wording
from engine.wording.layout import chair_of, fit
from engine.zone import Seat
from p2p.installation import command_line, program
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import (
    IN_A_ROW,
    Arrived,
    Away,
    Back,
    Chat,
    Claimed,
    Differed,
    Event,
    Flooding,
    Gathering,
    HeldUp,
    LinkNews,
    Lost,
    Missed,
    Noted,
    OtherVersion,
    PlayAgain,
    Raced,
    Seated,
    Spectators,
    Stopped,
    TimeOver,
    Waiting,
    WentBack,
)
from p2p.player.race_words import DECIDED, HELD
from p2p.player.relay_words import late, resting
from p2p.protocol.races.book import RaceReport
from p2p.protocol.races.terms import exposure
from p2p.protocol.terms import Terms
from p2p.text.names import called


class Teller:
    """Says what happens at one table; knows its players' names once they are seated.

    `lobby`: also who sits down while the table fills.  Comings and goings are told in a few lines
    a second; `later` is given those that say how many were left out.  `folded` makes rows of a
    sentence; a screen takes it whole, and folds it by its own width.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        lobby: bool = False,
        later: Callable[[Sequence[str]], None] = unheard,
        folded: Callable[[str], list[str]] = fit,
    ) -> None:
        self._people: Final = Crowd(later)
        """Lines about anybody with the invite; they do not crowd out news of the seats."""
        self._reached: Final = Crowd(later)
        self._folded: Final = folded
        self._lobby = lobby
        self._ascii = settings.ascii
        self._text: Wording[Any] | None = None
        self._gathering: Gathering | None = None
        self.names: tuple[str, ...] = ()
        self._bots: frozenset[Seat] = frozenset()
        self._among_bots = False
        self.game = ""
        self.links: tuple[SeatLink, ...] = ()
        self._resting: list[str] = []
        self._terms: Terms | None = None
        self.away: set[Seat] = set()
        """The seats whose last decisions the clock has made."""
        self._missed: list[str] = []
        """What was said last of those who are missed."""
        self._empty: dict[Seat, str] = {}
        """Whose chair is empty for good, and why."""

    @property
    def text(self) -> Wording[Any]:
        """The words of the game.  RuntimeError before anybody sits."""
        if self._text is None:
            raise RuntimeError("the table is not seated yet")
        return self._text

    def news(self, event: Event) -> list[str]:
        """What happened, in zero or more lines for people."""
        if isinstance(event, Seated):
            self.names = tuple(map(called, event.names))
            self.game = event.terms.game
            self._resting = _resting(event) if load(event.terms.game).races else []
            self._terms, self.away = event.terms, set()
            self._empty, self._missed = {}, []
            self._text = load_text(event.terms.game)
            self._bots, self._among_bots = event.bots, event.among_bots
            return _seated(event)
        if isinstance(event, Waiting):
            there = f"Seated {len(event.names)} of {event.seats}: {_all(event.names)}"
            return self._people.take([there]) if self._lobby else []
        if isinstance(event, Gathering):
            return self._lobby_news(event) if self._lobby else []
        if isinstance(event, OtherVersion):
            return self._folded(lobby_text.other_version(event))
        if isinstance(event, HeldUp):
            return self._folded(lobby_text.held_up(event))
        if isinstance(event, Noted):
            self._empty |= chair_of(event.note)
            told = self.text.describe_note(event.note, self.names, ascii=self._ascii)
            return self._folded(told)
        return self._table_news(event)

    def who(self) -> list[str]:
        """The others, how each is reached, and on whom races depend."""
        linked = {link.seat: link.words for link in self.links} | self._empty
        names = {seat: self.names[seat] + mark(bot=seat in self._bots) for seat in linked}
        width = max(map(len, names.values()), default=0)
        rows = [f"  {names[seat]:<{width}}  {linked[seat]}" for seat in sorted(linked)]
        lines = [*rows, *self._resting]
        away = [f"  {self.names[seat]} is away: the clock decides." for seat in sorted(self.away)]
        return [*lines, *(_terms(self._terms) if self._terms else ()), *away]

    def table(self, view: View) -> list[str]:
        """The table as this seat may see it."""
        bots = dict.fromkeys(self._bots, mark(bot=True))
        return self.text.table_lines(view, self.names, beside=bots, ascii=self._ascii)

    def own_side(self, view: View) -> list[str]:
        """The reader's own cards that lie by its side."""
        return self.text.own_side_lines(view, self.names, ascii=self._ascii)

    def question(self, view: View, question: Question[Any]) -> list[str]:
        """What is asked."""
        return fit(self.text.describe_question(view, question, self.names, ascii=self._ascii))

    def decision(self, view: View, question: Question[Any], decision: object) -> str:
        """What a decision is called in the list of choices."""
        return self.text.describe_decision(view, question, decision, self.names, ascii=self._ascii)

    def why(self, reasons: Sequence[tuple[Any, ...]]) -> str:
        """What speaks for a decision (`engine.bots.reasons`), as a part of a sentence."""
        return self.text.describe_why(reasons, self.names, ascii=self._ascii)

    def _lobby_news(self, lobby: Gathering) -> list[str]:
        """All of it the first time, and then what has changed."""
        before, self._gathering = self._gathering, lobby
        if before is None:
            return ["", *lobby_text.page(lobby), ""]
        return self._people.take(list(lobby_text.changes(before, lobby)))

    def _table_news(self, event: Event) -> list[str]:
        if isinstance(event, Chat):
            return talk_lines(event.name, event.text)
        if isinstance(event, Arrived):
            there = f"At the table of {event.fingerprint}."
            return [there, "You see it once everybody who plays is ready."]
        if isinstance(event, Spectators):
            return self._people.take([_watched(event.names)])
        if isinstance(event, PlayAgain):
            return self._people.take(self._folded(_again(event, self.names)))
        if isinstance(event, Claimed):
            after = f"You pressed {_milliseconds(event.microseconds)} after the question"
            return [f"{after}; the other programs say who was first."]
        if isinstance(event, TimeOver):
            decided = self.decision(event.view, event.question, event.decision)
            return self._folded(f"*** Your time is over. The clock has decided for you: {decided}.")
        if isinstance(event, Away):
            return self._absence(event)
        if isinstance(event, Raced):
            return self._folded(self._raced(event.report))
        if isinstance(event, LinkNews):
            self.links = event.links
            # A busy machine holds up the links of its own bots, which is no news to anybody.
            return [] if self._among_bots else self._reached.take(_links(event))
        if isinstance(event, Lost):
            return self._reached.take(
                [f"*** {called(event.name)} cannot be reached; the table waits."]
            )
        if isinstance(event, Missed):
            return self._missing(event)
        if isinstance(event, WentBack):
            return [
                "*** Your files of this table are older than what you have signed, or come from",
                "    another machine: all other players have to be here before you go on.",
            ]
        if isinstance(event, Back):
            return self._reached.take([f"*** {called(event.name)} is back."])
        if isinstance(event, Flooding):
            return [f"*** {called(event.name)} sends more than the game needs, and is slowed down."]
        if isinstance(event, Stopped):
            return self._stopped(event)
        if isinstance(event, Differed):
            name = called(event.name)
            return [
                f"*** The program of {name} sees another state of the table than yours.",
                *_compare(event.state),
            ]
        return []  # Finished: the rules have noted the result; the summary says the rest

    def _absence(self, event: Away) -> list[str]:
        """Who seems to have left their decisions to the clock, and who is there again."""
        who = "You are" if event.own else f"{called(event.name)} is"
        if not event.away:
            self.away.discard(event.seat)
            return [f"*** {who} there again: that was no decision of the clock."]
        self.away.add(event.seat)
        return self._folded(
            f"*** {who} away: the clock has decided {IN_A_ROW} times in a row. "
            "Any other decision ends that."
        )

    def _missing(self, event: Missed) -> list[str]:
        """Who is missed, and afterwards what is new of that: who has said what.

        A question that could not be asked for a while is asked anew.
        """
        before = self._missed
        said = missed.sentences(event) if event.seats else []
        self._missed = [] if event.unreached else said
        new = [one for one in said[1 if before else 0 :] if one not in before]
        return [line for one in new for line in self._folded(f"*** {one}")]

    def _raced(self, report: RaceReport) -> str:
        """Who was first, and by how much; the times are those that the witnesses agree on."""
        times = ", ".join(
            f"{self.names[seat]} {'unseen' if time is None else _milliseconds(time)}"
            for seat, time in sorted(report.times, key=_fastest_first)
        )
        said = (DECIDED[report.outcome] if report.held is None else HELD).now
        late_ones = "" if report.held is None else late(report.held, self.names)
        return said.format(first=self.names[report.first], times=times, late=late_ones)

    def _stopped(self, event: Stopped) -> list[str]:
        who = f"{called(event.name)}: " if event.name else ""
        lines = self._folded(f"*** The table stopped ({event.verdict}). {who}{event.reason}")
        if event.evidence is not None:
            shown = command_line("audit", str(event.evidence))
            lines.append(Whole(f"*** The evidence, for anybody: {shown}"))
        if event.state is not None:
            lines += _compare(event.state)
        return lines


def _all(names: Sequence[str]) -> str:
    return ", ".join(map(called, names))


def _watched(names: tuple[str, ...]) -> str:
    if not names:
        return "*** Nobody watches any more."
    verb = "watches" if len(names) == 1 else "watch"
    return f"*** {_all(names)} {verb} (and sees no hidden card)."


def _again(event: PlayAgain, names: Sequence[str]) -> str:
    """What is proposed, who agrees to it, and who leaves."""
    agreed = "want to play again" if event.plan is None else "agreed"
    plan = event.plan
    said = [f"{names[HOST]} proposes {title_of(plan)}"] if plan is not None else []
    said += [f"{agreed}: {_all(event.staying)}"] if event.staying else []
    said += [f"leaving: {_all(event.leaving)}"] if event.leaving else []
    return f"*** {'; '.join(said)}" if said else ""


def _links(news: LinkNews) -> list[str]:
    """Who is reached in another way than before; `Lost` and `Back` are told separately."""
    return [
        f"*** {called(new.name)} is now reached through {called(new.via)}."
        if new.way is Way.VIA
        else f"*** {called(new.name)} is linked directly again."
        for old, new in zip(news.before or (), news.links, strict=False)
        if (old.way, old.via) != (new.way, new.via)
        and (new.way is Way.VIA or (new.way is Way.DIRECT and old.way is Way.VIA))
    ]


def _fastest_first(timed: tuple[Seat, int | None]) -> float:
    """Seats that were not seen come last."""
    return math.inf if timed[1] is None else timed[1]


def _compare(state: Path) -> list[str]:
    return [
        Whole(f"*** The state as we see it: {state}"),
        f"*** Compare it with another player's: {program()} audit --states FILE FILE",
    ]


def _seated(event: Seated) -> list[str]:
    seats = zip(event.names, event.fingerprints, strict=True)
    rows = [
        f"  {seat}  {called(name)}{mark(you=seat == event.seat, bot=seat in event.bots)}  {words}"
        for seat, (name, words) in enumerate(seats)
    ]
    options = ", ".join(f"{name}={spell(value)}" for name, value in event.terms.options.items())
    game = load(event.terms.game)
    title = f"{game.title} ({options})" if options else game.title
    races = fit(_races(event.race_cap_us)) + _resting(event) if game.races else []
    return ["", *fit(title), "At the table:", *rows, *races, *_terms(event.terms), ""]


def _terms(terms: Terms) -> list[str]:
    """The terms that are not the usual ones."""
    said = shown(terms, always=False)
    return [row for label, text in said for row in fit(f"{label.capitalize()}: {text}")]


def _resting(event: Seated) -> list[str]:
    """Which seats' records somebody else could hold."""
    names = tuple(map(called, event.names))
    return [line for said in resting(event.unlinked, names) for line in fit(said)]


def _races(cap_us: int) -> str:
    """What the cap means if somebody sits next door and claims to be far away."""
    gain = exposure(cap_us, true_us=0)
    return (
        f"Races: cap {_milliseconds(cap_us)} "
        f"(a peer that fakes distance gains at most {_milliseconds(gain)})"
    )


def _milliseconds(microseconds: int) -> str:
    return f"{round(microseconds / 1_000, 1 if microseconds < 10_000 else 0):g} ms"
