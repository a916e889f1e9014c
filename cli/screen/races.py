"""What single keys mean in a race, where nobody has time to choose from a list.  Pure."""

from __future__ import annotations

from typing import Final

from cli.line.choices import Choice
from cli.screen.asking import Asking
from engine.question import PASS

EARLY_SECONDS: Final = 0.15
"""A claim pressed so long before its question counts for it.

Nobody reacts to what he sees in less (the fastest simple reactions of people are 0.1 to 0.2 s),
so an earlier press was meant for something else, and a slap in vain costs cards; but between two
steps of the table nothing is asked for some hundredths of a second, and a press that falls in
there was meant for what came into sight.
"""
DOUBLE_SECONDS: Final = 0.3
"""A second press so soon after a claim is a hand that hit twice, and claims nothing."""
FOREHEAD: Final = "forehead"
SLAP: Final = "slap"


def forehead(asking: Asking) -> Choice | None:
    """The choice to touch one's forehead."""
    return next((c for c in asking.legal if FOREHEAD in c.spellings), None)


def space_claim(asking: Asking) -> Choice | str:
    """What Space claims: the first claim that is not the act that is due.

    Why it claims nothing, as a sentence, where there is none.
    """
    if not asking.racing:
        return "Space claims in races; here Enter plays."
    touch = forehead(asking)
    claims = [c for c in asking.legal if c is not touch and not _is_due(asking, c)]
    if claims:
        return next((c for c in claims if SLAP in c.spellings), claims[0])
    if touch is not None:
        return "Touch your forehead first: f."
    return "There is nothing that you could claim now."


def _is_due(asking: Asking, choice: Choice) -> bool:
    """Whether this is a pass, or the act that one's own turn is about: no claim against others."""
    if choice.decision is PASS:
        return True
    if asking.aside or SLAP in choice.spellings:
        return False
    return not (isinstance(choice.decision, int) and choice.decision < 0)
