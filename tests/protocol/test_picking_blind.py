"""Cards picked blind between peers: hidden first, drawn by a coin, seen by nobody else."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import random_bot
from tests.protocol.both_dealers import Watched, check
from tests.protocol.leaks import exchanged, exchanges, first_game, second_game
from tests.protocol.scenes import SCENES, scene
from tests.protocol.verbs import DECK, VerbsTable

SIZES = (2, 3, 4)
STEPS = 3 + 3 + 3 + 1
"""A shuffle by each, the deals, a reshuffle by each, and the coin."""


@scene
async def picked_blind(t: VerbsTable) -> None:
    """A card of each of three hands, which are of different sizes, goes to the pile."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    for hand, size in zip(t.hands, SIZES, strict=True):
        await t.deal(t.stock, [hand], size)
    t.move(await t.pick_blind(t.hands), t.pile)
    t.seen += [t.locks[slot] for slot in t.pile]


GAME = SCENES["picked-blind"]


def places(watched: Watched) -> tuple[int, ...]:
    """What people were told: the place in each hand."""
    (picks,) = (
        note[1] for note in watched.hub.seats[0].session.table.notes if note[0] == "pick blind"
    )
    return tuple(place for _, place, _ in picks)


@pytest.mark.slow
def test_all_draw_the_same_cards_and_each_is_its_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other keys, other places: over some tables, each place of each hand comes up."""
    found = set()
    for seed in range(24):
        watched = Watched(GAME, len(SIZES), seed, {}, random_bot)
        watched.play(monkeypatch)
        twin = check(watched)
        assert twin.table.seen == [0, 1, 2]  # type: ignore[attr-defined]
        found.add(places(watched))
    assert [len({drawn[seat] for drawn in found}) for seat in range(3)] == list(SIZES)


@pytest.mark.slow
@pytest.mark.parametrize("observer", range(len(SIZES)))
def test_nothing_that_is_sent_tells_which_card_was_drawn(observer: int) -> None:
    """For every two cards that the observer may not know: exchanged, all is the same to it."""
    one = first_game(GAME, len(SIZES), STEPS, 1, {})
    deck = one.hub.seats[0].cards.slots.need_deck()
    pairs = exchanges(one, observer, Random(1))[:4]
    assert pairs
    for pair in pairs:
        with exchanged(deck, *pair):
            two = second_game(one, GAME, len(SIZES), 1, {})
        assert two.sent == one.sent
        assert two.entries == one.entries
