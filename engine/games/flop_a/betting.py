"""A round of betting, one act a turn (rules section 3)."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from engine.errors import EngineError
from engine.games.flop_a.pots import last_one_in
from engine.games.flop_a.table import FLIPS, FlopTable, Stage
from engine.zone import Seat

FOLD: Final = 0
"""Folding is always the first choice, and checking or calling the second."""
CHECK: Final = 1


class Act(NamedTuple):
    """What a player may do; `chips` are those of the call or bet, or of the raise."""

    verb: str
    chips: int


@cache
def offers(owed: int, most: int) -> tuple[tuple[Act, ...], str]:
    """What a player may do who has `owed` chips to call and may bet or raise by `most`.

    >>> acts, sentence = offers(3, 2)
    >>> [act.verb for act in acts], acts[1].chips, sentence
    (['fold', 'call', 'raise', 'raise'], 3, 'fold, call 3, or raise by 1 to 2 chips')
    """
    stay, more = (Act("call", owed), "raise") if owed else (Act("check", 0), "bet")
    acts = (Act("fold", 0), stay, *(Act(more, chips) for chips in range(1, most + 1)))
    said = f"call {owed}" if owed else "check"
    amount = "1 chip" if most == 1 else f"1 to {most} chips"
    by = "raise by" if owed else "bet"
    no_raise = " (no further raise)" if owed else ""
    return acts, f"fold, {said}, or {by} {amount}" if most else f"fold or {said}{no_raise}"


def start_round(t: FlopTable, first: Seat) -> None:
    """Start a round with even bets; `first` begins, or the next player who can bet (D3)."""
    t.bets = [0] * t.seats
    t.highest = t.raises = 0
    able = t.still_in if not t.stack else [t.can_bet(seat) for seat in range(t.seats)]
    t.waiting = sum(able)
    if t.waiting < 2:
        end_round(t)
        return
    t.stage = Stage.BETTING
    t.turn_of = first if able[first] else next_to_bet(t, first)
    if t.notes is not None:
        t.note("betting", t.flips + 1, t.turn_of)


def next_to_bet(t: FlopTable, seat: Seat) -> Seat:
    """The next seat clockwise that is in and has chips.  EngineError if there is none."""
    seats, still_in = t.seats, t.still_in
    for step in range(1, seats + 1):
        other = (seat + step) % seats
        if still_in[other] and (not t.stack or t.chips(other) > 0):
            return other
    raise EngineError("nobody who is in has chips to bet")


def choices(t: FlopTable, seat: Seat) -> tuple[tuple[Act, ...], str]:
    """What the seat may do now, with a sentence that says so.

    Under table stakes nobody raises whom no other player could call.
    """
    owed = t.highest - t.bets[seat]
    most = 0 if owed and t.raises == t.raises_allowed else t.largest
    if t.stack:
        chips, others = t.chips(seat), any(t.can_bet(one) for one in range(t.seats) if one != seat)
        return offers(min(owed, chips), max(0, min(most, chips - owed)) if others else 0)
    return offers(owed, most)


async def act(t: FlopTable) -> None:
    """One player checks, bets, calls, raises or folds."""
    seat = t.turn_of
    acts, sentence = choices(t, seat)
    verb, chips = acts[await t.choose(seat, acts, sentence)]
    if t.notes is not None:
        t.note("act", seat, verb, chips)
    if verb == "fold":
        t.still_in[seat] = False
        t.waiting -= 1
    elif verb in ("bet", "raise"):
        _raise(t, seat, t.highest - t.bets[seat] + chips)
        t.raises += verb == "raise"
    else:
        put_in(t, seat, chips)
        t.waiting -= 1
    _go_on(t, seat)


def fold(t: FlopTable, seat: Seat) -> None:
    """A player who is lost folds, whoever's turn it is and whatever comes now."""
    betting = t.stage is Stage.BETTING
    due = _to_act(t) if betting else []
    t.still_in[seat] = False
    if betting:
        t.waiting -= seat in due
        _go_on(t, t.turn_of - 1)  # if he is still in, he is the next
    elif sum(t.still_in) == 1:
        last_one_in(t, t.still_in.index(True))
        t.stage = Stage.DEAL


def _to_act(t: FlopTable) -> list[Seat]:
    """The players who still have to act in this round of betting."""
    seats = [t.turn_of]
    while len(seats) < t.waiting:
        seats.append(next_to_bet(t, seats[-1]))
    return seats


def _raise(t: FlopTable, seat: Seat, chips: int) -> None:
    """Set a new bet to be equalled: everybody else who can has to act again."""
    put_in(t, seat, chips)
    t.highest = t.bets[seat]
    others = t.still_in if not t.stack else [t.can_bet(one) for one in range(t.seats)]
    t.waiting = sum(others) - others[seat]


def put_in(t: FlopTable, seat: Seat, chips: int) -> None:
    """Put chips into the pot."""
    t.tally[seat] -= chips
    t.paid[seat] += chips
    t.bets[seat] += chips
    t.pot += chips


def _go_on(t: FlopTable, seat: Seat) -> None:
    """Give the last one in the pot; otherwise go on until all bets are even."""
    if sum(t.still_in) == 1:
        last_one_in(t, t.still_in.index(True))
        t.stage = Stage.DEAL
    elif t.waiting == 0 or (t.stack and _nobody_to_bet_with(t)):
        end_round(t)
    else:
        t.turn_of = next_to_bet(t, seat)


def _nobody_to_bet_with(t: FlopTable) -> bool:
    """Whether only one player has chips, and owes none: the others are all in."""
    able = [seat for seat in range(t.seats) if t.can_bet(seat)]
    return len(able) == 1 and t.bets[able[0]] == t.highest


def end_round(t: FlopTable) -> None:
    """On to the next flip, or to the declaration after the last one."""
    if t.stack:
        _give_back(t)
    t.stage = Stage.DECLARATION if t.flips == FLIPS else Stage.FLIP


def _give_back(t: FlopTable) -> None:
    """Give back what nobody could call (table stakes): it is part of no pot."""
    second, highest = sorted(t.bets)[-2:]
    if highest > second:
        seat = t.bets.index(highest)
        put_in(t, seat, second - highest)
        t.note("uncalled", seat, highest - second)
