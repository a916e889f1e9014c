"""The peers' dealer: turns every question of the rules into steps.

The trusted dealer answers from a seeded deck; this one answers from entries and proofs.  Each
kind of question has a program whose steps end in the engine's answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine import acts
from engine import question as ask
from engine.errors import NO_DECK
from engine.question import Question
from engine.registry import Registry
from engine.sets import LaySet, LayTogether
from p2p.protocol.acts import (
    choosing,
    laying,
    laying_all,
    laying_sets,
    moving,
    racing,
    sharing,
    shuffling,
)
from p2p.protocol.cards import Cards
from p2p.protocol.step import Program


def answer(cards: Cards, question: Question[Any]) -> Program[Any]:
    """The program whose steps answer `question`; it returns the engine's answer."""
    cards.parts.idle = bool(question.deciders)
    return PROGRAMS.of(question)(cards, question)


def _fresh(cards: Cards, question: acts.Fresh) -> Program[None]:
    deck = cards.table.deck
    if deck is None:
        raise ValueError(NO_DECK)
    cards.slots.lay_fresh(deck)
    cards.parts.expect(len(deck), cards.keys.joint)
    return
    yield  # a program without steps


PROGRAMS: Final[Registry[Callable[[Cards, Any], Program[Any]]]] = Registry(
    "how peers answer it",
    {
        acts.Fresh: _fresh,
        acts.Shuffle: shuffling.shuffle,
        acts.Reshuffle: shuffling.reshuffle,
        acts.Cut: shuffling.cut,
        acts.Deal: sharing.deal,
        acts.Open: sharing.open_cards,
        acts.Flip: sharing.flip,
        acts.HandOver: moving.hand_over,
        acts.PutBack: moving.put_back,
        ask.Play: laying.play,
        acts.LayAll: laying_all.lay_all,
        ask.LayDown: laying.lay_down,
        LaySet: laying_sets.lay_set,
        LayTogether: laying_sets.lay_together,
        acts.Swear: laying.swear,
        ask.Choose: choosing.choose,
        ask.Race: racing.race,
        ask.Together: choosing.together,
    },
)
"""The act of the protocol that answers each kind; a new kind adds its own."""
