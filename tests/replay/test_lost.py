"""Saved games in which the others went on without a seat: what is checked, and what is told."""

from __future__ import annotations

import json

import pytest

from cli.viewer.boards import board_after
from engine.lost import Lost
from engine.view import SPECTATOR
from engine.wording import listed
from p2p.protocol.absence.vote import Place, sign_vote
from p2p.protocol.entry import Chain, Entry, sign_entry
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import encode_evidence, split_log
from replay.compare import Copy, compare
from replay.departures import departures
from replay.game import SavedGame
from replay.html import _data
from replay.jsonl import lines
from replay.legal import why_legal
from replay.marks import marks
from replay.narration import table_text, told
from replay.plain import step_lines
from replay.report import page
from replay.story import story_lines
from tests.protocol.cheats import sign_again
from tests.protocol.kit import identities
from tests.protocol.losing import LOSING, lost, lost_log
from tests.replay.logs import entries, judge, with_records

every_way = pytest.mark.parametrize("name", LOSING)


def opened(name: str) -> SavedGame:
    log = split_log(lost_log(name))
    return SavedGame(decode_header(log.header), log)


def votes_of(name: str) -> list[Entry]:
    """The votes of the first step that consists of votes."""
    said = entries(lost_log(name))
    first = next(one for one in said if one.kind == "vote")
    return [one for one in said if one.step == first.step]


def before(name: str, step: int) -> list[bytes]:
    return [one.record for one in entries(lost_log(name)) if one.step < step]


def with_step(name: str, *records: bytes, more: bool = True) -> bytes:
    """The log with other records in its first step of votes."""
    said, step = entries(lost_log(name)), votes_of(name)[0].step
    after = [one.record for one in said if one.step > step] if more else []
    return with_records(lost_log(name), [*before(name, step), *records, *after])


def place(vote: Entry) -> Place:
    return Place(vote.table, vote.step, vote.previous)


def voted(vote: Entry, seat: int, number: int, *absent: int) -> bytes:
    """A vote about the same step."""
    return sign_vote(identities(5)[seat], place(vote), seat, number, frozenset(absent)).record


def entry_at(vote: Entry, seat: int, payload: object = None) -> bytes:
    """An entry for the same step."""
    chain = Chain(vote.table, vote.step, vote.previous)
    return sign_entry(identities(5)[seat], chain, seat, "play", payload, bytes(16)).record


# -- the audit ---------------------------------------------------------------------------------


@every_way
def test_such_a_log_is_complete_and_says_who_was_lost_and_when(name: str) -> None:
    hub, report, said = lost(name), judge(lost_log(name)), entries(lost_log(name))
    assert (report.verdict, report.reason[:5]) == ("complete", "every")
    assert report.returns == hub.seats[0].session.returns
    journal = [one for one in hub.seats[0].session.journal if isinstance(one, Lost)]
    left = [entry for entry in said if entry.kind == "leave"]
    assert [one.seat for one in report.left] == [one.seat for one in journal if not one.gone]
    assert dict(report.left).items() <= {entry.seat: entry.step for entry in left}.items()
    assert sorted(one.seat for one in report.lost) == sorted(o.seat for o in journal if o.gone)
    assert sorted(report.empty) == sorted(hub.seats[0].session.table.lost)
    votes = [one for one in said if one.kind == "vote"]
    assert report.tally.votes == len(votes) > 0
    assert report.tally.entries + report.tally.votes == len(said)
    for one in report.lost:
        step = next(vote.step for vote in votes if one.seat in vote.payload["absent"])
        signed = [entry.step for entry in said if entry.seat == one.seat]
        assert (one.step, one.last) == (step, max(signed, default=None))


def test_a_coin_that_others_end_is_one_coin() -> None:
    report = judge(lost_log("coin"))
    assert report.tally.coins == 1
    assert [one.kind for one in entries(lost_log("coin"))].count("coin") == 6


def test_the_report_says_how_far_a_lost_seat_stands_behind_it() -> None:
    said = " ".join(" ".join(page(judge(lost_log("leaver")))).split())
    (left,) = judge(lost_log("leaver")).left
    step = votes_of("leaver")[0].step
    last = max(one.step for one in entries(lost_log("leaver")) if one.seat == 1)
    assert last < step
    assert f"left seat2, for good, in step {left.step} lost " in said
    gone = f"lost seat1, voted out in step {step}; what follows step {last}, "
    assert f"{gone}the last that it signed" in said
    assert (said.count(" (left)"), said.count(" (lost)")) == (1, 1)
    silent = " ".join(" ".join(page(judge(lost_log("coin")))).split())
    assert "lost seat2, voted out in step 0; it signed no step of this game" in silent


@every_way
def test_wherever_it_is_cut_the_rest_is_unfinished(name: str) -> None:
    said = entries(lost_log(name))
    first = next(number for number, one in enumerate(said) if one.kind == "vote")
    for cut in range(first, first + 9, 2):
        log = with_records(lost_log(name), [one.record for one in said[:cut]])
        assert judge(log).verdict == "unfinished"
        assert not SavedGame(decode_header(split_log(log).header), split_log(log)).trouble


@pytest.mark.check("audit.votes")
def test_a_step_with_an_entry_beside_votes_is_refused() -> None:
    """Those who went on without a seat, or that seat itself, put its entry into the void step.

    Answer: a step has only votes, or none.
    """
    votes = votes_of("one")
    (gone,) = votes[0].payload["absent"]
    beside = sorted([(one.seat, one.record) for one in votes] + [(gone, entry_at(votes[0], gone))])
    report = judge(with_step("one", *[record for _, record in beside]))
    assert (report.verdict, report.step, report.seat) == ("broken-chain", votes[0].step, None)
    assert report.reason == "a step is all votes that agree, or none"


@pytest.mark.check("audit.votes")
@pytest.mark.parametrize("number", [0, 1])
def test_votes_that_do_not_agree_are_refused(number: int) -> None:
    """A step is made of votes of two rounds, or about two sets.

    Answer: all votes of a step have to agree.
    """
    votes = votes_of("two")
    other = voted(votes[-1], votes[-1].seat, number, *([1, 3] if number else [1]))
    report = judge(with_step("two", *[one.record for one in votes[:-1]], other, more=False))
    assert (report.verdict, report.step, report.seat) == ("broken-chain", votes[0].step, None)


def test_a_vote_too_few_leaves_the_step_open() -> None:
    """Some of those who stay go on without the agreement of all.

    Answer: nothing can follow a step that is not decided.
    """
    votes = votes_of("one")
    for kept in (votes[:-1], votes[1:]):
        records = [one.record for one in kept]
        assert judge(with_step("one", *records, more=False)).verdict == "unfinished"
        head = _head("one", records)
        follows = sign_again(_next("one"), previous=head)
        log = with_records(lost_log("one"), [*before("one", votes[0].step), *records, follows])
        report = judge(log)
        assert (report.verdict, report.reason) == ("broken-chain", "a step before lacks entries")


def _head(name: str, records: list[bytes]) -> bytes:
    """The hash of the first step of votes, if it consists of these."""
    vote = votes_of(name)[0]
    return Chain(vote.table, vote.step, vote.previous).after([one[:-64] for one in records])


def _next(name: str) -> bytes:
    step = votes_of(name)[0].step
    return next(one.record for one in entries(lost_log(name)) if one.step == step + 1)


def test_a_vote_too_many_is_that_of_a_seat_that_may_not_say_it() -> None:
    """The seat that is voted out signs a vote for this itself.

    Answer: no seat votes about itself.
    """
    votes = votes_of("one")
    (gone,) = votes[0].payload["absent"]
    all_of_them = sorted(
        [(one.seat, one.record) for one in votes] + [(gone, voted(votes[0], gone, 0, gone))]
    )
    report = judge(with_step("one", *[record for _, record in all_of_them], more=False))
    assert (report.verdict, report.step, report.seat) == ("illegal-move", votes[0].step, gone)


def test_a_seat_that_was_lost_before_has_no_vote() -> None:
    """A seat that was voted out votes about another seat later.

    Answer: an illegal move.
    """
    said = entries(lost_log("relock"))
    steps = sorted({one.step for one in said if one.kind == "vote"})
    votes = [one for one in said if one.step == steps[1]]
    kept = before("relock", steps[1])
    first = sorted(votes, key=lambda one: one.seat)
    records = [*[one.record for one in first if one.seat < 3], voted(votes[0], 3, 0, 1)]
    report = judge(with_records(lost_log("relock"), [*kept, *records]))
    assert (report.verdict, report.step, report.seat) == ("illegal-move", steps[1], 3)


@pytest.mark.check("audit.vote")
def test_a_vote_under_the_result_counts_for_nothing() -> None:
    """Those who stay vote a seat out when only its signature under the result is missing.

    Answer: for this there are ballots; no vote counts in the close step.
    """
    said = entries(lost_log("one"))
    close = next(one for one in said if one.kind == "close")
    vote = voted(close, 0, 0, 2)
    report = judge(with_records(lost_log("one"), [*before("one", close.step), vote]))
    assert (report.verdict, report.step, report.seat) == ("broken-chain", close.step, None)


def test_a_vote_of_another_shape_falls_on_nobody() -> None:
    vote = votes_of("one")[0]
    bent = sign_again(vote.record, payload={"round": 0, "absent": [1, 1]})
    report = judge(with_step("one", bent, more=False))
    assert (report.verdict, report.step, report.seat) == ("malformed", vote.step, None)


def test_a_log_with_a_vote_of_another_shape_is_read_up_to_it() -> None:
    vote = votes_of("one")[0]
    for payload in (None, {}, {"round": 0, "absent": [[]]}, {"round": 0, "absent": [1, 1]}):
        log = split_log(with_step("one", sign_again(vote.record, payload=payload), more=False))
        game = SavedGame(decode_header(log.header), log)
        assert game.trouble
        assert len(game.steps) == vote.step


@pytest.mark.call("replay.beyond:signed -> decode_vote")
def test_a_vote_of_another_shape_is_no_evidence() -> None:
    """Two of one seat are not two votes either: nobody can say of which round they are."""
    vote = votes_of("one")[0]
    bent = [sign_again(vote.record, payload={"round": 0, "absent": [n, n]}) for n in (1, 2)]
    kept = with_records(lost_log("one"), before("one", vote.step))
    for shown in (bent[:1], bent):
        report = judge(encode_evidence(kept, shown))
        assert (report.verdict, report.seat) == ("malformed", None)


# -- evidence ----------------------------------------------------------------------------------


def accused(name: str, *records: bytes) -> tuple[str, int | None, int | None]:
    """The verdict on evidence that begins where the votes were cast."""
    kept = before(name, votes_of(name)[0].step)
    report = judge(encode_evidence(with_records(lost_log(name), kept), list(records)))
    return report.verdict, report.seat, report.step


def test_two_votes_of_a_seat_in_one_round_are_equivocation() -> None:
    """A seat agrees with some others to go on without a player, and with the rest to wait.

    Answer: it has signed two votes in one round, which convict it.
    """
    vote = votes_of("two")[0]
    twice = [voted(vote, 0, 0, 1, 3), voted(vote, 0, 0)]
    assert accused("two", *twice) == ("equivocation", 0, vote.step)
    assert accused("two", voted(vote, 4, 0, 1), *twice) == ("equivocation", 0, vote.step)


def test_a_second_vote_beside_the_log_is_equivocation_too() -> None:
    vote = votes_of("two")[0]
    other = voted(vote, vote.seat, vote.payload["round"])
    cut = with_records(lost_log("two"), [*before("two", vote.step + 1)])
    assert judge(encode_evidence(cut, [other])).verdict == "equivocation"


def test_votes_of_two_rounds_and_a_vote_beside_an_entry_are_no_offence() -> None:
    """Honest seats change their minds, and vote about a step for which they signed an entry.

    Answer: votes of different rounds, and a vote beside an entry, are no contradiction.
    """
    votes = votes_of("two")
    vote, seat = votes[0], votes[0].seat
    rounds = [voted(vote, seat, 0, 1), voted(vote, seat, 1, 1, 3), voted(vote, seat, 2)]
    assert accused("two", *rounds) == ("unfinished", None, vote.step)
    said = entries(lost_log("two"))
    signed = max((one for one in said if one.step < vote.step), key=lambda one: one.step)
    beside = voted(signed, signed.seat, 0, (signed.seat + 1) % 5)
    assert accused("two", beside) == ("unfinished", None, vote.step)


def test_a_vote_that_a_seat_may_not_say_is_an_illegal_move() -> None:
    """A seat votes itself out, or more seats than the table agreed it can lose.

    Answer: an illegal move.
    """
    vote = votes_of("two")[0]
    for absent in ((1, 3, 4), (0,)):
        assert accused("two", voted(vote, 0, 0, *absent)) == ("illegal-move", 0, vote.step)


def test_an_entry_of_a_void_step_is_no_offence() -> None:
    """Somebody later shows what honest seats signed for a step that became void.

    Answer: no entry of that step counts, for or against anybody.
    """
    vote = votes_of("two")[0]
    cut = with_records(lost_log("two"), before("two", vote.step + 1))
    report = judge(encode_evidence(cut, [entry_at(vote, 2)]))
    assert (report.verdict, report.seat) == ("unfinished", None)


def test_logs_of_which_one_has_the_votes_and_one_ends_before_tell_one_history() -> None:
    log = lost_log("one")
    cut = with_records(log, before("one", votes_of("one")[0].step))
    assert compare([Copy("a", "complete", None, log), Copy("b", "unfinished", 0, cut)]).same


# -- what is told ------------------------------------------------------------------------------


@every_way
def test_it_is_read_to_its_end_and_told(name: str) -> None:
    game = opened(name)
    assert not game.trouble
    said = " ".join(" ".join(story_lines(game)).split())
    lost_seats = [one.seat for one in judge(lost_log(name)).lost]
    for seat in lost_seats:
        assert f"{game.names[seat]} is voted out by the others, and cannot win." in said
        assert f"{game.names[seat]} (lost) " in said
    for step in game.steps:
        assert (step.kind == "vote") == bool(step.absent)
        if step.absent:
            stay, gone = (" and ".join(game.names[s] for s in seats[-2:]) for seats in
                          (step.seats, step.absent))  # fmt: skip
            assert f"{stay} agree to go on without {gone}." in said
            assert not step.answers
        if step.kind in ("mend", "relock", "strip"):
            assert step.question is None
            assert len(why_legal(game, step)) == 1
            assert told(game, step)[0] in said
        assert step_lines(game, step.number)
    assert [seat for step in game.steps for seat in step.absent] == lost_seats


@every_way
def test_the_ending_names_who_signed_the_result(name: str) -> None:
    """In the story, at the step itself, in the header of the page and in the lines of JSON."""
    game, report = opened(name), judge(lost_log(name))
    signed = [entry.seat for entry in entries(lost_log(name)) if entry.kind == "close"]
    assert len(signed) < len(game.names)
    who = listed(game.names[seat] for seat in signed)
    assert game.ending == f"{who} signed the result"
    assert f"The log: {who} signed the result." in " ".join(story_lines(game))
    assert f"  The result is signed by {who}." in step_lines(game, len(game.steps) - 1)
    assert _data("log", game, report)["ending"] == game.ending
    assert json.loads(list(lines(game, report))[-1])["ending"] == game.ending


@every_way
def test_lost_is_not_left(name: str) -> None:
    """Who was voted out, when, and what became of the cards: in the story, the page, the JSON."""
    game, report = opened(name), judge(lost_log(name))
    gone = list(departures(game))
    assert [(one.seat, one.why) for one in gone] == [
        (seat, report.empty[seat]) for seat in game.session.table.lost
    ]
    assert {(one.step, one.seat) for one in gone} == set(report.gone)
    said = [one.told(game.names) for one in gone]
    story = " ".join(" ".join(story_lines(game)).split())
    for one, sentence in zip(gone, said, strict=True):
        who = game.names[one.seat]
        when = f"at step {one.step}{f' ({one.when.lower()})' if one.when else ''}"
        lost = f"{who} was voted out {when}, and cannot win."
        left = f"{who} left for good {when}, and cannot win."
        assert sentence.startswith(lost if one.why == "lost" else left)
        assert sentence in story
        assert all(became in sentence for became in one.became)
    assert _data("log", game, report)["gone"] == said
    ending = json.loads(list(lines(game, report))[-1])
    assert [one["told"] for one in ending["departures"]] == said


def test_a_mend_says_how_many_cards_it_shuffles() -> None:
    game = opened("mend")
    mends = [step for step in game.steps if step.kind == "mend"]
    assert [told(game, step)[0].split(",")[0] for step in mends] == [
        f"{game.names[step.seats[0]]} shuffles 4 cards" for step in mends
    ]


@every_way
def test_exports_tables_and_marks_have_the_empty_chair(name: str) -> None:
    game, report = opened(name), judge(lost_log(name))
    said = [json.loads(line) for line in lines(game, report)]
    assert said[-1]["left"] == [one.seat for one in report.left]
    assert said[-1]["lost"] == [one._asdict() for one in report.lost]
    assert [s for line in said[1:-1] for s in line["absent"]] == [o.seat for o in report.lost]
    empty = game.session.table.lost
    assert table_text(game, game.after(len(game.steps) - 1)).empty == report.empty
    data = _data("log", game, report)
    assert data["tables"][data["steps"][-1]["table"]]["empty"] == sorted(empty)
    words = {one.seat: "left" for one in report.left} | {one.seat: "lost" for one in report.lost}
    board = board_after(game, len(game.steps) - 1, SPECTATOR)
    assert {seat: one.empty for seat, one in enumerate(board.seats) if one.empty} == words
    gone = {note[1] for step in game.steps for note in step.notes if note[0] == "gone"}
    assert gone == {one.seat for one in report.lost}
    marked = {mark.step for mark in marks(game)}
    assert {s.number for s in game.steps if any(n[0] == "gone" for n in s.notes)} <= marked
    voids = {asked["lost"] for asked in data["questions"]["asked"] if "lost" in asked}
    assert voids == gone
