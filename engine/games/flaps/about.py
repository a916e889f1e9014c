"""What each card of Flaps does, in a sentence, for a player who holds it for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.cards import Card

PLAIN: Final = "Does nothing: it follows its suit or its number."
_ATTACK: Final = (
    "The next player picks up {0}, or lays another {0}, or a 2, 3, 7 or 9 of that suit; "
    "2s and 3s add up."
)
_ONES: Final = "Acts on the 1-DOWN cards that lie before the players: "

ABOUT: Final[Mapping[str, str]] = {
    "ace": "Goes on anything: call a suit. Not as the last card.",
    "ace'n'end": "Goes on anything: call a suit. May be the last card.",
    "ace'n'lay": "Goes on anything: lay one more card of its colour or an Ace on it, or pick one "
    "up and call a suit of its colour. Not as the last card.",
    "2": _ATTACK.format(2),
    "3": _ATTACK.format(3),
    "7": "Turns an attack back, and the direction of play with it. Otherwise it does nothing.",
    "9": "Ends an attack. Otherwise it does nothing.",
    "flaps": "Opens the flapping: anybody may lay a FLAP on it at once, but not on his own.",
    "mega-flap": "A FLAP on which its owner may lay three more of his own.",
    "stop": "Ends the flapping; against another's MEGA-FLAP two extras stay.",
    "8": "The next player knocks (misses the go) or lays an 8.",
    "10": "Name a player: he picks one up, or lays a HOOFERS-DOOFERS and names another.",
    "hoofers-doofers": "A Queen; who is named by a 10 may lay it and name another player.",
    "jack": "Reverses the direction of play.",
    "up-jacks": "Reverses the direction of play, and everybody else picks one up.",
    "ace-jack": "Goes on anything: reverses, and call a suit; a Jack may follow too. "
    "Not as the last card.",
    "trumps": "A King: declare trumps; each puts a card face down, the lowest takes them all.",
    "ol' maid": "Only on a Jack, Queen or King (not on TRUMPS, SPOOF, FULL MONTY); what lies "
    "below is followed. Highest in TRUMPS. Not as the last card.",
    "low ol' maid": "Laid like an OL' MAID, but the lowest in TRUMPS. Not as the last card.",
    "quack": "Only under attack: passes it on.",
    "dump": "A five: add up to three more fives, of which only the last acts. Not as the last.",
    "six": "A six. As the last card it wins twice.",
    "king'n'lay": "Lay one more King, club, maid or Ace on it, or pick one up. Not as the last.",
    "spoof": "A King: each puts a card aside and calls their sum (maids 20, court cards 10, "
    "Aces 1, QUACK 0); who is furthest off takes them all.",
    "lose": "All lose one card, drawn by lot, to the Mystery Pile.",
    "pick": "Put a hand card on the Mystery Pile.",
    "guess blind": "The top card of the stack goes to the Mystery Pile unseen.",
    "guess": "Look at the top card of the stack: it goes to the Mystery Pile.",
    "share": "Look at a card of another player, drawn by lot: it goes to the Mystery Pile.",
    "solve": "Take the whole Mystery Pile into your hand.",
    "1-down": "Look at the top of the stack and place it face down before any player.",
    "1-right": f"{_ONES}all piles move one seat to the right.",
    "1-left": f"{_ONES}all piles move one seat to the left.",
    "1-over": f"{_ONES}turn one face up.",
    "1-look": f"{_ONES}look at one, which then is the top of its pile; if none lies "
    "there, at a card of a hand, drawn by lot.",
    "1-swap": f"{_ONES}exchange one for a card of your hand.",
    "1-up": f"{_ONES}a player takes the top of his pile into his hand.",
    "full monty": "A King: put three cards down; a player points at one, you show all one of the "
    "others, he takes the pointed one or the other, you the rest.",
}
"""By the kind of the card; kinds that are not here do nothing."""


def about(card: Card) -> str:
    """What a card does.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> about(BY_NAME["9H"]), about(BY_NAME["5C"])[:12]
    ('Ends an attack. Otherwise it does nothing.', 'Does nothing')
    """
    return ABOUT.get(card.kind, PLAIN)
