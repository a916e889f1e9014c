"""Races between peers: claims, passes, witnesses, lots, and cards that came too late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engine.question import Choose, Either, Otherwise, Play
from engine.table_state import OPEN
from engine.won import Won
from p2p.protocol import wire
from p2p.protocol.acts.witnessing import TIME_MAX_US, _decode_time
from p2p.protocol.entry import decode_entry
from p2p.protocol.races.book import RaceReport, RaceResult
from replay.audit import audit_bytes
from tests.protocol.cheats import CHEAT, FIELDS, acquit, bend_payload, convict, signed
from tests.protocol.kit import Hub, bare_hub, game_hub, log_bytes, seeded
from tests.protocol.scenes import SCENES, TOUCH, one_turn
from tests.protocol.timed import MS, TimedHub, timed_hub
from tests.protocol.verbs import DECK, VerbsTable, anything

SLAP = 0
SLAPPED = SCENES["slapped"]
"""A race for a slap at the first step, then one of cards."""


def _race(seed: int, seats: int = 3) -> Hub:
    return game_hub(SLAPPED, seats, seed)


def _contested(seats: int = 3) -> Hub:
    """Everybody claims in both races."""
    hub = _race(1, seats)
    hub.chooser = _claims
    return hub


def _claims(view: Any, question: Any) -> object:
    return question.decisions(view)[-1]


def _timed(*reactions_ms: int) -> TimedHub:
    hub = timed_hub(SLAPPED, reactions_ms)
    acquit(hub)
    return hub


def _reports(hub: Hub, seat: int = 0) -> list[RaceReport]:
    return hub.seats[seat].cards.races.reports


def _kinds(hub: Hub) -> list[str]:
    return [decode_entry(record).kind for step in hub.seats[0].log for record in step]


async def all_dealt(t: VerbsTable) -> None:
    """Every card is in a hand; each seat may lay one of its own, or call something."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, len(DECK) // t.seats)
    plays = [Play(seat, t.hands[seat], anything, Otherwise.PASS) for seat in range(t.seats)]
    claims = [Either(play, Choose(play.seat, ("a call",), "a call")) for play in plays]
    await t.race(claims, "first", t.pile)


def test_the_first_slot_is_laid_as_any_other_where_something_may_be_called() -> None:
    """The decision for a call is below 0, and slot 0 is a card."""
    hub = bare_hub(one_turn("all-dealt", all_dealt), 3)
    hub.chooser = lambda view, question: 0 if 0 in question.decisions(view) else None
    acquit(hub)
    assert [list(seat.session.table.pile) for seat in hub.seats] == [[0]] * 3
    assert {seat.session.table.locks[0] for seat in hub.seats} == {OPEN}


def test_when_all_pass_nobody_is_first() -> None:
    hub = _race(1)
    hub.chooser = lambda view, question: None
    acquit(hub)
    assert hub.seats[0].session.table.seen == [-1, -1]


def test_one_claim_needs_no_witness_and_no_lot() -> None:
    hub = _race(1)
    hub.chooser = lambda view, question: question.decisions(view)[-1] if view.seat == 2 else None
    acquit(hub)
    assert hub.seats[0].session.table.seen == [2, 2]
    assert not {"coin", "witness"} & set(_kinds(hub))
    assert _reports(hub) == []


@pytest.mark.slow
def test_a_public_random_value_decides_between_equals() -> None:
    """On clocks that stand still everybody is equally fast."""
    firsts: Counter[int] = Counter()
    for seed in range(30):
        hub = _race(seed)
        hub.chooser = _claims
        acquit(hub)
        slap, card = hub.seats[0].session.table.seen
        firsts[slap] += 1
        table = hub.seats[0].session.table
        for seat, hand in enumerate(table.hands):
            late = [slot for slot in hand if table.locks[slot] == OPEN]
            assert len(late) == (seat != card)
    assert set(firsts) == {0, 1, 2}


@pytest.mark.parametrize("reactions", [(250, 350, 450), (400, 420, 280), (320, 120, 300)])
def test_the_fastest_wins_wherever_it_sits(reactions: tuple[int, int, int]) -> None:
    hub = _timed(*reactions)
    best = reactions.index(min(reactions))
    assert hub.seats[0].session.table.seen == [best, best]
    assert "coin" not in _kinds(hub)
    for report in _reports(hub):
        assert (report.first, report.outcome) == (best, RaceResult.FIRST)
    slap = _reports(hub)[0]
    # All are asked in the same microsecond, and the header states how far all are apart.
    assert slap.times == tuple((seat, MS * time) for seat, time in enumerate(reactions))


def test_everybody_and_the_audit_find_the_same() -> None:
    hub = _timed(310, 290, 350)
    assert all(_reports(hub, seat) == _reports(hub) for seat in (1, 2))
    assert audit_bytes(log_bytes(hub.seats[0]), "log", seeded("audit")).verdict == "complete"


def test_ten_milliseconds_apart_is_decided_by_lot() -> None:
    hub = _timed(310, 300, 500)
    assert [report.outcome for report in _reports(hub)] == [RaceResult.TIE] * 2
    assert {report.first for report in _reports(hub)} <= {0, 1}
    assert _kinds(hub).count("coin") == 2 * 3


def _shown(hub: Hub) -> list[int]:
    """Whose cards came later in the race of cards, as the rules hear of them."""
    table = hub.seats[0].session.table
    (won,) = [one for one in hub.seats[0].session.journal if isinstance(one, Won) and one.shown]
    return [_holder(table, slot) for slot, _ in won.shown]


def _holder(table: Any, slot: int) -> int:
    (seat,) = [seat for seat, hand in enumerate(table.hands) if slot in hand]
    return int(seat)


def test_later_cards_come_to_the_rules_in_the_order_of_the_race() -> None:
    hub = _timed(600, 250, 450, 350)
    assert _shown(hub) == [3, 2, 0]
    assert "coin" not in _kinds(hub)
    assert audit_bytes(log_bytes(hub.seats[0]), "log", seeded("audit")).verdict == "complete"


def test_later_cards_at_one_moment_are_ordered_by_lot() -> None:
    """Not later slaps: their order makes no difference."""
    hub = _timed(500, 250, 505)
    assert sorted(_shown(hub)) == [0, 2]
    assert _kinds(hub).count("coin") == 1 * 3
    assert [report.outcome for report in _reports(hub)] == [RaceResult.FIRST] * 2


@pytest.mark.slow
def test_each_order_of_equal_cards_is_drawn() -> None:
    orders = set()
    for seed in range(40):
        hub = _race(seed)
        hub.chooser = _claims
        acquit(hub)
        orders.add((hub.seats[0].session.table.seen[1], *_shown(hub)))
    assert len(orders) == 6


@pytest.mark.parametrize("reactions", [(250, 350), (500, 280)])
def test_of_two_the_faster_wins_by_its_own_word(reactions: tuple[int, int]) -> None:
    hub = _timed(*reactions)
    best = reactions.index(min(reactions))
    assert [(one.first, one.outcome) for one in _reports(hub)] == [(best, RaceResult.FIRST)] * 2


def _prepared(*claims: int | None) -> Hub:
    """Each seat slaps, touches its forehead or passes."""
    hub = game_hub(SCENES["prepared"], len(claims), 1)
    hub.chooser = lambda view, question: claims[view.seat]
    acquit(hub)
    assert audit_bytes(log_bytes(hub.seats[0]), "log", seeded("audit")).verdict == "complete"
    return hub


@pytest.mark.parametrize(
    ("claims", "done"),
    [
        ((TOUCH, SLAP, None), [100, 1]),
        ((SLAP, TOUCH, TOUCH), [101, 102, 0]),
        ((None, TOUCH, TOUCH), [102, 101]),
        ((None, TOUCH, None), [101]),
    ],
)
def test_what_is_aside_competes_with_nothing(
    claims: tuple[int | None, ...], done: list[int]
) -> None:
    """All of it takes effect, before the one claim that competes, and needs no witness."""
    hub = _prepared(*claims)
    assert [seat.session.table.seen for seat in hub.seats] == [done] * 3
    assert not {"coin", "witness"} & set(_kinds(hub))
    assert _reports(hub) == []


def test_the_witnesses_tell_of_the_claims_that_compete() -> None:
    hub = _prepared(SLAP, TOUCH, SLAP, None)
    *aside, first = hub.seats[0].session.table.seen
    assert (aside, first in (0, 2)) == ([101], True)
    rows = [entry.payload for entry in signed(hub, 0) if entry.kind == "witness"]
    assert [len(row["claims"]) for row in rows] == [2] * 4
    assert [seat for seat, _ in _reports(hub)[0].times] == [0, 2]


def test_of_two_who_contradict_each_other_the_lot_decides() -> None:
    hub = timed_hub(SLAPPED, (250, 350))
    liar = hub.seats[1].machine.timing
    liar.since = lambda step, seat: 0  # type: ignore[method-assign]
    acquit(hub)
    assert [report.outcome for report in _reports(hub)] == [RaceResult.DISPUTE] * 2
    assert hub.seats[0].cards.races.disputes == 2


def test_after_three_disputes_no_witness_is_asked() -> None:
    hub = timed_hub(SLAPPED, (250, 350))
    for seat in hub.seats:
        seat.cards.races.disputes = 3
    acquit(hub)
    assert [report.outcome for report in _reports(hub)] == [RaceResult.COIN] * 2
    assert "witness" not in _kinds(hub)
    assert _kinds(hub).count("coin") == 2 * 2


def test_nothing_in_a_claim_carries_a_time() -> None:
    """So no claim can be dated back."""
    hub = _timed(250, 350, 450)
    entries = [entry for entry in signed(hub, 0) if entry.kind == "race"]
    assert len(entries) == 2 * 3
    for entry in entries:
        assert set(wire.unpack(entry.body)) == set(FIELDS)
        card = {"slot", "card", "share", "proof", "oath", "merge"}
        assert entry.payload == 0 or set(entry.payload) == card


@pytest.mark.check("race.legal")
@pytest.mark.parametrize("claim", [-1, 1])
def test_a_claim_is_one_that_was_offered(claim: int) -> None:
    hub = _race(1)
    bend_payload(hub, "race", lambda _: claim)
    convict(hub, "illegal-move")


@pytest.mark.check("witness.count")
@pytest.mark.parametrize("bend", [lambda rows: rows[1:], lambda rows: [*rows, rows[0]]])
def test_a_witness_speaks_of_every_claim_and_no_other(bend: Callable[[Any], Any]) -> None:
    hub = _contested()
    bend_payload(hub, "witness", _claims_said(bend))
    convict(hub, "malformed")


@pytest.mark.check("witness.row")
@pytest.mark.parametrize("row", [None, 7, [], [1, 1], [1, 1, 1, 1], {"seen": 1}])
def test_a_sighting_is_three_values(row: object) -> None:
    hub = _contested()
    bend_payload(hub, "witness", _claims_said(lambda rows: [row, *rows[1:]]))
    convict(hub, "malformed")


@pytest.mark.check("witness.time")
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("time", [-1, TIME_MAX_US + 1])
def test_a_time_is_one_that_somebody_may_have_waited(place: int, time: int) -> None:
    hub = _contested()
    bend_payload(hub, "witness", _claims_said(lambda rows: _with(rows, place, time)))
    convict(hub, "malformed")


@pytest.mark.parametrize("time", [0, TIME_MAX_US, None])
def test_the_first_and_the_last_time_are_times(time: int | None) -> None:
    assert _decode_time(time) == time


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("value", [True, "1", b"", [1]])
def test_times_and_credits_are_numbers(place: int, value: object) -> None:
    hub = _contested()
    bend_payload(hub, "witness", _claims_said(lambda rows: _with(rows, place, value)))
    convict(hub, "malformed")


@pytest.mark.check("witness.credit")
@pytest.mark.parametrize(("claimant", "credit"), [(0, 10_001), (0, -1), (CHEAT, 1)])
def test_nobody_credits_more_than_the_header_says(claimant: int, credit: int) -> None:
    """Seats 0 and 1 are 10 ms apart, and nobody is away from itself."""
    hub = _contested()
    bend_payload(hub, "witness", _claims_said(lambda rows: _with(rows, 2, credit, claimant)))
    convict(hub, "bad-witness")


@pytest.mark.check("witness.credit")
def test_nobody_credits_more_than_in_an_earlier_race() -> None:
    hub = _contested()
    races = hub.seats[CHEAT].cards.races
    races.lower = lambda *_: None  # type: ignore[method-assign]
    races.credit = lambda *_: 10_000 if races.reports else 4_000  # type: ignore[method-assign]
    convict(hub, "bad-witness")
    said = [entry for entry in signed(hub, 0) if entry.kind == "witness" and entry.seat == CHEAT]
    assert [entry.payload["claims"][0][2] for entry in said] == [4_000]
    assert "10000 us, and by its own word it may with 4000" in hub.faults[0].error.reason


def _claims_said(bend: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What a witness says of the claims, bent."""
    return lambda said: {**said, "claims": bend(said["claims"])}


def _parts_said(bend: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What a witness says of the parts, bent."""
    return lambda said: {**said, "parts": bend(said["parts"])}


@pytest.mark.check("witness.parts")
@pytest.mark.parametrize("bend", [lambda parts: parts[1:], lambda parts: [*parts, None]])
def test_a_witness_speaks_of_the_part_of_every_seat(bend: Callable[[Any], Any]) -> None:
    hub = _contested()
    bend_payload(hub, "witness", _parts_said(bend))
    convict(hub, "malformed")


@pytest.mark.check("witness.part-own")
def test_nobody_speaks_of_its_own_part() -> None:
    hub = _contested()
    bend_payload(hub, "witness", _parts_said(lambda parts: [0] * len(parts)))
    convict(hub, "malformed")


@pytest.mark.check("witness.part")
@pytest.mark.parametrize("time", [-TIME_MAX_US - 1, TIME_MAX_US + 1])
def test_a_part_comes_within_a_day(time: int) -> None:
    hub = _contested()
    bend_payload(hub, "witness", _parts_said(lambda parts: [time, *parts[1:]]))
    convict(hub, "malformed")


@pytest.mark.parametrize("said", [[], None, {"claims": []}, {"claims": [], "parts": None}])
def test_a_witness_entry_is_a_map_of_two_lists(said: object) -> None:
    hub = _contested()
    bend_payload(hub, "witness", lambda _: said)
    convict(hub, "malformed")


def _with(rows: Any, place: int, value: object, claimant: int = 0) -> list[list[object]]:
    """The rows of a witness, with another value in that of one claimant."""
    return [
        [value if (row, at) == (claimant, place) else old for at, old in enumerate(cells)]
        for row, cells in enumerate(rows)
    ]
