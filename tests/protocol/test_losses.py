"""Seats that are gone and say nothing: the others take their keys out of the cards, and finish."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

import pytest

from engine.bots import careful
from engine.games import load
from p2p.protocol import step_kinds
from p2p.protocol.effects import Out
from p2p.protocol.entry import decode_entry
from p2p.protocol.inline import run_inline
from tests.protocol.kit import Hub, bare_hub, require_all_cards

GAMES: dict[str, tuple[str, int, int, dict[str, Any]]] = {
    "flip-over": ("flip-over", 4, 3, {"rounds": 2}),
    "sneak": ("sneak", 4, 3, {"target": 25}),
    "flop-a": ("flop-a", 5, 3, {"hands": 4}),
    "you-fink": ("you-fink", 4, 3, {"cardLimit": "50"}),
    "flaps 1": ("flaps", 4, 3, {"level": 1}),
    "flaps 7": ("flaps", 5, 3, {"level": 7}),
}
"""Game, seats, how many have to go on, options."""
QUICK: Final = "flip-over"
every_game = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == QUICK else pytest.mark.slow) for name in GAMES]
)


def sit_down(name: str, seed: int) -> Hub:
    game, seats, least, options = GAMES[name]
    hub, bot = bare_hub(load(game), seats, seed, least=least, **options), careful(game)
    hub.chooser = lambda view, question: bot(view, question, hub.rng)
    return hub


def lose(hub: Hub, after: int, *, room: int, rng: Random) -> None:
    """Play, and lose seats at moments that are drawn; the others say so once nothing happens."""
    for seat in hub.seats:
        seat.machine.start()
    left = after
    while True:
        if not (hub._settle() or hub._deliver()):
            alive = [seat.seat for seat in hub.seats if seat.seat not in hub.dead]
            if all(hub.seats[seat].machine.ended for seat in alive) or hub.faults:
                return
            gone = hub.dead & set(hub.seats[alive[0]].cards.keys.seats)
            assert gone, "the table stands still, and nobody is gone"
            hub.go_on_without(*gone)
        left -= 1
        if left == 0 and len(hub.dead) < room:
            alive = [seat.seat for seat in hub.seats if seat.seat not in hub.dead]
            hub.kill(rng.choice(alive))
            left = rng.randrange(1, 60)


@cache
def played(name: str, seed: int = 1) -> Hub:
    hub, rng = sit_down(name, seed), Random(f"{name} {seed}")
    _, seats, least, _ = GAMES[name]
    lose(hub, rng.randrange(1, 700), room=seats - least, rng=rng)
    return hub


def survivors(hub: Hub) -> list[Any]:
    return [seat for seat in hub.seats if seat.seat not in hub.dead]


@every_game
def test_the_others_finish_with_the_same_log_and_result(name: str) -> None:
    hub = played(name)
    assert not hub.faults
    first, *rest = survivors(hub)
    assert hub.dead, "nobody was lost: another seed is needed"
    assert first.session.table.lost == sorted(hub.dead, key=first.session.table.lost.index)
    assert first.result is not None
    for seat in rest:
        assert (seat.log, seat.result) == (first.log, first.result)


@every_game
def test_no_card_is_lost_and_the_keys_of_those_who_are_left_open_them_all(name: str) -> None:
    hub = played(name)
    first = survivors(hub)[0]
    require_all_cards(hub, first)


@every_game
def test_a_step_consists_of_the_votes_of_all_who_are_left(name: str) -> None:
    hub = played(name)
    first = survivors(hub)[0]
    steps = [[decode_entry(record) for record in records] for records in first.log]
    votes = [step for step in steps if step[0].kind == "vote"]
    assert votes
    for step in votes:
        gone = {seat for entry in step for seat in entry.payload["absent"]}
        assert gone.isdisjoint(entry.seat for entry in step)
        assert len({tuple(entry.payload["absent"]) for entry in step}) == 1


def cut_off(hub: Hub) -> list[bytes]:
    """Seat 1 ends a step alone, and hears nothing from then on; the others go on without it.

    Its last entry reached nobody.  Return what the others have sent it since, in order.
    """
    bend, spread, since = hub.bend, hub.spread, list[bytes]()
    alone = False

    def vanish(seat: int, record: bytes) -> list[bytes]:
        nonlocal alone
        alone = alone or (seat, decode_entry(record).kind) == (1, "play")
        return bend(seat, record)

    def spread_to_others(source: int, record: bytes) -> None:
        if not alone:
            spread(source, record)
        elif source != 1:
            since.append(record)
            hub.wire.extend((to, record) for to in (0, 2, 3) if to != source)

    hub.bend, hub.spread = vanish, spread_to_others  # type: ignore[method-assign]
    hub.run()
    for seat in (0, 2, 3):
        hub.seats[seat].machine.go_on_without(frozenset({1}))
    hub.run_on()
    return since


@pytest.mark.parametrize("votes_come", ["first", "last"])
def test_who_ended_a_step_alone_learns_that_the_others_went_on_without_it(votes_come: str) -> None:
    hub = sit_down(QUICK, 2)  # another seat is to play next
    since = [decode_entry(record) for record in cut_off(hub)]
    mine = hub.seats[1].machine
    step = mine.chain.step - 1
    votes = [entry for entry in since if entry.kind == step_kinds.VOTE]
    later = [entry for entry in since if entry.step == step + 1 and entry not in votes]
    assert {entry.step for entry in votes} == {step}
    assert later
    assert not mine.ended
    for entry in (*votes, *later) if votes_come == "first" else (*later, *votes):
        mine.receive(entry.record)
    assert mine.ended
    assert Out(step) in run_inline(mine)
