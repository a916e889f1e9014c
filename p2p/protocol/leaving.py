"""Seats that leave for good: their question is void, and the game goes on without them.

A seat leaves at a question that it has to decide, so no slot is half released then.  The others
answer as well before anything happens, and all that they said in secret is void.  Then each leaver,
in seat order, takes its key out of the cards, and the rules are told.  One after the other: what
the first puts back is still locked by the second, whose shares take that off again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.session import Session
from engine.zone import Seat
from p2p.protocol.acts.farewell import farewell
from p2p.protocol.cards import Cards
from p2p.protocol.races.book import Races
from p2p.protocol.step import LEAVE, Program, Shown, Step


class Void(NamedTuple):
    """A question that nobody answers, since these seats leave; `shown` cards lie open now."""

    leavers: tuple[Seat, ...]
    shown: Shown


def watched(races: Races, program: Program[Any], may_leave: bool) -> Program[Any | Void]:
    """The same program, ended as soon as somebody leaves; its steps are noted for races."""
    value = None
    while True:
        try:
            asked = program.send(value)
        except StopIteration as end:
            return end.value
        if not isinstance(asked, Step):
            value = yield asked
            continue
        races.note(asked.kind, asked.owed)
        asked.may_leave = may_leave and asked.question is not None
        value = yield asked
        leavers = tuple([seat for seat, entry in value.items() if entry is LEAVE])
        if leavers:
            program.close()
            stayed = {seat: entry for seat, entry in value.items() if seat not in leavers}
            return Void(leavers, asked.shown(stayed))


def leave(session: Session, cards: Cards, void: Void) -> Program[bool]:
    """All leavers of one step leave; whether this machine's own seat was one of them.

    If the game is over without the first, the others are still there to sign its result.
    """
    shown = void.shown
    for seat in void.leavers:
        if session.pending is None:
            return False
        yield from farewell(cards, seat)
        cards.lose(seat)
        session.lose(seat, shown)
        if seat == cards.keys.me:
            return True
        shown = ()
    return False
