"""A review names what was decided badly, by what the seat knew, and the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from engine.bots import sensible
from engine.bots.hard import BLAMED, Hard, Judged
from engine.bots.lookahead import lookahead
from engine.bots.search import Budget, Search, Weighed
from engine.bots.tree import key_of
from engine.cards import Card
from engine.course import Course
from engine.games import load
from engine.question import Question
from engine.simulate import play_game
from engine.view import View
from engine.wording.words import ALIKE
from replay.game import open_game
from replay.review import WORST, review, review_json, review_lines
from tests.engine.bots.test_search import Played
from tests.replay.saved import GAMES, saved, write_log


class Asked(Hard):
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


@pytest.mark.parametrize("name", ["flaps", "sneak"])
def test_a_decision_is_judged_by_its_cards_where_they_lay_before_the_step(
    name: str, tmp_path: Path
) -> None:
    """An entry that lays cards may reshuffle its hand first, and names the slots afterwards."""
    game, hard = open_game(write_log(name, tmp_path, seat=0)), Asked()
    review(game, 0, hard=hard)
    decided = [
        key_of(view, question, one, False)
        for view, question, one in hard.asked
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


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_is_looked_at_where_it_was_taken(name: str, tmp_path: Path) -> None:
    """With the cards, the question and the course of that moment."""
    game, hard = open_game(write_log(name, tmp_path, seat=0)), Asked()
    found = review(game, 0, hard=hard)
    assert found.judged == len(hard.asked) > 3
    for view, question, decided in hard.asked:
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
    game, hard = open_game(write_log("you-fink", tmp_path, seat=0)), Asked()
    found = review(game, 0, hard=hard)
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
    passed = [decided for _, question, decided in hard.asked if question.timed and decided is None]
    assert len(passed) == len(nobody)
    named = {one.step for one in found.mistakes}
    missed = {one.step for one in found.mistakes if one.missed}
    assert missed == named & nobody != set()
    step = next(one for one in found.mistakes if one.missed)
    told = review_lines(game, replace(found, mistakes=(step,)))
    assert told[-1].startswith(f"Step {step.step}: {step.decided} (nobody claimed). Better: ")


def test_of_others_only_what_the_log_shows_is_judged() -> None:
    """A stranger does not see what a hand of Flop-A held that was folded."""
    game = saved("flop-a")
    found = review(game, 1, hard=Asked())
    assert found.unknown > 0
    assert "the log does not show what" in review_lines(game, found)[1]


@pytest.mark.slow
def test_a_fold_that_costs_a_pot_is_found_and_the_same_again(tmp_path: Path) -> None:
    """Seat 0 played by chance; the game is the one that this kit of saved games plays."""
    game = open_game(write_log("flop-a", tmp_path, seat=0))
    found = review(game, 0)
    worst = found.mistakes[0]
    assert worst.gain > 0.2
    assert worst.decided != worst.better
    assert review(game, 0) == found
    told = review_json(game, found)
    assert told["judged"] == found.judged
    assert told["mistakes"][0]["step"] == worst.step  # type: ignore[index]


@pytest.mark.slow
def test_what_the_hard_bot_itself_decides_is_no_mistake() -> None:
    played, met = Played("flip-over", 9), 0
    for asked, seat in played.positions(6):
        view = played.dealer.view(played.session.table, seat, played.session.course)
        usual = sensible("flip-over")(view, asked, Random(1))
        judged = Hard(40).judge(view, asked, usual, Random(3))
        assert judged is not None
        assert (judged.gain > 0) == (judged.best != usual)
        again = Hard(40).judge(view, asked, judged.best, Random(3))
        assert again is not None
        assert again.gain == 0 or again.best != judged.best
        met += 1
    assert met > 2


class Found:
    """What a search may come to."""

    def __init__(self, best: object, gain: float, cards: Sequence[Card]) -> None:
        self.best = lambda: best
        # Who blames a decision has to be as sure as that.
        self.gain = {BLAMED: gain}.__getitem__
        self.ranked = {BLAMED: [Weighed(best, 1, 0.5)]}.__getitem__
        self.deals = SimpleNamespace(draw=lambda _: cards)


@pytest.mark.parametrize("holds", [True, False])
def test_what_looks_better_counts_only_if_it_does_so_again(
    holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of several looks better than it is: alone, on other deals, it may not be."""
    played = Played("flip-over", 9)
    asked, seat = next(played.positions(1))
    view = played.dealer.view(played.session.table, seat, played.session.course)
    decided, other = asked.decisions(view)[:2]
    cards = played.dealer.truth.cards
    again = (other, 0.1) if holds else (decided, 0.0)
    found = iter([Found(other, 0.3, cards), Found(*again, cards)])
    monkeypatch.setattr(Hard, "_search", lambda *_: next(found))
    judged = Hard(1).judge(view, asked, decided, Random(1))
    assert judged is not None
    assert (judged.best, judged.gain) == again


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
                assert Hard().judge(view, asked, decided, Random(1)) is not None
            if len(tried) > 2:
                Hard()(view, asked, Random(1))
                break
    *reviewed, at_the_table = tried
    assert reviewed == [pytest.approx(1.0, abs=0.05)] * 3, "each once, and the worse one once more"
    assert at_the_table < 0.5


def test_where_there_is_no_choice_nothing_is_judged() -> None:
    session = play_game(load("flip-over"), 3, {"rounds": 1}, 2, [sensible("flip-over")] * 3)
    assert session.over
    played = Played("flip-over", 9)
    for asked in played.questions():
        for seat in asked.deciders:
            view = played.dealer.view(played.session.table, seat, played.session.course)
            if len(asked.decisions(view)) == 1:
                decided = asked.decisions(view)[0]
                assert Hard(1).judge(view, asked, decided, Random(1)) is None
                return
    raise AssertionError("somebody always had a choice")
