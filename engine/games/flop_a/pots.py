"""Pots: who has a part in each, and who gets how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.games.flop_a.table import FlopTable
from engine.zone import Seat

FIXED_PAYMENT: Final = 10
"""Chips that each other player pays if there are several winners (rules section 4)."""
FIFTH: Final = 5
"""A single winner gets 20 % of the pot from each other player."""


class Pot(NamedTuple):
    """Chips, and the seats that can win them, from dealer's left."""

    chips: int
    seats: tuple[Seat, ...]


def pots(t: FlopTable) -> list[Pot]:
    """The pot; under table stakes the main pot, then the side pots.

    A side pot holds what was paid above the whole stake of a player who is all in (D6).  Chips that
    nobody else paid for, such as a pot carried over, are in the main pot.
    """
    players = tuple(t.players())
    if not t.stack:
        return [Pot(t.pot, players)]
    made, before = [], 0
    for level in sorted({t.paid[seat] for seat in players}):
        chips = sum(min(paid, level) - min(paid, before) for paid in t.paid)
        made.append(Pot(chips, tuple(seat for seat in players if t.paid[seat] >= level)))
        before = level
    chips, seats = made[0]
    made[0] = Pot(chips + t.pot - sum(pot.chips for pot in made), seats)
    return [pot for pot in made if pot.chips]


def share(t: FlopTable, chips: int, seats: Sequence[Seat], by: str = "", value: int = 0) -> None:
    """Equal parts of `chips` from the pot; odd ones to the first seats, from dealer's left.

    People are told by what they are won, and with which value of a hand if that counts.
    """
    each, odd = divmod(chips, len(seats))
    for place, seat in enumerate(seats):
        won = each + (place < odd)
        t.tally[seat] += won
        if won:
            t.note("takes", seat, won, by, value)
    t.pot -= chips


def last_one_in(t: FlopTable, seat: Seat) -> None:
    """Everybody else has folded: the last one takes the pot, and nothing is shown (section 3)."""
    share(t, t.pot, [seat], "alone")


def flopped_out(t: FlopTable, winners: Sequence[Seat]) -> None:
    """Pay the players who have flopped all their cards (section 4).

    First the pots in which no winner has a part go back: what the others owe, they may owe of that.
    """
    t.note("flopped-out", tuple(winners))
    won = _give_back(t, winners)
    if len(winners) == 1:
        fifth = sum(pot.chips for pot in won) // FIFTH
        _share_out(t, won)
        _pay_fifth(t, winners[0], fifth)
    else:
        main, *side = won or [Pot(0, tuple(winners))]
        _share_out(t, [Pot(main.chips + _fixed_payments(t, winners), main.seats), *side])


def _give_back(t: FlopTable, winners: Sequence[Seat]) -> list[Pot]:
    """Give pots without a winner to those with a part in them; the others, winners only."""
    won = []
    for chips, seats in pots(t):
        takers = tuple(seat for seat in seats if seat in winners)
        if takers:
            won.append(Pot(chips, takers))
        else:
            share(t, chips, seats)
    return won


def _share_out(t: FlopTable, parts: Sequence[Pot]) -> None:
    for chips, seats in parts:
        share(t, chips, seats, "flopped")


def _pay_fifth(t: FlopTable, winner: Seat, due: int) -> None:
    """Each other player still in pays; with the option, so do those who have folded (D7)."""
    for seat in t.present():
        if seat != winner and (t.still_in[seat] or t.folders_pay):
            paid = t.afford(seat, due)
            t.tally[seat] -= paid
            t.tally[winner] += paid
            if paid:
                t.note("pays", seat, paid, winner)


def _fixed_payments(t: FlopTable, winners: Sequence[Seat]) -> int:
    """What each other player still in pays into the pot, all together (D8)."""
    paid_in = 0
    for seat in t.players():
        if seat not in winners:
            paid = t.afford(seat, FIXED_PAYMENT)
            t.tally[seat] -= paid
            paid_in += paid
            if paid:
                t.note("pays-in", seat, paid)
    t.pot += paid_in
    return paid_in
