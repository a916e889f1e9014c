"""A player of Flop-A with some sense: how good is the hand, is the pot worth the call?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import erf, fsum, sqrt
from random import Random
from typing import Any, Final

from engine.bots import random_bot
from engine.cards import SUITS, Card
from engine.games.flop_a.betting import CHECK, FOLD, Act
from engine.games.flop_a.cards import HIGH, LOW, RANKS
from engine.games.flop_a.showdown import DECLARATIONS, TOPIC
from engine.games.flop_a.table import FLIPS, FlopTable
from engine.question import Choose, Question, Together
from engine.view import View
from engine.zone import Seat

SUITS_OF_RANK: Final = len(SUITS)
"""How many cards of a rank there are."""
HALF: Final = 0.7
"""How much of the pot the better way of a hand usually brings (tuned by play against random)."""
EAGER: Final = 1.0
"""How much better than a fair share a hand has to be for a bet (tuned likewise)."""
TWO: Final = 2
LEAD: Final = 10.0
"""With a lead of so many chips for each player at the table, who plays by the score bets on nothing
below twice a fair share.  That won 31 % of 3,000 games among three normal bots (29 with half, 30
with twice as many chips).  For two, `hard` was measured with it only beside other chances."""
BLUFF: Final = 0.04
"""How often to bet on a hand that is not worth it."""
LAPSE: Final = 0.65
"""How often the easy level does not look at its hand (found by play against the normal level)."""
SLIP: Final = 0.15
"""How often a normal player calls out of habit.

As in Flaps, this puts the normal level about midway between the others."""
KEPT: Final = 2**16
"""So many hands are remembered with their worth: whoever looks ahead meets them again."""
SURE: Final = 0.8
"""How sure of both ways a player has to be to swing."""


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    """A careful player who now and then calls out of habit."""
    return (hasty_bot if rng.random() < SLIP else careful_bot)(view, question, rng)


def careful_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Bet on hands that are better than a fair share, call if the pot is worth it."""
    return _decide(view, question, rng, EAGER)


def bot_by_score(view: View, question: Question[Any], rng: Random) -> object:
    """The same, but of more than two bet on weaker hands when behind, on better ones when ahead."""
    table, eager = view.table, EAGER
    if isinstance(table, FlopTable) and table.seats > TWO:
        others = [chips for seat, chips in enumerate(table.tally) if seat != view.seat]
        lead = table.tally[view.seat] - max(others)
        eager += max(-1.0, min(1.0, lead / (LEAD * table.seats)))
    return _decide(view, question, rng, eager)


def _decide(view: View, question: Question[Any], rng: Random, eager: float) -> object:
    table = view.table
    if isinstance(table, FlopTable) and isinstance(question, Choose):
        return _bet(view, table, question.options, rng, eager)
    if isinstance(table, FlopTable) and isinstance(question, Together):
        return DECLARATIONS.index(declared(view, table))
    return random_bot(view, question, rng)


def hasty_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Call out of habit, whatever the hand; declare one way without adding up."""
    if question.topic == TOPIC:
        return int(rng.random() * DECLARATIONS.index("swing"))
    return min(CHECK, len(question.decisions(view)) - 1)


def _bet(view: View, table: FlopTable, options: Sequence[Any], rng: Random, enough: float) -> int:
    """The act that fits the value of the hand: the last options are the largest bets.

    It is `enough` for a bet if it is so many times a fair share of the pot.
    """
    call = options[CHECK]
    owed = call.chips if isinstance(call, Act) else 0
    worth, fair = prospect(view, table), 1.0 / sum(table.still_in)
    eager = worth > enough * fair or rng.random() < BLUFF
    if eager and len(options) > CHECK + 1:
        strength = min(1.0, max(0.0, worth / fair - enough))
        return CHECK + 1 + int(strength * (len(options) - CHECK - 2))
    return CHECK if worth * (table.pot + owed) >= owed else FOLD


def prospect(view: View, table: FlopTable) -> float:
    """The part of the pot that the hand of this seat is expected to bring."""
    cards = view.cards(table.hands[view.seat])
    return _prospect(
        _ranks(cards), tuple(sorted(table.ranks)), table.flips, _held(table, view.seat)
    )


@lru_cache(maxsize=KEPT)
def _prospect(
    cards: tuple[int, ...], seen: tuple[int, ...], flips: int, held: tuple[int, ...]
) -> float:
    out = _flop_out(cards, len(seen), flips)
    high, low = _win_chances(cards, seen, held)
    return out + (1.0 - out) * (max(high, low) * HALF + high * low * (1.0 - HALF))


def flop_out_chance(cards: Sequence[Card], table: FlopTable) -> float:
    """The chance that all ranks of the hand are among those still to be flipped.

    A rank is the likelier to come, the more of its cards are out of this hand: a hand of three
    sevens waits for the one card that it does not hold.
    """
    return _flop_out(_ranks(cards), len(table.ranks), table.flips)


def _flop_out(cards: tuple[int, ...], seen: int, flips: int) -> float:
    waits = tuple(sorted([SUITS_OF_RANK - cards.count(rank) for rank in set(cards)]))
    return _all_come(waits, len(RANKS) - seen - len(waits), FLIPS - flips)


@cache
def _all_come(waits: tuple[int, ...], others: int, flips: int) -> float:
    """The chance that ranks of which so many cards are out come among as many new ranks.

    All cards of the `others` are out.  A card of a rank that is on the table changes nothing: it is
    replaced until a new rank comes (rules section 2).
    """
    if len(waits) > flips:
        return 0.0
    if not waits:
        return 1.0
    out = sum(waits) + SUITS_OF_RANK * others
    chance = 0.0
    for place, count in enumerate(waits):
        rest = (*waits[:place], *waits[place + 1 :])
        chance += count / out * _all_come(rest, others, flips - 1)
    if others:
        chance += SUITS_OF_RANK * others / out * _all_come(waits, others - 1, flips - 1)
    return chance


def win_chances(cards: Sequence[Card], table: FlopTable, seat: Seat) -> tuple[float, float]:
    """The chances that this hand, as it is, is the highest and the lowest of all still in.

    Each hidden card of the others has any rank that is not on the table; their sums are assumed to
    be normally distributed.
    """
    return _win_chances(_ranks(cards), tuple(sorted(table.ranks)), _held(table, seat))


@lru_cache(maxsize=KEPT)
def _win_chances(
    cards: tuple[int, ...], seen: tuple[int, ...], held: tuple[int, ...]
) -> tuple[float, float]:
    unseen = [rank for rank in RANKS if rank not in seen]
    highs, lows = [HIGH[rank] for rank in unseen], [LOW[rank] for rank in unseen]
    own_high, own_low = sum([HIGH[rank] for rank in cards]), sum([LOW[rank] for rank in cards])
    highest = lowest = 1.0
    for count in held:
        highest *= _below(own_high, highs, count)
        lowest *= 1.0 - _below(own_low, lows, count)
    return highest, lowest


def _ranks(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(sorted([card.rank for card in cards]))


def _held(table: FlopTable, seat: Seat) -> tuple[int, ...]:
    """How many cards each other player holds who is still in."""
    return tuple(
        [
            len(hand)
            for other, hand in enumerate(table.hands)
            if other != seat and table.still_in[other]
        ]
    )


def _below(own: int, values: Sequence[int], count: int) -> float:
    """The chance that the sum of `count` of these values is below `own`."""
    mean = sum(values) / len(values)
    spread = fsum([(value - mean) ** 2 for value in values]) / len(values)
    if count == 0 or spread == 0:
        return float(own > count * mean)
    return 0.5 + 0.5 * erf((own - count * mean) / sqrt(2.0 * count * spread))


def declared(view: View, table: FlopTable) -> str:
    """The way in which the hand is best, or both."""
    high, low = win_chances(view.cards(table.hands[view.seat]), table, view.seat)
    if min(high, low) > SURE:
        return "swing"
    return "high" if high > low else "low"
