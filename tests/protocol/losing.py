"""Tables that lose seats at a chosen moment, and go on without them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots import sensible
from engine.game import Game, Value
from engine.games import load
from p2p.protocol.entry import decode_entry
from p2p.protocol.policy import carry_on
from p2p.protocol.step import LEAVE
from tests.protocol.kit import Hub, game_hub, log_bytes

Chooses = Callable[[Any, Any, Random], object]
ROUNDS: Final = 20
"""So often the persons say that somebody is gone, at most."""


class Gone(NamedTuple):
    """A seat that vanishes when it would sign its entry of a step, after so many of that kind; or
    that leaves for good when it is to decide in such a step.
    """

    seat: int
    kind: str
    after: int = 0


class Losing(NamedTuple):
    """A game, how many play it, how many have to go on, and who vanishes when.

    `leaves` says who leaves for good, and when.
    """

    game: str
    seats: int
    least: int
    options: dict[str, Value]
    gone: tuple[Gone, ...]
    leaves: Gone | None = None


_HAND: Final[dict[str, Value]] = {"hands": 1}
LOSING: Final[dict[str, Losing]] = {
    "one": Losing("flip-over", 4, 3, {"rounds": 1}, (Gone(1, "play"),)),
    "mend": Losing("flop-a", 4, 3, _HAND, (Gone(3, "open"),)),
    "two": Losing("flop-a", 5, 3, _HAND, (Gone(1, "open"), Gone(3, "open"))),
    "relock": Losing("flop-a", 5, 3, _HAND, (Gone(3, "open"), Gone(1, "relock"))),
    "leaver": Losing("flop-a", 4, 3, _HAND, (Gone(1, "commit"),), Gone(2, "commit")),
    "farewell": Losing("flop-a", 4, 3, _HAND, (Gone(2, "farewell"),), Gone(2, "choose")),
    "coin": Losing("flaps", 4, 3, {"level": 1, "turn-limit": 8}, (Gone(2, "coin"),)),
}
"""By what is special: in "two" both vanish at once, in "relock" the second while the first one's
key is taken out; in "leaver" a seat leaves in the step from which another is gone, in "farewell" it
is gone before its farewell; in "coin" the others end a coin that was begun."""


def lose(hub: Hub, *gone: Gone) -> Hub:
    """Let these seats vanish; `go_on` plays."""
    left, bend = {one: one.after for one in gone}, hub.bend

    def vanish(seat: int, record: bytes) -> list[bytes]:
        kind = decode_entry(record).kind
        for one in gone:
            if (one.seat, one.kind) == (seat, kind):
                left[one] -= 1
                if left[one] < 0:
                    hub.kill(seat)
                    return []
        return bend(seat, record)

    hub.bend = vanish
    return hub


def go_on(hub: Hub) -> Hub:
    """Play to the end; whoever is there says so whenever nothing happens and somebody is gone."""
    hub.run(10**6)
    for _ in range(ROUNDS):
        alive = [seat for seat in hub.seats if seat.seat not in hub.dead]
        if hub.faults or all(seat.machine.ended for seat in alive):
            return hub
        gone = hub.dead & set(alive[0].cards.keys.seats)
        assert gone, "the table stands still, and nobody is gone"
        hub.go_on_without(*gone)
        hub.run_on(10**6)
    raise AssertionError("the table stands still, whatever is said")


def sit_down(plan: Losing, seed: int = 1) -> Hub:
    """The table of a plan, before its first step."""
    game = load(plan.game)
    return at_table(game, plan, _calling if game.name == "flop-a" else sensible(game.name), seed)


def at_table(game: Game, plan: Losing, choose: Chooses | None = None, seed: int = 1) -> Hub:
    """The same with a game that is perhaps not registered, and with those who choose so."""
    hub = game_hub(game, plan.seats, seed, policy=carry_on(plan.least), **plan.options)

    stays, asked = plan.leaves and plan.leaves.after, plan.leaves and plan.leaves[:2]

    def decide(view: Any, question: Any) -> object:
        nonlocal stays
        step = hub.seats[view.seat].machine.step
        if step is not None and step.may_leave and (view.seat, step.kind) == asked:
            if not stays:
                return LEAVE
            stays -= 1
        if choose is None:
            return hub.choose_at_random(view, question)
        return choose(view, question, hub.rng)

    hub.chooser = decide
    return lose(hub, *plan.gone)


def _calling(view: Any, question: Any, rng: Random) -> object:
    """Nobody folds, so that cards are turned up."""
    return 1


@cache
def lost(name: str) -> Hub:
    """The table of this plan, played to its end by those who are left."""
    hub = go_on(sit_down(LOSING[name]))
    assert not hub.faults
    return hub


@cache
def lost_log(name: str) -> bytes:
    """The log of those who are left: they have one."""
    hub = lost(name)
    out = hub.seats[0].session.table.lost
    logs = {log_bytes(seat) for seat in hub.seats if seat.seat not in out}
    assert len(logs) == 1, "the logs of the seats differ"
    return logs.pop()
