"""What is said of somebody who is gone, and of going on without them; one place for all screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.wording import listed
from p2p.player.events import Missed
from p2p.text.names import called

GO: Final = "y go on"
WAIT: Final = "n wait"
COMMANDS: Final = ("/go", "/wait")
GOES_ON: Final = "You say: go on; all have to say so."
WAITS: Final = "You say: wait."
NOBODY: Final = "Nobody is missed."
TOO_FEW: Final = "Too few would be left to go on: the table waits."
NOT_NOW: Final = "Nobody is asked while somebody who would have to agree cannot be reached."
PROPOSED: Final = "Better wait."
"""Who may have been cut off by one other player is not put out of the game lightly."""


def sentences(event: Missed) -> list[str]:
    """Who is missed, what each player says of it, and for whom a vote waits."""
    names = [called(one.name) for one in event.seats]
    have, them = ("has", names[0]) if len(names) == 1 else ("have", "them")
    asks = f"{listed(names)} {have} been away for {event.seconds} s."
    asks += f" Go on without {them}?" if event.say else "" if event.unreached else f" {TOO_FEW}"
    return [asks, *_unreached(event, names), *_said(event), *_cut_off(event), *_awaited(event)]


def question(event: Missed) -> str:
    """The same in a row or two; what each has said comes before the reasons."""
    return " ".join(sentences(event))


def _unreached(event: Missed, gone: Sequence[str]) -> list[str]:
    """For whom all wait while somebody who would have to agree vanishes as well."""
    if not event.unreached:
        return []
    who = [called(name) for name in event.unreached]
    return [f"{listed(who)} cannot be reached either: all wait for {listed([*gone, *who])}."]


def _said(event: Missed) -> list[str]:
    words = [f"{called(name)}: {'go on' if goes else 'wait'}" for name, goes in event.said]
    return [f"{'. '.join(words)}."] if words else []


def _cut_off(event: Missed) -> list[str]:
    cut = [
        f"{called(one.name)} could only be reached through {called(one.through)}, "
        "and may have been cut off there."
        for one in event.seats
        if one.through
    ]
    return [*cut, PROPOSED] if cut and event.say else cut


def _awaited(event: Missed) -> list[str]:
    who = [called(name) for name in event.awaited]
    return [f"What you said waits for {listed(who)}."] if who else []


def _waiting_first(event: Missed) -> bool:
    return any(one.through for one in event.seats)


def keys(event: Missed) -> str:
    """The keys that answer, the proposed one first; nothing to who is asked nothing."""
    if event.say is None:
        return ""
    return "  ".join([WAIT, GO] if _waiting_first(event) else [GO, WAIT])


def answered(event: Missed | None, *, goes_on: bool) -> str:
    """Say so to the table; a remark about that for the person who said it."""
    if event is None:
        return NOBODY
    if event.say is None:
        return NOT_NOW if event.unreached else TOO_FEW
    event.say(goes_on)
    return GOES_ON if goes_on else WAITS


def bar(event: Missed) -> str:
    """The question in one line, for a row that may be too short for it: what answers comes first.

    Keys are text meanwhile, so these are commands.
    """
    ways = COMMANDS[::-1] if _waiting_first(event) else COMMANDS
    how = [f"{' or '.join(ways)}:"] if event.say else []
    return " ".join([*how, *sentences(event)])
