"""Every kind of step: what is asked of its entries, and how a step of it is told.

A new kind is one line of this table; nobody else writes its word.  What a peer writes as the kind
of its entry is any string at all: it is compared with the kind that is owed, or looked for in
the sets below, and never made a `StepKind`.
"""

from __future__ import annotations

from enum import Flag, StrEnum, auto, unique
from typing import Final, Self


class Asked(Flag):
    """What is asked of a kind of step besides an entry of each seat that owes one.

    `PASSED_ON`: entries are passed on at once, since a card is turned up that may be raced for.
    `RACING`: it is a part of a race; what the next race is about may lie open since before it.
    `SHUFFLES`: its entries are shuffles, proven when the last of a chain is there.
    """

    NOTHING = 0
    PASSED_ON = auto()
    RACING = auto()
    SHUFFLES = auto()


@unique
class StepKind(StrEnum):
    """A kind of step, equal to its word in entries and transcripts.

    `told` says what happens in such a step where the game itself says nothing; it is empty
    where what the seats decided says it.  Genesis and secret choices share two words.
    """

    told: str
    asked: Asked

    def __new__(cls, word: str, told: str = "", asked: Asked = Asked.NOTHING) -> Self:
        kind = str.__new__(cls, word)
        kind._value_ = word
        kind.told, kind.asked = told, asked
        return kind

    SHUFFLE = "shuffle", "{who} shuffles {cards} and proves it.", Asked.SHUFFLES
    CUT = "cut", "{who} shuffles a copy of {cards}, to be cut.", Asked.SHUFFLES
    CONFIRM = "confirm", "Everybody has verified the shuffles, and signs which order lies there."
    RESHUFFLE = "reshuffle", "{who} re-orders {cards} of the own hand.", Asked.SHUFFLES
    CUT_OPEN = "cut-open", "The cut cards are turned up by everybody's shares."
    DEAL = "deal", "Shares of {cards} are published, each by all but the one who may read it."
    OPEN = "open", "Shares of {cards} are published: everybody sees them.", Asked.PASSED_ON
    COIN = "coin", "Everybody's share of a public random value.", Asked.RACING
    HAND_OVER = "hand-over", "{cards} {change} hands, with proof."
    PUT_BACK = "put-back", "{who} puts {cards} back under everybody's lock, with proof."
    PLAY = "play"
    LAY_ALL = "lay-all", "{who} lays every card that fits, and swears that no other is left."
    LAY_DOWN = "lay-down"
    LAY_SET = "lay-set"
    SWEAR = "swear", "{who} swears, with proof, what is not in the hand."
    CHOOSE = "choose"
    COMMIT = "commit", "In secret, a choice: {who}."
    REVEAL = "reveal", "What was chosen in secret is opened."
    SIGN = "sign"
    SET_COMMIT = "set-commit", "In secret, cards to lay, or a pass: {who}."
    SET_REVEAL = "set-reveal", "What was laid in secret is turned up."
    RACE = "race", "", Asked.RACING
    WITNESS = "witness", "Everybody says when the claims came in.", Asked.RACING
    CLOSE = "close", "All seats sign the result."


def _of(asked: Asked) -> frozenset[str]:
    return frozenset(kind for kind in StepKind if asked in kind.asked)


PASSED_ON: Final = _of(Asked.PASSED_ON)
RACING: Final = _of(Asked.RACING)
SHUFFLES: Final = _of(Asked.SHUFFLES)
