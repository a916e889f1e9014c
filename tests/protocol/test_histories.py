"""Hidden cards that the others can tell apart are merged before one of them is played.

A history is all that is publicly known of where a hidden card came from.
"""

from __future__ import annotations

from itertools import chain
from typing import Any
from unittest.mock import patch

import pytest

from engine.question import Play
from engine.sets import Terms
from p2p.protocol.entry import decode_entry
from tests.protocol.kit import Hub, game_hub
from tests.protocol.scenes import Turn, one_turn
from tests.protocol.verbs import DECK, VerbsTable, anything
from tests.vectors.scenes import SCENES, known_scenes


def merges(hub: Hub) -> list[bool]:
    """Whether each card that was played came with a merge."""
    assert not hub.faults
    entries = map(decode_entry, chain.from_iterable(hub.seats[0].machine.records))
    return [entry.payload["merge"] is not None for entry in entries if entry.kind == "play"]


async def _deal(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, [t.hands[1]], 2)


async def dealt(t: VerbsTable) -> None:
    await _deal(t)
    await t.play(1, t.hands[1], anything, t.pile)


async def drawn(t: VerbsTable) -> None:
    await _deal(t)
    await t.draw(t.stock, t.hands[1])
    await t.play(1, t.hands[1], anything, t.pile)


async def open_beside_drawn(t: VerbsTable) -> None:
    """The first card of the hand lies open; two hidden ones came at different times."""
    await _deal(t)
    await t.draw(t.stock, t.hands[1])
    await t.open(t.hands[1][:1])
    await t.play(1, t.hands[1], anything, t.pile)


async def laid_down(t: VerbsTable) -> None:
    await _deal(t)
    await t.lay_down(1, t.hands[1], 2, t.pile)
    await t.play(1, t.pile, anything, t.stock)


async def laid_down_as_a_set(t: VerbsTable) -> None:
    await _deal(t)
    await t.lay_set(1, t.hands[1], range(2, 3), Terms("anything", up=False, down=True), t.pile)
    await t.play(1, t.pile, anything, t.stock)


async def dealt_back(t: VerbsTable) -> None:
    """One deal brings two cards back that went to the stock one by one."""
    await _deal(t)
    await t.put_back(t.hands[1], t.stock)
    await t.deal(t.stock, [t.hands[1]], 2)
    await t.play(1, t.hands[1], anything, t.pile)


async def handed_over(t: VerbsTable) -> None:
    await _deal(t)
    await t.hand_over([(slot, t.hands[0]) for slot in tuple(t.hands[1])])
    await t.play(0, t.hands[0], anything, t.pile)


@pytest.mark.parametrize(
    ("turn", "owed"),
    [
        (dealt, False),
        (drawn, True),
        (dealt_back, True),
        (open_beside_drawn, False),
        (laid_down, True),
        (laid_down_as_a_set, True),
        (handed_over, True),
    ],
)
def test_cards_that_moved_one_by_one_are_merged(turn: Turn, owed: bool) -> None:
    hub = table_of(turn)
    hub.run()
    assert merges(hub) == [owed]


def table_of(turn: Turn) -> Hub:
    """A table of two at which this happens; players play their first card."""
    game = one_turn(f"history {turn.__name__}", turn)
    with patch.dict(SCENES, {game.name: game}), known_scenes():
        hub = game_hub(game, 2)

    def chooser(view: Any, question: Any) -> object:
        if isinstance(question, Play):
            return question.zone[0]
        return hub.choose_at_random(view, question)

    hub.chooser = chooser
    return hub


def test_seat_notes_the_cards_it_reads_and_when() -> None:
    """Its own replay shows its hand from the step after the deal on."""
    hub = table_of(dealt)
    hub.run()
    seat, records = hub.seats[1].cards, hub.seats[1].machine.records
    kinds = [decode_entry(step[0]).kind for step in records]
    assert [note.step for note in seat.seen] == [kinds.index("deal") + 1] * 2
    assert [note.number for note in seat.seen][:1] == [seat.slots.numbers[seat.seen[0].slot]]
    assert hub.seats[0].cards.seen == []
