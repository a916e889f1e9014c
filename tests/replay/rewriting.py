"""Those who stay at a table write its end anew, once somebody has left.

Flop-A, three seats: seat 2 signs its last entry in step 30, and leaves.  The others choose on,
until one has won and they close the table without seat 2.  As nobody can contradict them, one of
them may just as well choose something else in step 32: they sign that, and get another result.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.games import load
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import frame
from tests.protocol.kit import Hub, game_hub, identities, log_bytes
from tests.replay.logs import entries, with_records

GONE = 2
LAST = 30
"""The last step that the leaving seat signs."""
CHOSEN = 32
"""The step that is written anew."""
CHOOSER = 0
"""The seat that chooses there."""
RESULTS = [36, -19, -17], [-7, 24, -17]
SEED = 15


@cache
def played(*, anew: bool = False, stays: bool = False) -> Hub:
    """The game as it was; `anew`: another choice, and another end; `stays`: nobody leaves."""
    hub = game_hub(load("flop-a"), 3, SEED, verifying=0, hands=2)
    choose = hub.chooser

    def chooser(view: Any, question: Any) -> object:
        chosen = choose(view, question)
        if not anew or hub.seats[view.seat].machine.chain.step != CHOSEN:
            return chosen
        return next(other for other in question.decisions(view) if other != chosen)

    def bend(seat: int, record: bytes) -> list[bytes]:
        gone = seat == GONE and decode_entry(record).kind == "close"
        return [] if gone and not stays else [record]

    hub.chooser, hub.bend = chooser, bend
    hub.run()
    assert not hub.faults
    return hub


def closed(*, anew: bool = False) -> bytes:
    """The log that those who stayed have, with their ballots about the one who left."""
    machine = played(anew=anew).seats[0].machine
    ballots = [sign_ballot(identities(3)[seat], machine.chain, seat, GONE) for seat in (0, 1)]
    tail = [*machine.current(), *(ballot.record for ballot in ballots)]
    return log_bytes(played(anew=anew).seats[0]) + b"".join(frame(record) for record in tail)


def complete(*, anew: bool = False) -> bytes:
    """The log of the same game if nobody leaves."""
    return log_bytes(played(anew=anew, stays=True).seats[0])


def until(log: bytes, step: int) -> bytes:
    """The log of somebody who has only the steps before this one."""
    return with_records(log, [entry.record for entry in entries(log) if entry.step < step])


def own_log() -> bytes:
    """What the seat that left has on its disk: it saw that choice, and no close."""
    return until(complete(), CHOSEN + 1)
