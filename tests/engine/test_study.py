"""What a study plays: every combination, each as a table of its own would."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import UsageError
from engine.games import load
from engine.simulate import simulate
from engine.study import SETTINGS_MAX, Setting, Study, settings
from engine.totals import Totals

FLIP_OVER = load("flip-over")
BASE = Setting(3, {**FLIP_OVER.defaults(), "rounds": 1})
STUDY = Study("flip-over", (BASE,), 6, 4)


def test_all_combinations_the_last_varies_fastest() -> None:
    made = settings(BASE, {"rounds": [1, 2], "seats": [3, 5]})
    assert [(one.options["rounds"], one.seats) for one in made] == [(1, 3), (1, 5), (2, 3), (2, 5)]
    assert {one.options["teams"] for one in made} == {False}
    assert settings(BASE, {}) == (BASE,)


def test_too_many_combinations_are_refused_before_they_are_made() -> None:
    with pytest.raises(UsageError, match=f"at most {SETTINGS_MAX} settings, not 8000"):
        settings(BASE, {"rounds": [*range(1, 21)], "seats": [*range(400)]})


def test_labels_tell_what_varies() -> None:
    study = replace(STUDY, settings=(BASE, replace(BASE, seats=1)), swept=("rounds", "seats"))
    assert [study.label(0), study.label(1)] == ["rounds 1, 3 seats", "rounds 1, 1 seat"]
    assert STUDY.label(0) == ""


def test_games_are_those_of_a_simulation_in_whatever_pieces() -> None:
    whole = simulate(FLIP_OVER, 3, BASE.options, 6, 4, clock=lambda: 0.0).totals
    pieces = [STUDY.played(0, range(4, 6)), STUDY.played(0, range(4))]
    assert sum(pieces, Totals.none(3)) == whole


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"games": 0}, "at least 1 game has to be played, not 0"),
        ({"bots": "clever"}, "random, sensible"),
        ({"leave": 2.0}, "0 to 1"),
        ({"game": "poker"}, "there is no game"),
        ({"settings": (BASE, Setting(9, {}))}, "^Flip Over is for 3 to 5 players, not 9"),
        ({"settings": (Setting(9, {}),), "swept": ("seats",)}, "^9 seats: Flip Over is for"),
    ],
)
def test_what_cannot_be_played_is_refused(changed: dict[str, object], sentence: str) -> None:
    STUDY.check()
    with pytest.raises(UsageError, match=sentence):
        replace(STUDY, **changed).check()  # type: ignore[arg-type]  # (wrong on purpose)
