"""Offline parts: made when there is time, used once, never waited for in vain."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event, Thread

import pytest

from engine.games import load
from p2p.crypto.keys import TableSecret
from p2p.protocol.parts import Parts, first_shuffle
from tests.protocol.kit import seeded

KEY = TableSecret.generate(seeded("key")).public
OTHER = TableSecret.generate(seeded("other key")).public


class Drawn:
    """Reproducible entropy that counts how much of it was asked for."""

    def __init__(self) -> None:
        self._bytes = seeded("parts")
        self.requests = 0

    def __call__(self, count: int) -> bytes:
        self.requests += 1
        return self._bytes(count)


def make_all(parts: Parts) -> None:
    while wanted := parts.wanted():
        parts.prepare(*wanted[0])


def test_groundwork_laid_in_the_lobby_is_put_under_the_key_of_the_table() -> None:
    entropy = Drawn()
    parts = Parts(entropy)
    parts.foresee(5)
    assert parts.wanted() == [(5, None)]
    make_all(parts)
    spent = entropy.requests
    parts.agree(KEY)
    assert parts.wanted() == [(5, KEY)]
    make_all(parts)
    parts.expect(5, KEY)
    assert parts.wanted() == []
    part = parts.take(5, KEY)
    assert (part.count, part.key) == (5, KEY)
    assert entropy.requests == spent


def test_what_was_wanted_under_the_old_key_is_wanted_under_the_new_one_only() -> None:
    parts = Parts(Drawn())
    parts.expect(3, KEY)
    parts.expect_later(4, KEY)
    parts.idle = True
    parts.exchange(KEY, OTHER)
    assert parts.wanted() == [(3, OTHER), (4, OTHER)]


def test_spare_parts_under_the_old_key_are_dropped_and_no_others() -> None:
    parts = Parts(Drawn())
    for count, key in ((3, KEY), (4, OTHER)):
        parts.expect(count, key)
    make_all(parts)
    parts.exchange(KEY, OTHER)
    parts.expect(3, KEY)
    assert parts.wanted() == [(3, OTHER), (3, KEY)]


def test_whatever_changes_what_is_wanted_wakes_whoever_makes_it() -> None:
    parts, woken = Parts(Drawn()), list[str]()
    changes: dict[str, Callable[[], object]] = {
        "foreseen": lambda: parts.foresee(2),
        "agreed": lambda: parts.agree(KEY),
        "expected": lambda: parts.expect(3, KEY),
        "expected later": lambda: parts.expect_later(4, KEY),
        "exchanged": lambda: parts.exchange(KEY, OTHER),
        "idle": lambda: setattr(parts, "idle", True),
    }
    for name, change in changes.items():
        parts.on_wish = partial(woken.append, name)
        change()
    assert woken == list(changes)


def test_a_part_that_was_taken_is_made_again_only_while_somebody_thinks() -> None:
    parts = Parts(Drawn())
    parts.expect(3, KEY)
    make_all(parts)
    first = parts.take(3, KEY)
    assert parts.wanted() == []
    parts.idle = True
    assert parts.wanted() == [(3, KEY)]
    make_all(parts)
    parts.idle = False
    assert parts.take(3, KEY) is not first


def test_parts_of_other_sizes_and_keys_are_not_mixed_up() -> None:
    parts = Parts(Drawn())
    parts.expect(3, KEY)
    parts.expect(4, OTHER)
    make_all(parts)
    for count, key in ((3, OTHER), (4, KEY), (4, OTHER), (3, KEY)):
        part = parts.take(count, key)
        assert (part.count, part.key) == (count, key)


def test_nothing_is_made_that_was_taken_in_the_meantime() -> None:
    entropy = Drawn()
    parts = Parts(entropy)
    parts.expect(3, KEY)
    (wish,) = parts.wanted()
    parts.take(3, KEY)
    spent = entropy.requests
    parts.prepare(*wish)
    assert entropy.requests == spent


def test_only_the_latest_wishes_are_kept() -> None:
    parts = Parts(Drawn())
    parts.idle = True
    for count in range(1, 20):
        parts.expect_later(count, KEY)
    assert parts.wanted() == [(count, KEY) for count in (16, 17, 18, 19)]


def test_a_turn_waits_for_a_part_that_is_being_made() -> None:
    begun, go_on, drawn = Event(), Event(), Drawn()

    def slow(count: int) -> bytes:
        begun.set()
        assert go_on.wait(10)
        return drawn(count)

    parts = Parts(slow)
    parts.expect(3, KEY)
    maker = Thread(target=parts.prepare, args=(3, KEY))
    maker.start()
    assert begun.wait(10)
    taken: list[object] = []
    taker = Thread(target=lambda: taken.append(parts.take(3, KEY)))
    taker.start()
    go_on.set()
    maker.join(10)
    taker.join(10)
    assert len(taken) == 1
    parts_worth = drawn.requests
    parts.take(3, KEY)
    assert drawn.requests == 2 * parts_worth


@pytest.mark.parametrize(("seats", "cards"), [(3, 24), (4, 40), (5, 60)])
def test_the_first_shuffle_is_foreseen(seats: int, cards: int) -> None:
    game = load("flip-over")
    assert first_shuffle(game, seats, game.defaults()) == cards
