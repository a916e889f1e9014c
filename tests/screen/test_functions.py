"""Functions by their keys and by their commands."""

from __future__ import annotations

import pytest

from cli.line.going import Going
from cli.words.going import LATER_SAID
from p2p.player.events import Seated
from p2p.protocol.terms import Terms
from tests.screen.test_keys import table


def test_function_keys_and_commands_do_the_same() -> None:
    at = table("flop-a")
    at.ask()
    at.press("c", "f4")
    assert (at.model.theme, at.model.line.text) == ("dark", "c")
    at.press("/", *"theme", "enter")
    assert (at.model.theme, at.model.line.text) == ("light", "c")


def test_chat_goes_to_whoever_sends_it() -> None:
    at, said = table("flip-over"), list[str]()
    at.press("f3")
    assert at.notice == "Nobody at this table would hear you."
    at.model.send_chat = said.append
    at.press("f3", *"helo", "backspace", *"lo!", "enter", "/", *"say again", "enter")
    at.press("/", *"chat and again", "enter")
    assert said == ["hello!", "again", "and again"]
    at.press("f3", *"no", "escape")
    assert len(said) == 3
    assert at.model.mode == ""


@pytest.mark.parametrize("line", ["9h", "h9!", "hallenge 9♥ 9h", "I keep 9H,"])
def test_talk_that_names_an_own_card_is_asked_about_once(line: str) -> None:
    at, said = table("flip-over"), list[str]()
    at.ask()
    at.model.send_chat = said.append
    at.press("f3", *line, "enter")
    assert said == []
    assert "is a card of yours" in at.notice
    assert at.model.board().typed == line
    at.press("enter")
    assert said == [line]
    at.press("/", *"chat 9h", "enter", "escape")
    assert (said, at.model.mode) == ([line], "")
    at.press("f3", *"9h", "enter", "backspace", "backspace", *"hello", "enter")
    assert said == [line, "hello"]


def test_ctrl_c_twice_leaves_for_later() -> None:
    at, said = table("flip-over"), list[str]()
    at.press("c-c", "c-c")
    assert at.left
    at = table("flip-over")
    at.model.send_chat = said.append
    at.model.part = at.model.leave
    at.model.going = going = Going(lambda size: 0.0)
    going.sit(Seated(("Ada", "Bo"), ("",) * 2, 0, Terms.of("flip-over"), 1000, can_leave=True))
    at.press("c-c")
    at.settle()
    at.press("g", "c-c")
    assert (at.left, said, going.for_good) == (True, [LATER_SAID], False)


def test_an_unknown_command_names_those_there_are() -> None:
    at = table("flip-over")
    at.press("/", *"frog", "enter")
    assert "help, events, chat" in at.notice
    at.press("/", *"h", "enter")
    assert at.notice == "/h could be /help or /hint or /hail: type more of it."
    at.press("/", *"si", "tab")
    assert at.model.board().typed == "size"
    at.press("enter")
    assert at.model.card_size == 1
    assert at.notice == "Cards in 1 line."
