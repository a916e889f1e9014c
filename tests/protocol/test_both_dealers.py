"""Every game, at every level and with every number of players, is the same with both dealers."""

from __future__ import annotations

from typing import Final

import pytest

from engine.game import Value
from engine.games import NAMES, load
from engine.session import Session
from replay.audit import audit_bytes
from tests.protocol.both_dealers import Watched, check
from tests.protocol.kit import log_bytes, seeded
from tests.shares import every_second

LEVELS = {1, 4, 7}
"""Levels of Flaps that every run of the tests plays; `-m full` plays all."""


VARIANTS: list[tuple[str, int, dict[str, Value]]] = [
    ("you-fink", 3, {"guests": 1, "cardLimit": "50"}),
    ("you-fink", 3, {"forehead": False, "minions": False, "cardLimit": "50"}),
    ("flop-a", 4, {"hands": 2, "stack": 20}),
    ("flip-over", 4, {"teams": True}),
    ("sneak", 4, {"packs": "two", "ranking": "house", "target": 25}),
    ("flaps", 3, {"last-card": "catch", "turn-limit": 40}),
]
"""Options that ask for other acts of the dealer."""


LONG: Final = ("flaps", "sneak", "you-fink")
"""Games that are long for most players even in a hurry: they are played at leisure only."""


def variants(name: str) -> list[dict[str, Value]]:
    """The tables at which a game is played: one for each level if it has levels."""
    levels = next((one.allowed for one in load(name).options if one.name == "level"), ())
    return [{"level": level} for level in levels] or [{}]


def hurried(name: str, seats: int) -> dict[str, Value]:
    """Options with which a game is over soon."""
    turns = {2: 40, 4: 24}
    soon: dict[str, dict[str, Value]] = {
        "flaps": {"turn-limit": turns.get(seats, 10)},
        "flop-a": {"hands": 2},
        "sneak": {"target": 25},
        "you-fink": {"cardLimit": "50", "forehead": seats <= 4},
    }
    return soon.get(name, {})


def tables() -> list[object]:
    """Few, most or four players in a hurry; everybody at leisure with `-m full`.

    In a hurry two seats check the proofs of all, at leisure everybody does.
    """
    found = [table(*variant) for variant in VARIANTS]
    for name in NAMES:
        seats = load(name).seats
        few = {seats[0], min(4, seats[-1])}
        some = sorted(few if name in LONG else few | {seats[-1]})
        for options in variants(name):
            if options.get("level", 1) in LEVELS:
                hurry = [table(name, n, {**options, **hurried(name, n)}) for n in some]
                found += every_second(hurry, first=len(found) % 2)
            found += [table(name, n, options, pytest.mark.full) for n in seats]
    return found


def table(name: str, seats: int, options: dict[str, Value], *marks: pytest.MarkDecorator) -> object:
    """One case, with a name that says which."""
    said = "-".join(f"{option}={value}" for option, value in options.items())
    verifying = None if marks else 2
    return pytest.param(name, seats, options, verifying, marks=marks, id=f"{name}-{seats}-{said}")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "options", "verifying"), tables())
def test_a_game_between_peers_is_that_of_the_trusted_dealer(
    name: str,
    seats: int,
    options: dict[str, Value],
    verifying: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All finish, with one log that audits as complete, and every answer is the right one."""
    seed = 10 * seats + int(options.get("level", 0))
    watched = Watched(load(name), seats, seed, options, verifying=verifying)
    watched.play(monkeypatch)
    first = watched.hub.seats[0]
    assert len({log_bytes(seat) for seat in watched.hub.seats}) == 1
    assert all(seat.session.over for seat in watched.hub.seats)
    report = audit_bytes(log_bytes(first), name, seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True), report.reason
    twin = check(watched)
    assert twin.returns == first.session.returns == first.result.returns == report.returns
    assert twin.digest() == first.session.digest()


@pytest.fixture(scope="module")
def played() -> Watched:
    """A game of Sneak, hands of which are hidden again and again."""
    watched = Watched(load("sneak"), 2, 5, {"target": 25})
    with pytest.MonkeyPatch.context() as patch:
        watched.play(patch)
    return watched


@pytest.mark.slow
def test_another_card_in_a_hand_would_be_noticed(played: Watched) -> None:
    """For a moment two cards of a hand have changed places, though nobody shuffled."""
    check(played)
    at = next(at for at, meant in played.meant.items() if any(meant.values()))
    truth = played.truths[at]
    truth[0], truth[1] = truth[1], truth[0]
    with pytest.raises(AssertionError):
        check(played)
    truth[0], truth[1] = truth[1], truth[0]


def test_a_decision_that_became_another_one_would_be_noticed(played: Watched) -> None:
    at, seat = next(
        (at, seat)
        for at, meant in played.meant.items()
        for seat, what in meant.items()
        if what is not None
    )
    meant = played.meant[at][seat]
    played.meant[at][seat] = ("said", 99)
    with pytest.raises(AssertionError):
        check(played)
    played.meant[at][seat] = meant


def test_every_decision_is_compared(played: Watched) -> None:
    twin, asked = Session(played.game, 2, played.options), 0
    for at, answer in enumerate(played.hub.seats[0].session.journal):
        assert twin.pending is not None
        assert set(played.meant[at]) == set(twin.pending.deciders)
        asked += len(played.meant[at])
        twin.answer(answer)
    assert asked > 20
