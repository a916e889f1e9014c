"""What others said tells what they hold: deals in which they would have said it are likelier.

Bayes' rule with the model that a seat follows its habit with the probability `tells`, and otherwise
takes any decision alike (Ginsberg, "GIB: Imperfect information in a computationally challenging
game", JAIR 14, 2001, section 3, draws deals by what was bid and played likewise).  Cards that still
lie face down where seats put them are those that each would usually put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp, fsum, log
from random import Random
from typing import Any, Final

from engine.bots.determinization import Determinizations
from engine.bots.following import Merged, Witnessed
from engine.bots.lookahead import Lookahead, PutDown
from engine.bots.tree import innermost, key_of
from engine.cards import Card
from engine.question import LayDown
from engine.table_state import JOINT
from engine.truth import shuffle
from engine.view import View
from engine.zone import Seat, Slot, Zone

POOL: Final = 360
"""So many deals are weighed at the table; those that are looked at are drawn from them."""
EFFECTIVE: Final = 60.0
"""The least effective size of what is drawn from (Kong 1992): that of as many deals weighed alike.
The likelihoods of a whole game alone leave two or three deals of the pool, and who looks ahead in
three deals takes them for the truth."""
HALVINGS: Final = 12
"""So exactly the power is found that leaves that many."""


class Belief:
    """Deals that fit what a seat knows, drawn by how well they explain what others did.

    `pool` deals are weighed.
    """

    def __init__(
        self,
        view: View,
        deals: Determinizations,
        seen: Sequence[Witnessed | Merged],
        said: Lookahead,
        rng: Random,
        pool: int = POOL,
    ) -> None:
        self._deals: Final = deals
        told = [one for one in seen if isinstance(one, Merged) or _says(one)] if said.tells else []
        others = any(isinstance(one, Witnessed) and one.seat != view.seat for one in told)
        self._pool: Final = [deals.draw(rng) for _ in range(pool)] if others and deals.open else []
        loglikely = [_likely(told, cards, view.seat, said, rng) for cards in self._pool]
        self._weights: Final = [*accumulate(tempered(loglikely))]
        locks = view.table.locks
        self._nobodys: Final = [slot for slot in deals.free if locks[slot] == JOINT]
        self._table: Final = view.table
        self._habit: Final = said.habit
        self._down: Final = [one for one in said.put_down(view.table) if one.seat != view.seat]

    def draw(self, rng: Random) -> list[Card]:
        """The card in each slot in one of these deals; what nobody has seen is dealt anew."""
        if self._pool:
            (chosen,) = rng.choices(self._pool, cum_weights=self._weights)
            cards = _reshuffled(chosen, self._nobodys, rng)
        else:
            cards = self._deals.draw(rng)
        for down in self._down:
            self._choose(down, cards, rng)
        return cards

    def _choose(self, down: PutDown, cards: list[Card], rng: Random) -> None:
        """Exchange cards of a seat so that it has put down what it usually would."""
        view = View(self._table, down.seat, cards.__getitem__)
        hand = Zone([*down.hand, *down.laid], down.hand.id, down.hand.name, down.seat)
        usual: Any = self._habit(view, LayDown(down.seat, hand, len(down.laid)), rng)
        takes = [slot for slot in usual if slot not in down.laid]
        gives = [slot for slot in down.laid if slot not in usual]
        for one, other in zip(takes, gives, strict=True):
            if self._deals.allows(one, cards[other]) and self._deals.allows(other, cards[one]):
                cards[one], cards[other] = cards[other], cards[one]


def _says(one: Witnessed) -> bool:
    """Whether it was something that is said: a bet, a suit that is called.

    Which card somebody laid tells hardly more than that it is no longer held
    (docs/explanation/bots.md).
    """
    part, _ = innermost(one.asked, one.seat, one.decision)
    return part.hand(one.seat) is None


def tempered(loglikely: Sequence[float]) -> list[float]:
    """Weights of deals: their likelihoods, to a power at which enough of them are left.

    Neal, "Annealed importance sampling", Statistics and Computing 11, 2001, goes through such
    powers.
    """
    best = max(loglikely, default=0.0)
    behind = [one - best for one in loglikely]
    weights = [*map(exp, behind)]
    low, high = 0.0, 1.0
    for _ in range(HALVINGS if behind and _effective(weights) < EFFECTIVE else 0):
        power = (low + high) / 2
        weights = [exp(power * one) for one in behind]
        low, high = (low, power) if _effective(weights) < EFFECTIVE else (power, high)
    return weights


def _effective(weights: Sequence[float]) -> float:
    """How many deals of one weight would be as good as these."""
    return fsum(weights) ** 2 / fsum([one * one for one in weights])


def _likely(
    told: Sequence[Witnessed | Merged], cards: list[Card], own: Seat, said: Lookahead, rng: Random
) -> float:
    """The logarithm of how likely others decide as they did if these are the cards now.

    Where cards changed places, one of the ways in which they may have lain before is tried.
    """
    lay, loglikely = [cards], 0.0
    for one in reversed(told):
        if isinstance(one, Merged):
            lay.append(_reshuffled(lay[-1], one.slots, rng))
    for one in told:
        if isinstance(one, Merged):
            lay.pop()
        elif one.seat != own:
            loglikely += _explains(one, lay[-1], said, rng)
    return loglikely


def _reshuffled(cards: list[Card], slots: Sequence[Slot], rng: Random) -> list[Card]:
    """These cards, with those of some slots in another order."""
    found, some = [*cards], [cards[slot] for slot in slots]
    shuffle(some, rng)
    for slot, card in zip(slots, some, strict=True):
        found[slot] = card
    return found


def _explains(one: Witnessed, cards: Sequence[Card], said: Lookahead, rng: Random) -> float:
    """The logarithm of how likely the seat decides as it did if these are the cards."""
    view = View(one.table, one.seat, cards.__getitem__)
    asked = one.asked
    count = len(asked.decisions(view))
    follows = key_of(view, asked, said.habit(view, asked, rng), hides=True)
    alike = (1.0 - said.tells) / count
    did = key_of(view, asked, one.decision, hides=True)
    return log(alike + said.tells if did == follows else alike)
