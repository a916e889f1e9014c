"""Tables of random games, played in memory by seats that decide at random."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from engine.question import Choose
from engine.view import View
from p2p.protocol import terms
from tests.protocol.kit import Hub, game_hub
from tests.scenes.plan import Offer, find, game_of, seats_of


@contextmanager
def known_games() -> Iterator[None]:
    """Within it a header may name a random game."""
    with patch.object(terms, "load", find):
        yield


def sit_down(seed: int, verifying: int | None = 0) -> Hub:
    """The table of a seed; the first `verifying` seats check the others' proofs."""
    hub = game_hub(game_of(seed), seats_of(seed), seed, verifying=verifying)
    rng = Random(f"decisions {seed}")
    hub.chooser = lambda view, question: legal(view, question, rng)
    return hub


def legal(view: Any, question: Any, rng: Random) -> object:
    """One of the decisions that this seat may take, and of what it says only what is true."""
    found = list(question.decisions(view))
    if isinstance(question, Choose) and isinstance(question.options[0], Offer):
        found = [index for index in found if true(view, question.options[index], question.topic)]
    return found[rng.randrange(len(found))]


def true(view: View, offer: Any, topic: str) -> bool:
    """Whether the seat can swear this of its slots, or holds one of these faces among them."""
    if offer.fits is None:
        return True
    held = any(offer.fits(view.face(slot)) for slot in offer.slots)
    return held == (topic == "hold")
