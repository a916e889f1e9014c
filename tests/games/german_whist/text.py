"""What the screen says about German whist."""

from __future__ import annotations

from engine.wording import Wording
from german_whist.rules import WhistTable

TEXT = Wording(
    title="German Whist",
    table=WhistTable,
    brief="Follow suit; trump takes. While a card lies turned up the winner takes it, the loser\n"
    "draws unseen. The tricks after that count.",
    notes={
        "play": "{0:who} lays {1:card}.",
        "trump": "Trump is {0:suit}.",
        "turned": "{0:card} is turned up.",
        "takes": "{0:who} wins the trick and takes {1:card}.",
        "trick": "{0:who} wins the trick. Tricks: {1:each}.",
    },
    turn=lambda table: table.leader,
)
