"""Events and questions in words: the game's own text module, and the table's news."""

from __future__ import annotations

from collections.abc import Sequence

from cli.line.choices import label
from cli.settings import Settings
from engine.games import load_text
from engine.question import Question
from engine.view import View
from p2p.events import Back, Event, Finished, Lost, Noted, Seated, Stopped


class Teller:
    """Says what happens at one table; knows its players' names once they are seated."""

    def __init__(self, game_name: str, settings: Settings) -> None:
        self._text = load_text(game_name)
        self._ascii = settings.ascii
        self.names: tuple[str, ...] = ()

    def news(self, event: Event) -> list[str]:
        """What happened, in zero or more lines for people."""
        if isinstance(event, Seated):
            self.names = tuple(event.names)
            return _seated(event)
        if isinstance(event, Noted):
            line = str(self._text.describe_note(event.note, self.names, ascii=self._ascii))
            return line.splitlines()
        return self._table_news(event)

    def table(self, view: View) -> list[str]:
        """The table as this seat may see it."""
        return list(self._text.table_lines(view, self.names, ascii=self._ascii))

    def question(self, view: View, question: Question[object]) -> str:
        """What is asked."""
        text = self._text.describe_question(view, question, self.names, ascii=self._ascii)
        return str(text)

    def decision(self, view: View, question: Question[object], decision: object) -> str:
        """What a decision is called in the list of choices."""
        return label(view, question, decision, self._card, self.names)

    def result(self, returns: Sequence[int]) -> list[str]:
        """Every player's result, the best first."""
        best = max(returns)
        width = max(map(len, self.names))
        ranked = sorted(zip(returns, self.names, strict=True), key=lambda pair: -pair[0])
        return [
            f"  {name:<{width}}  {points:+4d}{'  wins' if points == best else ''}"
            for points, name in ranked
        ]

    def _card(self, card: object) -> str:
        return str(self._text.describe_card(card, ascii=self._ascii))

    def _table_news(self, event: Event) -> list[str]:
        if isinstance(event, Lost):
            return [f"*** {event.name} cannot be reached; the table waits."]
        if isinstance(event, Back):
            return [f"*** {event.name} is back."]
        if isinstance(event, Stopped):
            return [f"*** The table stopped: {self._whose(event)}{event.reason}"]
        if isinstance(event, Finished):
            return ["", "The game is over.", *self.result(event.returns)]
        return []

    def _whose(self, event: Stopped) -> str:
        known = event.seat is not None and event.seat < len(self.names)
        return f"{self.names[event.seat]}: " if known and event.seat is not None else ""


def _seated(event: Seated) -> list[str]:
    seats = zip(event.names, event.fingerprints, strict=True)
    rows = [
        f"  {number}  {name}{' (you)' if number == event.seat else ''}  {words}"
        for number, (name, words) in enumerate(seats)
    ]
    return ["At the table:", *rows]
