"""The 148 cards of Flaps: one data table, and one deck for each level (rules section 1)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.cards import SUIT_LETTERS, Card, Deck

LEVELS: Final = 7
NO_SUIT: Final = -1
QUACK_RANK: Final = 0
ONE: Final = 1
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
ACE: Final = 14
FIRST_MAID: Final = 20
"""OL' MAID n has the rank 20 + n, LOW OL' MAID 20: no other card has one of these."""
PRINTED: Final = (*map(str, range(11)), "J", "Q", "K", "A")
"""How a rank is written on a card."""


class Row(NamedTuple):
    """Cards of one kind: `suits` has a letter for each card, "-" for one without a suit.

    `code` begins the name that people type; `title` is what is printed beside the rank.
    `assumed` marks suits that no source names (the count column of rules section 1 is C or
    the suit column A): they can be corrected here and nowhere else.
    """

    level: int
    kind: str
    rank: int
    code: str
    suits: str
    title: str = ""
    assumed: bool = False


ROWS: Final = (
    Row(1, "ace", ACE, "A", "CSH"),
    Row(1, "ace'n'end", ACE, "AE", "SD", "'N'END"),
    Row(1, "ace'n'lay", ACE, "AL", "CSHD", "'N'LAY"),
    Row(1, "2", 2, "2", "CCSSHHDD"),
    Row(1, "3", 3, "3", "CCSSHHDD"),
    Row(1, "flaps", 4, "4", "CCCCSSSSHHHHDDDD", "FLAPS"),
    Row(1, "mega-flap", 4, "MF", "H", "MEGA-FLAP"),
    Row(1, "5", 5, "5", "CCSSHHDD"),
    Row(1, "7", 7, "7", "CCSSHHDD"),
    Row(1, "8", 8, "8", "CCSSHHDD"),
    Row(1, "9", 9, "9", "CCSSHHDD"),
    Row(1, "10", 10, "10", "CCSSHHDD"),
    Row(1, "jack", JACK, "J", "CSHD"),
    Row(1, "up-jacks", JACK, "UJ", "CSD", "UP-JACKS"),
    Row(1, "ace-jack", ACE, "AJ", "--", "ACE-JACK"),
    Row(1, "queen", QUEEN, "Q", "CSHD"),
    Row(1, "hoofers-doofers", QUEEN, "HD", "CSHD", "HOOFERS-DOOFERS"),
    Row(1, "king", KING, "K", "CSHD"),
    Row(2, "trumps", KING, "TR", "CSHD", "TRUMPS"),
    Row(2, "ol' maid", FIRST_MAID + 1, "OM1", "-", "OL' MAID 1", assumed=True),
    Row(2, "ol' maid", FIRST_MAID + 2, "OM2", "-", "OL' MAID 2", assumed=True),
    Row(2, "ol' maid", FIRST_MAID + 3, "OM3", "-", "OL' MAID 3", assumed=True),
    Row(2, "ol' maid", FIRST_MAID + 4, "OM4", "-", "OL' MAID 4", assumed=True),
    Row(3, "quack", QUACK_RANK, "QUACK", "-", "QUACK"),
    Row(3, "stop", 4, "STOP", "D", "STOP THAT FLAPPING", assumed=True),
    Row(3, "dump", 5, "DUMP", "H", "DUMP THOSE FIVES", assumed=True),
    Row(3, "six", 6, "SIX", "S", "SIX OF THE BEST", assumed=True),
    Row(3, "king'n'lay", KING, "KL", "C", "'N'LAY"),
    Row(4, "spoof", KING, "SP", "CS", "SPOOF"),
    Row(4, "low ol' maid", FIRST_MAID, "LOM", "--", "LOW OL' MAID", assumed=True),
    Row(5, "lose", 5, "LOSE", "C", "LOSE A SECRET", assumed=True),
    Row(5, "pick", 5, "PICK", "D", "PICK A SECRET", assumed=True),
    Row(5, "guess blind", 5, "BLIND", "H", "START GUESSING - DO NOT LOOK", assumed=True),
    Row(5, "guess", 5, "GUESS", "S", "START GUESSING - LOOK", assumed=True),
    Row(5, "share", 5, "SHARE", "H", "SHARE A SECRET", assumed=True),
    Row(5, "solve", 5, "SOLVE", "CD", "SOLVE THE MYSTERY", assumed=True),
    Row(6, "1-down", ONE, "1DOWN", "CCSSHHDD", "DOWN", assumed=True),
    Row(6, "1-right", ONE, "1RIGHT", "CH", "RIGHT", assumed=True),
    Row(6, "1-left", ONE, "1LEFT", "SD", "LEFT", assumed=True),
    Row(6, "1-over", ONE, "1OVER", "H", "OVER", assumed=True),
    Row(6, "1-look", ONE, "1LOOK", "C", "LOOK", assumed=True),
    Row(6, "1-swap", ONE, "1SWAP", "D", "SWAP", assumed=True),
    Row(6, "1-up", ONE, "1UP", "CSHD", "UP", assumed=True),
    Row(7, "full monty", KING, "FM", "HD", "FULL MONTY", assumed=True),
)  # fmt: skip


class Face(NamedTuple):
    """What is known about a face besides its card: where it comes from and how many there are."""

    card: Card
    row: Row
    copies: int


def _faces() -> list[Face]:
    found: list[Face] = []
    for row in ROWS:
        for letter in dict.fromkeys(row.suits):
            name = row.code if letter == "-" else row.code + letter
            suit = SUIT_LETTERS.find(letter)
            card = Card(len(found), name, suit, row.rank, row.kind)
            found.append(Face(card, row, row.suits.count(letter)))
    return found


FACES: Final = _faces()
"""All faces, those of each level before those of the next, so that an id means the same in each."""
CARDS: Final = tuple(face.card for face in FACES)
BY_NAME: Final = {card.name: card for card in CARDS}


def _deck(level: int) -> Deck:
    faces = [face for face in FACES if face.row.level <= level]
    return Deck(f"flaps/{level}", [face.card for face in faces], [face.copies for face in faces])


DECKS: Final = {level: _deck(level) for level in range(1, LEVELS + 1)}
"""The deck of each level: all cards of that level and those below it.

>>> [len(DECKS[level]) for level in range(1, 8)]
[103, 111, 116, 120, 127, 146, 148]
"""

ACES: Final = frozenset({"ace", "ace'n'end", "ace'n'lay", "ace-jack"})
JACKS: Final = frozenset({"jack", "up-jacks"})
MAIDS: Final = frozenset({"ol' maid", "low ol' maid"})
TRANSPARENT: Final = MAIDS | {"quack"}
"""Kinds that leave the suit and the number below them in force (D8, D9)."""
MAID_MAY_FOLLOW: Final = JACKS | {"ace-jack", "queen", "hoofers-doofers", "king", "king'n'lay"}
FLAPS: Final = frozenset({"flaps", "mega-flap", "stop"})
NOT_LAST: Final = MAIDS | {"ace", "ace'n'lay", "ace-jack", "king'n'lay", "dump"}
"""Kinds that do not end the game as the last card (rules section 5)."""


def strength(card: Card, trump: int | None) -> int:
    """How high a card is in TRUMPS, or in a cut (rules section 8.1, D11, D14).

    >>> high = ["OM1", "OM4", "KH", "AH", "KC", "1DOWNC", "AJ", "QUACK", "LOM"]
    >>> values = [strength(BY_NAME[name], trump=2) for name in high]
    >>> values == sorted(values, reverse=True)
    True
    """
    if card.rank > FIRST_MAID:
        return 100 - card.rank
    if card.suit == NO_SUIT:
        return {"ace-jack": 3, "quack": 2}.get(card.kind, 1)
    value = 1 if card.rank == ACE else card.rank
    return value + (40 if card.suit == trump else 20)


def spoof_value(card: Card) -> int:
    """What a card adds in SPOOF (rules section 8.3).

    >>> [spoof_value(BY_NAME[name]) for name in ("OM3", "LOM", "TRC", "AJ", "QUACK", "MFH")]
    [20, 20, 10, 1, 0, 4]
    """
    if card.kind in MAIDS:
        return 20
    if card.rank == ACE:
        return 1
    return min(card.rank, 10)
