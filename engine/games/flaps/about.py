"""What each card of Flaps does, in a sentence, for a player who holds it for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.cards import Card

PLAIN: Final = "Does nothing: it follows its suit or its number."
_ATTACK: Final = (
    "The next player picks up {0}; 2s and 3s add up. Another {0}, or a 2, 3, 7 or 9 of that suit, "
    "answers it."
)
_EMPTIED: Final = "Of those left without a card the first, from the left of the layer, wins."

ABOUT: Final[Mapping[str, str]] = {
    "ace": "Goes on anything: call a suit. Not as the last card.",
    "ace'n'end": "Goes on anything: call a suit. May be the last card.",
    "ace'n'lay": "Goes on anything. Lay one more card of its colour or an Ace on it, or pick one "
    "up and call a suit of its colour. Not as the last card.",
    "2": _ATTACK.format(2),
    "3": _ATTACK.format(3),
    "7": "Turns an attack back. The direction of play turns with it; otherwise it does nothing.",
    "9": "Ends an attack. Otherwise it does nothing.",
    "flaps": "A FLAP: anybody else may lay another on it at once.",
    "mega-flap": "A FLAP: its owner may lay three more on it.",
    "stop": "Ends the flapping; against another's MEGA-FLAP two extras stay.",
    "8": "The next player knocks (misses the go) or lays an 8.",
    "10": "Name a player, who picks one up. A HOOFERS-DOOFERS laid names another instead.",
    "hoofers-doofers": "Passes a 10 on. Who is named by one may lay it and name another player. "
    "It is a Queen that says HD: other Queens do nothing.",
    "jack": "Reverses the direction of play.",
    "up-jacks": "Reverses; everybody else picks one up. A Jack.",
    "ace-jack": "Goes on anything; reverses; call a suit. A Jack may follow too. "
    "Not as the last card.",
    "trumps": "A King: declare trumps. Each puts a card face down, the lowest takes them all: "
    "an Ace is 1, trumps are above the rest. " + _EMPTIED,
    "ol' maid": "Only on a Jack, Queen or King. Not on TRUMPS, SPOOF, FULL MONTY; what lies below "
    "is followed. Highest in TRUMPS. Not as the last card.",
    "low ol' maid": "Laid like an OL' MAID. Lowest in TRUMPS. Not as the last card.",
    "quack": "Only under attack: passes it on.",
    "dump": "Lay up to 3 fives on it. Only the last of them acts. Not as the last card.",
    "six": "A six. As the last card it wins twice.",
    "king'n'lay": "Lay one more on it. That is a King, club, maid or Ace; or pick one up. "
    "Not as the last card.",
    "spoof": "A King: each puts a card aside. All call their sum (maids 20, court cards 10, "
    "Aces 1, QUACK 0); who is furthest off takes them all. " + _EMPTIED,
    "lose": "All lose a card by lot. These go to the Mystery Pile.",
    "pick": "Put a hand card on the Mystery Pile.",
    "guess blind": "The top card of the stock goes to the Mystery Pile unseen.",
    "guess": "Look at the top card of the stock: it goes to the Mystery Pile.",
    "share": "See another player's card. It is drawn by lot, and goes to the Mystery Pile.",
    "solve": "Take the whole Mystery Pile into your hand.",
    "1-down": "Look at the top of the stock. Place it face down before any player.",
    "1-right": "All 1-DOWN piles move one seat to the right.",
    "1-left": "All 1-DOWN piles move one seat to the left.",
    "1-over": "Turn a 1-DOWN card face up.",
    "1-look": "Look at a 1-DOWN card. It then is the top of its pile; if none lies there, "
    "look at a card of a hand, drawn by lot.",
    "1-swap": "Exchange a 1-DOWN card for one of your hand. If none lies there it does nothing.",
    "1-up": "A player takes the top of his 1-DOWN pile. You name the player, or nobody; without a "
    "pile it does nothing.",
    "full monty": "A King: put three cards down; a player points at one, you show all one of the "
    "others, he takes the pointed or the hidden one, you the rest. With fewer it does nothing.",
}
"""By the kind of the card; kinds that are not here do nothing."""


def about(card: Card) -> str:
    """What a card does.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> about(BY_NAME["9H"]), about(BY_NAME["5C"])[:12]
    ('Ends an attack. Otherwise it does nothing.', 'Does nothing')
    """
    return ABOUT.get(card.kind, PLAIN)
