"""Races of guests who get each other's records only through the host, which may hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import pytest

from engine.game import Game
from p2p.protocol.races.book import RaceReport, RaceResult
from p2p.protocol.races.relays import Pair
from p2p.protocol.races.times import Sighting
from p2p.protocol.races.timing import Timing
from replay.audit import audit_bytes
from tests.page.second import case, judge, needs_node
from tests.protocol.cheats import acquit
from tests.protocol.kit import log_bytes, seeded
from tests.protocol.timed import (
    HOST,
    LAID,
    MS,
    SLOWER,
    TURNED_UP,
    StarHub,
    each_pair_in_turn,
    hold_all,
    star_hub,
)

RACES = 8
BO, CLEO = 1, 2
Held = Callable[[str, int, int], int]


def _played(held: Held, *reactions: int, game: Game = TURNED_UP) -> StarHub:
    hub = star_hub(game, reactions or SLOWER)
    hub.held = held
    acquit(hub)
    for seat in hub.seats[1:]:
        assert seat.cards.races.reports == _reports(hub)
    report = audit_bytes(log_bytes(hub.seats[0]), "log", seeded("audit"))
    disputed = sum(one.outcome is RaceResult.DISPUTE for one in _reports(hub))
    assert (report.verdict, report.tally.disputes) == ("complete", disputed)
    return hub


def _reports(hub: StarHub) -> list[RaceReport]:
    return hub.seats[0].cards.races.reports


def _shares(kind: str, signer: int, to: int) -> int:
    return 100 * MS if kind == "open" else 0


def _laid_card(kind: str, signer: int, to: int) -> int:
    return 100 * MS if kind == "play" else 0


def _to_cleo(kind: str, signer: int, to: int) -> int:
    return hold_all(kind, signer, to) if to == CLEO else 0


def _early(kind: str, signer: int, to: int) -> int:
    """So long that guests had passed before they saw the card, but for the hold."""
    return 3 * hold_all(kind, signer, to)


@pytest.mark.slow
def test_a_host_that_holds_nothing_is_no_dispute() -> None:
    hub = _played(lambda kind, signer, to: 0)
    assert [report.first for report in _reports(hub)] == [BO] * RACES
    assert {report.outcome for report in _reports(hub)} == {RaceResult.FIRST}
    assert {report.held for report in _reports(hub)} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("held", [hold_all, _shares, _early])
def test_who_holds_what_guests_send_each_other_is_found(held: Held) -> None:
    """Three disputes that name the two and who is between them, and then coins."""
    reports = _reports(_played(held))
    assert [report.outcome for report in reports[:3]] == [RaceResult.DISPUTE] * 3
    assert [report.held for report in reports[:3]] == [Pair((BO, CLEO), (HOST,))] * 3
    assert {report.outcome for report in reports[3:]} == {RaceResult.COIN}
    assert {report.held for report in reports[3:]} == {None}
    assert len(reports) == RACES


@pytest.mark.slow
def test_one_guest_is_enough_to_be_held_up() -> None:
    """Cleo would have been first."""
    reports = _reports(_played(_to_cleo, 450, 600, 400))
    assert [report.outcome for report in reports[:3]] == [RaceResult.DISPUTE] * 3


@pytest.mark.slow
@pytest.mark.parametrize(("held", "bo"), [(hold_all, 400), (_laid_card, 600)])
def test_a_card_that_a_guest_laid_is_found_to_be_held(held: Held, bo: int) -> None:
    """Cleo sees it late, and so thinks that the host saw it late too."""
    reports = _reports(_played(held, SLOWER[HOST], bo, SLOWER[CLEO], game=LAID))
    assert [report.outcome for report in reports[:3]] == [RaceResult.DISPUTE] * 3
    assert [report.held for report in reports[:3]] == [Pair((BO, CLEO), (HOST,))] * 3
    assert {report.outcome for report in reports[3:]} == {RaceResult.COIN}


@pytest.mark.slow
def test_also_who_passes_tells_by_its_pass_that_the_card_was_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bo, who laid it, and the host race; Cleo thinks that the host saw it as late as she did."""
    monkeypatch.setattr(StarHub, "passing", frozenset({CLEO}))
    reports = _reports(_played(hold_all, 450, 420, 430, game=LAID))
    assert [[seat for seat, _ in report.times] for report in reports[:3]] == [[HOST, BO]] * 3
    assert [report.held for report in reports[:3]] == [Pair((BO, CLEO), (HOST,))] * 3


@pytest.mark.slow
def test_a_laid_card_that_is_not_held_is_no_dispute() -> None:
    reports = _reports(_played(lambda kind, signer, to: 0, game=LAID))
    assert {report.outcome for report in reports} == {RaceResult.FIRST}


@pytest.mark.parametrize("game", [TURNED_UP, LAID], ids=["turned up", "laid"])
def test_without_the_comparison_the_host_wins_them_all(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason for the rule."""
    monkeypatch.setattr("p2p.protocol.genesis.unlinked", lambda pings: ())
    hub = star_hub(game, SLOWER)
    hub.held = hold_all
    acquit(hub)
    assert hub.seats[0].session.table.seen == [HOST] * RACES
    assert {report.outcome for report in _reports(hub)} <= {RaceResult.FIRST, RaceResult.TIE}


@pytest.mark.slow
def test_what_does_not_decide_a_race_is_no_dispute() -> None:
    """The host reacts so much sooner that it would have been first anyway."""
    reports = _reports(_played(hold_all, 150, 600, 650))
    assert [report.first for report in reports] == [HOST] * RACES
    assert {report.outcome for report in reports} == {RaceResult.FIRST}


@pytest.mark.slow
def test_who_was_between_six_disputed_pairs_races_by_coin() -> None:
    """It takes care that no pair is disputed three times; the cheat of `each_pair_in_turn`."""
    hub = each_pair_in_turn()
    outcomes = [report.outcome for report in _reports(hub)]
    assert outcomes == [RaceResult.DISPUTE] * 6 + [RaceResult.COIN] * (RACES - 6)
    assert len({report.held for report in _reports(hub)}) == 1 + 6


def _bo_by_its_own_word() -> StarHub:
    """The host holds claims and is first; Bo says that it was 26 ms faster than the host saw."""
    hub = star_hub(TURNED_UP, (400, 415, 430))
    hub.held = lambda kind, signer, to: 100 * MS if kind == "race" else 0
    races = hub.seats[BO].cards.races
    seen = races.sighting

    def sighting(claimant: int, timing: Timing, at: int) -> Sighting:
        return Sighting(389 * MS, 0, 0) if claimant == BO else seen(claimant, timing, at)

    races.sighting = sighting  # type: ignore[method-assign]
    acquit(hub)
    return hub


@pytest.mark.slow
def test_by_its_own_word_a_claimant_whose_claim_was_held_may_have_been_first() -> None:
    """Cleo had its claim 100 ms late, so that the host alone was a witness of it."""
    outcomes = [report.outcome for report in _reports(_bo_by_its_own_word())]
    assert outcomes == [RaceResult.DISPUTE] * 3 + [RaceResult.COIN] * (RACES - 3)


@pytest.mark.slow
@needs_node
def test_both_verifiers_agree_on_disputes_and_on_the_coins_that_follow_them() -> None:
    """Three of one pair, also about laid cards, and six of pairs that one seat was between."""
    hubs = (
        *(_played(hold_all), _played(hold_all, game=LAID)),
        *(_bo_by_its_own_word(), each_pair_in_turn()),
    )
    logs = [log_bytes(hub.seats[0]) for hub in hubs]
    judged = judge([case(log) for log in logs])
    for log, disputes, said in zip(logs, (3, 3, 3, 6), judged, strict=True):
        first = audit_bytes(log, "log", seeded("audit"))
        assert (first.verdict, first.tally.disputes) == ("complete", disputes)
        assert (said["verdict"], said["counts"]) == ("complete", asdict(first.tally))
