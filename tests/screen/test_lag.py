"""How far the screen may lag behind the game, and what can be read all the same."""

from __future__ import annotations

from cli.screen.pace import MOST_BEHIND, MOST_UNREAD, MOST_WHEN_ASKED, READ_SECONDS
from tests.screen.test_pace import board, pictures, seen, watched


def test_the_screen_is_never_far_behind_and_nothing_is_dropped() -> None:
    queue = pictures()
    for number in range(20):
        queue.stay(board(str(number)), 2, 10.0)
        queue.pass_by(board(f"{number}b"), 10.0)
    assert queue.waiting() == 39
    met = watched(queue, 10.0, MOST_UNREAD + 0.3)
    assert [met.count(str(number)) > 10 for number in range(20)] == [True] * 20
    assert met[-1] == ""
    queue = pictures()
    for number in range(3):
        queue.stay(board(str(number)), 4, 10.0)
    queue.shorten(MOST_WHEN_ASKED, 10.0)
    met = watched(queue, 10.0, MOST_WHEN_ASKED + 0.03)
    assert met[-14] == "2"
    assert met[-1] == ""


def test_whoever_only_looks_on_can_read_each_of_many_contests_in_a_row() -> None:
    """In Sneak all others play on when one's hand is empty: seven contests went by in 8 s."""
    queue = pictures()
    for number in range(7):
        queue.stay(board(str(number)), 6, 10.0)
        queue.pass_by(board(f"{number}b"), 10.0)
    met = watched(queue, 10.0, MOST_UNREAD)
    assert min(met.count(str(number)) for number in range(7)) >= 100 * READ_SECONDS - 2
    assert MOST_BEHIND - 0.1 < met.index("") / 100 < MOST_BEHIND + 1.0


def test_whoever_is_asked_can_still_read_all_that_led_there() -> None:
    """Declarations, a showdown, two who share, the end of the hand: each stays for its words."""
    queue = pictures()
    for number in range(5):
        queue.stay(board(str(number)), 3, 10.0)
        queue.pass_by(board(f"{number}b"), 10.0)
    queue.shorten(MOST_WHEN_ASKED, 10.0)
    now, stood = 10.0, dict[str, float]()
    while name := seen(queue, now):
        stood[name] = stood.get(name, 0.0) + 0.01
        now += 0.01
    assert list(stood) == list("01234")
    assert min(stood.values()) >= READ_SECONDS - 0.02
