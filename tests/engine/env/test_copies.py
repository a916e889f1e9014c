"""Copies of a game that is asked action by action: they play on equally and independently."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import cloudpickle
import pytest

from engine.env.checking import observed
from engine.env.playing import Playing
from engine.errors import UsageError
from engine.game import Game, Options
from engine.session import Session
from tests.engine import tiny
from tests.engine.env.walk import IDS, TABLES, started, walked
from tests.engine.play import step
from tests.engine.test_session import start
from tests.sixth_game import NAME, sixth

__all__ = ["sixth"]
COPIED_EVERY = 30
COPIERS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "cloudpickle": lambda one: pickle.loads(cloudpickle.dumps(one)),
}


def seen(playing: Playing) -> list[object]:
    """What every seat observes, and the answers so far."""
    everything = [observed(playing, view) for view in playing.views]
    return [*everything, playing.seat, playing.said, repr(playing.session.journal)]


def played(playing: Playing, most: int) -> list[object]:
    return [seen(one) for one in walked(playing, 5, most)] + seen(playing)


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_copy_in_mid_game_plays_on_equally_and_alone(
    name: str, seats: int, options: Options, copier: str
) -> None:
    copy = COPIERS[copier]
    playing = started(name, seats, options, 3, notes=True)
    said = 0
    for number, now in enumerate(walked(playing, 4, 150)):
        said += bool(now.said)
        if number % COPIED_EVERY and not (now.said and said % COPIED_EVERY == 1):
            continue
        before, twins = seen(now), [copy(now), copy(copy(now))]
        assert [seen(twin) for twin in twins] == [before] * 2
        first, second = (played(twin, 5) for twin in twins)
        assert first == second
        assert seen(now) == before
    assert seen(copy(playing)) == seen(playing)


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_plays_the_rest_as_the_original(copier: str) -> None:
    """Also chance: cards that are dealt later, and reaction times in races."""
    for name in ("you-fink", "flaps"):
        playing = started(name, 3, {}, 6)
        for _ in walked(playing, 7, 60):
            pass
        twin = COPIERS[copier](playing)
        assert played(twin, 60) == played(playing, 60)


@pytest.mark.parametrize("copier", COPIERS)
def test_game_of_another_package_can_be_copied(sixth: Game, copier: str) -> None:
    playing = started(NAME, 3, {}, 1)
    for _ in walked(playing, 2, 20):
        pass
    assert played(COPIERS[copier](playing), 20) == played(playing, 20)


@pytest.mark.parametrize("every", [0, 2])
def test_copy_of_session_keeps_marks_and_notes(every: int) -> None:
    session, dealer, rng = start(every=every, notes=True)
    for _ in range(20):
        step(session, dealer, rng)
    twin = deepcopy(session)
    assert (twin.digest(), twin.journal) == (session.digest(), session.journal)
    assert twin.take_notes() == tuple(session.table.notes or ())
    assert twin.fork(10).digest() == session.fork(10).digest()
    step(twin, dealer.copy(), rng)
    assert len(twin.journal) == len(session.journal) + 1


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_pickled_session_has_the_cards_of_its_deck(name: str, seats: int, options: Options) -> None:
    playing = started(name, seats, options, 8, notes=True)
    for _ in walked(playing, 9, 100):
        pass
    session: Session = playing.session
    twin = pickle.loads(pickle.dumps(session))
    assert (twin.digest(), repr(twin.journal)) == (session.digest(), repr(session.journal))
    assert repr(twin.take_notes()) == repr(session.take_notes())
    known = [face for face in twin.table.faces if face is not None]
    assert all(any(face is one for one in twin.table.deck.faces) for face in known)


def test_game_that_is_not_installed_is_not_pickled() -> None:
    assert deepcopy(tiny.GAME) is tiny.GAME
    with pytest.raises(UsageError, match="no game 'tiny'"):
        pickle.dumps(tiny.GAME)
