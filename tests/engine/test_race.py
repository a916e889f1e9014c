"""Races with the trusted dealer: who is first, and what becomes of later claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Game, Options
from engine.question import Choose, Otherwise, Play, Race
from engine.session import Session
from engine.table import Table
from engine.table_state import OPEN
from engine.testing import (
    check_golden,
    check_simulation,
    check_sync,
    play_out,
    write_golden,
)
from engine.truth import Truth
from engine.won import Won
from engine.zone import Zone, nowhere

DECK = Deck("race/6", [Card(i, str(i + 1), 0, i + 1) for i in range(6)])


@dataclass(slots=True, eq=False)
class RaceTable(Table):
    stock: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    pile: Zone = field(default_factory=nowhere)
    points: list[int] = field(default_factory=list)


def table(seats: int, options: Options) -> RaceTable:
    made = RaceTable(seats)
    made.stock, made.pile = made.zone("stock"), made.zone("pile")
    made.hands = [made.zone("hand", seat) for seat in range(seats)]
    made.points = [0] * seats
    return made


async def turn(t: RaceTable) -> None:
    """Two seats may lay an even card, the third may slap."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands[:2], 3)
    claims = [
        Play(seat, t.hands[seat], lambda card: card.rank % 2 == 0, Otherwise.PASS)
        for seat in (0, 1)
    ]
    won = await t.race([*claims, Choose(2, ("slap",), "a slap")], "first", t.pile)
    if won is not None:
        t.points[won.seat] += 1
    t.over = True


GAME = Game(
    "race",
    "A race",
    1,
    range(3, 4),
    (),
    table,
    turn,
    lambda t: tuple(t.points),
    lambda seats, options: (0, 1),
)


def raced(seed: int) -> tuple[Session, TrustedDealer]:
    """A session that waits at its race."""
    session, dealer = Session(GAME, 3, {}, check=True), TrustedDealer(Random(seed))
    while not session.pending.deciders:  # type: ignore[union-attr]
        session.answer(dealer.act(session.table, session.pending))  # type: ignore[arg-type]
    return session, dealer


def even(session: Session, dealer: TrustedDealer, seat: int) -> int | None:
    """A slot of the seat that it may claim with, if there is one."""
    assert session.pending is not None
    decisions = session.pending.decisions(dealer.view(session.table, seat))
    return next((slot for slot in decisions if slot is not None), None)  # type: ignore[return-value]


def test_when_all_pass_nobody_wins() -> None:
    session, dealer = raced(1)
    session.answer(dealer.answer(session.table, session.pending, {}))  # type: ignore[arg-type]
    assert session.returns == (0, 0, 0)


def test_a_card_that_came_later_stays_in_its_hand_open() -> None:
    for seed in range(200):
        session, dealer = raced(seed)
        slots = [even(session, dealer, seat) for seat in (0, 1)]
        if None in slots:
            continue
        won = dealer.answer(session.table, session.pending, {0: slots[0], 1: slots[1]})  # type: ignore[arg-type]
        assert isinstance(won, Won)
        hands = session.table.zones[2:4]
        session.answer(won)
        later = slots[1 - won.seat]
        assert won.shown[0][0] == later
        assert session.table.locks[later] == OPEN  # type: ignore[index]
        assert later in hands[1 - won.seat]
        assert session.returns[won.seat] == 1
        return
    raise AssertionError("no deal gave both seats an even card")


def test_a_claim_that_does_not_fit_is_refused() -> None:
    session, _ = raced(3)
    before = session.digest()
    slot = session.table.zones[2][0]
    for won in (Won(0, (slot, DECK.cards[0]), ()), Won(2, 1, ()), Won(5, 0, ())):
        with pytest.raises(IllegalAnswer):
            session.answer(won)
    assert session.digest() == before


def test_every_seat_wins_its_share_of_equal_claims() -> None:
    wins = [0, 0, 0]
    for seed in range(600):
        session, dealer = raced(seed)
        slots = {seat: even(session, dealer, seat) for seat in (0, 1)}
        if None in slots.values():
            continue
        won = dealer.answer(session.table, session.pending, {**slots, 2: 0})  # type: ignore[arg-type]
        assert isinstance(won, Won)
        wins[won.seat] += 1
    assert min(wins) > sum(wins) / 4


@pytest.mark.parametrize("order", [(2, 0, 1), (1, 2, 0)])
def test_later_cards_come_in_the_order_of_the_race(order: tuple[int, ...]) -> None:
    table, dealer = Table(3), TrustedDealer(Random(1), Ranked(order))
    dealer.truth.cards.extend(DECK.cards[:3])
    table.faces, table.locks = [None] * 3, [0, 1, 2]
    hands = [table.zone("hand", seat) for seat in range(3)]
    for seat, hand in enumerate(hands):
        hand.append(seat)
    race = Race([Play(seat, hands[seat], anything) for seat in range(3)], "who is first")
    won = dealer.answer(table, race, {seat: seat for seat in range(3)})
    assert isinstance(won, Won)
    assert [slot for slot, _ in (won.answer, *won.shown)] == [*order]


class Ranked(Truth):
    """A dealer's truth in which the seats are as quick as this order says."""

    def __init__(self, order: tuple[int, ...]) -> None:
        super().__init__(Random(1))
        self.order = order

    def first(self, rivals: Sequence[int]) -> int:
        return min(rivals, key=self.order.index)


def anything(card: Card) -> bool:
    return True


def test_what_is_aside_is_done_by_all_and_never_first() -> None:
    table, acts = Table(4), [Choose(seat, ("slap", "touch"), "acts") for seat in range(4)]
    race, dealer = Race(acts, "slap or touch", aside=(1,)), TrustedDealer(Random(1))
    firsts = set()
    for _ in range(20):
        won = dealer.answer(table, race, {0: 1, 1: 0, 2: 1, 3: 0})
        assert isinstance(won, Won)
        assert won == Won(won.seat, 0, (), ((0, 1), (2, 1)))
        firsts.add(won.seat)
    assert firsts == {1, 3}
    assert dealer.answer(table, race, {1: 1, 3: 1}) == Won(1, 1, (), ((3, 1),))
    assert race.why_not(table, Won(1, 0, (), ((0, 1), (2, 1)))) is None
    assert race.why_not(table, Won(1, 0, (), ((0, 1), (2, 7))))


def test_races_simulate_and_replay(tmp_path: Path) -> None:
    for seed in range(20):
        check_simulation(GAME, 3, {}, seed)
        check_sync(GAME, 3, {}, seed)
    golden = tmp_path / "race.txt"
    for seed in range(10):
        write_golden(golden, play_out(GAME, 3, {}, seed))
        check_golden(golden, lambda name: GAME)
