"""Why a decision is good: facts that a game finds about it, and puts into its own words.

A reason is a note, as those of a table: a word, and what it is about in plain values.  The game's
function `why` (`engine.bots.lookahead`) finds them, and its words say them (`Wording.why`).  Only
what speaks *for* the decision is a reason: a search may prefer what looks worse at first sight,
and a fact against it would be read as a mistake of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

from engine.bots.tree import innermost
from engine.cards import Card
from engine.question import Question
from engine.view import View

Reason = tuple[Any, ...]
Cards = Sequence[Card]
"""The card in each slot, in one of the deals that may be."""


class Decided:
    """A decision that is to be explained, with some deals that fit what its seat knows."""

    def __init__(
        self,
        view: View,
        asked: Question[Any],
        decision: object,
        deals: Sequence[Cards],
        others: Sequence[object] = (),
    ) -> None:
        self.view: Final = view
        part, inner = innermost(asked, view.seat, decision)
        self.asked: Final = part
        """What was decided; of a race, the part that the decision belongs to."""
        self.decision: Final[Any] = inner
        self._others: Final = [innermost(asked, view.seat, one) for one in others]
        self.deals: Final = deals
        """Some deals that fit what its seat knows."""

    @cached_property
    def compared(self) -> Sequence[Any]:
        """The decisions with which it is compared, as far as they answer what it answers."""
        return [decision for part, decision in self._others if part is self.asked]

    @cached_property
    def others(self) -> Sequence[Any]:
        """With which it is compared; all that are allowed, if no other answers what it answers."""
        return self.compared or self.asked.decisions(self.view)

    def of_100(self, holds: Callable[[Cards], bool]) -> int:
        """In how many of 100 of the deals this is so."""
        return round(100 * sum(map(holds, self.deals)) / len(self.deals))


def silent(decided: Decided) -> Sequence[Reason]:
    """The game gives no reasons."""
    return ()
