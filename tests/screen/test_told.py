"""What is told while the rules make it, and what a game says ends something."""

from __future__ import annotations

import pytest

from cli.screen.layout import render
from cli.screen.presenter import Presenter
from engine.games import load_text
from engine.view import SPECTATOR
from p2p.player.events import Event, Noted
from tests.screen.boards import NAMES
from tests.screen.told import Told

GAMES = [
    ("flip-over", 3, {}),
    ("flip-over", 4, {"teams": "on"}),
    ("sneak", 4, {}),
    ("flop-a", 4, {}),
    ("flop-a", 3, {"stack": "20"}),
    ("flaps", 4, {"level": "4"}),
    ("flaps", 3, {"level": "7"}),
    ("you-fink", 3, {"cardLimit": "100"}),
]


def test_a_note_is_told_while_the_table_is_as_it_says() -> None:
    """The sets of a contest still lie there when they are told, though one answer clears them."""
    laid: list[int] = []

    def tell(event: Event) -> None:
        if isinstance(event, Noted) and event.note[0] == "challenge":
            table = game.session.table
            played = [zone for zone in table.zones if zone.name == "played" and zone.owner]
            laid.append(sum(map(len, played)))

    game = Told("sneak", 4, tell)
    game.play(300)
    assert len(laid) > 5
    assert all(laid)


def test_what_happened_before_the_table_is_opened_is_told_first() -> None:
    told: list[Event] = []
    game = Told("flip-over", 3, told.append)
    assert [type(event).__name__ for event in told] == ["Opened"]
    game.session.table.notes = [("deal", 8)]
    told.clear()
    game.news.open(game.view(0))
    assert [type(event).__name__ for event in told] == ["Noted", "Opened"]


def test_a_fault_of_who_is_told_is_none_of_the_rules() -> None:
    """A closed pipe, for instance: it is raised as it is, once they are done."""

    def tell(event: Event) -> None:
        if isinstance(event, Noted):
            raise BrokenPipeError

    game = Told("flip-over", 3, tell)
    game.play(20)
    assert len(game.session.journal) == 20
    with pytest.raises(BrokenPipeError):
        game.news.tell()


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_a_picture_can_be_made_of_any_moment_that_is_told(
    name: str, seats: int, options: dict[str, str]
) -> None:
    text = load_text(name)
    presenter, met = Presenter(text, NAMES[:seats]), set()

    def tell(event: Event) -> None:
        if not isinstance(event, Noted):
            return
        word, *values = event.note
        met.add(word)
        for one in text.shows.get(str(word), lambda *_: ())(*values):
            assert 0 <= one.seat < seats
            assert one.cards
        if word in text.endings:
            place = text.endings[str(word)]
            assert place is None or values[place] in range(seats)
            for seat in (0, seats - 1, SPECTATOR):
                assert len(render(presenter.board(game.view(seat)), 80, 24)) == 24

    game = Told(name, seats, tell, options)
    game.play(4000)
    assert met & text.endings.keys()
