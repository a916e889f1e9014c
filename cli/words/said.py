"""Sentences that are said in more than one place."""

from __future__ import annotations

from typing import Final

COMPARE: Final = "Read the words to each other: if they match, nobody is in between."
LOOKING: Final = "Looking for tables on this network ..."
UNHEARD: Final = "Nobody at this table would hear you."
NOT_INVITED: Final = "Nobody can be invited to this table just now."
BY_HOST: Final = "The host of a table changes its bots, before the game begins."
NO_SEAT: Final = "No seat is free for a bot."
WAITS: Final = "The game is over. The players are asked whether they play again."
GONE_FOR_GOOD: Final = (
    "You have left for good. Your bots, if any still play, need this window; q closes it."
)
LEAVES: Final = "q leaves."
