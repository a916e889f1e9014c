"""What a host types to remove a guest, or to let newcomers in."""

from __future__ import annotations

import pytest

from cli.tables.host_door import LOCKED, UNKNOWN, UNLOCKED, HostDoor
from p2p.player.bots import BotPlayer
from p2p.player.events import AtTheDoor, Event, Gathering, Present, Talk
from p2p.protocol.terms import Terms

ANA, BO = Present("Ana", "ana words", True), Present("Bo", "bo words", False)
ODD, BOT = Present("*** Cy", "cy words", False), Present("Robo", "bot words", True, bot=True)


class Lobby:
    """Notes what a host does, and says `done` to all of it."""

    def __init__(self) -> None:
        self.done, self.acts = True, list[tuple[str, object]]()

    def lock(self, *, by_hand: bool) -> None:
        self.acts.append(("lock", by_hand))

    def admit(self, fingerprint: str) -> bool:
        self.acts.append(("admit", fingerprint))
        return self.done

    def remove(self, fingerprint: str) -> bool:
        self.acts.append(("remove", fingerprint))
        return self.done


class Host(BotPlayer):
    """The host's own player, who hears and can talk."""

    def __init__(self) -> None:
        super().__init__("sneak", 0)  # type: ignore[arg-type]
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.events.append(event)


class Table:
    def __init__(self, *, by_hand: bool = False) -> None:
        self.said: list[str] = []
        self.talked: list[str] = []
        self.lobby, self.host = Lobby(), Host()
        door = HostDoor(self.said.append, lambda words: words == "bot words", by_hand=by_hand)
        self.player = door.beside(self.host)
        self.wait()
        self.player.tell(Talk(lambda line: not self.talked.append(line)))
        gathered = Gathering(Terms.of("sneak"), 3, (ANA, BO), 0)
        self.player.tell(gathered)

    def wait(self, *people: Present) -> None:
        self.player.tell(AtTheDoor(people, self.lobby))

    def type(self, line: str) -> None:
        (talk,) = [event for event in self.host.events if isinstance(event, Talk)]
        assert talk.say(line)


@pytest.mark.parametrize(
    ("line", "act", "said"),
    [
        ("/remove bo", ("remove", "bo words"), "*** Bo is removed, and cannot come back"),
        ("/admit *** Cy", ("admit", "cy words"), '*** "*** Cy" sits down.'),
        ('/admit "*** Cy"', ("admit", "cy words"), '*** "*** Cy" sits down.'),
        ("/remove *** Cy", ("remove", "cy words"), '*** "*** Cy" is removed'),
        ("/lock", ("lock", True), LOCKED),
        ("/unlock", ("lock", False), UNLOCKED),
    ],
)
def test_host_types_a_command(line: str, act: tuple[str, object], said: str) -> None:
    table = Table()
    table.wait(ODD)
    table.type(line)
    assert table.lobby.acts == [act]
    assert table.said[-1].startswith(said)
    assert table.talked == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/remove Ana", "*** Nobody called Ana is here."),
        ("/admit Bo", "*** Nobody called Bo waits."),
        ("/kick Bo", UNKNOWN),
    ],
)
def test_mistyped_command_does_nothing_and_is_not_sent(line: str, said: str) -> None:
    table = Table()
    table.type(line)
    assert (table.lobby.acts, table.talked, table.said) == ([], [], [said])


def test_late_command_is_answered_in_words() -> None:
    table = Table()
    table.lobby.done = False
    table.wait(ODD)
    table.type("/remove Bo")
    assert table.said[-1] == "*** That is too late: the table is being signed."
    table.type("/admit *** Cy")
    assert table.said[-1] == '*** "*** Cy" finds no free seat.'


def test_other_lines_are_talk() -> None:
    table = Table()
    table.type("hello")
    assert table.talked == ["hello"]


def test_newcomers_are_named_once_and_own_bots_sit_down() -> None:
    table = Table(by_hand=True)
    for waiting in ([ODD], [ODD, BOT], [ODD]):
        table.wait(*waiting)
    assert table.said[0] == LOCKED
    (named,) = table.said[1:]
    assert named.startswith('*** "*** Cy" waits: ')
    assert table.lobby.acts == [("lock", True), ("admit", "bot words")]
    assert not [event for event in table.host.events if isinstance(event, AtTheDoor)]
