"""A person at a real table of peers, whose lines come from a script."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
import trio.testing

from cli.failures import LeftTableError, NotFinishedError
from cli.line.in_lobby import InLobby
from cli.line.lines import Lines, PlainLines, ThreadedLines
from cli.line.listing import in_columns
from cli.line.person import Person
from cli.options.asked_table import ask_for_table
from cli.options.settings import Settings
from cli.tables.bots import bot_player
from cli.tables.loopback import bot_sitter, play_here
from cli.words.going import BOT, GOES, GOOD_SAID, HOW, STAYS, YOURSELF
from cli.words.hints import REFUSED, THINKS
from cli.words.said import NOT_INVITED
from engine.bots.following import Follower
from engine.bots.hard import Advice, Hard
from engine.bots.judge import Judge
from engine.dealer import TrustedDealer
from engine.games import load
from engine.question import Choose, Question, Race
from engine.session import Session
from engine.view import View
from engine.wording import counted
from p2p.identity.keys import Identity
from p2p.net.invite import Invite
from p2p.peer import Sitter
from p2p.player.beside import Beside
from p2p.player.events import Missed, MissedSeat, Noted, Seated, Talk
from p2p.protocol.terms import Terms
from replay.audit import audit
from replay.by_bot import note_bot
from replay.game import open_game
from replay.review import review
from replay.reviewed import review_json, review_lines
from tests.patience import PATIENCE


class Script:
    """Typed lines, one after another; then `last` for ever, or the end of the input."""

    def __init__(self, lines: Sequence[str], last: str | None = None) -> None:
        self._lines = list(lines)
        self._last = last
        self.prompts: list[str] = []

    def read(self, prompt: str, given_up: threading.Event) -> str:
        self.prompts.append(prompt)
        if self._lines:
            return self._lines.pop(0)
        if self._last is None:
            raise EOFError
        return self._last

    def drop_number(self) -> str:
        return ""


def play(
    script: Script, folder: Path, settings: Settings | None = None, *, alone: bool = True
) -> Path:
    """A person among bots; not `alone`, one of them says that it is none."""
    return play_as(Person(settings or Settings(), script), folder, alone=alone)


def play_as(person: Person, folder: Path, *, alone: bool = True) -> Path:
    """The same with this person."""
    asked = ask_for_table("flip-over", 3, ["rounds=1"])
    you = Sitter(Identity.generate(os.urandom, "Zoe"), person)
    others = [bot_sitter(name, bot_player("flip-over", 2, 1)) for name in ("Ada", "Bo")]
    if not alone:
        others[0] = Sitter(Identity.generate(os.urandom, "Ada"), others[0].player)
    return play_here(asked, you, others, folder).log


def test_a_match_played_by_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = Script([], last="1")
    report = audit(play(script, tmp_path))
    assert report.verdict == "complete"
    assert script.prompts == ["> "] * 8
    shown = capsys.readouterr().out
    assert "At the table:\n  0  Zoe (you)  " in shown
    assert shown.count("Zoe lays") == 8
    assert shown.count("Your hand:") == 8
    assert max(map(len, shown.splitlines())) <= 80


def test_help_the_table_again_the_last_events_and_nonsense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, puzzled = Script(["?", "t", "l", "q", "n"], last="1"), list[View]()

    class Puzzled(Person):
        """Types nonsense where there is more than one choice, which chance may put later."""

        async def decide(self, view: View, question: Question[Any]) -> object:
            if not puzzled and len(question.decisions(view)) > 1:
                puzzled.append(view)
                script._lines.append("frog")
            return await super().decide(view, question)

    play_as(Puzzled(Settings(), script), tmp_path)
    shown = capsys.readouterr().out
    assert "q  leave: to come back" in shown
    assert shown.count("Your hand:") == 9
    assert "That is not one of your cards." in shown
    assert shown.count("The cards are shuffled and dealt") == 2
    assert "You stay." in shown


def test_letters_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(Script([], last="1"), tmp_path, Settings(ascii=True))
    assert capsys.readouterr().out.isascii()


def test_leaving_for_good_ends_the_game_for_oneself_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = Script(["q", "g", "n", "q", "g", "y"])
    report = audit(play(script, tmp_path, alone=False))
    assert (report.verdict, [one.seat for one in report.left]) == ("unfinished", [0])
    assert not list(tmp_path.glob("*.ndseat"))
    said = capsys.readouterr().out
    assert [said.count(one) for one in (STAYS, GOES)] == [1, 1]
    assert "Zoe has left the table: they resign and cannot win." in said
    offered = "l come back later  b a bot plays for you  g for good  Enter stay > "
    assert (script.prompts[1], said.count(f"{HOW}\n")) == (offered, 2)
    assert f"| Zoe: {GOOD_SAID}" in said


def test_nobody_leaves_bots_for_good(tmp_path: Path) -> None:
    script = Script(["q", "g"], last="1")
    assert audit(play(script, tmp_path)).verdict == "complete"
    assert "for good" not in script.prompts[1]


async def test_the_question_about_who_is_missed_is_asked_again_below_the_news(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Until nobody is missed: what comes then stands in a row of its own, and nothing below it."""
    person, said = Person(Settings(), Silent([])), list[bool]()
    person.tell(Seated(("Zoe", "Ada", "Bo"), ("a-b",) * 3, 0, Terms.of("flip-over"), 1_000))
    ada, ways = (MissedSeat(1, "Ada"),), "y go on  n wait > "

    async def news() -> None:
        person.tell(Missed(ada, seconds=60, say=said.append))
        await trio.testing.wait_all_tasks_blocked(0.05)
        person.tell(Missed(ada, (("Bo", True),), seconds=61, say=said.append))
        person.tell(Missed(()))
        person.tell(Noted(("leader", 2)))

    capsys.readouterr()
    with trio.fail_after(PATIENCE):
        await person.beside(news)
    asked = "*** Ada has been away for 60 s. Go on without Ada?"
    lines = [asked, "", "*** Bo: go on.", ways, "Bo leads to the first trick."]
    assert capsys.readouterr().out.splitlines() == lines


class Silent(Script):
    """Types its lines, and then nothing more."""

    def read(self, prompt: str, given_up: threading.Event) -> str:
        if not self._lines:
            given_up.wait()
        return super().read(prompt, given_up)


def test_a_bot_plays_until_a_line_is_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = Settings(pace="off")
    assert audit(play(Silent(["q", "b"]), tmp_path, quick)).verdict == "complete"
    assert capsys.readouterr().out.count(BOT.format("Enter")) == 1
    script = Silent(["q", "b", "", *["1"] * 8])
    assert audit(play(script, tmp_path, quick)).verdict == "complete"
    assert YOURSELF in capsys.readouterr().out
    assert script.prompts[2:4] == ["", "> "]


@pytest.mark.parametrize(("lines", "own"), [(["q", "b"], 0), (["1", "q", "b"], 1)])
def test_nobody_is_blamed_for_what_a_bot_decided_in_their_place(
    tmp_path: Path, lines: list[str], own: int
) -> None:
    """A review looked at the decisions of the bot as if the person had taken them."""
    person = Person(Settings(pace="off"), Silent(lines))
    log = play_as(person, tmp_path)
    game = open_game(log)
    asked = [(step, step.question) for step in game.steps if step.question and step.answers]
    decided = [step.before for step, one in asked if 0 in one.decided(game.answer(step))]
    assert len(decided) == 8
    assert person.bot_decided == {*decided[own:]}
    note_bot(log, person.bot_decided, finished=person.bot_plays)
    found = review(open_game(log), 0, judge=Judge(1))
    before = [game.before(step.number) for step, _ in asked if step.before in decided[:own]]
    choices = [one.pending.decisions(game.view(one, 0)) for one in before if one.pending]
    assert len(choices) == own
    judged = sum(len(allowed) > 1 for allowed in choices)
    assert (found.by_bot, found.judged) == (8 - own, judged)
    told = f"Not looked at: {counted(8 - own, 'decision')} that a bot took in Zoe's place."
    assert told in review_lines(open_game(log), found)
    assert review_json(open_game(log), found)["by_bot"] == 8 - own
    # Of another seat nothing is known, and all of it is looked at.
    assert review(open_game(log), 1, judge=Judge(1)).by_bot == 0


@pytest.mark.parametrize("lines", [["q", "y"], ["1", "q", "l"], []])
def test_leaving_says_where_the_unfinished_game_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str]
) -> None:
    with pytest.raises(NotFinishedError) as left:
        play(Script(lines), tmp_path)
    (log,) = tmp_path.glob("*.ndlog")
    assert str(left.value) == f"You left the table. The unfinished game is saved: {log}"
    # The bots ended with us: nobody can go on, so no secret is kept.
    assert not log.with_suffix(".ndseat").exists()
    assert audit(log).verdict == "unfinished"
    assert "cannot be reached" not in capsys.readouterr().out


def test_choices_stand_in_columns_of_78() -> None:
    entries = [f"{number}) card" for number in range(1, 31)]
    rows = in_columns(entries)
    assert max(map(len, rows)) <= 78
    assert " ".join(rows).split() == " ".join(entries).split()
    assert in_columns([]) == []


def by_thread(reader: int) -> ThreadedLines:
    """As on Windows."""
    return ThreadedLines(lambda: os.read(reader, 100))


READERS = pytest.mark.parametrize("lines_of", [PlainLines, by_thread])


def run_with_pipe(lines_of: Callable[[int], Lines], check: Callable[[Lines, int], None]) -> None:
    reader, writer = os.pipe()
    lines = lines_of(reader)
    try:
        check(lines, writer)
    finally:
        os.close(writer)
    # A thread that read has met the end by then, and no longer reads what is closed.
    with pytest.raises(EOFError):
        lines.read("> ", threading.Event())
    os.close(reader)


@READERS
def test_lines_arrive_in_pieces_and_several_at_once(lines_of: Callable[[int], Lines]) -> None:
    def check(lines: Lines, writer: int) -> None:
        os.write(writer, b"7")
        threading.Timer(0.01, os.write, (writer, "♣\nsecond\r\nth".encode())).start()
        assert lines.read("> ", threading.Event()) == "7♣"
        assert lines.read("> ", threading.Event()).strip() == "second"
        os.write(writer, b"ird\n")
        assert lines.read("> ", threading.Event()) == "third"

    run_with_pipe(lines_of, check)


@READERS
def test_lines_can_be_stopped_from_another_thread(lines_of: Callable[[int], Lines]) -> None:
    def check(lines: Lines, writer: int) -> None:
        given_up = threading.Event()
        threading.Timer(0.01, given_up.set).start()
        with pytest.raises(EOFError):
            lines.read("> ", given_up)
        os.write(writer, b"next\n")
        assert lines.read("> ", threading.Event()) == "next"

    run_with_pipe(lines_of, check)


@READERS
def test_a_read_that_is_given_up_before_it_begins_takes_no_line(
    lines_of: Callable[[int], Lines],
) -> None:
    def check(lines: Lines, writer: int) -> None:
        os.write(writer, b"one\ntwo\n")
        never, given_up = threading.Event(), threading.Event()
        assert lines.read("> ", never) == "one"
        given_up.set()
        with pytest.raises(EOFError):
            lines.read("> ", given_up)
        assert lines.read("> ", never) == "two"

    run_with_pipe(lines_of, check)


def test_an_enter_before_its_question_means_nothing() -> None:
    """On a terminal: it was meant for a question that is over.  What was typed with it stays."""
    keyboard, terminal = pty.openpty()
    lines, never, given_up = PlainLines(terminal), threading.Event(), threading.Event()
    given_up.set()
    os.write(keyboard, b"\n\n7c\n\n\n")
    assert lines.read("> ", never) == "7c"
    os.write(keyboard, b"sh")
    with pytest.raises(EOFError):
        lines.read("> ", given_up)
    threading.Timer(0.01, os.write, (keyboard, b"ut\n")).start()
    assert lines.read("> ", never) == "shut"
    os.write(keyboard, b"\x04")
    for _ in range(2):
        with pytest.raises(EOFError):
            lines.read("> ", never)
    os.close(keyboard)
    os.close(terminal)


def test_enters_from_a_file_are_answers() -> None:
    def check(lines: Lines, writer: int) -> None:
        os.write(writer, b"\n\n")
        assert [lines.read("> ", threading.Event()) for _ in range(2)] == ["", ""]

    run_with_pipe(PlainLines, check)


def test_what_a_thread_has_read_can_be_dropped() -> None:
    def check(lines: Lines, writer: int) -> None:
        os.write(writer, b"one\ntwo\n")
        assert lines.read("> ", threading.Event()) == "one"
        lines.drop()
        os.write(writer, b"three\n")
        assert lines.read("> ", threading.Event()) == "three"
        assert lines.drop_number() == ""

    run_with_pipe(by_thread, check)


async def test_a_question_that_is_taken_back_frees_the_terminal() -> None:
    session = Session(load("flip-over"), 3, {})
    dealer = TrustedDealer(Random(1))
    while not session.pending.deciders:  # type: ignore[union-attr]
        session.answer(dealer.act(session.table, session.pending))
    question = session.pending
    view = dealer.view(session.table, question.deciders[0])
    reader, writer = os.pipe()
    person = Person(Settings(), PlainLines(reader))
    names, words = ("Ada", "Bo", "Cleo"), ("a-b", "c-d", "e-f")
    person.tell(Seated(names, words, view.seat, Terms.of("flip-over"), 1_000))
    with trio.move_on_after(0.05) as impatience:
        await person.decide(view, question)
    assert impatience.cancelled_caught
    with trio.fail_after(PATIENCE):
        os.write(writer, b"1\n")
        assert await person.decide(view, question) in question.decisions(view)
    os.close(reader)
    os.close(writer)


async def offered(person: Person, among: tuple[str, ...], put: Callable[[object], None]) -> None:
    """A claim that may be made until the task is cancelled."""
    view = TrustedDealer(Random(1)).view(Session(load("sneak"), 3, {}).table, 0)
    put(await person.decide(view, Race([Choose(0, among, "be quick")], "be quick", awaited=1)))


@pytest.mark.parametrize(
    ("begun", "then", "decided", "told"),
    [(b"2", b"1\n", 0, True), (b"sh", b"ut\n", 1, False)],
)
async def test_a_number_begun_on_a_terminal_is_dropped_if_the_list_changes(
    begun: bytes, then: bytes, decided: int, told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard, terminal = pty.openpty()
    person, found = Person(Settings(), PlainLines(terminal)), list[object]()
    names, words = ("Ada", "Bo", "Cleo"), ("a-b", "c-d", "e-f")
    person.tell(Seated(names, words, 0, Terms.of("sneak"), 1_000))
    for among, keys, over in ((("snap", "shun"), begun, True), (("snap", "shut"), then, False)):
        with trio.fail_after(PATIENCE):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(offered, person, among, found.append)
                await trio.testing.wait_all_tasks_blocked()
                os.write(keyboard, keys)
                if over:
                    nursery.cancel_scope.cancel()
    assert found == [decided]
    said = "The choices have changed: 2 is not typed any more."
    assert (said in capsys.readouterr().out) == told
    os.close(keyboard)
    os.close(terminal)


async def test_a_person_talks_in_the_lobby(capsys: pytest.CaptureFixture[str]) -> None:
    """As at the table; nobody is ready by that."""
    person = Person(Settings(), Script(["c hello out there", "/say more", "", "c three", "q"]))
    said, ready = list[str](), list[bool]()

    def say(line: str) -> bool:
        said.append(line)
        return len(said) < 3

    person.tell(Talk(say))
    with pytest.raises(LeftTableError):
        await person.get_ready(InLobby(ready.append, None, lambda *_: None))
    assert said == ["hello out there", "more", "three"]
    assert ready == [True]
    assert capsys.readouterr().out.count("Not said: at most 6 lines in 10 s.") == 1


def test_the_line_with_which_others_watch_is_shown_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(Script(["/invite", "i"], last="1"), tmp_path)
    rows = capsys.readouterr().out.splitlines()
    told = [at for at, row in enumerate(rows) if row.startswith("ND1:")]
    assert len(told) == 2
    assert rows[told[0]] == rows[told[1]]
    assert "nodealer watch LINE" in " ".join(rows[told[0] - 3 : told[0]])
    assert Invite.decode(rows[told[0]]).addresses[0].host == "127.0.0.1"


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """The views about which advice was asked; a bot of few thoughts gives it here."""
    asked: list[View] = []

    async def advise(self: Beside, view: View, rng: Random) -> Advice:
        asked.append(view)
        assert view.course is not None
        question = Follower(view.course).catch_up().pending
        assert question is not None
        return Hard(2).advise(view, question, rng)

    monkeypatch.setattr(Beside, "advise", advise)
    return asked


def test_a_hint_is_told_once_and_stands_among_the_last_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], advised: list[View]
) -> None:
    play(Script(["/hint", "l", "1", "e"], last="1"), tmp_path)
    rows = capsys.readouterr().out.splitlines()
    hints = [row for row in rows if row.startswith("Hint: ")]
    assert len(hints) == 3, "two hints, and the first again among the last events"
    assert hints[0] == hints[1]
    assert rows.count(THINKS) == len(advised) == 2
    assert {view.seat for view in advised} == {0}


def test_no_hint_where_another_person_sits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], advised: list[View]
) -> None:
    play(Script(["e"], last="1"), tmp_path, alone=False)
    assert REFUSED in capsys.readouterr().out.splitlines()
    assert not advised


def test_nobody_can_be_invited_where_no_invite_is_known() -> None:
    person = Person(Settings(), Script([]))
    assert list(person._for_watchers) == [NOT_INVITED]
