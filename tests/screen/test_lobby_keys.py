"""The keys of the lobby's page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cli.kit.canvas import plain_text
from cli.kit.reaction import REST_SECONDS
from cli.line.talk import talk_lines
from cli.options.settings import Settings
from cli.screen.functions import NOT_THE_HOST
from cli.screen.keys import press
from cli.screen.layout import SAID_ROWS, WindowShown, render
from cli.screen.lobby import CHANGED, INVITING, MORE, READY, UNREADY, Gathered, Lobby
from cli.screen.model import Model
from cli.screen.place import ScreenPlace
from cli.screen.player import ScreenPlayer
from cli.words.invitation import watching_lines
from cli.words.said import NOT_INVITED
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.player.events import Chat, Gathering, Opened, Seated, Talk, Watchable
from p2p.protocol.terms import Terms
from tests.cli.test_lobby_text import LOBBY, LONGEST
from tests.protocol.kit import identities
from tests.screen.boards import NAMES, position

INVITE = Invite((Address("192.0.2.7", 4433),), identities(1)[0].public, bytes(16))
HERE = Gathered(("1  Ana", "2  Bo"), "2 of 2 seated", ready=False, full=True, signing="...")


def test_enter_says_what_was_drawn_however_often_it_is_pressed_meanwhile() -> None:
    """Enter is pressed twice for one picture, and the lobby answers between the two.

    Answer: both presses mean what the picture showed.
    """
    lobby, said = Lobby("a table"), list[bool]()

    def say(ready: bool) -> None:
        said.append(ready)
        lobby.gather(HERE._replace(ready=ready), 0.0)

    lobby.set_ready = say
    lobby.gather(HERE, 0.0)
    for foot, ready in ((UNREADY, True), (READY, False), (UNREADY, True)):
        page = lobby.page(seated=False)
        assert page is not None
        assert page.foot is not None
        assert page.foot.startswith(foot)
        lobby.enter(0.0)
        lobby.enter(0.0)
        assert said[-2:] == [ready, ready]


def test_enter_that_was_meant_for_the_old_terms_agrees_to_nothing() -> None:
    """A host changes the table just before a guest presses Enter."""
    lobby, said = Lobby("a table"), list[bool]()
    lobby.set_ready = said.append
    lobby.gather(HERE._replace(plan="flaps"), 0.0)
    assert lobby.page(seated=False) is not None
    lobby.gather(HERE._replace(plan="sneak"), 10.0)
    assert lobby.enter(10.0 + REST_SECONDS - 0.1) == CHANGED
    assert said == []
    assert lobby.enter(10.0 + REST_SECONDS) == ""
    assert said == [True]


def test_page_says_what_the_host_has_changed() -> None:
    player, model, _ = sit()
    player.tell(replace(LOBBY, terms=Terms.of("sneak", clock=30)))
    seen = "\n".join(picture(model, 80, 40))
    assert "*** Ana has changed the table: Sneak, clock=30." in seen
    assert "*** You are asked again whether you are ready." in seen


# -- talk --------------------------------------------------------------------------------------


def sit(lobby: Gathering = LOBBY) -> tuple[ScreenPlayer, Model, list[str]]:
    """Somebody in a lobby of three, and what they say."""
    model, said = Model("joining", lambda: 0.0), list[str]()

    def say(line: str) -> bool:
        said.append(line)
        return len(said) < 3

    player = ScreenPlayer(model, Settings(), lobby=True)
    model.lobby.set_ready = lambda ready: None
    for event in (lobby, Talk(say)):
        player.tell(event)
    return player, model, said


def picture(model: Model, columns: int = 80, rows: int = 24) -> list[str]:
    model.window = WindowShown(columns, rows)
    return plain_text(render(model.board(), *model.window[:2])).splitlines()


def type_line(model: Model, text: str) -> None:
    for key in ("f3", *text, "enter"):
        press(model, key)


def test_f3_talks_in_the_lobby_as_at_the_table() -> None:
    player, model, said = sit()
    assert "F3 chat" in picture(model)[-1]
    for key in ("f3", *"quick: no"):
        press(model, key)
    assert picture(model)[-1].rstrip() == " say: quick: no_  Enter sends it to everyone  Esc back"
    press(model, "enter")
    assert said == ["quick: no"]
    player.tell(Chat(1, "Bo", "quick: no"))
    player.tell(Chat(0, "Ana", "x" * 90))
    assert [line.rstrip() for line in picture(model)[-6:-1]] == [
        *("", f" {talk_lines('Bo', 'quick: no')[0]}"),
        *(f" {row}" for row in talk_lines("Ana", "x" * 90)),
    ]
    type_line(model, "more")
    type_line(model, "too much")
    assert "too much at once" in picture(model)[-1]


def test_a_letter_of_what_is_said_is_no_key_of_the_lobby() -> None:
    _, model, said = sit()
    ready: list[bool] = []
    model.lobby.set_ready = ready.append
    type_line(model, "i will be late, q?")
    assert said == ["i will be late, q?"]
    assert (ready, model.mode) == ([], "")
    press(model, "enter")
    assert ready == [True]


@pytest.mark.parametrize("hosts", [True, False])
def test_only_a_host_commands_the_door(*, hosts: bool) -> None:
    _, model, said = sit()
    if hosts:
        model.lobby.show(["Friends type:", INVITE.encode()])
    for line in ("/rem Bo", "/lock", "/admit Cy", "/game clock=30"):
        for key in (*line, "enter"):
            press(model, key)
    assert said == (["/remove Bo", "/lock", "/admit Cy", "/game clock=30"] if hosts else [])
    assert (model.notice == NOT_THE_HOST) is not hosts


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (45, 15), (20, 4), (120, 40)])
def test_the_newest_talk_is_seen_however_long_the_page_is(columns: int, rows: int) -> None:
    player, model, _ = sit()
    player.tell(replace(LOBBY, seats=8, people=LONGEST))
    for number in range(60):
        player.tell(Chat(1, "Bo", f"line {number}"))
    seen = picture(model, columns, rows)
    assert len(seen) == rows
    assert seen[-2].rstrip() == " | Bo: line 59"
    assert sum("| Bo: line" in row for row in seen) == min(SAID_ROWS, rows // 2 - 1) or rows == 40
    assert "8 of 8" in seen[0] or rows == 4
    top = seen[1]
    press(model, "down")
    assert picture(model, columns, rows)[1] != top or rows in (4, 40)


@pytest.mark.parametrize("ready", [False, True])
def test_a_small_window_shows_who_sits_there_and_says_that_there_is_more(*, ready: bool) -> None:
    """The seats come before the rules; the title keeps its place in the page, the foot its keys."""
    own = replace(LONGEST[LOBBY.seat], ready=ready)
    people = tuple(own if seat == LOBBY.seat else LONGEST[seat] for seat in range(4))
    four = replace(LOBBY, seats=4, people=people)
    _, model, _ = sit(four)
    seen = picture(model, 45, 15)
    for one in four.people:
        assert any(one.name[:20] in row for row in seen)
    assert re.search(r" 1-13 of \d\d$", seen[0].rstrip())
    keys = READY if ready else UNREADY
    assert seen[-1].rstrip() == f" {keys}  {MORE}  q leave"
    for _ in range(40):
        press(model, "down")
    assert "in between" in " ".join(picture(model, 45, 15)), "the end of the page"
    press(model, "up")
    assert picture(model, 45, 15)[1] != seen[1]
    assert MORE not in picture(model, 120, 60)[-1]


def test_somebody_who_speaks_is_noticed_while_the_invite_is_shown() -> None:
    """The QR code stays whole: what is said stands in the last row until the talk was seen."""
    player, model, _ = sit()
    model.lobby.show(["send this", "ND1:X"])
    assert picture(model)[-1].strip() == INVITING.format(bots="")
    player.tell(Chat(0, "Ana", "are you there?"))
    seen = picture(model)
    assert "ND1:X" in seen[2]
    assert seen[-1].rstrip().endswith("| Ana: are you there?")
    press(model, "enter")
    assert "| Ana: are you there?" in picture(model)[-2]
    press(model, "tab")
    assert picture(model)[-1].strip() == INVITING.format(bots="")


def test_host_reads_who_waits_while_the_invite_is_shown() -> None:
    """And on the page of who is here as well."""
    place = ScreenPlace.__new__(ScreenPlace)  # a screen without a terminal
    model = place._model = Model("a table", lambda: 0.0)
    model.lobby.show(("ND1:X",))
    model.gather(HERE._replace(full=False))
    said = "*** Bo waits: /admit Bo lets them in."
    place.say([f"{said} (fig-fig-fig-fig-fig-fig)"])
    assert said in picture(model)[-1]
    press(model, "enter")
    assert any(said in row for row in picture(model))


def test_what_was_said_in_the_lobby_can_be_read_when_the_game_begins() -> None:
    player, model, _ = sit()
    player.tell(Chat(0, "Ana", "good luck"))
    at = position("flip-over")
    player.tell(Seated(NAMES[:4], ("a-b",) * 4, 1, Terms.of("flip-over"), 80_000))
    player.tell(Opened(at.view, lambda: at.session.pending))
    assert any("| Ana: good luck" in row for row in picture(model, 120, 40))
    press(model, "f2")
    assert any("| Ana: good luck" in row for row in picture(model))


# -- the invite of a game that runs ------------------------------------------------------------


def test_i_shows_how_others_join_and_later_how_they_watch() -> None:
    player, model, _ = sit()
    shown: list[list[str]] = []
    model.print_plainly = lambda lines: shown.append(list(lines))
    press(model, "i")
    assert model.notice == NOT_INVITED
    model.lobby.show(["send this", "ND1:X"])
    press(model, "i")
    at = position("flip-over")
    player.tell(Seated(NAMES[:4], ("a-b",) * 4, 1, Terms.of("flip-over"), 80_000))
    player.tell(Watchable(INVITE))
    player.tell(Opened(at.view, lambda: at.session.pending))
    for key in ("/", *"invite", "enter"):
        press(model, key)
    assert shown == [["ND1:X"], watching_lines(INVITE)]
    assert shown[-1][-1] == INVITE.encode()
    assert max(map(len, shown[-1][:-1])) <= 80
