"""The oaths that a card or a question still owes, after the earlier ones."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from engine.cards import Card
from engine.question import Otherwise, Play
from tests.protocol.cheats import signed
from tests.protocol.kit import Hub, game_hub
from tests.protocol.scenes import Turn, one_turn
from tests.protocol.verbs import DECK, VerbsTable, anything
from tests.vectors.scenes import SCENES, known_scenes

SWORN = 1
"""The seat that swears."""


def wanted(card: Card) -> bool:
    return card is DECK.cards[0]


async def _deal(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)


async def about_open_cards(t: VerbsTable) -> None:
    """The cards that are asked for lie open."""
    await _deal(t)
    opened = await t.open(t.stock[:2])
    await t.swear(SWORN, t.hands[SWORN], lambda card: card in opened)


async def about_the_card_that_stays(t: VerbsTable) -> None:
    await _deal(t)
    await t.swear(SWORN, t.hands[SWORN][:1], wanted)
    await t.play(SWORN, t.hands[SWORN], wanted, t.pile, Otherwise.ANY_SWORN, "lay it")


async def about_an_open_card_of_its_own(t: VerbsTable) -> None:
    """One of its two cards is asked for, and lies open."""
    await _deal(t)
    await t.open(t.hands[SWORN][:1])
    await t.swear(SWORN, t.hands[SWORN], anything)


def played(turn: Turn) -> Hub:
    """A finished table of two at which this happened; players play their last card."""
    game = one_turn(f"owed {turn.__name__}", turn)
    with patch.dict(SCENES, {game.name: game}), known_scenes():
        hub = game_hub(game, 2)

    def chooser(view: Any, question: Any) -> object:
        return question.zone[-1] if isinstance(question, Play) else 0

    hub.chooser = chooser
    hub.run()
    assert not hub.faults
    return hub


def test_nobody_swears_about_faces_that_lie_open() -> None:
    assert [one for one in signed(played(about_open_cards), 0) if one.kind == "swear"] == []


def test_card_that_stays_under_oath_owes_none() -> None:
    """The other card, which was not sworn about, is the one that is played."""
    entries = signed(played(about_the_card_that_stays), 0)
    assert [one.kind for one in entries].count("swear") == 1
    assert [one.payload["oath"] for one in entries if one.kind == "play"] == [None]


def test_rules_ask_for_no_oath_that_is_visibly_false() -> None:
    with pytest.raises(ValueError, match="everybody can see is false"):
        played(about_an_open_card_of_its_own)
