"""The program of a whole game at a table: from the first question to the close step."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.session import Session
from engine.zone import Seat
from p2p import checks
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.dealer import answer
from p2p.protocol.leaving import Void, go_on, watched
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
        answered = yield from watched(cards.races, answer(cards, question), may_leave)
        if not isinstance(answered, Void):
            session.answer(answered)
        elif (yield from go_on(session, cards, answered, tuple(question.about()))):
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

    def parse(_: Seat, payload: Any) -> object:
        fields = wire.take(payload, {"steps": int, "head": bytes, "result": list})
        # Compared as bytes: True equals 1 in Python, but not under a signature.
        same = wire.pack({key: fields[key] for key in mine}) == wire.pack(mine)
        checks.require("close.result", same, "state-mismatch", "the seat signed another result")
        return fields

    yield Step(step_kinds.CLOSE, cards.keys.seats, parse, make=lambda _: mine)
