"""The secret declaration and what follows from it (rules section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from engine.games.flop_a.cards import high_value, low_value
from engine.games.flop_a.pots import Pot, last_one_in, pots, share
from engine.games.flop_a.table import FlopTable, Stage
from engine.zone import Seat

DECLARATIONS: Final = ("high", "low", "swing")
"""By the number of chips in the closed hand: 1, 2, 3 (D9)."""
TOPIC: Final = "1 chip for high, 2 for low, 3 for swing"


class Hand(NamedTuple):
    """What a player has declared, and the value of the cards he still holds."""

    declared: str
    high: int
    low: int


async def declaration(t: FlopTable) -> None:
    """All declare in secret; the choices are opened together, then the hands.

    A player who forfeits by not opening his choice has folded: he shows and wins nothing.
    """
    players = tuple(t.players())
    chosen = await t.together(players, (DECLARATIONS,) * len(players), TOPIC)
    declared = {
        seat: DECLARATIONS[choice]
        for seat, choice in zip(players, chosen, strict=True)
        if choice is not None
    }
    parts = pots(t)
    for seat in players:
        t.still_in[seat] = seat in declared
        t.note("declares", seat, declared.get(seat, ""))
    if len(declared) > 1:
        await showdown(t, declared)
    elif declared:
        last_one_in(t, next(iter(declared)))
    else:
        keep_over(t, parts)
    t.stage = Stage.DEAL


async def showdown(t: FlopTable, declared: Mapping[Seat, str]) -> None:
    """Open the hands, and give each pot to the best of those with a part in it."""
    await t.open([slot for seat in declared for slot in t.hands[seat]])
    hands = {}
    for seat, word in declared.items():
        cards = [t.face(slot) for slot in t.hands[seat]]
        hands[seat] = Hand(word, high_value(cards), low_value(cards))
        t.note("shows", seat, tuple(cards), word, hands[seat].high, hands[seat].low)
    kept = []
    for pot in pots(t):
        parts = divide(pot.chips, {seat: hands[seat] for seat in pot.seats})
        for chips, winners in parts:
            best = hands[winners[0]]
            value = best.low if best.declared == "low" else best.high
            share(t, chips, winners, best.declared, value)
        if not parts:
            kept.append(pot)
    keep_over(t, kept)


def divide(chips: int, hands: Mapping[Seat, Hand]) -> list[tuple[int, list[Seat]]]:
    """Which seats share how many chips; nothing if everybody swung and failed.

    >>> divide(25, {0: Hand("high", 10, 10), 1: Hand("low", 13, 3)})
    [(13, [0]), (12, [1])]
    """
    highs = [seat for seat, hand in hands.items() if hand.declared == "high"]
    lows = [seat for seat, hand in hands.items() if hand.declared == "low"]
    for seat, hand in hands.items():
        if hand.declared == "swing" and _succeeds(seat, hands):
            return [(chips, [seat])]
    if highs and lows:
        half = chips // 2
        return [(chips - half, _highest(highs, hands)), (half, _lowest(lows, hands))]
    if highs:
        return [(chips, _highest(highs, hands))]
    return [(chips, _lowest(lows, hands))] if lows else []


def _succeeds(swinger: Seat, hands: Mapping[Seat, Hand]) -> bool:
    """Whether a swing beats all who went high, all who went low and all other swingers (D10)."""
    own = hands[swinger]
    return all(
        (other.declared == "low" or own.high > other.high)
        and (other.declared == "high" or own.low < other.low)
        for seat, other in hands.items()
        if seat != swinger
    )


def _highest(seats: Sequence[Seat], hands: Mapping[Seat, Hand]) -> list[Seat]:
    best = max(hands[seat].high for seat in seats)
    return [seat for seat in seats if hands[seat].high == best]


def _lowest(seats: Sequence[Seat], hands: Mapping[Seat, Hand]) -> list[Seat]:
    best = min(hands[seat].low for seat in seats)
    return [seat for seat in seats if hands[seat].low == best]


def keep_over(t: FlopTable, kept: Sequence[Pot]) -> None:
    """Keep pots that nobody won for the next hand; split them after the last one (D12).

    Under table stakes a pot is split at once, too, if somebody with a part in it is all in: he
    could not play for it in the next hand.
    """
    at_once = [t.is_last_agreed() or not all(map(t.can_play, pot.seats)) for pot in kept]
    for (chips, seats), split in zip(kept, at_once, strict=True):
        if split:
            share(t, chips, seats)
        else:
            t.note("carried", chips)
