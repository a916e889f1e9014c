"""When a person is asked to go on without somebody, what a bot says, and when nobody is asked."""

from __future__ import annotations

from typing import Final

import pytest

from engine.games import load
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import Missed
from p2p.protocol.policy import carry_on
from p2p.protocol.proposal import ProposedSeat, propose
from p2p.protocol.terms import Terms
from p2p.seat.going_on import GoingOn
from tests.peer.desk_kit import Time, World
from tests.protocol.kit import TOKEN, Hub, bare_hub, identities
from tests.protocol.losing import Gone, lose

SEATS: Final = 5
GIVES_UP: Final = 60.0
PEOPLE = identities(SEATS)
KEYS = [one.public for one in PEOPLE]
NAMES = [one.name for one in PEOPLE]
WAITS: Final = "wait"


class Table:
    """One seat at a table from which these are gone, and what its person is told."""

    def __init__(
        self,
        *,
        least: int = 3,
        bots: tuple[int, ...] = (),
        gone: tuple[Gone, ...] = (Gone(1, "shuffle"),),
    ) -> None:
        seats = [
            ProposedSeat(key, name, seat in bots)
            for seat, (key, name) in enumerate(zip(KEYS, NAMES, strict=True))
        ]
        policy = carry_on(least) if least else WAITS
        proposal = propose(TOKEN, Terms.of("flop-a", policy=policy), seats)
        self.hub: Final[Hub] = bare_hub(load("flop-a"), SEATS, 1, least=least)
        lose(self.hub, *gone).run()
        self.machine = self.hub.seats[0].machine
        self.time = Time()
        self.world = World([], time=self.time)
        self.lost: set[int] = set()
        self.via: dict[int, str] = {}
        terms = self.world.desk, proposal, 0, GIVES_UP, self.links
        self.going_on: Final = GoingOn(*terms, self.hub.run_on)
        self.going_on.watch(self.machine)

    def links(self) -> tuple[SeatLink, ...]:
        def way(seat: int) -> Way:
            return Way.LOST if seat in self.lost else Way.VIA if seat in self.via else Way.DIRECT

        return tuple([SeatLink(s, NAMES[s], way(s), self.via.get(s, "")) for s in range(1, SEATS)])

    @property
    def told(self) -> list[Missed]:
        return [event for event in self.world.told if isinstance(event, Missed)]

    def absent(self) -> list[set[int]]:
        """Who is gone by the newest vote of each seat that has voted, in seat order."""
        standing = self.machine.voting.standing
        return [set(absent) for _, absent in sorted(standing.votes.items())]


def test_a_person_is_asked_after_a_while_and_only_once() -> None:
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP - 2)
    assert table.told == []
    table.time.pass_(100)
    (event,) = table.told
    assert [one.seat for one in event.seats] == [1]
    assert event.seconds == pytest.approx(GIVES_UP, abs=2)


def test_nobody_is_asked_about_a_seat_that_is_there_and_thinks() -> None:
    table = Table()
    table.time.pass_(10 * GIVES_UP)
    assert table.told == []


def test_nobody_is_asked_about_a_seat_for_which_the_table_does_not_wait() -> None:
    table = Table()
    table.lost = {2}
    table.time.pass_(10 * GIVES_UP)
    assert 2 not in table.machine.missing()
    assert table.told == []


def test_nobody_is_asked_at_a_table_that_waits() -> None:
    table = Table(least=0)
    table.lost = {1}
    table.time.pass_(10 * GIVES_UP)
    assert table.told == []


def test_it_is_withdrawn_when_the_seat_is_back() -> None:
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP + 2)
    table.lost = set()
    table.time.pass_(2)
    assert [bool(event.seats) for event in table.told] == [True, False]


def test_open_question_is_withdrawn_when_the_game_ends() -> None:
    """Otherwise its keys stay live for the whole evening, at tables where that seat is not."""
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP + 2)
    table.going_on.stop()
    table.going_on.stop()
    table.time.pass_(GIVES_UP)
    assert [bool(event.seats) for event in table.told] == [True, False]


def test_question_is_withdrawn_as_soon_as_the_seat_returns() -> None:
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP + 2)
    table.lost = set()
    table.going_on.hurry()
    table.time.pass_(0.0)
    assert not table.told[-1].seats


def test_nobody_is_asked_while_somebody_who_would_have_to_agree_is_away_too() -> None:
    """A vote now could wait for that seat for ever; it is said for whom all wait."""
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP - 5)
    table.lost = {1, 2}
    table.time.pass_(GIVES_UP - 5)
    (event,) = table.told
    assert ([one.seat for one in event.seats], event.unreached) == ([1], (NAMES[2],))
    assert event.say is None
    table.time.pass_(10)
    assert [one.seat for one in table.told[1].seats] == [1, 2]
    assert table.told[1].unreached == ()
    assert table.told[1].say is not None


def test_a_question_waits_while_another_one_vanishes_and_then_is_asked_again() -> None:
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP + 5)
    table.lost = {1, 2}
    table.time.pass_(5)
    table.lost = {1}
    table.time.pass_(5)
    assert [(len(event.seats), len(event.unreached)) for event in table.told] == [
        *((1, 0), (1, 1), (1, 0))
    ]
    assert [event.say is None for event in table.told] == [False, True, False]


def test_no_bot_votes_while_somebody_who_would_have_to_agree_is_away() -> None:
    table = Table(bots=(0, 2, 3, 4))
    table.lost = {1}
    table.time.pass_(GIVES_UP - 5)
    table.lost = {1, 2}
    table.time.pass_(GIVES_UP - 5)
    assert table.absent() == []


@pytest.mark.parametrize("kind", ["mend", "relock", "strip"])
def test_whoever_is_gone_while_a_lost_key_is_taken_out_is_missed_alone(kind: str) -> None:
    """The first one is out already, although nobody has reached it since."""
    table = Table(gone=(Gone(3, "open"), Gone(2, kind)))
    table.lost = {3}
    table.time.pass_(GIVES_UP + 2)
    table.hub.go_on_without(3)
    table.hub.run_on()
    assert table.machine.missing() == (2,)
    table.lost = {2, 3}
    table.time.pass_(GIVES_UP + 2)
    event = table.told[-1]
    assert [one.seat for one in event.seats] == [2]
    assert event.say is not None
    event.say(True)
    assert table.absent() == [{2}]


def test_too_few_who_would_be_left_have_nothing_to_say() -> None:
    table = Table(least=4)
    table.lost = {1, 2}
    table.time.pass_(GIVES_UP + 2)
    assert [event.say for event in table.told] == [None]


def test_it_says_through_whom_alone_a_seat_was_reached() -> None:
    table = Table()
    table.via = {1: NAMES[2]}
    table.time.pass_(5)
    table.lost = {1}
    table.time.pass_(GIVES_UP + 2)
    assert table.told[0].seats[0].through == NAMES[2]


def test_what_the_person_says_is_voted_and_what_others_say_is_told() -> None:
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP + 2)
    say = table.told[0].say
    assert say is not None
    say(True)
    assert table.absent() == [{1}]
    table.hub.seats[3].machine.go_on_without(frozenset({1}))
    table.hub.run_on()
    table.time.pass_(2)
    assert table.told[-1].said == ((NAMES[0], True), (NAMES[3], True))
    assert table.told[-1].awaited == (NAMES[2], NAMES[4])


@pytest.mark.slow
def test_a_word_about_somebody_who_is_out_by_now_means_nothing() -> None:
    table = Table()
    table.lost = {1}
    table.time.pass_(GIVES_UP + 2)
    say = table.told[0].say
    assert say is not None
    table.hub.go_on_without(1)
    table.hub.run_on()
    step = table.machine.chain.step
    say(True)
    assert table.absent() == []
    assert table.machine.chain.step == step


@pytest.mark.parametrize("reaches", [False, True])
def test_a_bot_says_what_a_person_says_if_it_does_not_reach_the_seat_either(reaches: bool) -> None:
    table = Table(bots=(0,))
    table.lost = set() if reaches else {1}
    table.time.pass_(GIVES_UP + 2)
    assert (table.told, table.absent()) == ([], [])
    table.hub.seats[3].machine.go_on_without(frozenset({1}))
    table.hub.run_on()
    table.time.pass_(2)
    assert table.absent() == ([{1}] if reaches else [{1}, {1}])


def test_a_bot_does_not_follow_a_bot() -> None:
    table = Table(bots=(0, 3))
    table.lost = {1}
    table.hub.seats[3].machine.go_on_without(frozenset({1}))
    table.hub.run_on()
    table.time.pass_(GIVES_UP + 2)
    assert table.absent() == [{1}]


def test_bots_begin_themselves_where_no_person_is_left() -> None:
    table = Table(bots=tuple(range(SEATS)))
    table.lost = {1}
    table.time.pass_(GIVES_UP - 2)
    assert table.absent() == []
    table.time.pass_(100)
    assert table.absent() == [{1}], "once said is enough"
    assert table.told == []


def test_bots_do_not_give_a_person_up() -> None:
    """Whoever closed a laptop comes back to a table of bots that has waited."""
    table = Table(bots=(0, 2, 3, 4))
    table.lost = {1}
    table.time.pass_(10 * GIVES_UP)
    assert table.absent() == []


def test_bots_of_whom_too_few_would_be_left_wait() -> None:
    table = Table(least=4, bots=tuple(range(SEATS)))
    table.lost = {1, 2}
    table.time.pass_(10 * GIVES_UP)
    assert table.absent() == []
