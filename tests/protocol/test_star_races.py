"""Races of guests who have each other's records only by way of the host, which may hold them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p.protocol.races import Outcome, RaceReport
from p2p.protocol.relays import Pair
from replay.audit import audit_bytes
from tests.protocol.cheats import acquit
from tests.protocol.kit import log_bytes, seeded
from tests.protocol.scenes import SCENES
from tests.protocol.timed import HOST, MS, StarHub, star_hub

OFTEN = SCENES["slapped-often"]
RACES = 8
SLOWER = (450, 400, 430)
"""The host reacts last."""
BO, CLEO = 1, 2
Held = Callable[[str, int, int], int]


def _played(held: Held, *reactions: int) -> StarHub:
    hub = star_hub(OFTEN, reactions or SLOWER)
    hub.held = held
    acquit(hub)
    for seat in hub.seats[1:]:
        assert seat.cards.races.reports == _reports(hub)
    report = audit_bytes(log_bytes(hub.seats[0]), "log", seeded("audit"))
    disputed = sum(one.outcome is Outcome.DISPUTE for one in _reports(hub))
    assert (report.verdict, report.tally.disputes) == ("complete", disputed)
    return hub


def _reports(hub: StarHub) -> list[RaceReport]:
    return hub.seats[0].cards.races.reports


def _all(kind: str, signer: int, to: int) -> int:
    return 100 * MS if kind in ("open", "race") else 0


def _shares(kind: str, signer: int, to: int) -> int:
    return 100 * MS if kind == "open" else 0


def _to_cleo(kind: str, signer: int, to: int) -> int:
    return _all(kind, signer, to) if to == CLEO else 0


def _early(kind: str, signer: int, to: int) -> int:
    """So long that guests had passed before they saw the card, but for the hold."""
    return 3 * _all(kind, signer, to)


def test_a_host_that_holds_nothing_is_no_dispute() -> None:
    hub = _played(lambda kind, signer, to: 0)
    assert [report.first for report in _reports(hub)] == [BO] * RACES
    assert {report.outcome for report in _reports(hub)} == {Outcome.FIRST}
    assert {report.held for report in _reports(hub)} == {None}


@pytest.mark.parametrize("held", [_all, _shares, _early])
def test_who_holds_what_guests_send_each_other_is_found(held: Held) -> None:
    """Three disputes that name the two and who is between them, and then coins."""
    reports = _reports(_played(held))
    assert [report.outcome for report in reports[:3]] == [Outcome.DISPUTE] * 3
    assert [report.held for report in reports[:3]] == [Pair((BO, CLEO), (HOST,))] * 3
    assert {report.outcome for report in reports[3:]} == {Outcome.COIN}
    assert {report.held for report in reports[3:]} == {None}
    assert len(reports) == RACES


def test_one_guest_is_enough_to_be_held_up() -> None:
    """Cleo would have been first."""
    reports = _reports(_played(_to_cleo, 450, 600, 400))
    assert [report.outcome for report in reports[:3]] == [Outcome.DISPUTE] * 3


def test_without_the_comparison_the_host_wins_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rule is there for."""
    monkeypatch.setattr("p2p.protocol.genesis.unlinked", lambda pings: ())
    hub = star_hub(OFTEN, SLOWER)
    hub.held = _all
    acquit(hub)
    assert hub.seats[0].session.table.seen == [HOST] * RACES
    assert {report.outcome for report in _reports(hub)} <= {Outcome.FIRST, Outcome.TIE}


def test_what_does_not_decide_a_race_is_no_dispute() -> None:
    """The host reacts so much sooner that it would have been first anyway."""
    reports = _reports(_played(_all, 150, 600, 650))
    assert [report.first for report in reports] == [HOST] * RACES
    assert {report.outcome for report in reports} == {Outcome.FIRST}
