"""Where points are numbers, what holds and what is refused is what libsodium's points give."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from p2p.crypto import group
from p2p.crypto.elgamal import card_point
from p2p.crypto.group import IDENTITY, ORDER, POINT_BYTES, Point
from p2p.errors import LocalError, PeerError
from tests.sim.worlds.numbers import points_are_numbers
from tests.sim.worlds.plan import Plan
from tests.sim.worlds.world import run

POINTS = 60
TABLE = Plan(1, "test-verbs", 3, ())


def _points(seed: int) -> list[Point]:
    """By a few operations upon earlier ones, with small factors: some are equal, some zero."""
    rng = Random(seed)
    points = [group.base(1), group.base(-2), IDENTITY]
    while len(points) < POINTS:
        some = rng.choices(points, k=4)
        factors = [rng.randrange(-2, 3) for _ in some]
        points += [
            group.base(factors[0]),
            group.mul(some[0], factors[1]),
            group.add(*some[:2]),
            group.sub(*some[:2]),
            group.add_all(some),
            group.msm(some, [factor * (ORDER // 2 + 1) for factor in factors]),
            group.small_sum(some, factors),
            group.rank_sum(some),
        ]
    return points


@pytest.mark.parametrize("seed", range(5))
def test_the_same_points_are_equal(seed: int) -> None:
    real = _points(seed)
    with points_are_numbers():
        numbers = _points(seed)
    assert [point == IDENTITY for point in real] == [point == IDENTITY for point in numbers]
    equal = [[one == other for other in real] for one in real]
    assert equal == [[one == other for other in numbers] for one in numbers]
    assert 2 < len(set(real)) < len(real)


@pytest.mark.parametrize("bad", [ORDER, 2**255 - 1])
def test_what_is_no_number_below_the_order_is_no_point(bad: int) -> None:
    point = bad.to_bytes(POINT_BYTES, "little")
    with points_are_numbers():
        for refused in (
            lambda: group.decode_point(point),
            lambda: group.mul(point, 2),
            lambda: group.mul(point, 0),
            lambda: group.add(group.base(1), point),
            lambda: group.sub(point, group.base(1)),
        ):
            with pytest.raises(PeerError, match="encoding"):
                refused()
        with pytest.raises(PeerError, match="zero"):
            group.decode_point(IDENTITY)


def test_no_face_is_taken_along() -> None:
    before = card_point("a deck", 0)
    with points_are_numbers():
        number = card_point("a deck", 0)
        assert group.decode_point(number) == number != before
    assert card_point("a deck", 0) == before


@pytest.mark.parametrize("behaviour", ["bends payloads", "forges fields"])
def test_whoever_lies_is_named(behaviour: str) -> None:
    plan = replace(TABLE, numbers=True, modified=(1, behaviour))
    results = [run(replace(plan, seed=seed)) for seed in range(4)]
    assert [result.failed for result in results] == [""] * 4
    assert any(result.endings[0] == "PeerError" for result in results)


def test_a_world_goes_another_way_and_holds() -> None:
    real, numbers = run(TABLE), run(replace(TABLE, numbers=True))
    assert real.failed == numbers.failed == ""
    assert real.endings == numbers.endings == ("closed",) * 3
    assert real.digest != numbers.digest == run(replace(TABLE, numbers=True)).digest


def test_the_second_verifier_cannot_be_asked() -> None:
    with pytest.raises(LocalError, match="group of its own"):
        run(replace(TABLE, numbers=True), logs=True)
