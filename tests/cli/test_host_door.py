"""What a host types to remove a guest, let newcomers in, or change the table."""

from __future__ import annotations

import pytest

from cli.tables.host_door import CHANGED, LOCKED, UNKNOWN, UNLOCKED, HostDoor
from engine.errors import UsageError
from engine.games import load
from p2p.player.bots import BotPlayer
from p2p.player.events import AtTheDoor, Event, Gathering, Present, Talk
from p2p.protocol.policy import carry_on
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms

ANA, BO = Present("Ana", "ana words", True), Present("Bo", "bo words", False)
ODD, BOT = Present("*** Cy", "cy words", False), Present("Robo", "bot words", True, bot=True)


HALF_A_MINUTE = Terms.of("sneak", load("sneak").defaults(), clock=30)


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

    def change(self, terms: Terms, seats: int) -> None:
        if not self.done:
            raise UsageError("it is too late: the table is being signed")
        self.acts.append(("change", (terms, seats)))


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
        ("/game clock=30", ("change", (HALF_A_MINUTE, 3)), CHANGED),
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
        ("/game whist", "*** there is no game 'whist'"),
        ("/game clock=1", "*** --clock takes 5 to 3600 seconds, or 0 for no limit, not '1'."),
        ("/game seats=many", "*** --seats takes 1 to 99 players, not 'many'."),
    ],
)
def test_mistyped_command_does_nothing_and_is_not_sent(line: str, said: str) -> None:
    table = Table()
    table.type(line)
    assert (table.lobby.acts, table.talked) == ([], [])
    assert table.said[-1].startswith(said)


def test_late_command_is_answered_in_words() -> None:
    table = Table()
    table.lobby.done = False
    table.wait(ODD)
    table.type("/remove Bo")
    assert table.said[-1] == "*** That is too late: the table is being signed."
    table.type("/admit *** Cy")
    assert table.said[-1] == '*** "*** Cy" finds no free seat.'
    table.type("/game clock=30")
    assert table.said[-1] == "*** it is too late: the table is being signed."


@pytest.mark.parametrize(
    ("words", "terms", "seats"),
    [
        ("flaps level=3 seats=4", Terms.of("flaps", {"level": 3}), 4),
        ("target=25", Terms.of("sneak", {"target": 25}), 3),
        (
            "flip-over carry-on=2 hold=0",
            Terms.of("flip-over", policy=carry_on(2), race=RaceTerms(hold_us=0)),
            3,
        ),
    ],
)
def test_host_says_another_game_or_other_terms(words: str, terms: Terms, seats: int) -> None:
    table = Table()
    table.type(f"/game {words}")
    ((act, said),) = table.lobby.acts
    assert act == "change"
    assert isinstance(said, tuple)
    assert (said[0].encode() | {"options": 0}, said[1]) == (terms.encode() | {"options": 0}, seats)
    assert terms.options.items() <= said[0].options.items()


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
