"""One's own games, from logs that were played: whose they are, and what they add up to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import load
from engine.totals import winners
from replay.by_bot import note_bot
from replay.history import plot
from replay.history.history import History, Reactions, Streaks, history_of
from replay.history.record import Contest, Player, Record, Unreadable, record_of
from replay.workers import workers
from tests.protocol.kit import game_hub, identities, log_bytes
from tests.replay.logs import records, with_records
from tests.replay.saved import log_of

ANN, BO, CY = (one.public for one in identities(3))
NOBODY = identities(4)[3].public


def write(folder: Path, logs: Sequence[bytes]) -> list[Path]:
    """The logs on disk, written a minute after each other."""
    paths = [folder / f"{number:02}.ndlog" for number in range(len(logs))]
    for number, (path, data) in enumerate(zip(paths, logs, strict=True)):
        path.write_bytes(data)
        os.utime(path, (60 * number, 60 * number))
    return paths


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two games of Flip Over, one of You Fink!, one twice, one unfinished, one of two others."""
    two = game_hub(load("flip-over"), 3, 5, verifying=0, rounds=1)
    two.run()
    three = log_bytes(two.seats[0])
    flop = log_of("flop-a")
    begun = with_records(flop, records(flop)[:6])
    found = [three, log_of("flip-over"), log_of("you-fink"), three, begun, b"no log"]
    return write(tmp_path_factory.mktemp("logs"), found)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_games_of_each_player(logs: list[Path], jobs: int) -> None:
    with workers(jobs) as crowd:
        histories = [history_of(logs, key, crowd) for key in (ANN, BO, CY)]
    for history in histories:
        assert [one.game for one in history.games] == ["flip-over", "flip-over", "you-fink"]
        assert [one.game for one in history.unfinished] == ["flop-a"]
        assert (history.foreign, len(history.unreadable)) == (0, 1)
        assert {score.name: score.games for score in history.by_game()} == {
            "Flip Over": 2,
            "You Fink!": 1,
        }
        assert [score.games for score in history.by_opponent()] == [3, 3]
    # Whoever won lost to nobody, and everybody's wins are what the others count against them.
    won = [history.whole().won for history in histories]
    assert sum(won) == 3
    against = {one.name: one.lost for one in histories[0].by_opponent()}
    assert against == {"seat1": won[1], "seat2": won[2]}


def test_what_a_bot_finished_is_not_ones_own(logs: list[Path], tmp_path: Path) -> None:
    """Whichever of two logs of the table it was noted beside."""
    mine = write(tmp_path, [log.read_bytes() for log in logs])
    before = history_of(mine, ANN)
    note_bot(mine[3], set(), finished=True)
    after = history_of(mine, ANN)
    assert len(after.games) == len(before.games) - 1
    assert [one.table for one in after.by_bot] == [before.games[0].table]
    assert (len(before.by_bot), len(after.unfinished)) == (0, len(before.unfinished))


def test_a_stranger_has_no_games(logs: list[Path]) -> None:
    history = history_of(logs, NOBODY)
    assert (history.games, history.foreign) == ([], 5)


def test_the_key_counts_and_not_the_name(logs: list[Path]) -> None:
    record = record_of(logs[0], BO)
    assert isinstance(record, Record)
    assert (record.seat, record.players[1]) == (1, Player(BO, "seat1", bot=False))
    assert record_of(logs[0], NOBODY) is None


def test_what_was_raced_for_is_found(logs: list[Path]) -> None:
    found = [history_of(logs, key).reactions() for key in (ANN, BO, CY)]
    assert sum(one.first for one in found) >= max(one.races for one in found) > 0
    assert all(one.own is not None and one.others is not None for one in found if one.races)


def test_a_log_that_cannot_be_read_to_its_end_is_named(tmp_path: Path) -> None:
    log = log_of("flop-a")
    shuffled = records(log)
    bad = with_records(log, [*shuffled[:9], *shuffled[12:]])
    garbled, missing = write(tmp_path, [bad])[0], tmp_path / "none.ndlog"
    for path in (garbled, missing):
        found = record_of(path, ANN)
        assert isinstance(found, Unreadable)
        assert str(path) in found.reason


def played(result: tuple[int, ...], *contests: Contest, bot: bool = False) -> Record:
    players = (Player(ANN, "Ann", bot=False), Player(BO, "Bo", bot=bot), Player(CY, "Cy", bot=bot))
    won = winners(result)
    return Record(b"", "tiny", "Tiny", 0.0, 0, players, result, won, False, contests)


WIN, LOSS, SHARED, ALL = (5, 1, 1), (1, 5, 0), (5, 5, 1), (2, 2, 2)


def test_streaks() -> None:
    games = [played(result) for result in (WIN, WIN, SHARED, LOSS, ALL, WIN, LOSS, LOSS)]
    assert History(games).streaks() == Streaks(-2, 3, 2)
    assert History(games[:3]).streaks() == Streaks(3, 3, 0)
    assert History().streaks() == Streaks(0, 0, 0)


def test_a_shared_win_is_a_win_of_each_and_none_if_all_have_the_same() -> None:
    bo, cy = History([played(SHARED), played(ALL), played(LOSS)]).by_opponent()
    assert (bo.name, bo.games, bo.won, bo.lost) == ("Bo", 3, 1, 2)
    assert (cy.won, cy.lost) == (1, 0)


def test_all_bots_are_one_opponent() -> None:
    (bots,) = History([played(WIN, bot=True), played((1, 0, 9), bot=True)]).by_opponent()
    assert (bots.name, bots.games, bots.won, bots.lost) == ("bots", 2, 1, 1)


def test_the_newest_name_of_a_key_is_told() -> None:
    renamed = replace(played(WIN), players=(*played(WIN).players[:2], Player(CY, "Cyd", bot=False)))
    assert [one.name for one in History([played(WIN), renamed]).by_opponent()] == ["Bo", "Cyd"]


def test_reactions_are_medians() -> None:
    contests = [
        Contest(300, (200, 500), False),
        Contest(100, (400,), True),
        Contest(None, (), True),
    ]
    found = History([played(WIN, *contests[:2]), played(LOSS, contests[2])]).reactions()
    assert found == Reactions(3, 2, 200.0, 400.0)
    assert History().reactions() == Reactions(0, 0, None, None)


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 3])
def test_it_is_drawn(games: int, logs: list[Path], tmp_path: Path) -> None:
    history = history_of(logs, BO)
    plot.draw(replace(history, games=history.games[:games]), tmp_path / "own.png")
    assert (tmp_path / "own.png").read_bytes().startswith(b"\x89PNG")
