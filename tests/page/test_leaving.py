"""The second implementation reads logs with leavers as the first does, and believes no list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from random import Random
from typing import Any, Final

import pytest

from engine.games import load
from p2p.protocol.effects import Decide
from p2p.protocol.step import LEAVE
from replay.audit import audit_bytes
from tests.page.cheating import changes
from tests.page.second import Questions, case, judge, lied, needs_node
from tests.page.test_second import _agree, read
from tests.protocol.cheats import sign_again
from tests.protocol.kit import Seat, log_bytes, seeded
from tests.protocol.test_leaving import GAMES, played
from tests.protocol.timed import HOST, StarHub, hold_all, star_hub
from tests.replay.logs import entries, with_records

LEFT: Final = tuple(
    f"good-left-{name}" for name in ("turn", "two", "race", "secret", "sets", "last", "fresh")
)
"""Vectors of all five games; three are of Flop-A."""
FEW: Final = 6
pytestmark = needs_node


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "sneak" else pytest.mark.full) for name in GAMES],
)
def test_both_say_and_count_the_same_of_a_game_with_leavers(name: str) -> None:
    log = log_bytes(played(name).seats[0])
    first, (second,) = audit_bytes(log, name, seeded("count")), judge([case(log)])
    assert second["verified"]
    assert second["provenTo"] == first.proven_to
    assert second["counts"] == asdict(first.tally)
    assert second["left"] == [one._asdict() for one in first.left]


def _bent(name: str, kinds: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The log up to each entry of these kinds, which is changed in one field."""
    said = entries(read(name))
    for number, entry in enumerate(said):
        if entry.kind not in kinds:
            continue
        kept = [one.record for one in said[:number]]
        for what, fields in _fields(entry.kind, entry.payload):
            bent = sign_again(entry.record, **fields)
            yield (
                f"{name} {entry.step} {entry.kind} {what}",
                with_records(read(name), [*kept, bent]),
            )


def _fields(kind: str, payload: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    said = [("a number", 0), ("bytes", b"\0"), ("a map", {}), ("a list", [])]
    for what, changed in said if payload is None else changes(payload):
        yield what, {"payload": changed}
    yield from bent_fields(kind)


def bent_fields(kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Other fields than its payload that an entry of this kind could have."""
    for other in ("leave", "farewell", "race", "play", "choose", "commit", "close", "", "left"):
        if other != kind:
            yield f"as {other}", {"kind": other}
            yield f"as {other}, with nothing", {"kind": other, "payload": None}
    for seat in range(3):
        yield f"of seat {seat}", {"seat": seat}
    yield "another history", {"previous": bytes(32)}
    yield "another table", {"table": bytes(32)}
    for step in range(3):
        yield f"of step {step}", {"step": step}


@pytest.mark.parametrize("kind", ["leave", "farewell"])
def test_both_say_the_same_where_an_entry_of_a_leaver_is_false(kind: str) -> None:
    made = [one for name in LEFT for one in _bent(name, (kind,))]
    _agree(Random(kind).sample(made, FEW * len(LEFT)))


@pytest.mark.full
@pytest.mark.parametrize("name", LEFT)
def test_both_say_the_same_of_each_false_entry_of_a_leaver(name: str) -> None:
    _agree([*_bent(name, ("leave", "farewell"))])


@pytest.mark.full
@pytest.mark.parametrize("name", LEFT)
def test_both_say_the_same_of_false_entries_that_follow(name: str) -> None:
    """One of each kind by each seat, after somebody has left."""
    said = entries(read(name))
    left = next(number for number, entry in enumerate(said) if entry.kind == "farewell")
    made, met = [], set()
    for number, entry in enumerate(said[left:], left):
        if entry.kind == "close" or entry.payload is None or (entry.kind, entry.seat) in met:
            continue  # what the result has to be, only the rules know
        met.add((entry.kind, entry.seat))
        kept = [one.record for one in said[:number]]
        for what, changed in changes(entry.payload):
            bent = with_records(read(name), [*kept, sign_again(entry.record, payload=changed)])
            made.append((f"{entry.kind} {what}", bent))
    _agree(Random(name).sample(made, min(len(made), 100)))


class LeavingStar(StarHub):
    """A star in which guests leave in a race, after so many contested ones."""

    leaves: Mapping[int, int] = {}

    def _claim(self, seat: Seat, effect: Decide) -> None:
        contested = len(self.seats[HOST].cards.races.reports)
        after = self.leaves.get(seat.seat)
        if after is None or contested < after or seat.machine.chain.step != effect.step:
            super()._claim(seat, effect)
        else:
            seat.machine.decide(LEAVE)


@pytest.mark.parametrize("leaves", [{2: 1}, {3: 2, 2: 5}, {1: 3, 3: 3}])
def test_both_judge_races_alike_where_links_are_missing_and_seats_leave(
    leaves: dict[int, int],
) -> None:
    """The pairs that the host is between change, what was disputed stays, and two may be left."""
    star = star_hub(load("you-fink"), (450, 400, 430, 420))
    hub = LeavingStar(star.seats, star.clock, star.reactions)
    hub.leaves, hub.held = leaves, hold_all
    hub.run(10**6)
    log = log_bytes(hub.seats[HOST])
    first, (second,) = audit_bytes(log, "star", seeded("star")), judge([case(log)])
    assert (first.verdict, second["verdict"]) == ("complete", "complete")
    assert sorted(one.seat for one in first.left) == sorted(leaves)
    assert first.tally.disputes > 0
    assert second["counts"] == asdict(first.tally)


# -- lists that are not those of the game ------------------------------------------------------


def _void(told: Questions) -> list[int]:
    """The places of the questions that are void."""
    return [at for at, asked in enumerate(told["asked"]) if "left" in asked]


def _unsaid(told: Questions) -> None:
    del told["asked"][_void(told)[0]]["left"]


def _nobody_may(told: Questions) -> None:
    told["leaving"] = False


def _kept_quiet(told: Questions) -> None:
    """Nobody is said to have left, and nobody may."""
    told["leaving"] = False
    for at in _void(told):
        del told["asked"][at]["left"]


def _another(told: Questions) -> None:
    told["asked"][_void(told)[0]]["left"] = 0


def _too_many(told: Questions) -> None:
    told["asked"][0]["left"] = 0


def _twice(told: Questions) -> None:
    told["asked"].insert(_void(told)[0], told["asked"][_void(told)[0]])


def _no_seat(told: Questions) -> None:
    told["asked"][_void(told)[0]]["left"] = 9


def _without_the_second(told: Questions) -> None:
    del told["asked"][_void(told)[1]]


def _not_over(told: Questions) -> None:
    """The log goes on where the list says that it ended."""
    del told["asked"][_void(told)[0] + 1 :]
    told["over"] = False


def _of_who_left(told: Questions) -> None:
    """A question after the farewell is one of the seat that has left."""
    at, asked = _void(told)[0], told["asked"]
    seat = asked[at]["left"]
    later = next(one for one in asked[at + 1 :] if one["kind"] == "choose")
    later["seat"] = seat


def _dealt_to_who_left(told: Questions) -> None:
    at, asked = _void(told)[0], told["asked"]
    deal = next(one for one in asked if one["kind"] == "deal")
    asked.insert(at + 1, {"kind": "deal", "moves": [[deal["moves"][0][0], asked[at]["left"]]]})


def _maybe(told: Questions) -> None:
    told["leaving"] = 1


LIES: Final[dict[str, tuple[str, Callable[[Questions], None]]]] = {
    "nobody is said to have left": ("good-left-turn", _unsaid),
    "nobody may leave": ("good-left-turn", _nobody_may),
    "another seat left": ("good-left-turn", _another),
    "a question that nobody left": ("good-left-turn", _too_many),
    "a question that is void twice": ("good-left-secret", _twice),
    "a seat that is none": ("good-left-race", _no_seat),
    "the second leaver is left out": ("good-left-two", _without_the_second),
    "the end is left out": ("good-left-last", _not_over),
    "one who has left is asked": ("good-left-last", _of_who_left),
    "one who has left is dealt a card": ("good-left-secret", _dealt_to_who_left),
    "may leave, or not": ("good-left-turn", _maybe),
}


def test_a_list_that_says_otherwise_who_left_leads_to_no_verdict() -> None:
    """A list of questions lies about who left, so that an honest seat is accused.

    Answer: the list has to agree with the log, and convicts nobody where it does not.
    """
    said = judge([lied(read(name), lie) for name, lie in LIES.values()])
    assert [
        (lie, one["verdict"], one["verified"]) for lie, one in zip(LIES, said, strict=True)
    ] == [(lie, None, False) for lie in LIES]


def test_where_nobody_may_leave_a_leaver_is_at_fault() -> None:
    """That is a claim of the list like any other: the page says so beside the accusation."""
    (said,) = judge([lied(read("good-left-turn"), _kept_quiet)])
    assert (said["verdict"], said["seat"]) == ("illegal-move", 1)


@pytest.mark.parametrize("name", LEFT)
def test_wherever_such_a_log_is_cut_it_is_unfinished_and_proven_as_far(name: str) -> None:
    """In the middle of a void step, before a farewell, between two: the list ends there, too."""
    said = entries(read(name))
    first = next(number for number, entry in enumerate(said) if entry.kind == "leave")
    cuts = [
        with_records(read(name), [e.record for e in said[:at]]) for at in range(first, first + 7)
    ]
    for cut, second in zip(cuts, judge([case(cut) for cut in cuts]), strict=True):
        report = audit_bytes(cut, name, seeded("cut"))
        where = (report.verdict, report.seat, report.step, report.proven_to)
        assert where == tuple(second[name] for name in ("verdict", "seat", "step", "provenTo"))
        assert second["counts"] == asdict(report.tally)
