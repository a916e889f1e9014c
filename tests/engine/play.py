"""Shared by the tests of the engine: play a session to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from engine.dealer import TrustedDealer
from engine.question import Question
from engine.session import Session

Note = tuple[object, ...]


class Heard(list[Note]):
    """Notes that are told and not kept, as `p2p.player.news` does it."""

    def __init__(self, tell: Callable[[Note], object]) -> None:
        super().__init__()
        self._tell = tell

    def append(self, note: Note) -> None:
        """Tell the note."""
        self._tell(note)


def decided(session: Session, dealer: TrustedDealer, rng: Random) -> Mapping[int, object]:
    """A uniformly drawn decision of every seat that has to decide."""
    asked = session.pending
    assert asked is not None
    return {
        seat: rng.choice(asked.decisions(dealer.view(session.table, seat)))
        for seat in asked.deciders
    }


def step(session: Session, dealer: TrustedDealer, rng: Random) -> Question[Any]:
    """Answer one question, and return it."""
    asked = session.pending
    assert asked is not None
    decisions = decided(session, dealer, rng)
    session.answer(dealer.answer(session.table, asked, decisions))
    return asked


def finish(session: Session, dealer: TrustedDealer, rng: Random) -> Session:
    """Answer everything until the game is over."""
    while not session.over:
        step(session, dealer, rng)
    return session
