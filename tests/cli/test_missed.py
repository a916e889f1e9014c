"""What is said of somebody who is gone, and how a person answers: on the screen and in lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import trio
import trio.testing

from cli.line.missed import MissedLines
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.screen.missed import Missing
from cli.words.missed import (
    GOES_ON,
    NOBODY,
    NOT_NOW,
    PROPOSED,
    TOO_FEW,
    WAITS,
    answered,
    bar,
    keys,
    question,
    sentences,
)
from p2p.player.events import Missed, MissedSeat

ANA, BO = MissedSeat(0, "Ana"), MissedSeat(1, "Bo", "Cy")


def missed(*seats: MissedSeat, say: Callable[[bool], None] | None = print) -> Missed:
    return Missed(seats, seconds=61, say=say)


def test_one_is_asked_in_a_sentence() -> None:
    assert sentences(missed(ANA)) == ["Ana has been away for 61 s. Go on without Ana?"]
    both = sentences(missed(ANA, BO))
    assert both[0] == "Ana and Bo have been away for 61 s. Go on without them?"
    cut = "Bo could only be reached through Cy, and may have been cut off there."
    assert both[1:] == [cut, PROPOSED]
    assert sentences(missed(BO, say=None))[1:] == [cut]


def test_it_says_who_has_said_what_and_for_whom_a_word_waits() -> None:
    event = replace(missed(ANA), said=(("Bo", True), ("Cy", False)), awaited=("Dee",))
    assert sentences(event)[1:] == ["Bo: go on. Cy: wait.", "What you said waits for Dee."]


def test_too_few_who_are_left_are_asked_nothing() -> None:
    event = missed(ANA, say=None)
    assert sentences(event) == [f"Ana has been away for 61 s. {TOO_FEW}"]
    assert bar(event) == question(event) == sentences(event)[0]


def test_it_says_for_whom_all_wait_while_another_one_is_not_reached() -> None:
    event = replace(missed(ANA, say=None), unreached=("Dee", "Ed"))
    waits = "Dee and Ed cannot be reached either: all wait for Ana, Dee and Ed."
    assert sentences(event) == ["Ana has been away for 61 s.", waits]
    assert sentences(replace(event, unreached=("Dee",)))[1:] == [
        "Dee cannot be reached either: all wait for Ana and Dee."
    ]
    assert answered(event, goes_on=True) == NOT_NOW
    assert answered(missed(ANA, say=None), goes_on=True) == TOO_FEW


def test_a_question_that_could_not_be_asked_for_a_while_is_told_again() -> None:
    teller = Teller(Settings())
    told = [
        teller.news(event)
        for event in (
            missed(ANA),
            replace(missed(ANA, say=None), unreached=("Dee",)),
            missed(ANA),
            replace(missed(ANA), said=(("Bo", True),)),
        )
    ]
    asks = ["*** Ana has been away for 61 s. Go on without Ana?"]
    waits = ["*** Dee cannot be reached either: all wait for Ana and Dee."]
    assert told == [asks, waits, asks, ["*** Bo: go on."]]


def test_what_answers_is_named_waiting_first_if_somebody_may_have_been_cut_off() -> None:
    assert (keys(missed(ANA)), keys(missed(BO))) == ("y go on  n wait", "n wait  y go on")
    assert bar(missed(ANA)) == f"/go or /wait: {sentences(missed(ANA))[0]}"
    assert bar(missed(BO)).startswith("/wait or /go: Bo has been away for 61 s. Go on without Bo?")
    assert keys(missed(ANA, say=None)) == ""


def test_the_bar_stays_until_nobody_is_missed() -> None:
    said: list[bool] = []
    missing = Missing()
    assert (missing.bar(), missing.question(), missing.keys()) == ("", "", "")
    assert (missing.say(True), missing.asks, missing.says) == (NOBODY, False, False)
    missing.hear(missed(ANA, say=said.append))
    assert (missing.say(True), missing.say(False), said) == (GOES_ON, WAITS, [True, False])
    assert missing.asks
    missing.hear(missed(ANA, say=None))
    assert (missing.say(True), missing.asks, missing.says) == (TOO_FEW, False, True)
    missing.hear(Missed(()))
    assert not missing.says


def test_the_question_is_told_once_and_then_who_has_said_what() -> None:
    teller = Teller(Settings())
    first, asked = missed(ANA), "*** Ana has been away for 61 s. Go on without Ana?"
    assert teller.news(first) == [asked]
    later = replace(first, seconds=70, said=(("Bo", True),))
    assert teller.news(later) == ["*** Bo: go on."]
    assert teller.news(replace(later, awaited=("Dee",))) == ["*** What you said waits for Dee."]
    assert teller.news(Missed(())) == []
    assert teller.news(first) == [asked]


async def test_lines_ask_while_nothing_else_is_read(autojump_clock: trio.abc.Clock) -> None:
    typed, said, printed = ["y", "hello", "n", "/go"], list[bool](), list[str]()
    others: list[str] = []

    async def read(prompt: str) -> str:
        await trio.sleep(1)
        if not typed:
            await trio.sleep_forever()
        return typed.pop(0)

    async def otherwise(line: str) -> bool:
        others.append(line)
        return True

    async def table() -> str:
        await trio.sleep(2.5)
        assert typed[0] == "y"  # nobody is missed: nothing is read
        lines.hear(missed(ANA, say=said.append))
        await trio.sleep(1.5)
        with lines.stepping_aside():
            await trio.sleep(10)
            assert said == [True]
        await trio.sleep(10)
        lines.hear(Missed(()))
        return "over"

    lines = MissedLines(read, printed.append, otherwise)
    assert await lines.beside(table) == "over"
    assert (said, others) == ([True, False, True], ["hello"])
    assert printed == [GOES_ON, WAITS, GOES_ON]
    assert not lines.obey("go")
    assert lines.obey("/go")
    assert printed[-1] == NOBODY
