"""What a bot concludes from a game between peers, where entries reshuffle hands before they lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots.following import Follower, Merged, Witnessed
from engine.cards import Card
from engine.course import Course
from engine.view import View
from replay.game import open_game
from tests.replay.saved import write_log

OWN = 0


def _followed(name: str, folder: Path) -> Iterator[tuple[Follower, View]]:
    """Each position of that game: who follows it, and what the seat `OWN` knows there."""
    game, answers = open_game(write_log(name, folder, seat=OWN)), list[object]()
    session = game.session
    follower = Follower(Course(session.game.name, len(game.names), session.options, answers))
    for step in game.steps:
        answers += session.journal[len(answers) : step.before]
        follower.catch_up()
        yield follower, game.view(game.before(step.number), OWN)


@pytest.mark.parametrize("name", ["flip-over", "flop-a"])
def test_what_was_sworn_is_true_of_the_slots_as_they_are_named_now(
    name: str, tmp_path: Path
) -> None:
    sworn = 0
    for follower, view in _followed(name, tmp_path):
        for slot, lock in enumerate(view.table.locks):
            if lock == OWN:
                sworn += len(follower.oaths.of(slot))
                assert not any(fits(view.face(slot)) for fits in follower.oaths.of(slot))
    assert sworn > 0


@pytest.mark.parametrize("name", ["flaps", "flop-a", "sneak"])
def test_what_was_witnessed_is_read_with_the_cards_that_its_seat_held_then(
    name: str, tmp_path: Path
) -> None:
    """But for slots whose cards changed places with others since: there it may be any of those."""
    held: dict[int, tuple[Witnessed, Counter[Card]]] = {}
    met = 0
    for follower, view in _followed(name, tmp_path):
        moved: set[int] = set()
        for one in reversed(follower.witnessed):
            if isinstance(one, Merged):
                moved.update(one.slots)
            elif one.seat == OWN:
                slots = [slot for slot, lock in enumerate(one.table.locks) if lock == OWN]
                cards = Counter(view.face(slot) for slot in {*slots} - moved if view.knows(slot))
                assert cards <= held.setdefault(id(one), (one, cards))[1]
                met += 1
    assert met > 0
    assert name != "flaps" or any(isinstance(one, Merged) for one in follower.witnessed)
