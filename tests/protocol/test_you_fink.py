"""You Fink! between peers in memory: whole games, and what hidden cards show an onlooker."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.you_fink.rules import GAME
from p2p.protocol.entry import SIGNATURE_BYTES
from p2p.protocol.wire import unpack
from tests.protocol.kit import Hub, game_hub

MOST_WIRE = 10**7


def played(seats: int, seed: int, **options: object) -> Hub:
    hub = game_hub(GAME, seats, seed, **options)
    hub.run(MOST_WIRE)
    assert not hub.faults
    return hub


def begun(seed: int) -> list[tuple[int, str, int]]:
    """Who sent what, and how long it was, up to the first card that was turned."""
    hub = game_hub(GAME, 3, seed)

    def only_wait(view: Any, question: Any) -> object:
        return question.decisions(view)[0]

    hub.chooser = only_wait
    hub.run(MOST_WIRE)
    sent: list[tuple[int, str, int]] = []
    for records in hub.seats[0].log:
        bodies = [unpack(record[:-SIGNATURE_BYTES]) for record in records]
        kind = bodies[0]["kind"]
        sizes = [len(record) for record in records]
        sent += [(body["seat"], kind, size) for body, size in zip(bodies, sizes, strict=True)]
        if kind == "open":
            return sent
    raise AssertionError("nobody turned a card")


@pytest.mark.slow
def test_other_hidden_cards_are_sent_in_the_same_words() -> None:
    """Kinds, lengths and who owes what, until a card is turned: always the same."""
    assert begun(1) == begun(2) == begun(3)
