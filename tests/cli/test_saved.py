"""Saved games in a list: which game, when, with whom, and who won."""

from __future__ import annotations

import os
from collections.abc import Sequence
from errno import ENOSPC
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from cli.failures import LeftTableError, NotFinishedError
from cli.line.person import Person
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from cli.screen.place import ScreenPlace
from cli.tables.evening import Evening
from cli.tables.place import LinePlace
from cli.words.played import Played, evening_lines, played, standings
from cli.words.saved import NOT_FINISHED, saved_games
from engine.totals import winners
from p2p.driver.connection import TableResult
from p2p.errors import StorageError
from p2p.player.events import Seated
from p2p.protocol.logfile import frame
from p2p.protocol.terms import Terms
from replay.by_bot import SUFFIX, ByBot, by_bot, note_bot
from tests.cli.terminal import Terminal
from tests.replay.logs import records, with_records
from tests.replay.saved import log_of, saved, write_log
from tests.repo.sources import ROOT
from tests.screen.test_deciding import Chooses

if TYPE_CHECKING:
    from cli.tables.place import Place
    from p2p.player.choosing import Choosing

RECORDED = ROOT / "docs" / "screenshots" / "recorded.ndlog"


def told(folder: Path, data: bytes) -> str:
    log = folder / "2026-11-21-flip-over-d49ee0973d78.ndlog"
    log.write_bytes(data)
    (one,) = saved_games({log: (0, len(data))}, 5)
    return one.about


def test_a_saved_game_says_who_sat_there_and_who_won(home: Path) -> None:
    """Several games of one kind could be told apart by their dates only."""
    games = home / "games"
    games.mkdir(parents=True)
    recorded = RECORDED.read_bytes()
    (games / "2026-11-21-flip-over-d49ee0973d78.ndlog").write_bytes(recorded)
    (games / "2026-11-20-flip-over-0123456789ab.ndlog").write_bytes(recorded[:100])
    whole, cut = sorted(HomeShelf().saved(), key=lambda one: len(one.note), reverse=True)
    verdict = played(RECORDED).verdict
    assert whole.note.endswith(f"{verdict}   Ada (bot), Bo (bot), Cleo (bot)   table d49ee0")
    assert cut.note.endswith("table 012345")
    assert whole.label == cut.label == "Flip Over"


@pytest.mark.parametrize("game", ["flip-over", "flop-a", "you-fink"])
def test_who_won_is_read_from_the_end_of_the_log(tmp_path: Path, game: str) -> None:
    result, names = saved(game).result, saved(game).names
    assert result is not None
    won = [names[seat] for seat in winners(result)]
    about = told(tmp_path, log_of(game))
    assert all(name in about.partition(" win")[0] for name in won)
    cut = log_of(game)
    short = with_records(cut, records(cut)[:-4])
    assert NOT_FINISHED in told(tmp_path, short)


@pytest.mark.parametrize(
    "name", ["good-lost-flip-over", "good-left-turn", "closed-without", "closed-without-left"]
)
def test_saved_game_that_a_seat_left_names_the_same_winners(tmp_path: Path, name: str) -> None:
    """The list reads the last signatures only: a lost seat has none there, and no ballot."""
    data = (ROOT / "tests" / "vectors" / "logs" / f"{name}.ndlog").read_bytes()
    log = tmp_path / "whole.ndlog"
    log.write_bytes(data)
    found = played(log)
    assert found.verdict in told(tmp_path, data)
    assert not {*found.winners} & {*found.empty}


def test_an_end_that_is_no_close_says_nothing_of_a_winner(tmp_path: Path) -> None:
    """Whatever stands at the end of a log that somebody else has written."""
    log, rng = log_of("flip-over"), Random(15)
    for size in (1, 80, 300, 4096, 70_000):
        about = told(tmp_path, log + frame(rng.randbytes(size)))
        assert NOT_FINISHED in about or " win" in about
    assert NOT_FINISHED in told(tmp_path, with_records(log, records(log)[:-3]))


def test_a_game_that_a_bot_finished_is_not_ones_own_win(tmp_path: Path) -> None:
    """It counted as won in the result, in the evening and in the statistics."""
    result = saved("flip-over").result
    assert result is not None
    (winner, *_) = winners(result)
    log = write_log("flip-over", tmp_path, seat=winner)
    before = played(log)
    assert before.wins(winner)
    note_bot(log, {3}, finished=True)
    after = played(log)
    assert after.own == winner
    assert not after.wins(winner)
    assert after.verdict == f"{before.verdict} (a bot finished it)"
    assert [one.wins for one in standings([before, after]) if one.seat == winner] == [1]
    assert any(line.endswith("won 1") for line in evening_lines([before, after]))
    (one,) = saved_games({log: (0, 0)}, 5)
    assert "(a bot finished it)" in one.about


def test_what_was_noted_of_a_bot_stays_noted(tmp_path: Path) -> None:
    """A person who came back may leave the rest to a bot again; what ends a note is no number."""
    log = tmp_path / "game.ndlog"
    assert by_bot(log) == ByBot()
    note_bot(log, {12, 3}, finished=False)
    assert by_bot(log) == ByBot(frozenset({3, 12}))
    note_bot(log, {5}, finished=True)
    note_bot(log, {6}, finished=False)
    assert by_bot(log) == ByBot(frozenset({3, 5, 6, 12}), finished=True)
    for garbled in ("4\nno\n5\nend\n", "4\n-5\nend\n", f"4\n{'9' * 5000}\n"):
        log.with_suffix(SUFFIX).write_text(garbled, "ascii")
        assert by_bot(log) == ByBot(frozenset({4}))


def test_a_disk_that_refuses_the_note_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr("p2p.disk.durable.write_all", full)
    with pytest.raises(StorageError, match=r"game\.ndbot cannot be written: No space left"):
        note_bot(tmp_path / "game.ndlog", {3}, finished=False)


class Sits:
    """A place whose person has left the game to a bot, or not."""

    def __init__(self, *, bot_plays: bool, bot_decided: frozenset[int]) -> None:
        self.bot_plays, self.bot_decided = bot_plays, bot_decided
        self.seen: list[Played] = []

    async def again(self, games: Sequence[Played], choosing: object) -> None:
        self.seen += games

    def say(self, lines: Sequence[str]) -> None:
        raise AssertionError(lines)


@pytest.mark.parametrize("decided", [frozenset({7, 9}), frozenset()])
@pytest.mark.parametrize("bot_plays", [True, False])
async def test_an_evening_notes_what_a_bot_decided_and_whether_it_finished_the_game(
    tmp_path: Path, *, bot_plays: bool, decided: frozenset[int]
) -> None:
    log = write_log("flip-over", tmp_path, seat=0)
    place = Sits(bot_plays=bot_plays, bot_decided=decided)
    again = Evening(cast("Place", place)).again
    assert again is not None
    result = TableResult("flip-over", 3, 9, 1.0, saved("flip-over").result, log, bytes(32))
    assert not await again(result, cast("Choosing", Chooses(0)))
    assert by_bot(log) == ByBot(decided, bot_plays)
    assert log.with_suffix(SUFFIX).exists() == bool(bot_plays or decided)
    assert [one.by_bot for one in place.seen] == [bot_plays]


@pytest.mark.parametrize("for_good", [True, False])
def test_what_a_bot_decided_is_noted_too_when_its_person_leaves(
    tmp_path: Path, *, for_good: bool
) -> None:
    """A game that is left is not finished by a bot, whoever decided in it."""
    place = Sits(bot_plays=True, bot_decided=frozenset({4}))

    def run() -> TableResult:
        log = write_log("flip-over", tmp_path, seat=0)
        if not for_good:
            raise LeftTableError("You left the table.")
        return TableResult("flip-over", 3, 9, 1.0, None, log, bytes(32))

    evening = Evening(cast("Place", place))
    if for_good:
        assert evening.play(tmp_path, run).left
    else:
        with pytest.raises(NotFinishedError):
            evening.play(tmp_path, run)
    assert by_bot(tmp_path / "flip-over.ndlog") == ByBot(frozenset({4}))


def seated() -> Seated:
    return Seated(("Ana", "Bo"), ("a", "b"), 0, Terms.of("flip-over"), 80_000, frozenset({1}))


def test_both_places_know_that_a_bot_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    no_terminal = SimpleNamespace(attention=None)
    monkeypatch.setattr("cli.screen.place.Screen", lambda *_, **__: no_terminal)
    screen = ScreenPlace(Settings(), "Flip Over")
    player = screen.player()
    player.tell(seated())
    line, person = LinePlace(Settings()), Person(Settings(), None)
    assert not line.bot_plays
    line._person = person
    person.tell(seated())
    for place, going in ((screen, screen._model.going), (line, person._going)):
        assert not place.bot_plays
        going.let_bot_play()
        assert place.bot_plays
        going.play_again()
        assert not place.bot_plays


def test_replay_without_a_log_lists_them(home: Path) -> None:
    """It opened the newest, which somebody who looks for another game did not want."""
    games = home / "games"
    games.mkdir(parents=True)
    for day, game in ((20, "flip-over"), (21, "flop-a")):
        log = games / f"2026-11-{day}-{game}-0123456789ab.ndlog"
        log.write_bytes(log_of(game))
        os.utime(log, (day * 86_400, day * 86_400))
    with Terminal(["replay", "--plain"], home) as terminal:
        terminal.until("Which game")
        listed = terminal.shown
        assert listed.index("1)  Flop-A   22 January 1970") < listed.index("2)  Flip Over   21 ")
        assert listed.count(" win") == 2
        terminal.type("2")
        terminal.until("Flip Over, table ")
        terminal.until("verified here")
