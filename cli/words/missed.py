"""What is said of somebody who is gone, and of going on without them; one place for all screens."""

from __future__ import annotations

from typing import Final

from engine.wording import listed
from p2p.player.events import Missed
from p2p.text.names import called

KEYS: Final = "y: go on  n: wait"
COMMANDS: Final = "/go  /wait"
GOES_ON: Final = "You say: go on. All who are here have to say so; n: wait after all."
WAITS: Final = "You say: wait."
NOBODY: Final = "Nobody is missed."
TOO_FEW: Final = "Too few would be left to go on: the table waits."


def sentences(event: Missed) -> list[str]:
    """Who is missed, what each player says of it, and for whom a vote waits."""
    names = [called(one.name) for one in event.seats]
    have, them = ("has", names[0]) if len(names) == 1 else ("have", "them")
    asks = f"{listed(names)} {have} been away for {event.seconds} s."
    asks += f" Go on without {them}?" if event.say else f" {TOO_FEW}"
    cut = [one for one in event.seats if one.through]
    through = [
        f"{called(one.name)} could only be reached through {called(one.through)}, "
        "and may have been cut off there."
        for one in cut
    ]
    return [asks, *_said(event), *through, *_awaited(event)]


def _said(event: Missed) -> list[str]:
    words = [f"{called(name)}: {'go on' if goes else 'wait'}" for name, goes in event.said]
    return [f"{'. '.join(words)}."] if words else []


def _awaited(event: Missed) -> list[str]:
    who = [called(name) for name in event.awaited]
    return [f"What you said waits for {listed(who)}."] if who else []


def answered(event: Missed | None, *, goes_on: bool) -> str:
    """Say so to the table; a remark about that for the person who said it."""
    if event is None:
        return NOBODY
    if event.say is None:
        return TOO_FEW
    event.say(goes_on)
    return GOES_ON if goes_on else WAITS


def bar(event: Missed, *, typed: bool) -> str:
    """The question in one line, with what answers it: keys, or commands while text is `typed`."""
    keys = (COMMANDS if typed else KEYS) if event.say else ""
    return f"{sentences(event)[0]}  {keys}".rstrip()
