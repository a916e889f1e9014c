"""All rules that `python -m tests.mutation.run rules` breaks, one at a time."""

from __future__ import annotations

from typing import Final

from tests.mutation.rule import BrokenRule
from tests.mutation.rules_of_cards import CARDS
from tests.mutation.rules_of_memory import MEMORY
from tests.mutation.rules_of_votes import VOTES

RULES: Final[tuple[BrokenRule, ...]] = (*CARDS, *MEMORY, *VOTES)
