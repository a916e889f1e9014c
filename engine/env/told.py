"""A game in words, for programs that read: what happened, the table, the question, the actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.env.playing import Playing, Turn
from engine.env.spelling import Decided
from engine.games import load_text
from engine.zone import Seat

LONGEST: Final = 20_000
"""So many letters a text has at most; of what happened, the oldest lines are left out first."""
LEFT_OUT: Final = "(earlier lines are left out)"


Told = tuple[Playing, Sequence[str], list[str], list[int]]
"""A game, the names of its seats, what has happened, and how much of it each seat was told."""


class Telling:
    """Tells each seat of one game, in ASCII, what it sees; the game takes notes (`Playing`)."""

    def __init__(self, playing: Playing, names: Sequence[str]) -> None:
        self.__setstate__((playing, names, [], [0] * playing.setting.seats))

    def __getstate__(self) -> Told:
        return self._playing, self._names, self._happened, self._told

    def __setstate__(self, told: Told) -> None:
        """Copy or unpickle; the words, which are functions, are loaded again."""
        self._playing, self._names, self._happened, self._told = told
        self._words = load_text(self._playing.setting.game.name)

    def hear(self) -> None:
        """Take in what has happened since the last time."""
        for note in self._playing.session.take_notes():
            self._happened.append(self._words.describe_note(note, self._names, ascii=True))

    def decided(self, seat: Seat) -> None:
        """This seat has decided: what happened before is not told to it again."""
        self._told[seat] = len(self._happened)

    def text(self, seat: Seat) -> str:
        """What happened since this seat decided last, the table, the question, its actions."""
        lines = self._words.table_lines(self._playing.views[seat], self._names, ascii=True)
        now = "\n".join([*lines, *self._asked(seat)]).encode("ascii", "replace").decode()
        before = "\n".join(self._happened[self._told[seat] :]).encode("ascii", "replace").decode()
        room = LONGEST - len(now) - len(f"{LEFT_OUT}\n")
        if len(before) > room:
            before = "\n".join([LEFT_OUT, before[-room:].partition("\n")[2]])
        return f"{before}\n{now}" if before else now

    def _asked(self, seat: Seat) -> list[str]:
        """The question, and for the seat that is asked now the number of each action."""
        turn, view = self._playing.turn, self._playing.views[seat]
        if turn is None:
            return ["The game is over."]
        question = self._words.describe_question(view, turn.asked, self._names, ascii=True)
        legal = turn.spelling.legal() if seat == turn.seat else ()
        return [question, *[f"{action}: {self._action(turn, action)}" for action in legal]]

    def _action(self, turn: Turn, action: int) -> str:
        """A decision in the game's words; part of one as what is added."""
        said = turn.spelling.say(action)
        if not isinstance(said, Decided):
            return turn.spelling.told(action)
        view = self._playing.views[turn.seat]
        return self._words.describe_decision(
            view, turn.asked, said.decision, self._names, ascii=True
        )
