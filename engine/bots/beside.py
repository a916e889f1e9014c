"""A bot in a process of its own: what it is told there, and how it answers.

It is told what its seat knows, and nothing else crosses over: the public course of the game, as far
as it was not told before, the faces that only this seat can read, and what it remembers.  A card is
sent as its number among the faces of the deck on the table, since cards are compared by identity.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from engine.answers import decode, encode
from engine.bots.following import Follower
from engine.bots.hard import Hard
from engine.course import Course
from engine.errors import EngineError
from engine.memory import Among
from engine.view import View
from engine.zone import Seat, Slot

PATIENT: Final = 5
"""By how much the process is nicer than the table: it thinks when nobody else needs the machine."""


class Asked(NamedTuple):
    """A decision that is asked for.  `answers` are those that are new, each by itself.

    `begins`: they are all there were, and those that were sent before are of another game.
    """

    game: str
    seats: int
    options: Mapping[str, bool | int | str]
    begins: bool
    answers: Sequence[bytes]
    seat: Seat
    faces: Mapping[Slot, int]
    seed: int
    advises: bool = False
    """Whether the answer is advice for a person (`Advice`), not a decision."""
    among: Sequence[tuple[int, frozenset[Slot]]] = ()
    """`View.among`: never more of them than cards, nor more slots of one than there are."""


class Pipe(Protocol):
    """One end of a connection (`multiprocessing.connection.Connection`)."""

    def recv(self) -> Any:
        """What the other end sent; EOFError if there is none any more."""

    def send(self, value: Any) -> None:
        """Send it to the other end."""


class Teller:
    """Tells a bot elsewhere of one game after the other."""

    def __init__(self) -> None:
        self._answers: Sequence[object] | None = None
        self._told = 0

    def tell(self, view: View, seed: int, *, advises: bool = False) -> Asked:
        """What is to be sent for a decision, or for advice, with this seed.

        EngineError without a course.
        """
        course = view.course
        if course is None:
            raise EngineError("a bot elsewhere has to be told how the game came here")
        begins = self._answers is not course.answers
        if begins:
            self._answers, self._told = course.answers, 0
        new = course.answers[self._told :]
        self._told += len(new)
        written = [encode(answer) for answer in new]
        options = dict(course.options)
        asked = (course.game, course.seats, options, begins, written)
        among = [(card.id, slots) for card, slots in view.among()]
        return Asked(*asked, view.seat, _hidden_faces(view), seed, advises, among)


class Listener:
    """What is told, put together to a view again, about which the bot decides."""

    def __init__(self, bot: Hard) -> None:
        self._bot: Final = bot
        self._follower: Follower | None = None
        self._answers: list[object] = []

    def decide(self, asked: Asked) -> object:
        """The bot's decision, or its advice."""
        if asked.begins or self._follower is None:
            self._answers = []
            course = Course(asked.game, asked.seats, asked.options, self._answers)
            self._follower = Follower(course)
        for written in asked.answers:
            self._answers.append(decode(written, self._follower.session.table.deck))
            self._follower.catch_up()
        think = self._bot.advise if asked.advises else self._bot
        return think(*self._position(self._follower, asked), Random(asked.seed))

    def _position(self, follower: Follower, asked: Asked) -> tuple[View, Any]:
        session = follower.session
        deck = session.table.deck
        cards = deck.faces if deck else ()
        faces = {slot: cards[number] for slot, number in asked.faces.items()}
        among = [Among(cards[number], slots) for number, slots in asked.among]
        course = Course(asked.game, asked.seats, asked.options, self._answers)
        read = faces.__getitem__
        view = View(session.table, asked.seat, read, faces.get, course, lambda: among)
        return view, session.pending


def serve(pipe: Pipe, clock: Callable[[], float]) -> None:
    """Decide until nobody asks any more: the main function of the process.

    By the clock, of seconds, it thinks no longer than `engine.bots.hard.SECONDS`.
    A failure ends it with a traceback, and whoever asked finds the pipe at its end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which ends this too
    if hasattr(os, "nice"):
        os.nice(PATIENT)
    listener = Listener(Hard(clock=clock))
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        pipe.send(listener.decide(asked))


def _hidden_faces(view: View) -> dict[Slot, int]:
    """The faces that this seat knows and not everybody: it reads or remembers them."""
    table = view.table
    slots = [slot for slot, face in enumerate(table.faces) if face is None]
    return {slot: card.id for slot in slots if (card := view.recall(slot)) is not None}
