"""The viewer without a terminal: keys go in, boards come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.failures import leaves
from cli.kit.canvas import plain_text
from cli.screen.layout import render
from cli.viewer.app import Page
from cli.viewer.audit import UNVERIFIED, Checking
from cli.viewer.keys import press
from cli.viewer.model import LONGEST_SECONDS, QUIET_SECONDS, SECONDS, Viewer
from cli.viewer.review import Reviewing
from engine.bots.lookahead import Leisure, lookahead
from engine.view import SPECTATOR
from replay.game import START, SavedGame, open_game
from replay.marks import marks
from replay.review import review
from replay.reviewed import Review, review_lines
from tests.replay.saved import GAMES, saved, write_log


class Clock:
    """Seconds that a test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def viewer_of(game: SavedGame, clock: Clock | None = None, **options: bool) -> Viewer:
    return Viewer(game, 0, SPECTATOR, clock or Clock(), checked=lambda: "VERIFIED", **options)


def keys(viewer: Viewer, *pressed: str) -> None:
    for key in pressed:
        press(viewer, key)


def shown(viewer: Viewer) -> str:
    return plain_text(render(viewer.board(), 80, 24, ascii=viewer.ascii))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in ("flip-over", "you-fink") else pytest.mark.full)
        for name in GAMES
    ],
)
def test_every_step_fits_a_small_screen_from_every_seat(name: str, tmp_path: Path) -> None:
    game = open_game(write_log(name, tmp_path, seat=1))
    viewer = viewer_of(game, ascii=True)
    for step in range(START, len(game.steps)):
        viewer.go(step)
        viewer.seat = step % 4 - 1 if step % 4 else SPECTATOR
        picture = shown(viewer)
        assert "too small" not in picture
        assert picture.isascii()
        assert ("before the first step" if step < 0 else f"step {step} of") in picture


def test_forward_back_and_far() -> None:
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, "right", "right", "right", "left")
    assert viewer.step == 2
    keys(viewer, "pagedown", "pageup", "left")
    assert viewer.step == 1
    keys(viewer, "end")
    assert viewer.step == viewer.last
    keys(viewer, "right")
    assert viewer.step == viewer.last
    keys(viewer, "home", "left")
    assert viewer.step == START


def test_marks_one_after_the_other() -> None:
    game = saved("flip-over")
    viewer = viewer_of(game)
    keys(viewer, "home")
    for mark in marks(game):
        keys(viewer, "down")
        assert viewer.step == mark.step
        assert mark.text in viewer.notice
    keys(viewer, "down")
    assert viewer.notice == "There is no mark after this step."
    keys(viewer, "up")
    assert viewer.step == marks(game)[-2].step
    keys(viewer, "m")
    assert "Marks" in shown(viewer)


def test_search_and_jump() -> None:
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, "f", *"lays", "enter")
    first = viewer.step
    keys(viewer, "n", "N")
    assert viewer.step == first
    keys(viewer, "f", *"zebra", "enter")
    assert (viewer.step, "zebra" in viewer.notice) == (first, True)
    keys(viewer, "g", "1", "9", "backspace", "enter")
    assert viewer.step == 1
    keys(viewer, "g", "x", "enter")
    assert (viewer.step, viewer.notice) == (1, "Steps are numbers.")
    keys(viewer, "g", "5", "escape", "right")
    assert viewer.step == 2


def test_nothing_was_searched_for() -> None:
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, "n")
    assert "Nothing was searched for" in viewer.notice


def test_pages_about_a_step() -> None:
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, "f", *"lays", "enter", "w")
    assert "why this was legal" in shown(viewer)
    keys(viewer, "x", "p")
    assert "The whole log is VERIFIED." in shown(viewer)
    keys(viewer, "down", "up", "escape", "?")
    assert "who proved what" in shown(viewer)
    keys(viewer, "x")
    assert viewer.page is None


def test_eyes_go_around_the_table() -> None:
    viewer = viewer_of(saved("flop-a"))
    keys(viewer, *["right"] * 5)
    hidden = []
    for name in ("seat0", "seat1", "seat2"):
        keys(viewer, "v")
        assert f"as {name}" in shown(viewer)
        hidden.append(shown(viewer).count("│?"))
    assert hidden == [3, 3, 3]
    keys(viewer, "v")
    assert "spectator" in shown(viewer)


def test_whoever_looks_at_a_saved_game_is_none_of_those_who_played() -> None:
    """Below stands whose eyes these are."""
    game = saved("flip-over")
    viewer = viewer_of(game)
    for _ in game.names:
        keys(viewer, "v")
        assert f"as {game.names[viewer.seat]}" in shown(viewer)
        for columns, rows in ((80, 24), (45, 15)):
            assert "(you)" not in plain_text(render(viewer.board(), columns, rows))


def test_playing_at_a_steady_pace_and_faster() -> None:
    clock = Clock()
    viewer = viewer_of(saved("flip-over"), clock)
    keys(viewer, " ")
    assert not viewer.tick()
    clock.now += QUIET_SECONDS
    assert viewer.tick()
    assert viewer.step == 1
    while viewer.game.steps[viewer.step + 1].kind != "play":
        clock.now += QUIET_SECONDS
        viewer.tick()
    before = viewer.step
    clock.now += 0.9 * SECONDS
    assert not viewer.tick()
    keys(viewer, "+")
    assert viewer.pause() == SECONDS / 2
    clock.now += SECONDS
    assert viewer.tick()
    assert viewer.step == before + 1
    keys(viewer, " ")
    clock.now += 100
    assert not viewer.tick()


def test_it_stops_at_the_end_and_begins_anew() -> None:
    clock = Clock()
    viewer = viewer_of(saved("flip-over"), clock)
    keys(viewer, "end", " ")
    assert viewer.step == START
    for _ in range(viewer.last + 3):
        clock.now += 10
        viewer.tick()
    assert (viewer.step, viewer.playing) == (viewer.last, False)


def test_the_recorded_times_are_kept_but_nobody_waits_long(tmp_path: Path) -> None:
    path = write_log("flip-over", tmp_path)
    path.with_suffix(".ndtime").write_text("0 100\n1 350\n2 99350\n", "ascii")
    viewer = viewer_of(open_game(path))
    assert viewer.pause() == pytest.approx(0.25)
    keys(viewer, "right")
    assert viewer.pause() == LONGEST_SECONDS
    keys(viewer, "-")
    assert viewer.pause() == 2 * LONGEST_SECONDS


@pytest.mark.parametrize("key", ["q", "c-c", "f10"])
def test_leaving(key: str) -> None:
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, key)
    assert viewer.left


def test_theme_and_size() -> None:
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, "f4", "f7")
    assert viewer.theme != "none"
    assert viewer.card_size == 1


def test_the_state_of_the_audit_is_told(tmp_path: Path) -> None:
    done = Event()
    said: list[str] = []
    checking = Checking(write_log("flop-a", tmp_path))

    def changed() -> None:
        said.append(checking.said)
        if checking.report is not None:
            done.set()

    assert checking.said == UNVERIFIED
    checking.changed = changed
    checking.start()
    assert done.wait(60)
    assert said[0].startswith("verifying ")
    assert checking.said == "VERIFIED: complete"
    assert not checking.failed


def test_an_audit_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    checking = Checking(write_log("flop-a", tmp_path))
    begun = Event()
    checking.changed = begun.set
    checking.start()
    assert begun.wait(60)
    checking.stop()
    assert checking.report is None or checking.report.verified


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_audit_that_fails_is_loud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It said for ever how far it was."""

    def failing(*_: object, **__: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("cli.viewer.audit.audit", failing)
    told = Event()
    checking = Checking(write_log("flop-a", tmp_path), told.set)
    checking.start()
    assert told.wait(60)
    with pytest.raises(RuntimeError, match="the audit has failed"):
        _ = checking.said
    checking.stop()


def test_a_log_that_vanishes_is_not_verified(tmp_path: Path) -> None:
    checking = Checking(tmp_path / "gone.ndlog")
    checking.start()
    checking.stop()
    assert checking.said.startswith("NOT VERIFIED: ")


def test_a_review_comes_when_it_is_there() -> None:
    begun, found = list[int](), list[str | list[str]](["Reviewing: 40 %"])

    def reviewing(seat: int) -> str | list[str]:
        begun.append(seat)
        return found[0]

    viewer = viewer_of(saved("flip-over"))
    viewer.review = reviewing
    keys(viewer, "r")
    assert viewer.notice.startswith("A spectator decides nothing")
    assert not begun
    keys(viewer, "v", "r")
    assert begun == [0]
    assert viewer.notice == "Reviewing: 40 %"
    assert not viewer.tick()
    found[0] = "Reviewing: 80 %"
    assert viewer.tick()
    assert "Reviewing: 80 %" in shown(viewer)
    found[0] = ["Step 7: 9C. Better: 4D, which wins 40, not 28."]
    assert viewer.tick()
    assert "not 28" in shown(viewer)
    keys(viewer, "q")
    assert viewer.page is None
    assert not viewer.tick()


@pytest.mark.slow
def test_a_review_beside_the_screen_is_that_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = replace(lookahead("flop-a"), leisure=Leisure(playouts=40, compared=100))
    monkeypatch.setattr("engine.games.flop_a.lookahead.LOOKAHEAD", said)
    log = write_log("flop-a", tmp_path, seat=0)
    reviewing = Reviewing(log)
    lines = _wait(reviewing)
    reviewing.stop()
    game = open_game(log)
    assert lines == review_lines(game, review(game, 0))


def _wait(reviewing: Reviewing) -> Sequence[str]:
    while isinstance(lines := reviewing.review(0), str):
        assert lines.startswith("Reviewing the decisions of this seat")
    return lines


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_review_that_fails_is_loud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It said for ever how far it was."""

    def failing(*_: object, **__: object) -> Review:
        raise ZeroDivisionError

    monkeypatch.setattr("cli.viewer.review.review", failing)
    reviewing = Reviewing(write_log("flop-a", tmp_path, seat=0))
    with pytest.raises(RuntimeError, match="the review has failed"):
        _wait(reviewing)
    reviewing.stop()  # the thread says what it was before this test is over


def test_a_review_that_nobody_waits_for_is_stopped(tmp_path: Path) -> None:
    reviewing = Reviewing(write_log("flop-a", tmp_path, seat=0))
    assert isinstance(reviewing.review(0), str)
    reviewing.stop()
    assert isinstance(reviewing.review(0), str)


def test_leaving_does_not_wait_for_a_decision_that_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the program stood there for 45 s after q."""
    thinks, over = Event(), Event()

    def review_of(*_: object, **__: object) -> Review:
        thinks.set()
        over.wait()
        return Review(0, 0, 0, 0, 0, ())

    monkeypatch.setattr("cli.viewer.review.review", review_of)
    monkeypatch.setattr("cli.viewer.review.STOPS_SECONDS", 0.01)
    reviewing = Reviewing(write_log("flop-a", tmp_path, seat=0))
    reviewing.review(0)
    thinks.wait()
    reviewing.stop()
    assert not over.is_set()
    over.set()


def test_a_review_that_fails_while_one_looks_ends_the_screen_and_is_told() -> None:
    """The error was lost, and the screen said for ever how far the review was."""
    tried = list[int]()

    def failing(seat: int) -> str:
        tried.append(seat)
        if len(tried) > 1:
            raise ZeroDivisionError
        return "Reviewing: 40 %"

    viewer = viewer_of(saved("flip-over"))
    viewer.review = failing
    with create_pipe_input() as pipe:
        pipe.send_text("vr")
        with pytest.raises(ExceptionGroup) as failed:
            Page(viewer, 8, source=pipe, output=DummyOutput()).run()
    assert [type(one) for one in leaves(failed.value)] == [ZeroDivisionError]
    assert tried == [0, 0]


def test_functions_of_the_table_have_the_same_keys_here() -> None:
    """`/` searched here, and was a command at the table."""
    viewer = viewer_of(saved("flip-over"))
    keys(viewer, "/", *"fi lays", "enter")
    found = viewer.step
    assert found > 0
    keys(viewer, "/", *"go 3", "enter")
    assert viewer.step == 3
    keys(viewer, "/", *"th", "tab")
    assert viewer.board().typed == "theme"
    keys(viewer, "enter")
    assert viewer.theme != "none"
    keys(viewer, "/", *"be", "enter")
    assert viewer.notice == "/be could be /beginning or /before: type more of it."
    keys(viewer, "f1")
    assert viewer.page is not None
    keys(viewer, "escape", "/", *"leave", "enter")
    assert viewer.left
