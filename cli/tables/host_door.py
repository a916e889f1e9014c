"""A host's commands in the lobby: to remove a guest, let newcomers in, or change the table.

They are typed where one talks, so that every place to sit has them: `/remove Bo`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from cli.failures import UserMistakeError
from cli.options.terms import changed_plan
from cli.tables.host_bots import Overhears
from engine.errors import UsageError
from p2p.player.events import AtTheDoor, Event, Gathering, LobbyDoor, Present, Seated, Talk
from p2p.player.player import Player
from p2p.text.names import called

COMMANDS: Final = (
    "/remove NAME   /admit NAME   /lock (newcomers wait for you)   /unlock   "
    "/game NAME OPTION=VALUE ... (change the table)"
)
LOCKED: Final = "*** Newcomers wait until you let them in: /admit NAME"
UNLOCKED: Final = "*** Whoever has the invite sits down."
CHANGED: Final = "*** The others have to agree to that."
TOO_SOON: Final = "*** The table is not open yet."
UNKNOWN: Final = f"*** Commands of a host: {COMMANDS}"


class HostDoor:
    """The commands of one host; `say` gets sentences, `is_own_bot` knows the words of keys.

    `by_hand`: newcomers wait from the beginning until the host lets them in.
    """

    def __init__(
        self, say: Callable[[str], None], is_own_bot: Callable[[str], bool], *, by_hand: bool
    ) -> None:
        self._say: Final = say
        self._is_own_bot: Final = is_own_bot
        self._by_hand: Final = by_hand
        self._door: LobbyDoor | None = None
        self._waiting: tuple[Present, ...] = ()
        self._seated: Sequence[Present] = ()
        self._lobby: Gathering | None = None

    def beside(self, player: Player) -> Player:
        """The host's player, whose lines of talk may be commands while the lobby is open."""
        return Overhears(player, self._hear)

    def _hear(self, event: Event) -> Event | None:
        if isinstance(event, AtTheDoor):
            self._hear_door(event.waiting, event.door)
            return None
        if isinstance(event, Gathering):
            self._lobby = event
            self._seated = [one for seat, one in enumerate(event.people) if seat != event.seat]
        if isinstance(event, Seated):
            self._door = None
        if isinstance(event, Talk) and self._door is not None:
            return Talk(partial(self._obey, event.say))
        return event

    def _hear_door(self, waiting: Sequence[Present], door: LobbyDoor) -> None:
        if self._door is None:
            self._door = door
            if self._by_hand:
                self._say(self._lock(door, by_hand=True))
        bots = [one for one in waiting if self._is_own_bot(one.fingerprint)]
        before, self._waiting = self._waiting, tuple(one for one in waiting if one not in bots)
        new = {one.fingerprint for one in self._waiting} - {one.fingerprint for one in before}
        for one in self._waiting:
            if one.fingerprint in new:
                name = called(one.name)
                self._say(f"*** {name} waits: /admit {name} lets them in. ({one.fingerprint})")
        for bot in bots:
            door.admit(bot.fingerprint)

    def _obey(self, say: Callable[[str], bool], line: str) -> bool:
        """Do what a line says, if it is a command; say it to the others otherwise."""
        if self._door is None or not line.startswith("/"):
            return say(line)
        command, _, name = line.partition(" ")
        acts: dict[str, Callable[[], str]] = {
            "/lock": partial(self._lock, self._door, by_hand=True),
            "/unlock": partial(self._lock, self._door, by_hand=False),
            "/admit": partial(self._admit, self._door, name.strip()),
            "/remove": partial(self._remove, self._door, name.strip()),
            "/game": partial(self._change, self._door, name.split()),
        }
        self._say(acts.get(command.lower(), lambda: UNKNOWN)())
        return True

    def _lock(self, door: LobbyDoor, *, by_hand: bool) -> str:
        door.lock(by_hand=by_hand)
        return LOCKED if by_hand else UNLOCKED

    def _admit(self, door: LobbyDoor, name: str) -> str:
        who = _named(name, self._waiting)
        if who is None:
            return f"*** Nobody called {called(name)} waits."
        done = door.admit(who.fingerprint)
        return f"*** {called(who.name)} {'sits down' if done else 'finds no free seat'}."

    def _remove(self, door: LobbyDoor, name: str) -> str:
        who = _named(name, [*self._seated, *self._waiting])
        if who is None:
            return f"*** Nobody called {called(name)} is here."
        if not door.remove(who.fingerprint):
            return "*** That is too late: the table is being signed."
        return f"*** {called(who.name)} is removed, and cannot come back with the same key."

    def _change(self, door: LobbyDoor, words: Sequence[str]) -> str:
        if self._lobby is None:
            return TOO_SOON
        try:
            door.change(*changed_plan(words, self._lobby.terms, self._lobby.seats))
        except (UsageError, UserMistakeError) as error:
            return f"*** {str(error).rstrip('.')}."
        return CHANGED


def _named(name: str, people: Sequence[Present]) -> Present | None:
    """The one of this name, as it was typed or as it is shown."""
    wanted = name.casefold()
    found = (one for one in people if wanted in (one.name.casefold(), called(one.name).casefold()))
    return next(found, None)
