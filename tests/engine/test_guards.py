"""What sound rules and callers never do is refused all the same, and things say what they are."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import sensible
from engine.cards import Deck
from engine.dealer import TrustedDealer
from engine.games import NAMES, load
from engine.question import Choose
from engine.session import Session
from engine.sets import LaySet, Terms
from engine.table import Table
from engine.view import View
from tests.engine import tiny


def test_things_say_what_they_are() -> None:
    table = Table(2)
    zone = table.zone("hand", 0)
    zone.extend([3, 4])
    view = View(table, 1, tiny.FACES.__getitem__)
    assert [repr(one) for one in (tiny.FACES[0], tiny.DECK, zone, view, Terms("lead"))] == [
        "1R",
        "Deck('tiny/12', 12 cards)",
        "hand[3, 4]",
        "View(seat 1)",
        "lead",
    ]


@pytest.mark.parametrize("copies", [[1], [1, 1, 1]])
def test_a_deck_is_told_how_often_each_face_is_there(copies: list[int]) -> None:
    assert [*map(len, Deck("copies", tiny.FACES[:2], [2, 1]).numbers.values())] == [2, 1]
    with pytest.raises(ValueError, match="zip"):
        Deck("copies", tiny.FACES[:2], copies)


def test_a_card_that_lies_hidden_has_no_public_face() -> None:
    session = Session(tiny.GAME, 2, {})
    dealer = TrustedDealer(Random(1))
    while (asked := session.pending) is not None and asked.kind != "play":
        session.answer(dealer.answer(session.table, asked, dict.fromkeys(asked.deciders, 0)))
    hand = session.table.zones[1]
    with pytest.raises(KeyError, match=f"slot {hand[0]} is not public"):
        session.table.face(hand[0])


def test_decisions_are_counted_from_either_end() -> None:
    """As those of any sequence: an index beyond them is an IndexError."""
    table = Table(2)
    zone = table.zone("hand", 0)
    zone.extend(range(4))
    table.faces, table.locks = [None] * 4, [0] * 4
    view = View(table, 0, tiny.FACES.__getitem__)
    for down, may_pass in ((True, True), (False, True), (True, False), (False, False)):
        terms = Terms("anything", down=down, may_pass=may_pass)
        offers = LaySet(0, zone, range(1, 3), terms).decisions(view)
        found = list(offers)
        assert len(found) == len(offers) == may_pass + (4 + 6) * (1 + down)
        assert [offers[-place] for place in range(1, len(found) + 1)] == found[::-1]
        assert offers[1:-1] == found[1:-1]
        for beyond in (len(found), -len(found) - 1):
            with pytest.raises(IndexError):
                offers[beyond]


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_decides_also_what_it_was_not_written_for(name: str) -> None:
    """Rules may ask something new before the bot knows of it."""
    bot, rng = sensible(name), Random(1)
    session, dealer = Session(load(name), load(name).seats[0], {}), TrustedDealer(Random(0))
    while (pending := session.pending) is not None and not pending.deciders:
        session.answer(dealer.act(session.table, pending))
    asked = Choose(0, ("this", "that"), "what nobody has thought of")
    assert bot(dealer.view(session.table, 0), asked, rng) in (0, 1)
