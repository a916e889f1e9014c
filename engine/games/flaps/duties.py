"""What may be laid when: predicates with the sentence for a card that may not (section 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.cards import SUITS, Card, Fits
from engine.games.flaps.cards import (
    ACE,
    ACES,
    CARDS,
    FLAPS,
    JACKS,
    KING,
    LEVELS,
    MAIDS,
    PRINTED,
    QUACK_RANK,
)

MAID_LEVEL: Final = 2
QUACK_LEVEL: Final = 3
"""The lowest level that has each of these cards."""
ONLY_SIX: Final = 6
"""The only card of this number, so nothing else matches it."""
COLOURS: Final = (("black", "♣ or ♠"), ("red", "♥ or ♦"))


class Duty(NamedTuple):
    """What a player may lay, and the sentence for a card that may not be laid."""

    fits: Fits
    why: str


class Top(NamedTuple):
    """What has to be followed: a transparent card leaves that of the card below it."""

    suit: int
    rank: int
    jacks_ok: bool
    maid_ok: bool
    called: bool = False
    """Whether somebody called the suit: nobody has where an Ace is the start card."""


def _duty(legal: Callable[[Card], bool], why: str) -> Duty:
    # Sets are only asked whether they contain a card, never gone through.
    return Duty(frozenset(card for card in CARDS if legal(card)).__contains__, why)


def follows(card: Card, top: Top) -> bool:
    """Whether a card may be laid in a turn without any attack.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> spade_ten = Top(1, 10, False, False)
    >>> [name for name in ("4S", "10H", "9H", "AJ") if follows(BY_NAME[name], spade_ten)]
    ['4S', '10H', 'AJ']
    """
    if card.kind in ACES:
        return True
    if card.kind in MAIDS:
        return top.maid_ok
    if card.kind == "quack":
        return False
    if card.kind in JACKS and top.jacks_ok:
        return True
    return card.suit == top.suit or card.rank == top.rank


def followers(top: Top, level: int, suit: str) -> str:
    """What follows this top when nothing is pending, of the cards that the level has.

    >>> followers(Top(1, 10, False, False), 1, "S")
    'a S, a 10 or an Ace'
    >>> followers(Top(2, ACE, True, True), 2, "H")
    "a H, a Jack, an OL' MAID or an Ace"
    """
    named = [f"a {suit}"]
    if top.rank not in (ACE, ONLY_SIX):
        named.append(f"{'an' if top.rank == 8 else 'a'} {PRINTED[top.rank]}")
    if top.jacks_ok:
        named.append("a Jack")
    if top.maid_ok and level >= MAID_LEVEL:
        named.append("an OL' MAID")
    return f"{', '.join(named)} or an Ace"


def answers(rank: int, level: int, suit: str) -> str:
    """What answers an attack whose last card has this number and suit, as `followers`.

    >>> answers(2, 1, "C"), answers(7, 3, "D")
    ('another 2, a 3, 7 or 9 of C', 'another 7, a 2, 3 or 9 of D, or a QUACK')
    """
    first, second, third = (other for other in (2, 3, 7, 9) if other != rank)
    quack = ", or a QUACK" if level >= QUACK_LEVEL else ""
    return f"another {rank}, a {first}, {second} or {third} of {suit}{quack}"


def _follow_why(top: Top, level: int) -> str:
    suit = SUITS[top.suit]
    called, where = (f"{suit} was called: ", "now") if top.called else ("", "on this card")
    return f"{called}only {followers(top, level, suit)} may be laid {where}"


def _answers(card: Card, suit: int, rank: int) -> bool:
    if card.rank == QUACK_RANK:
        return True
    return card.rank == rank or (card.suit == suit and card.rank in (2, 3, 7, 9))


def _attack_why(suit: int, rank: int, level: int) -> str:
    return f"only {answers(rank, level, SUITS[suit])} answers the {rank} of {SUITS[suit]}"


_TOPS: Final = [
    Top(suit, rank, jacks_ok, maid_ok, called)
    for suit in range(4)
    for rank in range(1, ACE + 1)
    for jacks_ok in ((False, True) if rank == ACE else (False,))
    for maid_ok in (False, True)
    for called in ((False, True) if rank == ACE else (False,))
]
_FOLLOW: Final = {
    top: _duty(lambda card, top=top: follows(card, top), "")  # type: ignore[misc]
    for top in _TOPS
}
_DEFEND: Final = {
    (suit, rank): _duty(lambda card, s=suit, r=rank: _answers(card, s, r), "")  # type: ignore[misc]
    for suit in range(4)
    for rank in (2, 3, 7)
}


# A sentence names no card that the level does not have.
_FOLLOWING: Final[list[dict[tuple[int, int, bool, bool, bool], Duty]]] = [
    {top: Duty(duty.fits, _follow_why(top, level)) for top, duty in _FOLLOW.items()}
    for level in (MAID_LEVEL - 1, MAID_LEVEL)
]
_DEFENDING: Final = [
    {at: Duty(duty.fits, _attack_why(*at, level)) for at, duty in _DEFEND.items()}
    for level in (QUACK_LEVEL - 1, QUACK_LEVEL)
]
FOLLOW: Final = [_FOLLOWING[level >= MAID_LEVEL] for level in range(LEVELS + 1)]
"""What follows each top when nothing is pending, by level and top."""
DEFEND: Final = [_DEFENDING[level >= QUACK_LEVEL] for level in range(LEVELS + 1)]
"""What answers a running attack, by level, then suit and rank of the last attacking card."""
EIGHT: Final = _duty(lambda card: card.rank == 8, "after an 8: knock, or lay any 8")
FLAP: Final = _duty(
    lambda card: card.kind in FLAPS, "only a FLAP may be laid while there is flapping"
)
DOOFER: Final = _duty(
    lambda card: card.kind == "hoofers-doofers", "only a HOOFERS-DOOFERS passes a 10 on"
)
FIVE: Final = _duty(lambda card: card.rank == 5, "only more fives may be dumped")
ACE_LAY: Final = tuple(
    _duty(
        lambda card, c=colour: card.kind in ACES or (card.suit >= 0 and card.suit // 2 == c),  # type: ignore[misc]
        f"on this ACE'N'LAY goes any {name} card ({suits}) or an Ace",
    )
    for colour, (name, suits) in enumerate(COLOURS)
)
"""What goes onto a black and a red ACE'N'LAY."""
KING_LAY: Final = _duty(
    lambda card: card.rank == KING or card.suit == 0 or card.kind in MAIDS or card.kind in ACES,
    "on KING'N'LAY goes a King, a ♣, an OL' MAID or an Ace",
)
