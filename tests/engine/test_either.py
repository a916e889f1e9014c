"""A race in which one seat may lay a card or call something."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Game
from engine.question import PASS, Choose, Either, Otherwise, Play, Race, said
from engine.session import Session
from engine.testing import check_golden, check_simulation, check_sync, play_out, write_golden
from engine.won import Won
from tests.engine.test_race import DECK, GAME, RaceTable


async def turn(t: RaceTable) -> None:
    """Seat 0 may lay any card or call; seat 1 may lay any card."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands[:2], 3)
    lay = [Play(seat, t.hands[seat], lambda card: card.rank > 1, Otherwise.PASS) for seat in (0, 1)]
    calls = Choose(0, ("last card", "caught"), "a call")
    won = await t.race([Either(lay[0], calls), lay[1]], "first", t.pile)
    if won is not None:
        t.points[won.seat] = 1 if isinstance(won.answer, tuple) else 2
    t.over = True


EITHER: Game = replace(GAME, turn=turn, bounds=lambda seats, options: (0, 2))


def asked(seed: int = 1) -> tuple[Session, TrustedDealer]:
    session, dealer = Session(EITHER, 3, {}, check=True), TrustedDealer(Random(seed))
    while not session.pending.deciders:  # type: ignore[union-attr]
        session.answer(dealer.act(session.table, session.pending))  # type: ignore[arg-type]
    return session, dealer


def test_cards_and_calls_are_offered() -> None:
    session, dealer = asked()
    assert session.pending is not None
    view = dealer.view(session.table, 0)
    hand = session.table.zones[2]
    fitting = [slot for slot in hand if view.face(slot).rank > 1]
    assert session.pending.decisions(view) == [PASS, *fitting, said(0), said(1)]


def test_a_call_wins_without_a_card() -> None:
    session, dealer = asked()
    assert session.pending is not None
    answer = dealer.answer(session.table, session.pending, {0: said(1), 1: PASS})
    assert answer == Won(0, 1, ())
    session.answer(answer)
    assert session.returns == (2, 0, 0)


def test_a_card_wins_and_lies_open() -> None:
    session, dealer = asked()
    assert session.pending is not None
    slot = session.pending.decisions(dealer.view(session.table, 0))[1]
    session.answer(dealer.answer(session.table, session.pending, {0: slot, 1: PASS}))
    assert session.returns == (1, 0, 0)
    assert session.table.faces[slot] is not None  # type: ignore[call-overload]


def test_who_looks_on_learns_what_was_decided() -> None:
    """From the answer alone, as a log tells it: a card, or which call."""
    session, dealer = asked()
    assert session.pending is not None
    slot = session.pending.decisions(dealer.view(session.table, 0))[1]
    for decision in (slot, said(0), said(1)):
        answer = dealer.answer(session.table, session.pending, {0: decision, 1: PASS})
        assert session.pending.decided(answer) == {0: decision}


def test_a_decision_belongs_to_the_play_or_to_the_calls() -> None:
    session, _ = asked()
    assert isinstance(session.pending, Race)
    either = session.pending.claims[0]
    assert isinstance(either, Either)
    assert [either.within(0, decision) for decision in (PASS, 0, 3, said(0), said(1))] == [
        *((either.play, decision) for decision in (PASS, 0, 3)),
        *((either.calls, index) for index in (0, 1)),
    ]


@pytest.mark.parametrize("answer", [Won(0, 2, ()), Won(0, -1, ())])
def test_a_call_that_is_not_there_is_refused(answer: Won) -> None:
    session, _ = asked()
    with pytest.raises(IllegalAnswer):
        session.answer(answer)


def test_the_kit_plays_it(tmp_path: Path) -> None:
    for seed in range(20):
        check_simulation(EITHER, 3, {}, seed)
        check_sync(EITHER, 3, {}, seed)
        path = tmp_path / f"{seed}.txt"
        write_golden(path, play_out(EITHER, 3, {}, seed))
        assert check_golden(path, lambda name: EITHER).over
