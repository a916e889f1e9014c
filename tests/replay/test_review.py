"""A review names what was decided badly, by what the seat knew, and the worst first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.bots import sensible
from engine.bots.judge import BLAMED, HOPEFUL, ROUNDS, SCREENED, Judge, Judged
from engine.bots.lookahead import Leisure, lookahead
from engine.bots.search import Budget, Search, Weighed
from engine.bots.tree import key_of
from engine.cards import Card
from engine.course import Course
from engine.games import load
from engine.question import Question
from engine.simulate import play_game
from engine.view import View
from engine.won import Won
from engine.wording.words import ALIKE
from p2p.protocol.races.book import RaceReport, RaceResult
from replay.game import open_game
from replay.review import LEAST, review, review_by
from replay.reviewed import WORST, Late, review_json, review_lines
from replay.workers import workers
from tests.engine.bots.test_search import Played
from tests.replay.saved import GAMES, saved, write_log


class Asked(Judge):
    """Keeps what it is asked about, and finds every other decision bad."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[tuple[View, Question[object], object]] = []

    def judge(
        self, view: View, question: Question[object], decided: object, rng: Random
    ) -> Judged | None:
        self.asked.append((view, question, decided))
        count = len(self.asked)
        gain = count / 100 if count % 2 else 0.0
        return Judged(question.decisions(view)[0], gain, alike=count % 4 == 1)

    def late(
        self, view: View, race: Question[Any], happened: Mapping[int, object], rng: Random
    ) -> Judged | None:
        return None


@pytest.mark.parametrize("name", ["flaps", "sneak"])
def test_a_decision_is_judged_by_its_cards_where_they_lay_before_the_step(
    name: str, tmp_path: Path
) -> None:
    """An entry that lays cards may reshuffle its hand first, and names the slots afterwards."""
    game, judge = open_game(write_log(name, tmp_path, seat=0)), Asked()
    review(game, 0, judge=judge)
    decided = [
        key_of(view, question, one, False)
        for view, question, one in judge.asked
        if not (question.timed and one is None)  # nobody claimed
    ]
    laid, renamed = [], 0
    for step in game.steps:
        if step.question is None or not step.answers:
            continue
        named = step.question.decided(game.answer(step))
        before = game.before(step.number).pending
        if 0 in named and before is not None:
            view = game.view(game.before(step.number), 0)
            after = game.view(game.before(step.number), 0, known_after=step.number)
            laid.append(key_of(after, before, named[0], False))
            renamed += laid[-1] != key_of(view, before, named[0], False)
    assert decided == laid
    assert renamed > 0


@pytest.mark.parametrize("seat", range(3))
def test_a_card_that_ends_a_round_is_judged_though_a_new_deck_lies_there_then(
    seat: int, tmp_path: Path
) -> None:
    """With this seed seat 1 ends the first of two rounds."""
    game, judge = open_game(write_log("sneak", tmp_path, seat, seed=7)), Asked()
    assert review(game, seat, judge=judge).judged == len(judge.asked) > 3
    for view, question, decided in judge.asked:
        assert question.allows(view, decided)


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_is_looked_at_where_it_was_taken(name: str, tmp_path: Path) -> None:
    """With the cards, the question and the course of that moment."""
    game, judge = open_game(write_log(name, tmp_path, seat=0)), Asked()
    found = review(game, 0, judge=judge)
    assert found.judged == len(judge.asked) > 3
    for view, question, decided in judge.asked:
        assert question.allows(view, decided)
        assert view.seat == 0
        assert isinstance(view.course, Course)
    assert found.unknown == 0
    steps = [one.step for one in found.mistakes]
    assert steps == sorted(steps, reverse=True)  # the gain grew from step to step
    lines = review_lines(game, found)
    assert sum(line.startswith("Step ") for line in lines) == min(WORST, len(found.mistakes))
    assert lines[-1].startswith("Step ")
    worst = found.mistakes[:WORST]
    alike = [line.endswith(f". {ALIKE}") for line in lines[-len(worst) :]]
    assert alike == [one.alike for one in worst]
    assert {*alike} == {True, False}


def test_who_claimed_nothing_in_a_race_without_claims_is_reviewed_too(tmp_path: Path) -> None:
    """It could have claimed; in a race that somebody won nobody knows who else claimed too late."""
    game, judge = open_game(write_log("you-fink", tmp_path, seat=0)), Asked()
    found = review(game, 0, judge=judge)
    nobody = {
        step.number
        for step in game.steps
        if step.question is not None
        and step.question.timed
        and step.answers
        and game.answer(step) is None
        and 0 in step.question.deciders
    }
    assert len(nobody) > 1
    passed = [decided for _, question, decided in judge.asked if question.timed and decided is None]
    assert len(passed) == len(nobody)
    named = {one.step for one in found.mistakes}
    missed = {one.step for one in found.mistakes if one.missed}
    assert missed == named & nobody != set()
    step = next(one for one in found.mistakes if one.missed)
    told = review_lines(game, replace(found, mistakes=(step,)))
    assert told[-1].startswith(f"Step {step.step}: {step.decided} (nobody was in time). Better: ")


class Raced(Asked):
    """Keeps which races it is asked about, and finds that each cost something."""

    def __init__(self) -> None:
        super().__init__()
        self.raced: list[tuple[int, Mapping[int, object]]] = []

    def late(
        self, view: View, race: Question[Any], happened: Mapping[int, object], rng: Random
    ) -> Judged | None:
        self.raced.append((view.seat, happened))
        return Judged(race.decisions(view)[-1], 1.0 + len(self.raced), (), 0.5)


def test_a_race_that_somebody_else_won_is_told_as_late_and_not_as_a_decision(
    tmp_path: Path,
) -> None:
    game, judge = open_game(write_log("you-fink", tmp_path, 0, 2)), Raced()
    found = review(game, 0, judge=judge)
    lost = [
        (step, answer)
        for step in game.steps
        if step.question is not None and step.answers and 0 in step.question.deciders
        if isinstance(answer := game.answer(step), Won) and 0 not in dict(answer.claims)
        if step.race is None or 0 not in dict(step.race.times)
    ]
    assert found.raced == len(judge.raced) == len(lost) > 3
    assert judge.raced == [(0, dict(answer.claims)) for _, answer in lost]
    late = [one for one in found.mistakes if one.late is not None]
    assert [one.step for one in late] == [step.number for step, _ in reversed(lost)]
    assert [one.late for one in late] == [Late(won.seat, None) for _, won in reversed(lost)]
    assert not any(one.missed for one in late)
    told, name = review_lines(game, found), game.names[0]
    assert len(told) == 2 + WORST + 1 + WORST, "decisions before races, the worst of each"
    assert [line.startswith("Step ") for line in told[2:]] == [True] * 3 + [False] + [True] * 3
    assert told[5].startswith(f"{name} was late for {len(late)} races, the {WORST} worst; wins ")
    worst, first = late[0], game.names[lost[-1][1].seat]
    assert worst.better == worst.decided
    first_line = f"Step {worst.step}: {first} was first: {worst.decided};"
    nothing, loss = f"{name} had claimed nothing by then", 50 - round(100 * worst.gain)
    assert told[6] == f"{first_line} {nothing}. In time that wins 50, not {loss}."
    other = replace(worst, better="a touch")
    *_, last = review_lines(game, replace(found, mistakes=(other,)))
    assert last == f"{first_line} {nothing}. In time: a touch, which wins 50, not {loss}."
    assert review_lines(game, replace(found, mistakes=(worst,)))[1].endswith("surely better.")
    (json,) = review_json(game, replace(found, mistakes=(worst,)))["mistakes"]  # type: ignore[misc]
    assert json["late"] == {"first": lost[-1][1].seat, "by_us": None}


@pytest.mark.parametrize("outcome", RaceResult)
def test_by_how_much_a_claim_came_late_is_told_unless_chance_decided(
    outcome: RaceResult, tmp_path: Path
) -> None:
    game, judge = open_game(write_log("you-fink", tmp_path, seat=0)), Raced()
    number, won = next(
        (step.number, answer)
        for step in game.steps
        if step.question is not None and step.answers and 0 in step.question.deciders
        if isinstance(answer := game.answer(step), Won) and 0 not in dict(answer.claims)
    )
    times = (0, 650_400), (won.seat, 340_000)
    report = RaceReport(number, "slap", times, won.seat, outcome)
    game.steps[number:] = [replace(game.steps[number], race=report)]
    late = [one for one in review(game, 0, judge=judge).mistakes if one.late is not None]
    if outcome is not RaceResult.FIRST:
        assert not late
        return
    (mistake,) = late
    assert mistake.late == Late(won.seat, 310_400)
    *_, told = review_lines(game, replace(review(game, 0, judge=judge), mistakes=(mistake,)))
    assert f"; 310 ms before {game.names[0]}. In time: " in told


def test_of_others_only_what_the_log_shows_is_judged() -> None:
    """A stranger does not see what a hand of Flop-A held that was folded."""
    game = saved("flop-a")
    found = review(game, 1, judge=Asked())
    assert found.unknown > 0
    assert "the log does not show what" in review_lines(game, found)[1]


@pytest.mark.slow
def test_a_fold_that_costs_a_pot_is_found_and_the_same_again(tmp_path: Path) -> None:
    """Seat 0 played by chance; the game is the one that this kit of saved games plays."""
    game = open_game(write_log("flop-a", tmp_path, seat=0))
    found = review(game, 0, judge=Judge(200))
    worst = found.mistakes[0]
    assert worst.gain > 0.2
    assert worst.decided != worst.better
    assert review(game, 0, judge=Judge(200)) == found
    told = review_json(game, found)
    assert told["judged"] == found.judged
    assert told["mistakes"][0]["step"] == worst.step  # type: ignore[index]


@pytest.mark.slow
def test_others_who_read_the_log_find_the_same(tmp_path: Path) -> None:
    log, progress = write_log("flop-a", tmp_path, seat=0), list[tuple[int, int]]()
    game = open_game(log)
    with workers(2) as crowd:
        found = review_by(crowd, log, 0, lambda *of: progress.append(of))
    assert found == review(game, 0)
    assert found.mistakes
    assert found.judged > 3
    assert progress == sorted(progress)
    assert (progress[0], progress[-1]) == ((0, len(game.steps)), (len(game.steps),) * 2)


@pytest.mark.slow
def test_what_the_hard_bot_itself_decides_is_no_mistake() -> None:
    played, met = Played("flip-over", 9), 0
    for asked, seat in played.positions(6):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        usual = sensible("flip-over")(view, asked, Random(1))
        judged = Judge(40).judge(view, asked, usual, Random(3))
        assert judged is not None
        assert (judged.gain > 0) == (judged.best != usual)
        again = Judge(40).judge(view, asked, judged.best, Random(3))
        assert again is not None
        assert again.gain == 0 or again.best != judged.best
        met += 1
    assert met > 2


class Found:
    """What a search may come to, with a standard error of a hundredth."""

    def __init__(self, best: object, ahead: float, options: Sequence[Any], cards: Sequence[Card]):
        self.best = {HOPEFUL: best}.__getitem__
        # Who blames a decision has to be as sure as that.
        self.gain = {BLAMED: ahead if ahead > BLAMED * 0.01 else 0.0}.__getitem__
        self.ranked = {BLAMED: [Weighed(best, 1, 0.5)]}.__getitem__
        self.lead = lambda: (ahead, 0.01)
        self.in_doubt = lambda least: options if ahead + 0.01 >= least else []
        self.deals = SimpleNamespace(draw=lambda _: cards)


@pytest.mark.parametrize(
    ("least", "ahead"),
    [
        (0.0, (-0.011,)),
        (0.0, (0.0, -0.011)),
        (0.0, (0.0, 0.0)),
        (0.0, (0.3, 0.3, 0.01)),
        (0.0, (0.3, 0.3, 0.011, 0.0)),
        (0.0, (0.3, 0.006, 0.03, 0.021)),
        (0.0, (0.3, 0.1, 0.04)),
        (0.04, (0.029,)),
        (0.04, (0.031, 0.029)),
        (0.04, (0.031, 0.031, 0.029)),
        (0.04, (0.031, 0.031, 0.031, 0.0)),
    ],
)
def test_what_looks_better_counts_only_if_it_still_does_so_in_many_games(
    least: float, ahead: Sequence[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of several looks better than it is: alone, on other deals, it may not be.

    All that is in doubt is tried twice; then the best has to be ahead by one standard error, if it
    is not by four, and the last games alone count.  Nothing is asked for if it is a standard error
    from what would be a mistake.
    """
    played = Played("flip-over", 9)
    asked, seat = next(played.positions(1))
    view = played.dealer.view(played.session.table, seat, played.session.course)
    decided, other = asked.decisions(view)[:2]
    tried: list[tuple[int, int]] = []
    coming = iter(ahead)

    def search(*arguments: Any) -> Found:
        options, (budget,) = arguments[3], [one for one in arguments if isinstance(one, Budget)]
        assert budget.win == 1.0  # what is compared, and told, are wins
        assert budget.by_spread
        tried.append((budget.playouts, len(options)))
        one, cards = next(coming), played.dealer.truth.cards
        # Two are left of all after the first round.
        return Found(other if one > 0.0 else decided, one, [other, decided], cards)

    monkeypatch.setattr(Judge, "_search", search)
    judged = Judge(least=least).judge(view, asked, decided, Random(1))
    assert judged is not None
    assert judged.gain == (ahead[-1] if ahead[-1] > 2 * 0.01 else 0.0)
    leisure, every = Leisure(), len(asked.decisions(view))
    screened = [
        (times * leisure.playouts, many) for times, many in zip(SCREENED, (every, 2), strict=True)
    ]
    alone = [(times * leisure.compared, 1) for times, *_ in ROUNDS]
    assert tried == [*screened, *alone][: len(ahead)]
    assert not [*coming]


def test_a_review_of_a_race_tries_as_many_games_as_one_of_other_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the table a race waits for nobody who thinks: of such decisions 18 deals were tried."""
    tried: list[float] = []

    class Counted(Search):
        def run(self, budget: Budget) -> None:
            super().run(budget)
            tried.append(sum(one.visits for one in self.weighed()) / budget.playouts)

    monkeypatch.setattr("engine.bots.hard.Search", Counted)
    played = Played("you-fink", 9)
    for asked, seat in played.positions(1):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        considered = lookahead("you-fink").considered(view, asked)
        if len(considered) == 2:
            tried.clear()
            for decided in considered:
                assert Judge().judge(view, asked, decided, Random(1)) is not None
            if len(tried) > 2:
                Judge()(view, asked, Random(1))
                break
    *reviewed, at_the_table = tried
    assert reviewed == [pytest.approx(1.0, abs=0.05)] * 4, "each once, and what is in doubt"
    assert at_the_table < 0.5


@pytest.mark.parametrize(("gain", "names"), [(0.0132, False), (0.0134, True)])
def test_a_mistake_costs_a_25th_of_a_fair_share(
    gain: float, names: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three who win 33 of 100 games each, 1.3 of them are as much as 2 are for two."""
    game = open_game(write_log("flop-a", tmp_path, seat=0))
    assert len(game.names) == 3

    def judge(self: Judge, view: View, asked: Question[Any], *_: object) -> Judged:
        return Judged(asked.decisions(view)[0], gain)

    monkeypatch.setattr(Judge, "judge", judge)
    found = review(game, 0)
    assert bool(found.mistakes) == names
    assert found.judged


def test_a_review_does_not_look_for_long_at_what_would_be_no_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    class Noted(Asked):
        def __init__(self, least: float) -> None:
            super().__init__()
            asked.append(least)

    monkeypatch.setattr("replay.review.Judge", Noted)
    review(open_game(write_log("flop-a", tmp_path, seat=0)), 0)
    assert asked == [LEAST / 3]


def test_a_review_plays_each_game_of_flaps_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut after some turns, a card cost 3.4 of 100 games which costs 0.9 +- 1.1."""
    cut: list[bool] = []

    class Noted(Search):
        def run(self, budget: Budget) -> None:
            super().run(budget)
            cut.append(any(wins not in (0.0, 0.5, 1.0) for one in self._wins for wins in one))

    monkeypatch.setattr("engine.bots.hard.Search", Noted)
    played = Played("flaps", 3)
    asked, seat = next(played.positions(1))
    view = played.dealer.view(played.session.table, seat, played.session.course)
    worst = Judge(60).weigh(view, asked, Random(1))[-1].decision
    assert cut == [True], "at a table it looks only some turns ahead"
    assert Judge(60).judge(view, asked, worst, Random(1)) is not None
    assert len(cut) > 1
    assert not any(cut[1:])


def test_where_there_is_no_choice_nothing_is_judged() -> None:
    session = play_game(load("flip-over"), 3, {"rounds": 1}, 2, [sensible("flip-over")] * 3)
    assert session.over
    played = Played("flip-over", 9)
    for asked in played.questions():
        for seat in asked.deciders:
            view = played.dealer.view(played.session.table, seat, played.session.course)
            if len(asked.decisions(view)) == 1:
                decided = asked.decisions(view)[0]
                assert Judge(1).judge(view, asked, decided, Random(1)) is None
                return
    raise AssertionError("somebody always had a choice")
