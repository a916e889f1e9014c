"""A bot: it lays what it can, and names the suit of which it holds most."""

from __future__ import annotations

from random import Random
from typing import Any

from crazy_eights.cards import EIGHT, SUITS
from engine.question import Choose, Question
from engine.view import View


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    table: Any = view.table
    suits = [card.suit for card in view.cards(table.hands[view.seat]) if card.rank != EIGHT]
    if isinstance(question, Choose):
        return max(range(len(SUITS)), key=suits.count)
    return question.decisions(view)[0]  # passing comes last
