"""Seeded whole tables: whatever the network does, the game ends, equal for all."""

from __future__ import annotations

import pytest

from engine.games import load
from tests.protocol.kit import log_bytes
from tests.protocol.verbs import VERBS
from tests.replay.logs import judge
from tests.shares import first_of
from tests.sim.storm import Storm, Weather

BAD = Weather(loss=0.2, doubling=0.2)
CRASHES = Weather(loss=0.05, crash=0.01)
BACKUPS = Weather(crash=0.03, old_backup=0.5)


def check_end(storm: Storm) -> None:
    """All logs are equal and audited, and nobody signed two things for one step."""
    storm.play()
    assert not storm.faults, f"seed {storm.seed}: {storm.faults}"
    logs = {log_bytes(seat) for seat in storm.seats}
    assert len(logs) == 1, f"seed {storm.seed}: the logs differ"
    assert judge(logs.pop()).verdict == "complete"
    twice = [place for place, bodies in storm.signed.items() if len(bodies) > 1]
    assert not twice, f"seed {storm.seed}: signed twice at (seat, step) {twice}"


@pytest.mark.parametrize("seed", first_of(range(6)))
def test_records_are_lost_doubled_and_late(seed: int) -> None:
    """The network loses, doubles and delays what is sent.

    Answer: the game ends with one log that is the same for all.
    """
    check_end(Storm(VERBS, 3, seed, BAD))


@pytest.mark.parametrize("seed", first_of(range(3)))
def test_a_match_in_bad_weather(seed: int) -> None:
    """The same through whole matches.

    Answer: one log for all, and nobody is accused.
    """
    check_end(Storm(load("flip-over"), 3 + seed % 3, seed, BAD, rounds=1))


@pytest.mark.parametrize("late", first_of([1, 2, 3]))
def test_seats_that_start_late_catch_up(late: int) -> None:
    """Some seats begin late and have missed entries.

    Answer: they ask for what they miss and sign nothing twice.
    """
    check_end(Storm(load("flip-over"), 4, late, Weather(loss=0.1), late, rounds=1))


@pytest.mark.parametrize("seed", first_of(range(8)))
def test_a_seat_that_crashes_goes_on_and_signs_nothing_twice(seed: int) -> None:
    """A machine crashes between any two of its writes to the disk.

    Answer: it comes back, goes on, and never signs two things for one step.
    """
    storm = Storm(VERBS, 3, seed, CRASHES)
    check_end(storm)
    assert storm.crashes


@pytest.mark.parametrize("seed", first_of(range(8)))
def test_a_restored_backup_signs_nothing_twice(seed: int) -> None:
    """A seat comes back with files that are older than what it signed.

    Answer: it asks the others for its own entries first, and signs nothing twice.
    """
    storm = Storm(load("flip-over"), 3, seed, BACKUPS, rounds=1)
    check_end(storm)
    assert storm.crashes


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 160))
def test_all_weathers_at_once(seed: int) -> None:
    """Loss, doubling, delays, crashes and old backups come together.

    Answer: the game ends with one log, and nobody has signed twice.
    """
    weather = Weather(loss=0.1, doubling=0.1, crash=0.005, old_backup=0.3)
    check_end(Storm(load("flip-over"), 3 + seed % 3, seed, weather, seed % 3, rounds=2))
