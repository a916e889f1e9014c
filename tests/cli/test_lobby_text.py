"""The lobby in words, and on the full screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.kit.canvas import plain_text
from cli.options.settings import Settings
from cli.screen.keys import press
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.player import ScreenPlayer
from cli.words.lobby import changes, other_version, page, paragraphs, seat_lines, summary, terms_of
from engine.game import Value
from engine.games import load
from p2p.player.events import Back, Gathering, HeldUp, Lost, OtherVersion, Present
from p2p.player.waits import Awaited, Why
from p2p.protocol.races.relays import Pair
from p2p.protocol.terms import Terms
from p2p.version import PROTOCOL_VERSION, SAME, UPDATE
from tests.revision import OF_TESTS, another_revision

ANA = Present("Ana", "lime-lime-lime-lime-lime-lime", ready=True)
BO = Present("Bo", "plum-plum-plum-plum-plum-plum", ready=False)
LOBBY = Gathering(Terms.of("flaps", {"level": 3}), 3, (ANA, BO), 1)
LONGEST = tuple(Present("x" * 24, "-".join(["elephant"] * 6), ready=None) for _ in range(8))


def test_everything_that_will_be_signed_is_there() -> None:
    text = "\n".join(terms_of(LOBBY))
    for part in ("Flaps, 3 seats", "rules 5, protocol 4", "level=3", "policy wait", "cap 80 ms"):
        assert part in text


def test_seats_names_words_and_readiness() -> None:
    assert seat_lines(LOBBY) == [
        "  1  Ana       ready      lime-lime-lime-lime-lime-lime",
        "  2  Bo (you)  not ready  plum-plum-plum-plum-plum-plum",
        "  3  free",
    ]
    assert summary(LOBBY) == "Flaps: 2 of 3 seated, 1 ready"


def test_a_bot_is_marked_for_everybody_in_the_lobby() -> None:
    ada = replace(ANA, name="Ada", bot=True)
    lobby = replace(LOBBY, people=(ada, BO))
    assert seat_lines(lobby)[0].startswith("  1  Ada (bot)  ready")
    alone = replace(LOBBY, people=(BO,), seat=0)
    assert next(changes(alone, replace(lobby, people=(BO, ada), seat=0))) == (
        f"*** Ada (bot) sits down: {ada.fingerprint}."
    )


@pytest.mark.parametrize("game", ["flaps", "flip-over", "sneak"])
def test_no_line_is_wider_than_a_terminal(game: str) -> None:
    crowd = replace(LOBBY, terms=Terms.of(game), seats=8, people=LONGEST)
    assert max(map(len, page(crowd))) <= 78
    assert sum("elephant" in line for line in page(crowd)) == 8


def test_a_screen_folds_what_is_played_by_its_own_width() -> None:
    """Rows of 78 columns, folded again on a phone, had more blanks than words."""
    model = Model("Your table", lambda: 0.0)
    ScreenPlayer(model, Settings(), lobby=True).tell(LOBBY)
    seen = plain_text(render(model.board(), 45, 40)).splitlines()
    assert any("lost players: the table waits until they" in line for line in seen)
    assert max(len(line) - len(line.lstrip()) for line in seen if line.strip()) <= 6
    assert " ".join(page(LOBBY)).split() == " ".join(paragraphs(LOBBY)).split()


def test_what_changes_is_told_once() -> None:
    di = Present("Di", "fig-fig-fig-fig-fig-fig", ready=True)
    both = replace(LOBBY, people=(ANA, replace(BO, ready=True), di))
    assert list(changes(LOBBY, both)) == [
        "*** Bo is ready.",
        f"*** Di sits down: {di.fingerprint}.",
        "*** Di is ready.",
    ]
    gone = replace(LOBBY, people=(replace(ANA, ready=None), replace(BO, ready=False)))
    assert list(changes(both, gone)) == [
        "*** Di has left.",
        "*** Ana cannot be reached just now.",
        "*** Bo is not ready.",
    ]
    assert list(changes(LOBBY, LOBBY)) == []


def test_change_of_the_table_is_told_and_what_follows_for_the_reader() -> None:
    other = replace(LOBBY, terms=Terms.of("flaps", {"level": 5}, clock=30), seats=4)
    told = "changed the table: Flaps, 4 seats, level=5, clock=30."
    assert list(changes(LOBBY, other)) == [
        f"*** Ana has {told}",
        "*** You are asked again whether you are ready.",
    ]
    assert list(changes(replace(LOBBY, seat=0), replace(other, seat=0))) == [f"*** You have {told}"]
    sneak = replace(LOBBY, terms=Terms.of("sneak"))
    assert next(changes(LOBBY, sneak)) == "*** Ana has changed the table: Sneak."


def test_on_whom_races_would_rest_is_one_line_of_the_page_and_one_piece_of_news() -> None:
    all_there = replace(LOBBY, people=(ANA, BO, replace(ANA, name="*** Di")))
    apart = replace(all_there, unlinked=(Pair((0, 1), (2,)),))
    said = 'Ana and Bo reach each other only through "*** Di": races depend on that player.'
    assert list(changes(all_there, apart)) == [f"*** {said}"]
    assert list(changes(apart, replace(apart, seat=0))) == []
    assert list(changes(apart, all_there)) == ["*** Ana and Bo reach each other directly now."]
    away = replace(all_there, people=(ANA, BO, replace(ANA, name="*** Di", ready=None)))
    assert list(changes(apart, away)) == ['*** "*** Di" cannot be reached just now.']
    new = [line for line in page(apart) if line not in page(all_there)]
    assert " ".join(new) == said
    model = Model("joining", lambda: 0.0)
    ScreenPlayer(model, Settings(), lobby=True).tell(apart)
    picture = plain_text(render(model.board(), 80, 24))
    assert "Ana and Bo reach each other only through" in picture


def test_a_game_without_races_rests_on_nobody() -> None:
    apart = replace(LOBBY, terms=Terms.of("flip-over"), unlinked=(Pair((0, 1), (2,)),))
    assert page(apart) == page(replace(apart, unlinked=()))
    assert list(changes(apart, replace(apart, unlinked=()))) == []


def test_enter_says_ready_and_takes_it_back() -> None:
    model = Model("joining", lambda: 0.0)
    player = ScreenPlayer(model, Settings(), lobby=True)
    said: list[bool] = []
    model.lobby.set_ready = said.append
    player.tell(LOBBY)
    assert "Enter: I'm ready" in plain_text(render(model.board(), 80, 24))
    press(model, "enter")
    player.tell(replace(LOBBY, people=(ANA, replace(BO, ready=True))))
    picture = plain_text(render(model.board(), 80, 24))
    assert "Enter: not yet" in picture
    assert "Bo (you)  ready" in picture
    assert model.events.told()[-1] == "*** Bo is ready."
    press(model, "enter")
    assert said == [True, False]


def test_who_is_away_while_all_sign_is_seen_and_how_long_that_is_borne() -> None:
    model = Model("joining", lambda: 0.0)
    player = ScreenPlayer(model, Settings(), lobby=True)
    player.tell(replace(LOBBY, seats=2, people=(ANA, replace(BO, ready=True))))
    assert "All are ready: everybody signs" in plain_text(render(model.board(), 80, 24))
    player.tell(Lost(0, "Ana"))
    picture = plain_text(render(model.board(), 80, 24))
    assert "Ana       away" in picture
    assert "Somebody is away. Given up after 30 seconds, unless you have signed already." in picture
    player.tell(Back(0, "Ana"))
    picture = plain_text(render(model.board(), 80, 24))
    assert "Ana       ready" in picture
    assert "All are ready: everybody signs" in picture


@pytest.mark.parametrize("people", [(ANA, BO), (ANA, replace(BO, ready=True))])
def test_for_whom_all_wait_is_seen(people: tuple[Present, ...]) -> None:
    model = Model("joining", lambda: 0.0)
    player = ScreenPlayer(model, Settings(), lobby=True)
    there = (*people, replace(ANA, name="Cy"))
    player.tell(replace(LOBBY, people=there))
    player.tell(HeldUp((Awaited("Ana", Why.ELSEWHERE),)))
    picture = plain_text(render(model.board(), 80, 24))
    assert "*** Nothing has moved for 10 seconds: Ana is at another table" in picture
    player.tell(replace(LOBBY, people=there, unlinked=(Pair((0, 1), (2,)),)))
    assert "Nothing has moved" in plain_text(render(model.board(), 80, 24))
    player.tell(replace(LOBBY, seats=2, people=(replace(ANA, ready=None), BO)))
    assert "Nothing has moved" not in plain_text(render(model.board(), 80, 24))


def test_the_host_sees_whose_program_is_of_another_version() -> None:
    """Below the invite too, as far as it fits: whoever sent it looks there while nobody comes."""
    model = Model("hosting", lambda: 0.0)
    player = ScreenPlayer(model, Settings(), lobby=True)
    model.lobby.show(["send this", "ND1:X"])
    player.tell(LOBBY)
    player.tell(OtherVersion(2, bytes(3)))
    assert "*** Somebody with your invite" in plain_text(render(model.board(), 80, 24))
    press(model, "enter")
    said = f"speaks protocol version 2, this table {PROTOCOL_VERSION}: {UPDATE}."
    assert said in " ".join(plain_text(render(model.board(), 80, 24)).split())


def test_host_reads_both_revisions() -> None:
    with another_revision():
        said = other_version(OtherVersion(PROTOCOL_VERSION, OF_TESTS))
    runs = "*** Somebody with your invite runs revision 000000 of nodealer, this table 3fa9c2"
    assert said == f"{runs}: {SAME}."


def test_the_invite_gives_way_when_all_seats_are_taken() -> None:
    model = Model("hosting", lambda: 0.0)
    player = ScreenPlayer(model, Settings(), lobby=True)
    said: list[bool] = []
    model.lobby.set_ready = said.append
    model.lobby.show(["send this", "ND1:X"])
    player.tell(LOBBY)
    assert "ND1:X" in plain_text(render(model.board(), 80, 24))
    press(model, "enter")
    assert "Ana" in plain_text(render(model.board(), 80, 24))
    press(model, "tab")
    assert "ND1:X" in plain_text(render(model.board(), 80, 24))
    assert said == []
    player.tell(replace(LOBBY, people=(ANA, BO, replace(ANA, name="Di"))))
    assert "ND1:X" not in plain_text(render(model.board(), 80, 24))


def test_at_a_table_with_one_s_own_bots_there_is_no_lobby() -> None:
    model = Model("play", lambda: 0.0)
    ScreenPlayer(model, Settings()).tell(LOBBY)
    assert not model.gathers
    assert model.board().overlay is None


def test_a_crowded_lobby_can_be_scrolled() -> None:
    model = Model("joining", lambda: 0.0)
    player = ScreenPlayer(model, Settings(), lobby=True)
    player.tell(replace(LOBBY, seats=8, people=LONGEST))
    before = plain_text(render(model.board(), 80, 24))
    assert "1-22 of" in before
    for _ in range(9):
        press(model, "down")
    after = plain_text(render(model.board(), 80, 24))
    assert "nobody is in between" in after
    for _ in range(9):
        press(model, "up")
    assert plain_text(render(model.board(), 80, 24)) == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "500 cards and the pile in play at most, about 12 minutes"),
        ({"cardLimit": "50"}, "50 cards and the pile in play at most, about 1 minute"),
        ({"cardLimit": "off"}, "until somebody owns all cards, which may take an hour"),
    ],
)
def test_the_lobby_says_how_long_you_fink_may_take(options: dict[str, Value], said: str) -> None:
    """You Fink! has no end of its own; a game whose wording says nothing has no such line."""
    lines = terms_of(replace(LOBBY, terms=Terms.of("you-fink", options)))
    assert f"  length: {said}" in lines
    assert not any("length:" in line for line in terms_of(LOBBY))


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (2, {}, "to 100 points, some 4 rounds: about 6 minutes at the pace of bots"),
        (3, {}, "to 100 points, some 6 rounds: about 9 minutes at the pace of bots"),
        (3, {"target": 25}, "to 25 points, some 2 rounds: about 3 minutes at the pace of bots"),
        (5, {}, "to 200 points, some 10 rounds: about 43 minutes at the pace of bots"),
        (7, {}, "to 200 points, some 14 rounds: about 60 minutes at the pace of bots"),
    ],
)
def test_the_lobby_says_how_long_sneak_takes(
    seats: int, options: dict[str, Value], said: str
) -> None:
    """Measured with bots at normal pace, three games each: 7, 9, 3, 43 and 55 minutes."""
    rules = load("sneak")
    options = {**rules.defaults(), **options}
    lines = terms_of(replace(LOBBY, terms=Terms.of("sneak", options), seats=seats))
    assert f"  length: {said}" in lines
