"""What the program of a player decides when his time is over (rules, "time-outs").

To pick up, to knock and to take the card are passes, which need no word here.  Nothing is said of
cards in hands either: those only their player can choose, so his bot does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.games.flaps.calls import ONE_LEFT
from engine.games.flaps.laying import CALL, CALL_COLOUR
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE
from engine.games.flaps.level4 import GUESS
from engine.games.flaps.level5 import WHOSE
from engine.games.flaps.level6 import LOOK, LOOK_HAND, OVER, PLACE, SWAP, UP
from engine.games.flaps.level7 import POINT, TAKE, WHO
from engine.games.flaps.table import FlapsTable
from engine.question import Question
from engine.zone import Seat

MIDDLE: Final = 7
"""What a card adds to the sum of SPOOF, on average."""


def timed_out(t: FlapsTable, seat: Seat, question: Question[Any]) -> object:
    """The number of the option that is taken; None where the rules say nothing."""
    choose = _CHOICES.get(question.topic)
    return None if choose is None else choose(t, seat, question.options_of(seat))


def _first(t: FlapsTable, seat: Seat, options: Sequence[Any]) -> int:
    """To say what has to be said; nothing of what may be done; the first of cards unseen by him."""
    return 0


def _own_suit(t: FlapsTable, seat: Seat, suits: Sequence[Any]) -> int:
    """The suit of the card that was laid; clubs for one that has none."""
    suit = t.face(t.discard[-1]).suit
    return suits.index(suit) if suit in suits else 0


def _next_player(t: FlapsTable, seat: Seat, players: Sequence[Any]) -> int:
    """The next one in the direction of play of those who may be named.

    ValueError if nobody may be, or somebody who has left: the rules never ask that.
    """
    *others, himself = t.clockwise(seat)
    order = [*others[:: t.direction], himself]
    return players.index(min(players, key=order.index))


def _likely_sum(t: FlapsTable, seat: Seat, sums: Sequence[Any]) -> int:
    """The free number nearest to what this number of cards adds up to."""
    return nearest(sums, MIDDLE * sum(map(len, t.aside)))


def nearest(sums: Sequence[int], likely: int) -> int:
    """The place of the sum, of ascending ones, that is nearest to what is likely; the lower of two.

    There are hundreds, so it stops where they become too high.
    """
    best, least = 0, abs(sums[0] - likely)
    for place, one in enumerate(sums):
        if abs(one - likely) < least:
            best, least = place, abs(one - likely)
        elif one > likely:
            break
    return best


_CHOICES: Final[dict[str, Callable[[FlapsTable, Seat, Sequence[Any]], int]]] = {
    **dict.fromkeys((CALL, CALL_COLOUR, DECLARE), _own_suit),
    **dict.fromkeys((TARGET, WHOSE, PLACE, WHO), _next_player),
    **dict.fromkeys((LOOK, LOOK_HAND, SWAP, UP), _first),
    **dict.fromkeys((ONE_LEFT, OVER, POINT, TAKE), _first),
    GUESS: _likely_sum,
}
