"""Every question of a game is told to everybody, what the cards are asked too."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import sensible
from engine.dealer import TrustedDealer
from engine.games import NAMES, load, load_text
from engine.session import Session
from engine.view import SPECTATOR

SEATS = 3
NAMED = ("Ana", "Bo", "Cy")
MOST = 120


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_sentence_for_every_question(name: str) -> None:
    session, dealer, bot = Session(load(name), SEATS, {}), TrustedDealer(Random(6)), sensible(name)
    text, rng = load_text(name), Random(7)
    assert text is not None
    views = [dealer.view(session.table, seat) for seat in range(SEATS)]
    watcher = dealer.view(session.table, SPECTATOR)
    while (asked := session.pending) is not None and len(session.journal) < MOST:
        for view in (*views, watcher):
            told = text.describe_question(view, asked, NAMED)
            assert told.strip(), asked
            assert "None" not in told, asked
        decisions = {seat: bot(views[seat], asked, rng) for seat in asked.deciders}
        session.answer(dealer.answer(session.table, asked, decisions))
