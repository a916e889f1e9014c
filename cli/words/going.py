"""What is said of leaving a table, and what can be said before anybody sits there.

Light enough for the first picture: who decides instead is in `cli.line.going`.
"""

from __future__ import annotations

from typing import Final

SURE: Final = "Leave the table?"
HOW: Final = "Do you leave, or let a bot play?"
GOOD: Final = "g for good"
WAYS: Final = ("l come back later", "b a bot plays for you", GOOD)
AT_ONCE, BY_BOT, GOES_FOR_GOOD = range(3)
"""Their places."""
TOLD: Final = (
    "l: your place is kept; resume brings you back",
    "b: a bot plays until you press Enter",
)
"""The consequences of the ways that keep the place; that of the last way follows from the rules."""
SHORT: Final = ("l later", "b bot", GOOD)
"""The same where there is little room."""
YES: Final = "y leave"
RESIGN: Final = "You resign: you cannot win or come back."
CONTINUE: Final = "the others continue and can win"
ENDS: Final = "the game ends, and {}"
GOOD_CONTINUE: Final = "g: you resign; the others continue"
GOOD_ENDS: Final = "g: you resign, and {}"
GOOD_CUT: Final = "g: you resign, and the game stops"
"""The consequences of leaving for good, in one short row."""
CUT: Final = "{} reach each other only through you: their game stops"
STAYS: Final = "You stay."
GOES: Final = "You leave for good at your next decision."
BOT: Final = "A bot plays for you. {}: you play again."
YOURSELF: Final = "You play again."
LATER_SAID: Final = "I come back later."
"""What the others read, as a line of whoever leaves."""
BOT_SAID: Final = "A bot plays for me now."
YOURSELF_SAID: Final = "I play again myself."
LAST_WORDS_SECONDS: Final = 0.3
"""How long a program stays after that: until it has gone out."""
GOOD_SAID: Final = "I leave for good at my next decision."


def sure(becomes: str) -> str:
    """Ask whether a player really resigns."""
    return f"{RESIGN} {becomes[:1].upper()}{becomes[1:]}. Sure?"


class NobodyGoes:
    """No game is played: one can only leave the table."""

    can_leave: bool = False
    """Whether the others can play on without this person."""
    for_good: bool = False
    """Whether the person leaves at the next decision."""

    @property
    def bot_plays(self) -> bool:
        """Whether a bot decides for this person."""
        return False

    @property
    def bot_decided(self) -> frozenset[int]:
        """Its decisions in this game, each by how many answers the rules had before it."""
        return frozenset()

    @property
    def asks(self) -> str:
        """What is asked of a person who wants to leave."""
        return SURE

    @property
    def sure(self) -> str:
        """What is asked before one leaves for good."""
        return sure(CONTINUE)

    def ways(self, *, short: bool = False) -> tuple[str, ...]:
        """The keys with which one leaves, each with what it does; the first leaves at once."""
        return (YES,)

    def told(self) -> tuple[str, ...]:
        """What each way means for one's place, where it has to be said."""
        return ()

    def is_way(self, at: int, typed: str) -> bool:
        """Whether this is the key of that way."""
        ways = self.ways()
        return at < len(ways) and typed == ways[at][0]

    def leave(self) -> None:
        """Leave for good, as soon as there is something to decide."""

    def let_bot_play(self) -> None:
        """A bot decides from now on, what is asked just now included."""

    def play_again(self) -> None:
        """The person decides again."""
