"""Every kind of step: what is asked of its entries, and how such a step is described.

A new kind is one line of this table, or a call of `add` in the package that brings it; no other
code writes its word.  The kind that a peer writes in an entry can be any string: it is compared
with the kind that is owed, or looked up in the table, and never added to it.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import Final, final


class Asked(Flag):
    """What is asked of a kind of step besides an entry from each seat that owes one.

    `PASSED_ON`: entries are passed on at once, since a card is turned up that may be raced for.
    `RACING`: it is part of a race; what the next race is about may have lain open before it.
    `SHUFFLES`: its entries are shuffles, proven when the last of a chain has arrived.
    """

    NOTHING = 0
    PASSED_ON = auto()
    RACING = auto()
    SHUFFLES = auto()


@final
class StepKind(str):
    """A kind of step, equal to its word in entries and transcripts.

    `told` says what happens in such a step if the game itself says nothing; it is empty if what
    the seats decided says it.
    """

    __slots__ = ("asked", "told")

    told: str
    asked: Asked


KINDS: Final[dict[str, StepKind]] = {}
"""The table, by word."""


def add(word: str, told: str = "", asked: Asked = Asked.NOTHING) -> StepKind:
    """Add a row to the table.  ValueError for a word that is taken."""
    if word in KINDS:
        raise ValueError(f"there are two kinds of steps called {word!r}")
    kind = StepKind(word)
    kind.told, kind.asked = told, asked
    KINDS[word] = kind
    return kind


def asks(word: str, what: Asked) -> bool:
    """Whether this is asked of the kind with this word, which may not be a kind at all."""
    kind = KINDS.get(word)
    return kind is not None and what in kind.asked


SHUFFLE: Final = add("shuffle", "{who} shuffles {cards} and proves it.", Asked.SHUFFLES)
CUT: Final = add("cut", "{who} shuffles a copy of {cards}, to be cut.", Asked.SHUFFLES)
CONFIRM: Final = add(
    "confirm", "Everybody has verified the shuffles, and signs which order lies there."
)
RESHUFFLE: Final = add("reshuffle", "{who} re-orders {cards} of their own hand.", Asked.SHUFFLES)
CUT_OPEN: Final = add("cut-open", "The cut cards are turned up by everybody's shares.")
DEAL: Final = add(
    "deal", "Shares of {cards} are published, each by all but the one who may read it."
)
OPEN: Final = add("open", "Shares of {cards} are published: everybody sees them.", Asked.PASSED_ON)
COIN: Final = add("coin", "Everybody's share of a public random value.", Asked.RACING)
HAND_OVER: Final = add("hand-over", "{cards} {change} hands, with proof.")
PUT_BACK: Final = add("put-back", "{who} puts {cards} back under everybody's lock, with proof.")
PLAY: Final = add("play")
LAY_ALL: Final = add(
    "lay-all", "{who} lays every card that fits, and swears that no other is left."
)
LAY_DOWN: Final = add("lay-down")
LAY_SET: Final = add("lay-set")
SWEAR: Final = add("swear", "{who} swears, with proof, what is not in the hand.")
CHOOSE: Final = add("choose")
COMMIT: Final = add("commit", "In secret, a choice: {who}.")
"""Used by the genesis as well, as is the next one."""
REVEAL: Final = add("reveal", "What was chosen in secret is opened.")
SIGN: Final = add("sign")
SET_COMMIT: Final = add("set-commit", "In secret, cards to lay, or a pass: {who}.")
SET_REVEAL: Final = add("set-reveal", "What was laid in secret is turned up.")
RACE: Final = add("race", "", Asked.RACING)
WITNESS: Final = add("witness", "Everybody says when the claims came in.", Asked.RACING)
LEAVE: Final = add("leave")
"""The entry of a seat that leaves for good, in place of the decision that a step asks of it."""
FAREWELL: Final = add(
    "farewell", "{who} takes the own lock off every hidden card and puts back the hand, with proof."
)
VOTE: Final = add("vote", "All others agree to go on without whoever is gone.")
"""Not what a step asks for: a step that does not come to its end consists of such entries."""
MEND: Final = add(
    "mend", "{who} shuffles {cards}, since shares of some of them were on the way.", Asked.SHUFFLES
)
RELOCK: Final = add("relock", "{who} puts the own lock on every card of the hand that is left.")
STRIP: Final = add("strip", "The lock of whoever is gone comes off, by shares of its key.")
CLOSE: Final = add("close", "The result is signed by {who}.")
