"""Seats that leave for good, or are lost: a question is void, and the game goes on without them.

*A seat leaves* at a question that it has to decide, so no slot is half released then.  The others
answer as well before anything happens, and all that they said in secret is void.  Then the leavers,
in seat order, take their keys out of the cards, and the rules are told.  They do so one after the
other: what the first puts back is still locked by the second, whose shares take that lock off.

*A seat is lost* when the others vote it out, at any step that does not come to its end (`absence`).
The others take its key out of the cards.  Both can happen at once, and a seat can also be lost in
any of these steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.session import Session
from engine.zone import Seat, Slot
from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.vote import PRESENT, Absent
from p2p.protocol.acts.farewell import farewell
from p2p.protocol.acts.loss import Loss
from p2p.protocol.cards import Cards
from p2p.protocol.races.book import Races
from p2p.protocol.step import LEAVE, Program, Shown, Step


class Void(NamedTuple):
    """A question that nobody answers, since some seats leave or are lost.

    `shown` cards lie open now.
    """

    leavers: tuple[Seat, ...] = ()
    shown: Shown = ()
    lost: Absent = PRESENT


def watched(races: Races, program: Program[Any], may_leave: bool = False) -> Program[Any | Void]:
    """The same program, ended as soon as somebody leaves or is lost.

    Its steps are noted for races.
    """
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
        if isinstance(value, Decision):
            return Void(lost=value.absent)  # cards that were shown in it, not all may have seen
        leavers = tuple([seat for seat, entry in value.items() if entry is LEAVE])
        if leavers:
            stayed = {seat: entry for seat, entry in value.items() if seat not in leavers}
            return Void(leavers, asked.shown(stayed))


def go_on(session: Session, cards: Cards, void: Void, named: tuple[Slot, ...]) -> Program[bool]:
    """Take out all seats that leave or are lost in one step; return whether our own has left.

    Shares of the slots `named` may have been on the way.  If the first one's leaving ends the game,
    the other leavers are still there to sign its result.
    """
    leavers, shown, loss = list(void.leavers), void.shown, Loss(cards)
    if void.lost:
        loss.add(void.lost, named)
    while session.pending is not None and (leavers or loss.lost):
        seat = None if loss.lost else leavers[0]
        act = loss.take_out() if seat is None else farewell(cards, seat)
        ended = yield from watched(cards.races, act)
        if isinstance(ended, Void):
            loss.add(ended.lost, ())
            leavers = [one for one in leavers if one not in ended.lost]
            continue
        gone = loss.lost if seat is None else [leavers.pop(0)]
        for one in gone:
            cards.lose(one)
        loss = Loss(cards)
        for one in gone:
            if session.pending is not None:
                session.lose(one, shown, gone=seat is None)
                shown = ()
        if seat is not None and seat == cards.keys.me:
            return True
    return False
