"""What the dealer's verbs refuse: rules that would show a card, or hold none, say so at once."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.dealer import TrustedDealer
from engine.errors import EngineError
from engine.session import Session
from tests.engine import tiny
from tests.engine.play import finish
from tests.engine.tiny import DECK, TinyTable

Verb = Callable[[TinyTable], Coroutine[Any, Any, object]]


async def _show_an_open_card(t: TinyTable) -> None:
    await t.open([t.stock[0]])
    await t.show(t.stock[0], to=0)


async def _move_what_lies_nowhere(t: TinyTable) -> None:
    slot = t.stock.pop()
    t.move([slot], t.laid)


REFUSED: dict[str, Verb] = {
    "shuffle a seat's own slots": lambda t: t.shuffle(t.hands[0]),
    "reshuffle others' slots": lambda t: t.reshuffle(t.hands[0], by=1),
    "deal more cards than there are": lambda t: t.deal(t.stock, t.hands, len(t.stock)),
    "draw from nothing": lambda t: t.draw(t.laid, t.hands[0]),
    "move a slot that lies nowhere": _move_what_lies_nowhere,
    "show a slot that everybody knows": _show_an_open_card,
    "hand over a card that nobody holds": lambda t: t.hand_over([(t.stock[0], t.hands[0])]),
    "cut more cards than there are": lambda t: t.cut(t.stock, len(t.stock) + 1),
    "cut a seat's own slots": lambda t: t.cut(t.hands[0], 1),
    "pick a card from an empty hand, or twice from one": lambda t: t.pick_blind([t.hands[0]] * 2),
}
ALLOWED: dict[str, Verb] = {
    "reshuffle": lambda t: t.reshuffle(t.hands[0], by=0),
    "deal all": lambda t: t.deal(t.stock, t.hands, len(t.stock) // 2),
    "cut all": lambda t: t.cut(t.stock, len(t.stock)),
}


def play(verb: Verb) -> Session:
    """A turn in which two seats hold three cards each, and then this."""

    async def turn(t: TinyTable) -> None:
        await t.fresh(DECK, t.stock)
        await t.shuffle(t.stock)
        await t.deal(t.stock, t.hands, 3)
        await verb(t)
        t.over = True

    session = Session(replace(tiny.GAME, turn=turn), 2, {}, check=True)
    return finish(session, TrustedDealer(Random(1)), Random(1))


@pytest.mark.parametrize("what", REFUSED)
def test_a_mistake_of_the_rules_is_named(what: str) -> None:
    with pytest.raises(EngineError, match=f"the rules tried to {what}"):
        play(REFUSED[what])


@pytest.mark.parametrize("what", ["cut none", "pick from nothing"])
def test_none_is_refused_as_too_many_are(what: str) -> None:
    verb: dict[str, Verb] = {
        "cut none": lambda t: t.cut(t.stock, 0),
        "pick from nothing": lambda t: t.pick_blind([t.laid]),
    }
    with pytest.raises(
        EngineError, match=r"the rules tried to (cut more|pick a card from an empty)"
    ):
        play(verb[what])


@pytest.mark.parametrize("what", ALLOWED)
def test_what_is_just_possible_is_not_refused(what: str) -> None:
    assert play(ALLOWED[what]).over


def test_zone_is_put_back_whole() -> None:
    """The zone itself is passed, and loses its slots meanwhile."""
    table = play(lambda t: t.put_back(t.hands[0], t.stock)).table
    assert isinstance(table, TinyTable)
    assert not table.hands[0]
    assert len(table.stock) == len(DECK) - 3
