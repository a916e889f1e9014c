"""The peers' dealer: turns every question of the rules into steps, from the first to the close.

The trusted dealer answers from a seeded deck; this one answers from entries and proofs.  Each
kind of question has a program whose steps end in the engine's answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine import acts
from engine import question as ask
from engine.errors import NO_DECK
from engine.question import Question
from engine.registry import Registry
from engine.session import Session
from engine.sets import LaySet, LayTogether
from engine.zone import Seat
from p2p import checks
from p2p.protocol import step_kinds, wire
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
from p2p.protocol.leaving import go_on, watched
from p2p.protocol.step import Program, Step


class MatchResult(NamedTuple):
    """What a finished game came to; `steps` counts those before the close step."""

    returns: tuple[int, ...]
    steps: int


def play_match(session: Session, cards: Cards) -> Program[MatchResult | None]:
    """Answer the rules' questions with steps until the game is over, then close the table.

    None if this machine's own seat has left before.
    """
    may_leave = session.game.lose is not None
    while (question := session.pending) is not None:
        ended = yield from watched(cards, answer(cards, question), may_leave)
        named = tuple(question.about()) if ended.is_void else ()
        if not ended.is_void:
            session.answer(ended.result)
        if (yield from go_on(session, cards, ended, named)):
            return None
    outcome = MatchResult(session.returns, cards.chain.step)
    yield from _close(cards, outcome)
    return outcome


def _close(cards: Cards, outcome: MatchResult) -> Program[None]:
    """All seats sign how many steps there were, the head hash, and the result."""
    mine = {
        "steps": outcome.steps,
        "head": cards.chain.head,
        "result": list(outcome.returns),
    }

    def parse(_: Seat, payload: Any) -> None:
        fields = wire.take(payload, {"steps": int, "head": bytes, "result": list})
        # Compared as bytes: True equals 1 in Python, but not under a signature.
        same = wire.pack({key: fields[key] for key in mine}) == wire.pack(mine)
        checks.require("close.result", same, "state-mismatch", "the seat signed another result")

    yield Step(step_kinds.CLOSE, cards.keys.seats, parse, make=lambda _: mine)


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
