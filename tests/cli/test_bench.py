"""The benchmarks measure what they say; how fast things are depends on the machine."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from cli.bench import (
    MODULES,
    beginnings,
    catching_up,
    deals,
    losses,
    measured,
    oaths,
    plays,
    processes,
    shuffles,
    simulations,
    thinking,
)
from cli.bench.apart import Apart
from cli.bench.big_deal import DECK, GAME
from cli.bench.library import CallTimes, call_times, call_works, counted_calls
from cli.bench.row import MORE, Row, Target, number, ratio_at_most
from cli.bench.seat_process import SeatPlan
from cli.bench.text import table
from cli.bench.timing import medians
from cli.failures import UserMistakeError
from engine.errors import UsageError
from engine.games import load
from engine.simulate import simulate
from p2p.crypto import group
from p2p.errors import PeerError
from p2p.identity.keys import Identity, verify
from p2p.protocol.entry import decode_entry
from p2p.protocol.machine import Machine
from p2p.protocol.table import GameTable, open_table
from tests.cli.conftest import Run
from tests.protocol.kit import identities

SEED = bytes(range(64))


def test_where_there_are_no_pseudo_terminals_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On Windows: the module can be imported, and the user reads what can be measured."""
    for name in ("fcntl", "pty", "termios"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "cli.bench.screens", raising=False)
    with pytest.raises(UserMistakeError, match="which this system does not have"):
        list(measured("screen"))


@pytest.mark.parametrize(
    ("row", "reached"),
    [
        (Row("it: fast enough", 9.0, "ms", None, (Target(9.0),)), True),
        (Row("it: too slow", 9.1, "ms", None, (Target(9.0),)), False),
        (Row("it: near its floor", 11.0, "ms", 10.0, (Target(20.0), ratio_at_most(1.1))), True),
        (Row("it: far above it", 12.0, "ms", 10.0, (Target(20.0), ratio_at_most(1.1))), False),
        (Row("it: often enough", 3000.0, "games/s", None, (Target(3000.0, MORE),)), True),
        (Row("it: too seldom", 2999.0, "games/s", None, (Target(3000.0, MORE),)), False),
        (Row("it: a floor is missing", 1.0, "ms", None, (ratio_at_most(1.1),)), False),
        (Row("it: nothing promised", 5.0, "us", 2.5), None),
    ],
)
def test_a_missed_target_says_so(row: Row, reached: bool | None) -> None:
    assert row.reached is reached
    assert row.as_json()["reached"] is reached
    said = {line.rsplit(" ", 1)[-1] for line in list(table([row]))[2:]}
    assert ("NO" in said) == (reached is False)
    assert ("yes" in said) or reached is not True
    assert {"name", "value", "unit", "floor", "ratio"} <= row.as_json().keys()


def test_numbers_show_three_digits() -> None:
    assert [number(value) for value in (0.012345, 9.876, 98.76, 987.6, 9876.5)] == [
        *("0.0123", "9.88", "98.8", "988", "9,876")
    ]


def test_medians_go_round_in_order() -> None:
    done: list[str] = []
    taken = medians({"a": lambda: done.append("a"), "b": lambda: done.append("b")}, 3)
    assert done == ["a", "b"] * 3
    assert list(taken) == ["a", "b"]
    assert min(taken.values()) >= 0


def test_library_calls_are_counted_and_left_as_they_were() -> None:
    before = {name: getattr(group, name) for name in ("_multiply", "_multiply_base", "_add")}
    signer = Identity.generate(lambda count: SEED[:count], "bench")
    with counted_calls() as counted:
        point = group.base(5)
        group.add(group.mul(point, 7), point)
        verify(signer.public, b"test\0", b"message", signer.sign(b"test\0", b"message"))
        with pytest.raises(PeerError):
            verify(signer.public, b"test\0", b"other", signer.sign(b"test\0", b"message"))
    assert counted == Counter(multiply=1, base=1, add=1, signature=2)
    assert before == {name: getattr(group, name) for name in before}
    times = call_times(medians(call_works(), 1))
    assert times.total({"add": 2, "signature": 1}) == pytest.approx(times.add * 2 + times.signature)


@pytest.mark.slow
def test_returning_seat_is_measured_against_an_audit() -> None:
    taken, sent = catching_up.rows(wins=1)
    assert (taken.unit, sent.unit) == ("s", "kB")
    assert taken.floor is not None
    assert sent.floor is not None
    assert sent.value >= sent.floor, "all that is in the log had to come"


def test_rows_of_one_process_fit_the_screen() -> None:
    rows = [
        *shuffles.rows(cards=6, repeats=1),
        *oaths.rows(repeats=1),
        *simulations.rows(games=3, repeats=3),
        *thinking.rows(decisions=2, playouts=2),
    ]
    assert all(row.value > 0 for row in rows)
    assert all(row.ratio is not None for row in rows if row.name.endswith(("prove", "verify")))
    assert max(len(line) for line in table(rows)) <= 80


def test_the_floors_of_a_loss_are_its_calls() -> None:
    """What is counted is what the rows are divided by, but for a few calls of each proof."""
    slots = 12
    works = losses._works(slots)
    each = CallTimes(multiply=1.0, base=1.0, add=0.0, valid=0.0, hash=0.0, signature=0.0)
    floors = losses.floor_times(slots, each)
    for name, work in works.items():
        with counted_calls() as counted:
            work()
        made = counted["multiply"] + counted["base"]
        assert floors[name] - 2 * losses.LEAST <= made <= floors[name] + 8, name


def test_a_loss_is_measured_from_the_last_vote_to_the_next_question() -> None:
    *parts, whole = losses.rows(slots=3, repeats=1)
    assert whole.targets == (Target(1000.0),)
    assert [row.unit for row in (*parts, whole)] == ["ms"] * 6
    assert whole.value > sum(row.value for row in parts) > 0


def test_a_genesis_is_measured_with_and_without_shares_in_one_run() -> None:
    plain, shared, loss = beginnings.rows(repeats=1, losses=1)
    assert shared.floor == plain.value > 0
    assert shared.targets == (ratio_at_most(1.3),)
    assert loss.targets == (Target(1000.0),)
    assert loss.value > 0
    assert loss.floor is not None
    assert loss.floor > 0


def test_a_seat_is_lost_between_machines_as_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The votes of all others, the relock of each in turn, one strip; then somebody is asked."""
    tables: list[GameTable] = []

    def opened(*given: Any, **named: Any) -> GameTable:
        tables.append(open_table(*given, **named))
        return tables[-1]

    monkeypatch.setattr(beginnings, "open_table", opened)
    beginnings.lose_one(identities(beginnings.SEATS))
    left = next(one for one in tables if one.machine.seat not in tables[1].session.table.lost)
    (lost,) = left.session.table.lost
    kinds = [decode_entry(step[0]).kind for step in left.machine.records]
    assert kinds[kinds.index("vote") :] == ["vote", *["relock"] * 4, "strip"]
    assert len(left.session.table.locks) == len(DECK) == 148
    assert lost not in left.session.table.locks


def test_machines_apart_have_a_processor_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for a record is not computing, and what two do at once takes as long as one."""
    tables: list[Apart] = []

    def apart(machines: Sequence[Machine]) -> Apart:
        tables.append(Apart(machines))
        return tables[-1]

    monkeypatch.setattr(beginnings, "Apart", apart)
    people = identities(beginnings.SEATS)
    begun = beginnings.begin(beginnings._proposal("wait", people), people)
    (table,) = tables
    assert len({signed.header.table for signed in begun.signed}) == 1
    assert begun.computed > sum(table.computed) / len(people) > 0
    waits = [clock - own for clock, own in zip(table.clocks, table.computed, strict=True)]
    assert min(waits) > -0.001
    assert max(waits) > 0
    assert max(table.clocks) < sum(table.computed)


def test_the_floor_of_a_deal_grows_with_the_deck() -> None:
    small, large = (deals.Deal("flip-over", cards, 1, 1.0) for cards in (4, 40))
    assert 0 < deals.floor_of(small).passed < deals.floor_of(large).passed


@pytest.mark.parametrize("parts", ["ready", pytest.param("never", marks=pytest.mark.full)])
def test_a_large_deck_is_dealt_between_processes(parts: str) -> None:
    seen = processes.play(SeatPlan(GAME.name, 2, "", None, None, parts))
    assert [answered[-1][0] for answered in seen.answered] == ["deal", "deal"]
    assert all(answered[-1][1] > seen.began for answered in seen.answered)
    assert seen.computed > 0
    assert seen.log is None


def test_the_plays_of_a_match_are_found_in_its_log() -> None:
    cards = []
    for _ in range(4):  # in a rare match every card follows suit
        match = processes.play(SeatPlan("flip-over", 3, "", None, 0.0))
        cards = list(plays.hidden_cards(match))
        if any(card.sworn for card in cards):
            break
    assert len(cards) == 24
    assert all(card.milliseconds > 0 for card in cards)
    assert {card.sworn for card in cards} == {True, False}


def test_the_large_deck_is_a_game_that_nobody_can_ask_for() -> None:
    assert len(DECK) == 148
    assert simulate(GAME, 4, {}, 1, 1, clock=lambda: 0.0).returns == ((0, 0, 0, 0),)
    with pytest.raises(UsageError):
        load(GAME.name)


def test_one_benchmark_by_name(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations.rows, "__defaults__", (2, 3))
    text = run("bench", "simulate")
    assert (text.exit_code, text.stderr) == (0, "")
    assert "games/s" in text.stdout
    answer = json.loads(run("bench", "simulate", "--json").stdout)
    assert [row["unit"] for row in answer["rows"]][:2] == ["games/s", "steps/s"]
    names = {
        "shuffle",
        "oath",
        "loss",
        "deal",
        "play",
        "races",
        "simulate",
        "audit",
        "replay",
        "genesis",
    }
    assert set(MODULES) == names | {"catch-up", "imports", "page", "screen", "think"}


@pytest.mark.parametrize("option", ["--slaps", "--seed"])
def test_only_races_have_slaps_and_seeds(run: Run, option: str) -> None:
    refused = run("bench", "deal", option, "3")
    assert refused.exit_code == 2
    assert f"{option} belongs to the benchmark races" in refused.stderr
