"""A bot that is told elsewhere decides as one that sees the table, and is told no more."""

from __future__ import annotations

import signal
from pickle import UnpicklingError
from random import Random

import pytest

from engine.bots.beside import PATIENT, Asked, Listener, Teller, serve
from engine.bots.hard import Hard
from engine.errors import EngineError
from engine.games import NAMES
from tests.engine.bots.test_search import Played


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_decides_as_one_at_the_table(name: str) -> None:
    played, teller, listener = Played(name, 6), Teller(), Listener(Hard(6))
    for met, (asked, seat) in enumerate(played.positions(4)):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        told = teller.tell(view, met)
        assert listener.decide(told) == Hard(6)(view, asked, Random(met))
        if met == 2:
            return
    raise AssertionError("there was too little to decide")


def test_only_new_answers_are_told_and_only_own_faces() -> None:
    played, teller, told = Played("flip-over", 6), Teller(), list[Asked]()
    for _, seat in played.positions(2):
        table = played.session.table
        view = played.dealer.view(table, seat, played.session.course)
        told.append(teller.tell(view, 1))
        assert all(view.knows(slot) for slot in told[-1].faces)
        assert set(told[-1].faces) == {
            slot for slot, lock in enumerate(table.locks) if lock == seat
        }
    assert [one.begins for one in told] == [True] + [False] * (len(told) - 1)
    assert sum(len(one.answers) for one in told) <= len(played.session.journal)


def test_another_game_begins_anew() -> None:
    teller, listener = Teller(), Listener(Hard(2))
    for seed in (1, 2):
        played = Played("flop-a", seed)
        asked, seat = next(played.positions(3))
        view = played.dealer.view(played.session.table, seat, played.session.course)
        told = teller.tell(view, 0)
        assert told.begins
        assert listener.decide(told) == Hard(2)(view, asked, Random(0))


class ShortPipe:
    """A pipe with these things in it."""

    def __init__(self, *things: object) -> None:
        self.things = [*things]
        self.sent: list[object] = []

    def recv(self) -> object:
        if not self.things:
            raise EOFError
        return self.things.pop(0)

    def send(self, value: object) -> None:
        self.sent.append(value)


def test_the_end_of_the_pipe_is_the_end_and_a_failure_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[object] = []
    monkeypatch.setattr("os.nice", asked_for.append)
    monkeypatch.setattr("signal.signal", lambda *given: asked_for.append(given))
    played = Played("flop-a", 1)
    _, seat = next(played.positions(3))
    view = played.dealer.view(played.session.table, seat, played.session.course)
    pipe = ShortPipe(Teller().tell(view, 4))
    serve(pipe, float)
    assert len(pipe.sent) == 1
    ignored = (signal.SIGINT, signal.SIG_IGN)
    assert asked_for == [ignored, PATIENT], "Ctrl-C ends the table, which ends this process"
    with pytest.raises(UnpicklingError):
        serve(ShortPipe(Asked("flip-over", 3, {}, True, [b"nonsense"], 0, {}, 1)), float)


def test_without_the_course_of_the_game_nothing_can_be_told() -> None:
    played = Played("flip-over", 5)
    _, seat = next(played.positions(1))
    with pytest.raises(EngineError, match="told how the game came here"):
        Teller().tell(played.dealer.view(played.session.table, seat), 0)
