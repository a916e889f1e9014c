"""What the rule book says about a lost player, sentence by sentence."""

from __future__ import annotations

import pytest

from engine.games.flip_over.rules import GAME
from engine.games.flip_over.table import FlipTable
from engine.session import Session
from tests.engine.flip_over.scene import Scene, play_until, playing


@pytest.mark.parametrize("seat", range(3))
def test_the_round_is_void_and_unscored(seat: int) -> None:
    """Seat 2 has taken two discs, and nobody scores for them."""
    scene = Scene(["7H 6H", "8H 5H", "2H 1H"], disc=3).lay("7H")
    scene.table.notes = []
    scene.session.lose(seat)
    assert scene.session.over
    assert scene.session.returns == (0, 0, 0)
    assert scene.table.notes == [("leaves", seat), ("void", 1), ("unscored",)]


def test_the_table_ends_on_the_totals_of_the_finished_rounds() -> None:
    session, table, dealer, rng = playing(4, seed=3, rounds=4)
    play_until(session, dealer, rng, round_=3, disc=7)
    first, second = table.scores
    table.notes = []
    session.lose(1)
    assert session.over
    assert session.returns == tuple(a + b for a, b in zip(first, second, strict=True))
    assert table.notes[1:] == [("void", 3), ("over", session.returns)]


def test_between_two_rounds_no_round_is_void() -> None:
    """Partners exchange cards before the second round; the leaver's partner keeps their sum."""
    session, table, dealer, rng = playing(4, seed=3, teams=True)
    play_until(session, dealer, rng, round_=1, disc=10)
    while session.pending is not None and session.pending.kind != "together":
        session.answer(dealer.answer(table, session.pending, {
            seat: session.pending.decisions(dealer.view(table, seat))[0]
            for seat in session.pending.deciders
        }))  # fmt: skip
    table.notes = []
    session.lose(2)
    (scored,) = table.scores
    assert session.returns == tuple(scored[seat] + scored[(seat + 2) % 4] for seat in range(4))
    assert [note[0] for note in table.notes] == ["leaves", "over"]


def test_before_the_first_deal_there_is_nothing_to_score() -> None:
    session = Session(GAME, 5, {})
    session.lose(4)
    assert session.over
    assert isinstance(session.table, FlipTable)
    assert session.returns == (0,) * 5
