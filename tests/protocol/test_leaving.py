"""Seats that leave for good while peers play: the others finish, and an audit confirms it."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest

from engine.bots import careful
from engine.games import load
from engine.lost import Lost
from p2p.protocol.entry import decode_entry
from p2p.protocol.step import LEAVE
from tests.protocol.kit import Hub, game_hub, log_bytes, require_all_cards
from tests.replay.logs import judge
from tests.vectors.tables import LEAVING, sit_down

GAMES: dict[str, tuple[str, int, dict[str, Any], float]] = {
    "flip-over": ("flip-over", 4, {"rounds": 2}, 0.05),
    "sneak": ("sneak", 4, {"target": 25}, 0.05),
    "flop-a": ("flop-a", 4, {}, 0.05),
    "you-fink": ("you-fink", 4, {"cardLimit": "50"}, 0.02),
    "flaps 1": ("flaps", 4, {"level": 1}, 0.05),
    "flaps 5": ("flaps", 4, {"level": 5}, 0.05),
    "flaps 7": ("flaps", 5, {"level": 7}, 0.03),
}
"""Game, seats, options, and how likely it is that a decision is to leave."""
LONG: Final = ("you-fink", "flaps 1", "flaps 5", "flaps 7")
every_game = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in GAMES]
)


def leaving(hub: Hub, game: str, chance: float, stays: int = 0) -> None:
    """Bots that may leave at each decision, but for the seat that `stays`."""
    bot = careful(game)

    def choose(view: Any, question: Any) -> object:
        if view.seat != stays and hub.rng.random() < chance:
            return LEAVE
        return bot(view, question, hub.rng)

    hub.chooser = choose


@cache
def played(name: str, seed: int = 1) -> Hub:
    game, seats, options, chance = GAMES[name]
    hub = game_hub(load(game), seats, seed, **options)
    leaving(hub, game, chance)
    hub.run(10**6)
    return hub


@every_game
def test_the_others_finish_with_the_same_log_and_result(name: str) -> None:
    hub = played(name)
    assert not hub.faults
    first = hub.seats[0]
    lost = first.session.table.lost
    assert lost, "nobody has left: another seed is needed"
    assert first.result is not None
    for seat in hub.seats:
        if seat.seat in lost:
            assert seat.machine.ended
            assert seat.result is None
            assert log_bytes(first).startswith(log_bytes(seat))
        else:
            assert log_bytes(seat) == log_bytes(first)
            assert seat.result == first.result


@every_game
def test_an_audit_says_that_the_table_is_complete(name: str) -> None:
    first = played(name).seats[0]
    report = judge(log_bytes(first))
    assert (report.verdict, report.returns) == ("complete", first.result.returns)


@every_game
def test_no_card_is_lost_and_the_keys_of_those_who_stay_open_them_all(name: str) -> None:
    hub = played(name)
    first = hub.seats[0]
    require_all_cards(hub, first)


@every_game
def test_the_journal_says_who_left_and_the_rules_say_the_rest(name: str) -> None:
    session = played(name).seats[0].session
    assert [one.seat for one in session.journal if type(one) is Lost] == session.table.lost


def test_for_races_a_farewell_is_a_step_like_any_other() -> None:
    """What is raced for may have been shown in the step before, whatever that was."""
    hub, noted = sit_down(LEAVING["left-two"]), []
    races = hub.seats[0].cards.races
    note = races.note
    races.note = lambda kind, owed: (noted.append((kind, tuple(owed))), note(kind, owed))  # type: ignore[func-returns-value,assignment,method-assign]
    hub.run(10**6)
    seen = [[decode_entry(record) for record in records] for records in hub.seats[0].log[:-1]]
    assert [who for _, who in noted] == [tuple(entry.seat for entry in step) for step in seen]
    assert [kind for kind, _ in noted].count("farewell") == 2
