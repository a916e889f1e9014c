"""A seat remembers a card that it has read until it is shuffled, and never reads another's."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from engine.cards import Card
from engine.game import Game, Value
from engine.games.flaps.rules import GAME as FLAPS
from engine.question import Question
from engine.view import View
from tests.protocol.kit import Hub, bare_hub, game_hub
from tests.protocol.test_flaps import curious
from tests.protocol.verbs import DECK, VerbsTable

A, B, C = range(3)
OPTIONS: dict[str, Value] = {"level": 7, "turn-limit": 60, "last-card": "off"}


@dataclass(slots=True, eq=False)
class Trusting(VerbsTable):
    """A table whose rules say that everybody has seen everything; peers know better."""

    says: bool = True

    def has_seen(self, seat: int, slot: int) -> bool:
        return self.says


async def handed_over(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)
    await t.hand_over([(t.hands[A][0], t.hands[B])])


async def put_back(t: VerbsTable) -> None:
    await handed_over(t)
    await t.put_back([t.hands[B][-1]], t.stock)


async def shown_again(t: VerbsTable) -> None:
    await put_back(t)
    await t.show(t.stock[-1], C)


async def shuffled(t: VerbsTable) -> None:
    await put_back(t)
    await t.shuffle(t.stock)


async def opened(t: VerbsTable) -> None:
    await put_back(t)
    await t.open(t.stock[-1:])


async def reshuffled(t: VerbsTable) -> None:
    await handed_over(t)
    await t.reshuffle(t.hands[B], B)


Turn = Callable[[VerbsTable], Coroutine[Any, Any, None]]


def after(turn: Turn, *, says: bool = True) -> Hub:
    async def whole(t: VerbsTable) -> None:
        await turn(t)
        t.over = True

    def make(seats: int, options: Any) -> VerbsTable:
        table = Trusting(seats, says=says)
        table.stock, table.pile = table.zone("stock"), table.zone("pile")
        table.hands = [table.zone("hand", seat) for seat in range(seats)]
        return table

    game = Game("x", "x", 1, range(2, 6), (), make, whole,
                lambda t: (0,) * t.seats, lambda seats, options: (0, 0))  # fmt: skip
    hub = bare_hub(game, 3)
    hub.run()
    assert not hub.faults
    return hub


def recalled(hub: Hub, slot: int) -> list[Card | None]:
    """What each seat can tell of this slot."""
    return [seat.cards.view(seat.seat).recall(slot) for seat in hub.seats]


def the_card(hub: Hub) -> int:
    """The slot that A was dealt first, and gave away: where it lies does not change its number."""
    table: Any = hub.seats[A].session.table
    slot = hub.seats[A].cards.seen[0].slot
    assert slot not in table.hands[A]
    return slot


def test_who_gave_a_card_away_knows_it_and_so_does_who_has_it() -> None:
    hub = after(handed_over)
    mine, theirs, nobodys = recalled(hub, the_card(hub))
    assert mine is theirs is not None
    assert nobodys is None
    assert not hub.seats[A].cards.view(A).knows(the_card(hub))


def test_nothing_is_recalled_of_which_the_rules_do_not_say_that_it_was_seen() -> None:
    hub = after(handed_over, says=False)
    mine, theirs, nobodys = recalled(hub, the_card(hub))
    assert theirs is not None
    assert mine is nobodys is None


def test_a_card_that_was_put_back_is_known_to_those_who_had_it_even_if_another_looks() -> None:
    first, second = after(put_back), after(shown_again)
    one, two, three = recalled(first, the_card(first))
    assert one is two is not None
    assert three is None
    one, two, three = recalled(second, the_card(second))
    assert one is two is three is not None


@pytest.mark.parametrize("turn", [shuffled, reshuffled])
def test_after_a_shuffle_nobody_recalls_where_it_lies(turn: Turn) -> None:
    hub = after(turn)
    for slot in hub.seats[A].session.table.zones[0] if turn is shuffled else [the_card(hub)]:
        told = recalled(hub, slot)
        assert told[A] is told[C] is None


def test_what_lies_open_is_what_everybody_sees() -> None:
    hub = after(opened)
    slot = the_card(hub)
    assert recalled(hub, slot) == [hub.seats[A].session.table.faces[slot]] * 3
    assert all(slot not in seat.cards.slots.memory for seat in hub.seats)


@pytest.mark.parametrize("seed", [19, 35])
def test_in_a_whole_game_a_seat_recalls_only_what_it_has_read(seed: int) -> None:
    """At every decision, what it read last; whoever can read the card at that step agrees."""
    hub = game_hub(FLAPS, 3, seed, verifying=1, **OPTIONS)
    rng, older = Random(seed), list[int]()

    def choose(view: View, question: Question[Any]) -> object:
        cards, step = hub.seats[view.seat].cards, hub.seats[view.seat].machine.chain.step
        read = {seen.slot: cards.slots.card(seen.number) for seen in cards.seen}
        for slot in range(len(view.table.faces)):
            card = view.recall(slot)
            if card is not None and not view.knows(slot):
                older.append(slot)
                assert view.table.has_seen(view.seat, slot)
                assert read[slot] is card
                for other in hub.seats:
                    there = other.cards.view(other.seat)
                    if other.machine.chain.step == step and there.knows(slot):
                        assert there.face(slot) is card
        return curious(view, question, rng)

    hub.chooser = choose
    hub.run(limit=400_000)
    assert not hub.faults
    assert older
