"""Which events call somebody who does not look: their turn, a line of talk, a new guest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from cli.kit.attention import Attention
from engine.games import load
from engine.question import Question
from engine.view import View
from p2p.player.events import Chat, Event, Gathering, Seated
from p2p.text.names import called, cut

YOUR_TURN: Final = "your turn"
LONGEST: Final = 60
"""How much of a line of talk is shown there: the game stands behind it."""


class Calls:
    """Tells `attention` what concerns this person at one table."""

    def __init__(self, attention: Attention) -> None:
        self._attention: Final = attention
        self._game = ""
        self._seat: int | None = None
        self._here: frozenset[tuple[str, str]] | None = None
        """Who is in the lobby, by name and key; None before anybody was told."""

    def tell(self, event: Event) -> None:
        """Call if somebody else speaks or sits down."""
        match event:
            case Seated():
                self._game, self._seat = load(event.terms.game).title, event.seat
            case Gathering():
                self._game = load(event.terms.game).title
                self._gather(event)
            case Chat() if event.seat != self._seat:
                self._attention.news(self._at(f"{called(event.name)}: {cut(event.text, LONGEST)}"))

    @contextmanager
    def asked(self, view: View, question: Question[Any]) -> Iterator[None]:
        """Call if it is this person's turn, which lasts as long as this block.

        A race for others' turns is none.
        """
        if not question.for_others(view.seat):
            self._attention.turn(self._at(YOUR_TURN))
        try:
            yield
        finally:
            self._attention.turn_over()

    def _gather(self, lobby: Gathering) -> None:
        before, self._seat = self._here, lobby.seat
        self._here = frozenset((one.name, one.fingerprint) for one in lobby.people)
        new = () if before is None else sorted(self._here - before)
        if new:
            names = ", ".join(called(name) for name, _ in new)
            self._attention.news(self._at(f"{names} sat down"))

    def _at(self, said: str) -> str:
        return f"{said} - {self._game}"
