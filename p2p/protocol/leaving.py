"""Seats that leave for good, or are lost, and how the game continues without them.

*A seat leaves* at a question that it has to decide, so no slot is half released then.  The others
answer as well before anything happens.  In a race a seat that leaves has passed, and the race is
decided; any other question is void, with all that was said in secret.  Then the leavers, in seat
order, take their keys out of the cards, and the rules are told.  They do so one after the
other: what the first puts back is still locked by the second, whose shares take that lock off.

*A seat is lost* when the others vote it out, at any step that does not come to its end
(`absence`).  The question is void, unless all its decisions have been made and a coin or witnesses
settle it: that is done first, so nobody decides anything while some seats know what a coin will
be.  The others take the lost key out of the cards.  A seat can also be lost in any of these steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.session import Session
from engine.zone import Seat, Slot
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.vote import PRESENT, Absent
from p2p.protocol.acts.farewell import farewell
from p2p.protocol.acts.loss import Loss
from p2p.protocol.cards import Cards
from p2p.protocol.step import LEAVE, Parsed, Program, SeatLeftError, SeatLostError, Step, Work

Advance = Callable[[], Step | Work]


@dataclass(slots=True)
class Watched:
    """The end of a program: its `result`, or `is_void`; and the seats that leave or are lost."""

    result: Any = None
    is_void: bool = False
    leavers: tuple[Seat, ...] = ()
    lost: Absent = PRESENT

    def depart(self, leavers: tuple[Seat, ...], lost: Absent) -> None:
        """Note seats that leave, and seats that are lost; some may first leave and then be lost."""
        self.lost |= lost
        self.leavers = tuple([one for one in (*self.leavers, *leavers) if one not in self.lost])


def watched(cards: Cards, program: Program[Any], may_leave: bool = False) -> Program[Watched]:
    """Run a program, and tell it of seats that leave or are lost in it.

    Its steps are noted for races.
    """
    ended = Watched()
    advance: Advance = partial(next, program)
    while True:
        try:
            asked = advance()
        except StopIteration as end:
            ended.result = end.value
            return ended
        except (SeatLeftError, SeatLostError):
            ended.is_void = True
            return ended
        if isinstance(asked, Step):
            cards.races.note(asked.kind, asked.owed)
            asked.may_leave = may_leave and asked.question is not None
        advance = _take(cards, program, (yield asked), ended)


def _take(cards: Cards, program: Program[Any], value: Any, ended: Watched) -> Advance:
    """Note who leaves or is lost in a step, and return how its program continues."""
    if isinstance(value, Decision):
        cards.miss(value.absent)
        ended.depart((), value.absent)
        return partial(program.throw, SeatLostError())
    leavers, stayed = _leavers(value)
    if not leavers:
        return partial(program.send, value)
    ended.depart(leavers, PRESENT)
    return partial(program.throw, SeatLeftError(stayed))


def _leavers(value: Any) -> tuple[tuple[Seat, ...], Parsed]:
    """The seats that leave in a step, and the entries of the others; no seats for other values."""
    entries = value if isinstance(value, dict) else {}
    leavers = tuple([seat for seat, entry in entries.items() if entry is LEAVE])
    return leavers, {seat: entry for seat, entry in entries.items() if seat not in leavers}


def go_on(session: Session, cards: Cards, ended: Watched, named: tuple[Slot, ...]) -> Program[bool]:
    """Take out all seats that leave or are lost in one step; return whether our own has left.

    Shares of the slots `named` may have been on the way.  If the game is over before a leaver has
    left, the leaver is still there to sign its result; a seat that is lost has resigned anyway.
    """
    leavers, loss = list(ended.leavers), Loss(cards)
    if ended.lost:
        loss.add(ended.lost, named)
    while session.pending is not None and (leavers or loss.lost):
        seat = None if loss.lost else leavers[0]
        act = loss.take_out() if seat is None else farewell(cards, seat)
        parting = yield from watched(cards, act)
        if parting.is_void:
            loss.add(parting.lost, ())
            leavers = [one for one in leavers if one not in parting.lost]
            continue
        gone = loss.lost if seat is None else [leavers.pop(0)]
        loss = Loss(cards)
        for one in gone:
            cards.lose(one)
        for one in gone:
            session.lose(one, gone=seat is None)
        if seat is not None and seat == cards.keys.me:
            return True
    for one in loss.lost:
        session.lose(one, gone=True)
    return False
