"""What the rules note is kept, or told to whoever listens at a table: by compiled rules too."""

from __future__ import annotations

from random import Random

import pytest

from engine.dealer import TrustedDealer
from engine.games import NAMES, load
from engine.session import Session
from tests.engine.play import Heard, step


def started(name: str) -> tuple[Session, TrustedDealer, Random]:
    game = load(name)
    rng = Random(7)
    return Session(game, game.seats[0], {}, notes=True), TrustedDealer(rng), rng


def play(session: Session, dealer: TrustedDealer, rng: Random) -> None:
    for _ in range(60):
        if not session.over:
            step(session, dealer, rng)


@pytest.mark.parametrize("name", NAMES)
def test_who_listens_hears_all_that_others_keep(name: str) -> None:
    """Compiled rules appended to what is declared as a list without asking its class: a table with
    them told nobody what happened."""
    session, dealer, rng = started(name)
    told = [*session.take_notes()]
    session.table.notes = notes = Heard(told.append)
    play(session, dealer, rng)
    session, dealer, rng = started(name)
    play(session, dealer, rng)
    kept = list(session.take_notes())
    assert kept
    assert told == kept
    assert not notes
