"""`--clock`: what is asked for, what people read of it, and the clock in lines."""

from __future__ import annotations

import os
import pty
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from cli.line.choices import choices
from cli.line.lines import PlainLines
from cli.line.person import REMINDS_SECONDS, Person
from cli.menu.asked import another, current, dialogue
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from cli.options.terms import CLOCK, next_terms, said_of
from cli.words import lobby as lobby_text
from cli.words.next_game import about
from engine.dealer import TrustedDealer
from engine.games import load
from engine.question import Question
from engine.session import Session
from engine.view import View
from p2p.player.events import Away, Gathering, Present, Seated, TimeOver
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.terms import Terms
from tests.cli.conftest import Run
from tests.patience import PATIENCE

ANA = Present("Ana", "fig-fig-fig-fig-fig-fig", ready=True)
LOBBY = Gathering(Terms.of("flip-over", clock=45), 3, (ANA,), 0)
TABLE = ("flip-over", "--seats", "3", "--option", "rounds=1", "--json")
NAMES, WORDS = ("Ana", "Bo", "Cleo"), ("a-b", "c-d", "e-f")


# -- what is asked for -------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", ["1", "4", "3601", "-5"])
@pytest.mark.parametrize("command", ["host", "play"])
def test_a_clock_that_no_table_has_is_one_sentence(run: Run, command: str, seconds: str) -> None:
    result = run(command, "flip-over", "--clock", seconds)
    assert result.exit_code == 2
    said = f"--clock takes 5 to 3600 seconds, or 0 for no limit, not '{seconds}'."
    assert result.stderr.strip().endswith(said)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", [("play", *TABLE), ("host", *TABLE, "--bots", "2")])
def test_the_clock_stands_in_the_header(run: Run, home: Path, command: tuple[str, ...]) -> None:
    assert run(*command, "--clock", "45").exit_code == 0
    (log,) = (home / "games").glob("*.ndlog")
    assert decode_header(split_log(log.read_bytes()).header).proposal.terms.clock == 45


def test_without_the_option_there_is_none(finished_log: Path) -> None:
    assert decode_header(split_log(finished_log.read_bytes()).header).proposal.terms.clock == 0


# -- the menu, and the next game -----------------------------------------------------------------


@pytest.mark.parametrize("command", ["play", "host"])
def test_the_menu_asks_for_it(home: Path, command: str) -> None:
    shelf = HomeShelf()
    form: Any = current(shelf, [command, "flip-over"])
    (field,) = [one for one in form.fields({}) if one.name == CLOCK.name]
    assert field.default == "0"
    assert "30" in field.values
    chosen = form.default.replace(f"{CLOCK.name}=0", f"{CLOCK.name}=30")
    argv = current(shelf, [command, "flip-over", chosen], dialogue)
    assert isinstance(argv, list)
    assert argv[argv.index("--clock") + 1] == "30"
    without = current(shelf, [command, "flip-over", form.default], dialogue)
    assert "--clock" not in without


def test_the_next_game_keeps_it_unless_its_host_changes_it(home: Path) -> None:
    shelf, old = HomeShelf(), Terms.of("sneak", clock=45)
    flow = another(3, said_of(old))
    form: Any = current(shelf, ["flip-over"], flow)
    argv: Any = current(shelf, ["flip-over", form.default], flow)
    assert next_terms(argv, old, 3).clock == 45
    changed = form.default.replace(f"{CLOCK.name}=45", f"{CLOCK.name}=120")
    argv = current(shelf, ["flip-over", changed], flow)
    assert next_terms(argv, old, 3).clock == 120
    assert next_terms(["flip-over"], old, 3).clock == 45
    off = current(
        shelf, ["flip-over", form.default.replace(f"{CLOCK.name}=45", f"{CLOCK.name}=0")], flow
    )
    assert next_terms(off, old, 3).clock == 0  # type: ignore[arg-type]


def test_a_proposed_game_says_its_clock() -> None:
    plan = Terms.of("sneak", clock=45)
    assert "Clock: 45 s for a decision." in " ".join(about(plan, 3))
    assert not any("lock" in line for line in about(replace(plan, clock=0), 3))


# -- words ----------------------------------------------------------------------------------------


def test_the_lobby_says_it_in_one_item() -> None:
    page = " ".join(" ".join(lobby_text.page(LOBBY)).split())
    assert (
        "clock: 45 s for a decision. If somebody takes longer, their own program makes it, as the "
        "rules say for that; nobody else can." in page
    )
    assert "clock" not in " ".join(lobby_text.page(replace(LOBBY, terms=Terms.of("flip-over"))))


def seat_down(person: Person, clock: int) -> tuple[View, Question[Any]]:
    """The person sits at a table with this clock, and what is asked first."""
    session, dealer = Session(load("flip-over"), 3, {}), TrustedDealer(Random(1))
    while (question := session.pending) is not None and not question.deciders:
        session.answer(dealer.answer(session.table, question, {}))
    assert question is not None
    view = dealer.view(session.table, question.deciders[0])
    person.tell(Seated(NAMES, WORDS, view.seat, Terms.of("flip-over", clock=clock), 1_000))
    return view, question


class Silence:
    """Nobody types anything."""

    def __init__(self) -> None:
        self.dropped = 0

    def drop_number(self) -> str:
        return ""

    def drop(self) -> None:
        self.dropped += 1

    def read(self, prompt: str, given_up: Any) -> str:
        given_up.wait()
        raise EOFError


async def test_a_line_says_how_much_time_there_is_and_when_it_is_short(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(Settings(), Silence())
    view, question = seat_down(person, 30)
    with trio.move_on_after(30 - REMINDS_SECONDS - 1):
        await person.decide(view, question)
    shown = capsys.readouterr().out
    assert "Clock: 30 s for a decision." in shown
    assert "30 s to decide, then the clock does." in shown
    assert "left to decide" not in shown
    with trio.move_on_after(30):
        await person.decide(view, question)
    assert capsys.readouterr().out.count("*** 10 s left to decide.") == 1


async def test_a_short_clock_is_not_reminded_of(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(Settings(), Silence())
    view, question = seat_down(person, 5)
    with trio.move_on_after(5):
        await person.decide(view, question)
    shown = capsys.readouterr().out
    assert "5 s to decide" in shown
    assert "left to decide" not in shown


async def test_without_a_clock_nothing_is_said(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(Settings(), Silence())
    view, question = seat_down(person, 0)
    with trio.move_on_after(4000):
        await person.decide(view, question)
    assert "lock" not in capsys.readouterr().out.replace("clockwise", "")


async def test_what_was_typed_for_a_question_that_the_clock_decided_is_dropped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Letters of a line that is not finished, and a whole line that nobody has read yet."""
    keyboard, terminal = pty.openpty()
    person = Person(Settings(), PlainLines(terminal))
    view, question = seat_down(person, 30)
    (first, *_) = question.decisions(view)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.decide, view, question)
        await trio.testing.wait_all_tasks_blocked()
        os.write(keyboard, b"2")
        person.tell(TimeOver(view, question, first))
        nursery.cancel_scope.cancel()
    os.write(keyboard, b"\n3\n4")
    found = list[object]()

    async def decide() -> None:
        found.append(await person.decide(view, question))

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(decide)
            await trio.testing.wait_all_tasks_blocked()
            assert found == []
            os.write(keyboard, b"1\n")
    one, *_ = choices(view, question, person._teller.decision)
    assert found == [one.decision], "the line that was typed for what is asked now"
    said = capsys.readouterr().out
    assert "\n*** Your time is over. The clock has decided for you:" in said
    os.close(keyboard)
    os.close(terminal)


def test_who_tells_the_clock_and_who_is_away(capsys: pytest.CaptureFixture[str]) -> None:
    person = Person(Settings(), Silence())
    seat_down(person, 30)
    capsys.readouterr()
    person.tell(Away(1, "Bo", away=True, own=False))
    shown = " ".join(capsys.readouterr().out.split())
    assert shown == (
        "*** Bo is away: the clock has decided 3 times in a row. Any other decision ends that."
    )
    who = " ".join(person._teller.who())
    assert "Clock: 30 s for a decision." in who
    assert "Bo is away: the clock decides." in who
    person.tell(Away(1, "Bo", away=False, own=False))
    assert "is away" not in " ".join(person._teller.who())
