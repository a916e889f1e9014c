"""The second implementation reads logs of tables that lost seats as the first does, and believes
no list of questions that says otherwise who was lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from replay.audit import audit_bytes
from tests.page.cheating import changes
from tests.page.second import Questions, case, differ, judge, lied, needs_node
from tests.page.test_leaving import bent_fields
from tests.page.test_second import VECTORS, _agree, read
from tests.protocol.cheats import sign_again
from tests.protocol.kit import seeded
from tests.protocol.losing import LOSING, lost_log
from tests.replay.logs import entries, with_records
from tests.vectors.scenes import known_scenes

ONE: Final = "good-lost-one"
TWO: Final = "good-lost-two"
MEND: Final = "good-lost-mend"
SCENES: Final = sorted(path.stem for path in (VECTORS / "logs").glob("good-lost-*"))
KINDS: Final = ("vote", "mend", "relock", "strip", "coin")
FEW: Final = 4
FULL: Final = pytest.mark.full
pytestmark = needs_node


@pytest.fixture(autouse=True)
def scenes() -> Iterator[None]:
    with known_scenes():
        yield


@pytest.mark.parametrize(
    "name", [name if name == "farewell" else pytest.param(name, marks=FULL) for name in LOSING]
)
def test_both_say_and_count_the_same_of_a_game_that_lost_a_seat(name: str) -> None:
    log = lost_log(name)
    (said,) = judge([case(log)])
    assert said["verified"]
    assert not differ(audit_bytes(log, name, seeded("count")), said)


@pytest.mark.parametrize("name", [TWO, pytest.param("good-lost-again", marks=FULL)])
def test_wherever_such_a_log_is_cut_it_is_unfinished_and_proven_as_far(name: str) -> None:
    """Among the votes, in the middle of a mend, between two relocks: the list ends there, too."""
    said = [entry.record for entry in entries(read(name))]
    cuts = [with_records(read(name), said[:at]) for at in range(30, len(said), 3)]
    for cut, second in zip(cuts, judge([case(cut) for cut in cuts]), strict=True):
        assert second["verdict"] == "unfinished"
        assert not differ(audit_bytes(cut, name, seeded("cut")), second)


def _bent(name: str) -> Iterator[tuple[str, bytes]]:
    """The log up to each first entry of a kind, which is changed in one place."""
    said, met = entries(read(name)), set()
    for number, entry in enumerate(said):
        if entry.kind not in KINDS or (entry.kind, type(entry.payload)) in met:
            continue
        met.add((entry.kind, type(entry.payload)))
        kept = [one.record for one in said[:number]]
        payloads = [(what, {"payload": changed}) for what, changed in changes(entry.payload)]
        for what, fields in [*payloads, *bent_fields(entry.kind)]:
            bent = sign_again(entry.record, **fields)
            log = with_records(read(name), [*kept, bent])
            yield f"{name} {entry.step} {entry.kind} {what}", log


@pytest.mark.parametrize("name", [ONE, "good-lost-coin"])
def test_both_say_the_same_of_a_few_false_entries_after_a_loss(name: str) -> None:
    made = list(_bent(name))
    by_kind = {kind: [one for one in made if f" {kind} " in one[0]] for kind in KINDS}
    rng = Random(name)
    _agree([one for some in by_kind.values() for one in rng.sample(some, min(FEW, len(some)))])


@FULL
@pytest.mark.parametrize("name", SCENES)
def test_both_say_the_same_of_each_false_entry_after_a_loss(name: str) -> None:
    _agree(list(_bent(name)))


# -- lists that are not those of the game ------------------------------------------------------


def _void(told: Questions) -> dict[str, Any]:
    """The first question that is void since a seat was lost."""
    return next(asked for asked in told["asked"] if "lost" in asked)


def _unsaid(told: Questions) -> None:
    del _void(told)["lost"]


def _another(told: Questions) -> None:
    _void(told)["lost"] = 0


def _left(told: Questions) -> None:
    void = _void(told)
    void["left"] = void.pop("lost")


def _both(told: Questions) -> None:
    _void(told)["left"] = _void(told)["lost"]


def _too_many(told: Questions) -> None:
    told["asked"][1]["lost"] = 3


def _nobody_may(told: Questions) -> None:
    told["leaving"] = False


def _no_seat(told: Questions) -> None:
    _void(told)["lost"] = 9


def _no_zones(told: Questions) -> None:
    del _void(told)["zones"]


def _no_mend(told: Questions) -> None:
    _void(told)["zones"] = []


def _more_mend(told: Questions) -> None:
    """A zone is mended of which nothing was on the way."""
    _void(told)["zones"] = [[0, 1]]


def _two_zones(told: Questions) -> None:
    _void(told)["zones"] *= 2


def _without_the_second(told: Questions) -> None:
    lost = [asked for asked in told["asked"] if "lost" in asked]
    told["asked"].remove(lost[1])


def _not_over(told: Questions) -> None:
    del told["asked"][told["asked"].index(_void(told)) + 1 :]
    told["over"] = False


def _of_who_was_lost(told: Questions) -> None:
    seat = _void(told)["lost"]
    later = told["asked"][told["asked"].index(_void(told)) + 1 :]
    next(asked for asked in later if asked["kind"] == "choose")["seat"] = seat


LIES: Final[dict[str, tuple[str, Callable[[Questions], None]]]] = {
    "nobody is said to have been lost": (ONE, _unsaid),
    "another seat was lost": (ONE, _another),
    "the lost seat has left": (ONE, _left),
    "it was lost and left": (ONE, _both),
    "a question that nobody was lost at": (ONE, _too_many),
    "nobody may be lost": (ONE, _nobody_may),
    "a seat that is none": (ONE, _no_seat),
    "zones are not told": (ONE, _no_zones),
    "no zone is mended": (MEND, _no_mend),
    "a zone is mended for nothing": (ONE, _more_mend),
    "a zone is mended twice": (MEND, _two_zones),
    "the second lost seat is left out": (TWO, _without_the_second),
    "the end is left out": (ONE, _not_over),
    "one who was lost is asked": (ONE, _of_who_was_lost),
}


def test_a_list_that_says_otherwise_who_was_lost_leads_to_no_verdict() -> None:
    """A list of questions lies about who was lost, so that an honest seat is accused.

    Answer: the list has to agree with the log, and convicts nobody where it does not.
    """
    said = judge([lied(read(name), lie) for name, lie in LIES.values()])
    assert [
        (lie, one["verdict"], one["verified"]) for lie, one in zip(LIES, said, strict=True)
    ] == [(lie, None, False) for lie in LIES]
