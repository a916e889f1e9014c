"""The cards of You Fink!: 52 in four suits, two Minions, and the powers of the challengers.

The suits have no effect.  The real power values could not be found: the table below is ours (rules
section 1) and makes generals strong in Might, logistics in Intel and Magic.
"""

from __future__ import annotations

from typing import Final

from engine.cards import SUIT_LETTERS, SUITS, Card, Deck

POWER_NAMES: Final = ("Intel", "Might", "Magic")
NUMBER_RANKS: Final = range(2, 11)
JACK, QUEEN, KING, ACE, MINION_RANK = range(11, 16)
LETTER_OF: Final = {JACK: "J", QUEEN: "Q", KING: "K", ACE: "A"}
MINION_CARDS: Final = 5
"""How many cards a Minion asks for."""

_POWER_TABLE: Final = """
     clubs  spades hearts diamonds
A    1/4/2  4/1/2  2/4/1  3/0/4
K    0/4/2  2/0/4  3/3/0  3/1/2
Q    1/3/1  0/1/4  2/3/0  3/0/2
J    0/3/1  2/0/2  1/3/0  2/1/1
"""
"""Intel/Might/Magic.  Clubs are gray generals, spades gray logistics, hearts blue generals,
diamonds blue logistics; the ace of diamonds is Franklin, whose Magic 4 is in the rules."""

Powers = tuple[int, ...]


def _powers() -> dict[str, Powers]:
    """The table by name of card: {"AC": (1, 4, 2), ...}."""
    found = {}
    for line in _POWER_TABLE.strip().splitlines()[1:]:
        letter, *entries = line.split()
        for suit, entry in zip(SUIT_LETTERS, entries, strict=True):
            found[letter + suit] = tuple(int(value) for value in entry.split("/"))
    return found


def _name(rank: int, suit: int) -> str:
    return f"{LETTER_OF.get(rank, rank)}{SUIT_LETTERS[suit]}"


_BY_NAME: Final = _powers()
_SUITED: Final = [
    (rank, suit) for suit in range(len(SUITS)) for rank in [*NUMBER_RANKS, *LETTER_OF]
]
_FACES: Final = [
    Card(
        number,
        _name(rank, suit),
        suit,
        rank,
        "challenger" if rank in LETTER_OF else "",
    )
    for number, (rank, suit) in enumerate(_SUITED)
]
MINION: Final = Card(len(_FACES), "M", len(SUITS), MINION_RANK, "minion")
"""There are two of them, and they match."""

POWERS: Final[tuple[Powers, ...]] = tuple(_BY_NAME.get(face.name, ()) for face in [*_FACES, MINION])
"""The powers of a face by its id: Intel, Might, Magic; empty for all but A, K, Q and J.

>>> [POWERS[face.id] for face in _FACES if face.name in ("KH", "AD", "7C")]
[(), (3, 3, 0), (3, 0, 4)]
"""

DECKS: Final = {
    True: Deck("you-fink/54", [*_FACES, MINION], [1] * len(_FACES) + [2]),
    False: Deck("you-fink/52", _FACES),
}
"""The deck with and without the Minions."""
