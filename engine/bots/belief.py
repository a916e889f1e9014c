"""What others did tells what they hold: deals in which they would have done it are likelier.

Bayes' rule with the model that a seat follows its habit with the probability `tells`, and otherwise
takes any decision alike (Ginsberg, "GIB: Imperfect information in a computationally challenging
game", JAIR 14, 2001, section 3, draws deals by what was bid and played likewise).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp, log
from random import Random
from typing import Final

from engine.bots.determinization import Determinizations
from engine.bots.following import Witnessed
from engine.bots.lookahead import Lookahead
from engine.bots.tree import key_of
from engine.cards import Card
from engine.table_state import JOINT
from engine.truth import shuffle
from engine.view import View

POOL: Final = 120
"""So many deals are weighed; those that are looked at are drawn from them."""


class Belief:
    """Deals that fit what a seat knows, drawn by how well they explain what others did."""

    def __init__(
        self,
        view: View,
        deals: Determinizations,
        seen: Sequence[Witnessed],
        said: Lookahead,
        rng: Random,
    ) -> None:
        self._deals: Final = deals
        told = [one for one in seen if one.seat != view.seat] if said.tells else []
        self._pool: Final = [deals.draw(rng) for _ in range(POOL)] if told and deals.open else []
        loglikely = [sum(_explains(one, cards, said, rng) for one in told) for cards in self._pool]
        best = max(loglikely, default=0.0)
        self._weights: Final = [*accumulate(exp(one - best) for one in loglikely)]
        locks = view.table.locks
        self._nobodys: Final = [slot for slot in deals.free if locks[slot] == JOINT]

    def draw(self, rng: Random) -> list[Card]:
        """The card in each slot in one of these deals; what nobody has seen is dealt anew."""
        if not self._pool:
            return self._deals.draw(rng)
        (chosen,) = rng.choices(self._pool, cum_weights=self._weights)
        cards, slots = [*chosen], self._nobodys
        anew = [chosen[slot] for slot in slots]
        shuffle(anew, rng)
        for slot, card in zip(slots, anew, strict=True):
            cards[slot] = card
        return cards


def _explains(one: Witnessed, cards: Sequence[Card], said: Lookahead, rng: Random) -> float:
    """The logarithm of how likely the seat decides as it did if these are the cards."""
    view = View(one.table, one.seat, cards.__getitem__)
    asked = one.asked
    count = len(asked.decisions(view))
    follows = key_of(view, asked, said.habit(view, asked, rng), hides=True)
    alike = (1.0 - said.tells) / count
    did = key_of(view, asked, one.decision, hides=True)
    return log(alike + said.tells if did == follows else alike)
