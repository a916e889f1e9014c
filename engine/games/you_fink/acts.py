"""What players may do at a table of You Fink!: turn, touch, slap, reshuffle, name a power.

Everything that is done in a hurry is a claim in one race (protocol section 5): the card that
is due, the power that is chosen, and every slap against them.  An act has the same number in
every race, so a log reads the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.errors import EngineError
from engine.games.you_fink.cards import POWER_NAMES, POWERS
from engine.games.you_fink.table import (
    CHOOSING,
    FREE,
    MINION_ASKS,
    NOBODY,
    TURNING,
    FinkTable,
    is_barred,
    is_touched,
    powers_left,
)
from engine.question import Choose, Race
from engine.table_state import TableState
from engine.view import View
from engine.zone import Seat

Hand = tuple[int, ...]
"""What one player may do, as numbers of ACTS."""
TURN: Final = 0
FOREHEAD: Final = 1
SLAP: Final = 2
RESHUFFLE: Final = 3
INTEL: Final = 4
MIGHT: Final = 5
MAGIC: Final = 6
ACTS: Final = ("turn", "forehead", "slap", "reshuffle", *POWER_NAMES)
ASIDE: Final[Hand] = (FOREHEAD, RESHUFFLE)
"""What prepares a hand or a deck and competes with nothing: no slap is lost to it."""
TOUCHES: Final[Hand] = (FOREHEAD,)
SLAPS: Final[Hand] = (SLAP,)
TURNS: Final[dict[Hand, Hand]] = {hand: (TURN, *hand) for hand in ((), TOUCHES, SLAPS)}
BARRED: Final = "your hand is not back yet: wait for the next cards"
SHUFFLED: Final = "your cards are shuffled"
"""The topic of the one choice after a reshuffle on one's own turn: to go on."""
TOUCH_FIRST: Final = "touch your forehead before you slap"
CHOOSE_MS: Final = 5000
FREE_MS: Final = 8000
BARRED_MS: Final = 3000
FIFTH_CARD_MS: Final = 1500
"""How long one may choose a power, slap a lost pile (section 5), slap it while somebody is still
barred by an early reshuffle (section 3), slap a match of the fifth card (section 6)."""


class Act(Choose):
    """`seat` may do one of `allowed`; a refusal says why in the words of the game."""

    __slots__ = ("allowed", "seat")
    kind = "act"

    def __init__(self, seat: Seat, allowed: Hand) -> None:
        super().__init__(seat, ACTS, "act")
        self.allowed = allowed

    def decisions(self, view: View) -> Sequence[int]:
        return self.allowed

    def why_not(self, table: TableState, answer: object) -> str | None:
        if type(answer) is int and answer in self.allowed:
            return None
        if type(answer) is not int or not 0 <= answer < len(ACTS):
            return "that is nothing one can do in this game"
        return refusal(fink_table(table), self.seat, answer)


def fink_table(table: TableState) -> FinkTable:
    """The table as one of this game; TypeError for another."""
    if not isinstance(table, FinkTable):
        raise TypeError("that is no table of You Fink!")
    return table


def race_now(table: FinkTable) -> Race:
    """The race for what is due and for everything else that players may do meanwhile.

    The same few races come up again and again and hold nothing that changes, so each is made
    once.  `Table.race` is for claims that lay cards, of which there are none here.
    """
    hands = tuple(_hands(table))
    if table.phase is FREE:
        return _race(hands, _free_ms(table), None)
    return _race(hands, None if table.phase is TURNING else CHOOSE_MS, table.due)


def _free_ms(table: FinkTable) -> int:
    if table.asked == MINION_ASKS:
        return FIFTH_CARD_MS
    return BARRED_MS if waits_for_barred(table) else FREE_MS


def waits_for_barred(table: FinkTable) -> bool:
    """Whether a pile that nobody slaps now is left to those whose hands are not back yet (D13)."""
    return table.asked != MINION_ASKS and any(is_barred(table, seat) for seat in range(table.seats))


@lru_cache(4096)
def _race(hands: tuple[Hand, ...], window_ms: int | None, due: Seat | None) -> Race:
    claims = [Act(seat, allowed) for seat, allowed in enumerate(hands) if allowed]
    topic = "free for all" if due is None else "slap or go on"
    return Race(claims, topic, window_ms=window_ms, awaited=due, aside=ASIDE)


def _hands(table: FinkTable) -> list[Hand]:
    """What each seat may do now: its duty, and its free hand."""
    turned, claimed, decks = table.turned, table.claimed, table.decks
    barred, touched, gone = table.barred, table.touched, table.gone
    due = NOBODY if table.phase is FREE else table.due
    slaps = SLAPS if table.pile else ()
    hands: list[Hand] = []
    for seat in range(table.seats):  # one loop: this is done for each card
        hand: Hand = ()
        if barred[seat] <= turned:  # touch, then slap with the same hand (section 4)
            hand = TOUCHES if table.forehead and touched[seat] <= turned else slaps
        if seat == due:
            hand = TURNS[hand] if table.phase is TURNING else (*_choices(table), *hand)
        elif claimed[seat] and not decks[seat]:
            hand = (*hand, RESHUFFLE)
        elif gone[seat]:
            hand = ()
        hands.append(hand)
    return hands


def _choices(table: FinkTable) -> Hand:
    powers = powers_left(table, table.face(table.pile[-1]))
    return tuple([INTEL + power for power in powers])


def refusal(table: FinkTable, seat: Seat, act: int) -> str:
    """Why a seat may not do this now."""
    if act == TURN:
        return _no_turn(table)
    if act == SLAP:
        return _no_slap(table, seat)
    if act == FOREHEAD:
        return _no_touch(table, seat)
    if act == RESHUFFLE:
        return _no_reshuffle(table, seat)
    return _no_power(table, seat, act - INTEL)


def _no_turn(table: FinkTable) -> str:
    if table.phase is FREE:
        return "no card may cover this pile: slap it, or wait"
    if table.phase is CHOOSING:
        return "nobody turns a card while a power is chosen"
    return "the next card is due from another player"


def _no_slap(table: FinkTable, seat: Seat) -> str:
    if is_barred(table, seat):
        return BARRED
    if table.forehead and not is_touched(table, seat):
        return TOUCH_FIRST
    return "there is nothing to slap"


def _no_touch(table: FinkTable, seat: Seat) -> str:
    if not table.forehead:
        return "at this table nobody touches his forehead"
    if is_touched(table, seat):
        return "your forehead is touched already"
    return BARRED


def _no_reshuffle(table: FinkTable, seat: Seat) -> str:
    if table.decks[seat]:
        return "you reshuffle when your deck is empty, not before"
    if not table.claimed[seat]:
        return "you have won no cards to reshuffle"
    return "it is your turn: your cards are reshuffled when you turn one"


def _no_power(table: FinkTable, seat: Seat, power: int) -> str:
    if table.phase is not CHOOSING or seat != table.due:
        return "it is not for you to choose a power now"
    name = POWER_NAMES[power]
    if power in table.used:
        return f"{name} was used in this series"
    value = POWERS[table.face(table.pile[-1]).id][power]
    if value:
        raise EngineError(f"{name} was refused without a reason")
    return f"this card has no {name}"
