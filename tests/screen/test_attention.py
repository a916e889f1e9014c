"""Who does not look is called: when, how often, and with which codes of the terminal."""

from __future__ import annotations

import pytest
import trio
from prompt_toolkit.output import DummyOutput

from cli.kit.attention import APART_SECONDS, FRONT_SECONDS, Attention
from cli.kit.signs import FOCUS_IN, FOCUS_OUT, LONGEST, ScreenSigns, notification
from cli.line.calls import Calls
from cli.options.settings import Settings
from cli.screen.model import Model
from cli.screen.player import ScreenPlayer
from engine.question import Race
from p2p.player.events import Chat, Gathering, Present, Seated
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms
from p2p.text.names import is_printable
from tests.screen.boards import NAMES, position
from tests.screen.test_app import opened, until


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Heard:
    """Signs that are remembered."""

    def __init__(self) -> None:
        self.rung: list[str] = []
        self.titles: list[str] = []

    def ring(self, said: str) -> None:
        self.rung.append(said)

    def entitle(self, said: str) -> None:
        self.titles.append(said)


class Written(DummyOutput):
    """What was written to a terminal; it is `gone` when its window was closed."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.gone = False

    def write_raw(self, data: str) -> None:
        self.codes.append(data)

    def flush(self) -> None:
        if self.gone:
            raise OSError


def attention() -> tuple[Attention, Clock, Heard]:
    clock, heard = Clock(), Heard()
    return Attention(clock, heard), clock, heard


def test_nobody_who_looks_is_called() -> None:
    one, clock, heard = attention()
    one.focus(True)
    clock.seconds += 1_000
    one.turn("turn")
    one.news("news")
    assert (heard.rung, heard.titles) == ([], [])


def test_who_does_not_look_is_called_and_the_title_goes_when_they_do() -> None:
    one, _, heard = attention()
    one.focus(False)
    one.turn("turn")
    assert (heard.rung, heard.titles) == (["turn"], ["turn"])
    one.focus(True)
    assert heard.titles == ["turn", ""]
    one.focus(False)
    assert heard.titles == ["turn", "", "turn"], "it is still their turn"
    one.turn_over()
    assert (heard.rung, heard.titles[-1]) == (["turn"], "")


def test_news_do_not_hide_that_it_is_ones_turn() -> None:
    one, clock, heard = attention()
    one.focus(False)
    one.news("first")
    one.turn("turn")
    clock.seconds += APART_SECONDS
    one.news("second")
    one.turn_over()
    assert heard.titles == ["first", "turn", "second"]
    assert heard.rung == ["first", "second"]


def test_bells_are_apart_however_much_happens() -> None:
    one, clock, heard = attention()
    one.focus(False)
    for number in range(100):
        one.news(str(number))
        clock.seconds += APART_SECONDS / 10
    assert heard.rung == [str(number) for number in range(0, 100, 10)]


def test_a_terminal_that_says_nothing_is_in_front_for_a_while_after_a_key() -> None:
    one, clock, heard = attention()
    clock.seconds += FRONT_SECONDS - 0.1
    one.news("at once")
    one.key()
    clock.seconds += FRONT_SECONDS - 0.1
    one.news("soon")
    assert heard.rung == []
    clock.seconds += 0.1
    one.news("late")
    assert (heard.rung, heard.titles) == (["late"], ["late"])
    one.key()
    assert heard.titles == ["late", ""]


def test_a_key_proves_that_the_terminal_is_in_front() -> None:
    one, clock, _ = attention()
    one.focus(False)
    one.key()
    clock.seconds += 1_000
    assert one.in_front


def test_text_of_others_cannot_act_on_the_terminal() -> None:
    output = Written()
    signs = ScreenSigns(output, {"TERM_PROGRAM": "WezTerm"})
    signs.open()
    evil = "\x1b]0;x\a\x9c\x9d\n\u202e" + "y" * 1_000
    signs.ring(evil)
    signs.entitle(evil)
    _, rung, title = output.codes
    inside = [
        rung.removeprefix("\x1b]9;").removesuffix("\x1b\\\a"),
        title.removeprefix("\x1b[22;0t\x1b]0;").removesuffix("\a"),
    ]
    assert all(is_printable(text) and len(text) == LONGEST for text in inside)


def test_the_terminal_is_left_as_it_was_once() -> None:
    output = Written()
    signs = ScreenSigns(output, {})
    signs.entitle("before")
    signs.open()
    signs.entitle("your turn")
    signs.entitle("news")
    with signs.unasked():
        signs.close()
    signs.close()
    signs.ring("after")
    assert output.codes == [
        "\x1b[?1004h",
        "\x1b[22;0t\x1b]0;your turn - nodealer\a",
        "\x1b]0;news - nodealer\a",
        "\x1b[?1004l",
        "\x1b]0;\a\x1b[23;0t",
        "\x1b[?1004l",
    ]


def test_a_terminal_that_is_gone_is_no_fault() -> None:
    output = Written()
    signs = ScreenSigns(output, {})
    signs.open()
    output.gone = True
    signs.close()
    assert output.codes == ["\x1b[?1004h", "\x1b[?1004l"]


def test_a_console_without_titles_is_given_none() -> None:
    output = Written()
    signs = ScreenSigns(output, {"TERM": "linux"})
    signs.open()
    signs.entitle("your turn")
    signs.ring("your turn")
    assert output.codes == ["\x1b[?1004h", "\a"]


@pytest.mark.parametrize(
    ("term", "program", "codes"),
    [
        ("xterm-256color", "iTerm.app", "\x1b]9;x\x1b\\"),
        ("xterm-256color", "WezTerm", "\x1b]9;x\x1b\\"),
        ("xterm-ghostty", "ghostty", "\x1b]9;x\x1b\\"),
        ("rxvt-unicode-256color", "", "\x1b]777;notify;nodealer;x\x1b\\"),
        ("xterm-kitty", "", ""),
        ("xterm-256color", "Apple_Terminal", ""),
        ("screen-256color", "iTerm.app", ""),
        ("tmux-256color", "tmux", ""),
    ],
)
def test_notifications_only_where_they_are_known(term: str, program: str, codes: str) -> None:
    assert notification({"TERM": term, "TERM_PROGRAM": program})("x") == codes


def test_what_a_terminal_says_about_its_focus_is_no_key() -> None:
    async def say_it() -> None:
        screen.model.mode = "say"
        pipe.send_text(f"a{FOCUS_OUT}{FOCUS_IN}b")
        await until(lambda: screen.model.entry == "ab")
        pipe.send_text(FOCUS_OUT)
        await until(lambda: not screen.attention.in_front)
        assert (screen.model.mode, screen.model.entry) == ("say", "ab")

    with opened() as (screen, pipe, _):
        screen.run(say_it)


# -- what calls ------------------------------------------------------------------------


def lobby(*names: str) -> Gathering:
    people = tuple(Present(name, f"{name}-words", ready=False) for name in names)
    return Gathering(Terms.of("flip-over", race=RaceTerms(1_000)), 4, people, 0)


def test_a_line_of_somebody_else_and_a_new_guest_call() -> None:
    one, clock, heard = attention()
    calls = Calls(one)
    one.focus(False)
    for event in (
        lobby("Zoe", "Ada"),
        lobby("Zoe", "Ada", "Bo"),
        lobby("Zoe", "Bo"),
        Chat(0, "Zoe", "hello?"),
        Chat(1, "Bo", "hello"),
        Seated(("Zoe", "Bo"), ("a", "b"), 0, Terms.of("flip-over"), 1_000),
        Chat(0, "Zoe", "hello?"),
        Chat(1, "Bo", "here"),
    ):
        clock.seconds += APART_SECONDS
        calls.tell(event)
    assert heard.rung == [f"Bo{what} - Flip Over" for what in (" sat down", ": hello", ": here")]


def test_ones_own_turn_calls_and_a_race_for_others_does_not() -> None:
    at = position("flip-over")
    one, _, heard = attention()
    player = ScreenPlayer(Model("test", Clock()), Settings(), attention=one)
    player.tell(Seated(NAMES[:4], ("a",) * 4, 0, Terms.of("flip-over"), 1_000))
    one.focus(False)

    async def ask() -> None:
        race = Race([at.question], "who is first", awaited=1)
        for question in (race, at.question):
            with trio.move_on_after(0):
                await player.decide(at.view, question)

    trio.run(ask)
    assert heard.rung == ["your turn - Flip Over"]
    assert heard.titles == ["your turn - Flip Over", ""]
