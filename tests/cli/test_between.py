"""Between two games, line by line: what is asked, and what a line means."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cli.kit.reaction import EARLY_SECONDS, LATE_SECONDS
from cli.line.between import Between, Means
from cli.line.person import Person
from cli.menu.asked import another
from cli.menu.lines import choose_in_lines
from cli.options.asked_table import beginnings
from cli.options.settings import Settings
from cli.options.terms import next_terms
from engine.games import NAMES as GAMES
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.player.events import PlayAgain, Seated, Watchable
from p2p.protocol.terms import Terms
from tests.protocol.kit import identities
from tests.screen.test_deciding import FLAPS, OLD, PEOPLE, SNEAK, Chooses

NOBODY = PlayAgain((), ())


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def asked(seat: int, said: PlayAgain = NOBODY) -> tuple[Between, Clock]:
    clock = Clock()
    return Between(Chooses(seat), said, clock), clock


def test_a_guest_is_asked_to_agree_and_enter_means_what_was_asked() -> None:
    between, clock = asked(1)
    assert between.ask() == "r: play again with the same people   s: story   q: leave > "
    assert (between.means("r"), between.means("q"), between.means("x")) == (
        *(OLD, Means.LEAVE, Means.NOTHING),
    )
    told = " ".join(" ".join(between.hear(PlayAgain(("Ana",), (), SNEAK))).split())
    assert "House rules: as usual. Agreed: Ana." in told
    assert between.ask() == "Enter: agree   s: story   n: leave > "
    assert between.means("") is Means.NOTHING, "Enter went down before that could be read"
    clock.now += EARLY_SECONDS
    assert between.means("r") is SNEAK
    clock.now += LATE_SECONDS
    assert between.means("") is SNEAK
    assert between.means("n") is Means.LEAVE
    between.hear(PlayAgain(("Ana", "Bo"), (), SNEAK))
    clock.now += 1
    assert between.ask() == "Waiting.   c: talk   q: leave > "
    assert between.means("") is Means.NOTHING
    between.hear(PlayAgain(("Ana", "Bo"), (), FLAPS))  # it was agreed to by this person as well
    clock.now += 1
    told = between.hear(PlayAgain(("Bo",), ("Ana",), None, "too few stay"))
    assert "Ana leaves: no other game follows (too few stay)." in " ".join(told)
    clock.now += 1
    assert between.ask() == "s: story   q: leave > "
    assert between.means("r") is Means.NOTHING
    assert between.means("q") is Means.LEAVE


@pytest.mark.parametrize("typed", ["", "x"])
@pytest.mark.parametrize(
    "said", [NOBODY, PlayAgain(("Ana",), (), None, "no"), PlayAgain((), ("Ana",))]
)
def test_enter_after_a_game_never_leaves(said: PlayAgain, typed: str) -> None:
    """In You Fink! an Enter does nothing, and the game may end while it goes down."""
    between, clock = asked(1, said)
    for _ in range(3):
        assert between.means(typed) is Means.NOTHING
        clock.now += LATE_SECONDS


def test_enter_agrees_only_to_an_offer_that_was_read() -> None:
    """The offer of a fast host is there before a slow guest's own game is over."""
    between, clock = asked(1, PlayAgain(("Ana",), (), SNEAK))
    assert [between.means(typed) for typed in ("", "n", "y")] == 3 * [Means.NOTHING]
    clock.now += EARLY_SECONDS
    assert (between.means(""), between.means("y")) == (Means.NOTHING, SNEAK)
    clock.now += LATE_SECONDS
    assert (between.means(""), between.means("n")) == (SNEAK, Means.LEAVE)


def test_a_host_is_asked_for_another_game_and_reads_why_one_cannot_be() -> None:
    between, clock = asked(0)
    assert "o: other game" in between.ask()
    assert len(between.ask()) < 80
    assert between.hear(PlayAgain(("Ana",), (), SNEAK)) == []
    clock.now += 1
    assert between.ask() == "Waiting.   o: other game   c: talk   q: leave > "
    told = between.hear(PlayAgain((), ("Bo",), None, "Sneak is for 2 to 7 players, not 1"))
    assert "Sneak is for 2 to 7 players, not 1. r plays again" in " ".join(told)


class Types:
    """Lines, each typed when the one before has been taken; then the input ends."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.prompts: list[str] = []

    def read(self, prompt: str, given_up: threading.Event) -> str:
        self.prompts.append(prompt)
        if self._lines:
            return self._lines.pop(0)
        raise EOFError

    def drop_number(self) -> str:
        return ""


def person(seat: int, *lines: str) -> tuple[Person, Chooses]:
    one, chooses = Person(Settings(), Types(*lines)), Chooses(seat)
    one.tell(Seated(PEOPLE, ("a-b",) * 3, seat, Terms.of("flip-over", {"rounds": 1}), 80_000))
    return one, chooses


async def test_what_was_proposed_before_is_asked_about_and_the_story_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.line.between.LATE_SECONDS", 0.0)
    one, chooses = person(1, "s", "", "q")
    one.tell(PlayAgain(("Ana",), (), FLAPS))
    await one.again(chooses, lambda: ["Once upon a time."], lambda people, given_up: None)
    assert chooses.agreed == [FLAPS]
    shown = capsys.readouterr().out
    assert "*** Ana proposes Flaps, level 3; agreed: Ana" in shown
    assert "Once upon a time." in shown


async def test_the_line_for_who_wants_to_watch_the_next_game_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    invite = Invite((Address("192.0.2.1", 4000),), identities(1)[0].public, bytes(16))
    one, chooses = person(1, "i", "q")
    one.tell(Watchable(invite))
    await one.again(chooses, list, lambda people, given_up: None)
    assert invite.encode() in capsys.readouterr().out


async def test_a_host_proposes_what_was_chosen_or_hears_why_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plans: list[Terms | None] = [SNEAK, None, OLD]
    one, chooses = person(0, "o", "o", "o", "q")

    def choose(people: int, given_up: threading.Event) -> Terms | None:
        assert people == len(PEOPLE)
        plan = plans.pop(0)
        chooses.present = 2 if plan is OLD else 3
        return plan

    await one.again(chooses, list, choose)
    assert chooses.agreed == [SNEAK]
    assert "Flip Over is for 3 to 5 players, not 2." in capsys.readouterr().out


Menu = Callable[..., Sequence[str] | None]


def in_lines(typed: str, monkeypatch: pytest.MonkeyPatch) -> Sequence[str] | None:
    lines = io.StringIO(typed)

    def read(prompt: str, given_up: threading.Event) -> str:
        line = lines.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    class Reads(Types):
        def read(self, prompt: str, given_up: threading.Event) -> str:
            return read(prompt, given_up)

    monkeypatch.setattr("cli.menu.lines.terminal_lines", Reads)
    flow = another(3, {}, beginnings(OLD, FLAPS))
    return choose_in_lines(Settings(), flow, threading.Event())


def test_another_game_is_chosen_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    number = 1 + GAMES.index("flaps")
    chosen: Any = in_lines(f"{number}\n3\nwins=2\n\n", monkeypatch)
    plan = next_terms(chosen, OLD, 3)
    assert (plan.game, plan.options["level"], plan.options["wins"]) == ("flaps", 3, 2)
    chosen = in_lines(f"{1 + GAMES.index(OLD.game)}\n\n", monkeypatch)
    assert chosen is not None
    assert next_terms(chosen, OLD, 3).options["rounds"] == 1, "as it was played"
    assert in_lines("q\n", monkeypatch) is None
    assert in_lines("", monkeypatch) is None


def test_line_by_line_the_length_is_said_and_said_again_after_a_change(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    in_lines(f"{1 + GAMES.index('sneak')}\ntarget=25\n\n", monkeypatch)
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("It lasts")]
    assert ["100 points" in said[0], "25 points" in said[1], len(said)] == [True, True, 2]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("clock=1", "One of 0, "),
        ("clock=soon", "One of 0, "),
        ("carry-on=1", "One of no, 2."),
        ("carry-on=3", "One of no, 2."),
        ("carry-on=many", "One of no, 2."),
    ],
)
def test_terms_that_no_next_game_has_are_one_sentence(
    typed: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three of whom two have to go on together; what was refused changes nothing."""
    chosen: Any = in_lines(f"{1 + GAMES.index('sneak')}\n{typed}\n\n", monkeypatch)
    plan = next_terms(chosen, OLD, 3)
    assert (plan.clock, plan.policy) == (OLD.clock, OLD.policy)
    assert sentence in capsys.readouterr().out
