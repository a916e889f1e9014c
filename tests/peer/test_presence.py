"""Since when somebody is missing."""

from __future__ import annotations

import pytest

from p2p.seat.presence import Absences
from tests.peer.desk_kit import Time


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def absences(time: Time) -> Absences[str]:
    return Absences(time.now)


def test_peer_is_missing_since_it_was_first_missed(time: Time, absences: Absences[str]) -> None:
    absences.see(["Bo"])
    time.pass_(4)
    absences.see(["Bo", "Cy"])
    assert (absences.seconds("Bo"), absences.seconds("Cy"), absences.seconds("Di")) == (4, 0, 0)
    assert (absences.lasting(4), absences.lasting(0)) == ({"Bo"}, {"Bo", "Cy"})


def test_peer_that_was_back_for_a_moment_is_missing_anew(
    time: Time, absences: Absences[str]
) -> None:
    absences.begin("Bo")
    time.pass_(4)
    absences.see([])
    absences.begin("Bo")
    absences.begin("Bo")
    assert absences.seconds("Bo") == 0
    absences.end("Bo")
    assert (set(absences), "Bo" in absences) == (set(), False)
