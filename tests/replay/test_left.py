"""What is told of saved games that somebody left for good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.viewer.boards import board_after
from cli.words.played import played, standings
from cli.words.summary import audited
from engine.lost import Lost
from engine.won import Won
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import split_log
from replay.audit import audit
from replay.compare import Copy, compare
from replay.departures import departures
from replay.fairness.observed import observe
from replay.game import SavedGame, open_game
from replay.html import _data
from replay.jsonl import lines
from replay.legal import why_legal
from replay.marks import marks
from replay.narration import table_text, told
from replay.plain import step_lines
from replay.reader import SavedStep
from replay.report import page
from replay.story import story_lines
from tests.replay.logs import records, with_records

LOGS = Path(__file__).parent.parent / "vectors" / "logs"
KINDS = ("turn", "two", "race", "secret", "sets", "last")
every_way = pytest.mark.parametrize("name", KINDS)


def path_of(name: str) -> Path:
    return LOGS / f"good-left-{name}.ndlog"


def opened(name: str) -> SavedGame:
    return open_game(path_of(name))


def left_at(game: SavedGame) -> SavedStep:
    """The first step that somebody leaves."""
    return next(step for step in game.steps if step.leavers)


@every_way
def test_a_log_with_leavers_is_read_to_its_end(name: str) -> None:
    game = opened(name)
    assert not game.trouble
    entries = [decode_entry(record) for record in split_log(path_of(name).read_bytes()).records]
    leavers = [(step.number, seat) for step in game.steps for seat in step.leavers]
    assert leavers == [(one.step, one.seat) for one in entries if one.kind == "leave"]
    assert game.session.table.lost == [seat for _, seat in leavers]


@every_way
def test_the_story_says_who_leaves_and_what_becomes_of_the_cards(name: str) -> None:
    game = opened(name)
    story = " ".join(" ".join(story_lines(game)).split())
    for seat in game.session.table.lost:
        who = game.names[seat]
        assert f"{who} takes the own lock off every hidden card" in story
        assert f"{who} has left the table: they resign and cannot win." in story
        assert f"{who} (left) " in story
    who = [game.names[seat] for seat in left_at(game).leavers]
    leaves = (
        f"{who[0]} leaves for good." if len(who) == 1 else f"{' and '.join(who)} leave for good."
    )
    assert leaves in story


@every_way
def test_a_void_question_has_no_answer_and_a_farewell_no_question(name: str) -> None:
    game = opened(name)
    for step in game.steps:
        if step.leavers:
            assert step.answers == (step.kind == "race")
            assert any("may leave" in line for line in why_legal(game, step))
        if step.kind == "farewell":
            assert step.question is None
            assert not step.answers
            with pytest.raises(LookupError):
                game.answer(step)
            assert len(why_legal(game, step)) == 1
        assert all(told(game, step))
        assert step_lines(game, step.number)


def test_race_that_a_seat_leaves_is_decided_and_told() -> None:
    game = opened("race")
    step = left_at(game)
    won, lost = game.session.journal[step.before : step.before + 2]
    assert isinstance(won, Won)
    assert (won.seat, lost) == (0, Lost(step.leavers[0]))
    left, *rest = told(game, step)
    assert left == f"{game.names[step.leavers[0]]} leaves for good."
    assert any(line.startswith(game.names[0]) for line in rest)


@every_way
def test_lines_of_json_name_them(name: str) -> None:
    game, report = opened(name), audit(path_of(name))
    said = [json.loads(line) for line in lines(game, report)]
    lost = game.session.table.lost
    assert said[-1]["left"] == lost
    assert [(one["seat"], one["why"]) for one in said[-1]["departures"]] == [
        (seat, "left") for seat in lost
    ]
    assert [seat for line in said[1:-1] for seat in line["leaves"]] == lost
    void = [line for line in said[1:-1] if line["leaves"] and line["kind"] != "race"]
    assert all(not line["decided"] for line in void)


@every_way
def test_tables_in_words_and_pictures_show_an_empty_chair(name: str) -> None:
    game = opened(name)
    lost, last = game.session.table.lost, len(game.steps) - 1
    before, after = (table_text(game, game.after(at)) for at in (left_at(game).number, last))
    assert not before.empty
    assert after.empty == dict.fromkeys(lost, "left")
    assert sum(" (left)" in line for line in after.lines()) == len(lost)
    board = board_after(game, last, 0)
    assert [seat for seat, one in enumerate(board.seats) if one.empty == "left"] == sorted(lost)
    data = _data("log", game, audit(path_of(name)))
    table = data["tables"][data["steps"][-1]["table"]]
    assert table["empty"] == sorted(lost)
    names = [data["texts"][row[0]] for row in table["rows"]]
    assert [seat for seat, one in enumerate(names) if one.endswith(" (left)")] == sorted(lost)


@every_way
def test_results_and_standings_mark_them_and_keep_what_the_game_wrote_down(name: str) -> None:
    game, report = opened(name), audit(path_of(name))
    lost = game.session.table.lost
    assert report.returns == game.result
    one = played(path_of(name))
    assert one.result == game.result
    for rank in standings([one]):
        assert rank.empty == ("left" if rank.seat in lost else "")
        assert rank.points == one.result[rank.seat]
    said = "\n".join(audited(path_of(name), 1.0).as_lines())
    assert said.count(" (left)") == len(lost)
    assert " ".join(page(report)).count(" (left)") == len(lost)


@every_way
def test_who_left_when_and_what_became_of_the_cards_is_told_with_the_result(name: str) -> None:
    game, report = opened(name), audit(path_of(name))
    gone = list(departures(game))
    assert [(one.seat, one.why) for one in gone] == [
        (seat, "left") for seat in game.session.table.lost
    ]
    entries = [decode_entry(record) for record in split_log(path_of(name).read_bytes()).records]
    steps = {one.seat: one.step for one in entries if one.kind == "leave"}
    assert {one.seat: one.step for one in gone} == steps == dict(report.left)
    story, summary = (" ".join(" ".join(said).split()) for said in (
        list(story_lines(game))[-20:], audited(path_of(name), 1.0).as_lines()))  # fmt: skip
    for one in gone:
        said = f"{game.names[one.seat]} left for good at step {steps[one.seat]}"
        assert one.told(game.names).startswith(said)
        assert all(sentence in one.told(game.names) for sentence in one.became)
        assert one.told(game.names) in story
        assert f"{said}, and cannot win." in summary
        assert one.told(game.names) in played(path_of(name)).moments
    assert _data("log", game, report)["gone"] == [one.told(game.names) for one in gone]


@every_way
def test_leaving_is_a_mark(name: str) -> None:
    game = opened(name)
    marked = {mark.step for mark in marks(game)}
    assert {step.number for step in game.steps if step.kind == "farewell"} <= marked


def test_the_logs_of_a_leaver_and_of_those_who_stayed_tell_one_history() -> None:
    whole = path_of("two").read_bytes()
    kept = [one for one in records(whole) if decode_entry(one).step < 8]
    copies = [
        Copy("whole", "complete", None, whole),
        Copy("leaver's", "unfinished", 6, with_records(whole, kept)),
    ]
    assert compare(copies).same


def test_cards_that_are_seen_after_a_farewell_still_tell_of_the_shuffle() -> None:
    """They have another cipher then, and are the same cards; nobody had seen any before."""
    game = opened("two")
    (shuffle,) = observe(path_of("two")).shuffles
    known = [shuffle.before[at] for at in shuffle.after if at is not None]
    later = game.steps[left_at(game).number + 1 :]
    faces = (face for step in later for face in game.after(step.number).table.faces)
    seen = dict.fromkeys(face for face in faces if face is not None)
    assert 0 < len(known) < len(seen)
    assert {*known} == {*[*seen][: len(known)]}


def test_hands_of_a_leaver_are_no_blind_sightings() -> None:
    """The only hand of Flop-A that was dealt is decided about before a card is seen."""
    assert observe(path_of("secret")).shuffles == []
