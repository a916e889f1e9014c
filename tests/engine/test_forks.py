"""What a fork plays again, and how many turns, answers and windows a session has left."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from engine.compiling import is_compiled
from engine.errors import EngineError
from engine.session import Session
from tests.engine.tiny import DECK, GAME, TinyTable

pytestmark = pytest.mark.skipif(
    is_compiled(Session), reason="a compiled module has its limits built in"
)
Turn = Callable[[TinyTable], Coroutine[Any, Any, None]]


def counted(begun: list[int]) -> Turn:
    """Turns of two flips that note that they begin; the first one has the deck."""

    async def turn(t: TinyTable) -> None:
        begun.append(len(begun))
        if not t.stock:
            await t.fresh(DECK, t.stock)
        await t.flip(2, 2)
        await t.flip(2)

    return turn


def played(turn: Turn, turns: int, **how: Any) -> Session:
    """A session at the first question of the turn after so many."""
    session = Session(replace(GAME, turn=turn), 2, {}, **how)
    session.answer(None)
    for _ in range(turns):
        session.answer((0, 0))
        session.answer((0,))
    return session


@pytest.mark.parametrize("every", [0, 1, 2, 3])
@pytest.mark.parametrize("turns", range(5))
def test_a_fork_plays_again_what_came_after_the_last_mark(every: int, turns: int) -> None:
    """A table is marked after `every` turns, and a fork of a fork begins at the same marks."""
    begun: list[int] = []
    session = played(counted(begun), turns, every=every)
    again = turns % every if every else turns
    for one in (session, session.fork(), session.fork().fork()):
        begun.clear()
        one.fork()
        assert len(begun) == again + 1


@pytest.mark.parametrize("marks", [True, False])
def test_only_a_fork_with_marks_makes_its_own(marks: bool) -> None:
    begun: list[int] = []
    fork = played(counted(begun), 2, every=2).fork(marks=marks)
    for _ in range(2):
        fork.answer((0, 0))
        fork.answer((0,))
    begun.clear()
    fork.fork()
    assert len(begun) == (1 if marks else 3)


def test_who_asks_for_no_marks_and_no_notes_gets_none() -> None:
    """Both cost time in every game that is searched."""
    begun: list[int] = []
    session = played(counted(begun), 3)
    begun.clear()
    session.fork()
    assert len(begun) == 4
    assert session.table.notes is None
    assert session.take_notes() == ()


def turns_left(session: Session) -> int:
    """How many turns may still begin."""
    for count in range(100):
        try:
            session.answer((0, 0))
            session.answer((0,))
        except EngineError:
            return count
    raise AssertionError("there is no limit")


@pytest.mark.parametrize("every", [0, 1, 2, 3])
def test_a_fork_has_as_many_turns_left(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.session.MAX_TURNS", 9)
    for turns in range(5):
        session = played(counted([]), turns, every=every)
        assert turns_left(session.fork()) == turns_left(session) == 9 - turns


@pytest.mark.parametrize("too_deep", [False, True])
def test_rules_may_nest_as_deep_as_the_limit_says(
    too_deep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Down to the verb that asks; it is looked at when a turn has had as many answers."""
    monkeypatch.setattr("engine.session.MAX_NESTING", 9)

    async def nested(t: TinyTable, left: int = 7 + too_deep) -> None:
        while left == 0:
            await t.flip(2)
        await nested(t, left - 1)

    session = Session(replace(GAME, turn=nested), 2, {})
    assert len(session.where()) == 9 + too_deep
    for _ in range(8):
        session.answer((0,))
    if too_deep:
        with pytest.raises(EngineError, match="nested more than 9 windows"):
            session.answer((0,))
        assert len(session.journal) == 9
    else:
        for _ in range(20):
            session.answer((0,))


def test_a_session_checks_cards_only_if_it_is_told_to() -> None:
    async def loses_a_card(t: TinyTable) -> None:
        await t.fresh(DECK, t.stock)
        t.stock.pop()
        await t.flip(2)

    Session(replace(GAME, turn=loses_a_card), 2, {}).answer(None)
    with pytest.raises(EngineError, match="lost a card"):
        Session(replace(GAME, turn=loses_a_card), 2, {}, check=True).answer(None)


@pytest.mark.parametrize("every", [0, 2])
def test_cards_are_counted_at_marks(every: int) -> None:
    """Also where nobody looks at each question."""

    async def loses_a_card(t: TinyTable) -> None:
        if not t.stock:
            await t.fresh(DECK, t.stock)
        await t.flip(2, 2)
        t.stock.pop()
        await t.flip(2)

    if not every:
        played(loses_a_card, 4)
        return
    with pytest.raises(EngineError, match="lost a card"):
        played(loses_a_card, 2, every=every)
    played(loses_a_card, 1, every=every)
