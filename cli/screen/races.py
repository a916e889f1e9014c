"""What single keys mean in a race, where nobody has time to choose from a list.  Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.line.choices import Choice, normal
from cli.screen.asking import Asking
from engine.question import PASS
from engine.wording import SPACE, ClaimKey

LETTERS: Final = frozenset("nu")
"""Letters that let a race go by; no claim gets them."""
Stated = Mapping[str, ClaimKey] | None
"""The keys of claims as a game states them (`Wording.keys`)."""


def claims_by_key(asking: Asking, stated: Stated) -> dict[str, Choice]:
    """What each key except Space claims at once, in the order of the list."""
    if not asking.racing:
        return {}
    if stated is None:
        return _first_letters(asking)
    found = ((_stated(choice, stated), choice) for choice in asking.legal)
    return {told.key: choice for told, choice in found if told and told.key != SPACE}


def _first_letters(asking: Asking) -> dict[str, Choice]:
    """The first free letter of what each claim is called: no card or other claim begins with it."""
    found: dict[str, Choice] = {}
    cards = {normal(asking.view.face(slot).name)[:1] for slot in asking.hand}
    claims = [choice for choice in asking.entries if choice.decision is not PASS]
    for choice in claims:
        others = {normal(other.label)[:1] for other in claims if other is not choice}
        taken = LETTERS | cards | others | found.keys()
        free = (letter for letter in normal(choice.label) if letter.isalpha())
        key = next((letter for letter in free if letter not in taken), None)
        if key is not None:
            found[key] = choice
    return found


def key_names(asking: Asking, stated: Stated) -> list[str]:
    """The keys of claims with what each claims: as the rules call it if the game states it."""
    options = {told.key: option for option, told in (stated or {}).items()}
    claims = claims_by_key(asking, stated).items()
    return [f"{key} {options.get(key, choice.label)}" for key, choice in claims]


def space_claim(asking: Asking, stated: Stated) -> Choice | str:
    """What Space claims: the first claim that is not the act that is due, and has no other key.

    If there is none, a sentence that says why it claims nothing.
    """
    if not asking.racing:
        return "Space claims in races; here Enter plays."
    keys = [(_stated(choice, stated or {}), choice) for choice in asking.legal]
    claims = [
        (told, choice)
        for told, choice in keys
        if (told is None or told.key == SPACE) and not _is_due(asking, choice, told)
    ]
    if claims:
        return next((choice for told, choice in claims if told), claims[0][1])
    instead = [told.instead for told, _ in keys if told and told.instead]
    return instead[0] if instead else "There is nothing that you could claim now."


def letters(stated: Stated, *, aside: bool) -> frozenset[str]:
    """Every letter that may act at once; `aside`: in a race during another player's turn."""
    claims = {told.key for told in (stated or {}).values()} - {SPACE}
    return frozenset(claims | (LETTERS if aside else set()))


def key_of(asking: Asking, stated: Stated, choice: Choice) -> str:
    """The key that takes this choice at once, if there is one."""
    if not asking.racing:
        return ""
    if asking.aside and choice.decision is PASS:
        return "n"
    found = space_claim(asking, stated)
    if not isinstance(found, str) and found.decision == choice.decision:
        return "Space"
    claims = claims_by_key(asking, stated).items()
    return next((key for key, claim in claims if claim.decision == choice.decision), "")


def _stated(choice: Choice, stated: Mapping[str, ClaimKey]) -> ClaimKey | None:
    options = (option for option in stated if normal(option) in choice.spellings)
    return next((stated[option] for option in options), None)


def _is_due(asking: Asking, choice: Choice, told: ClaimKey | None) -> bool:
    """Whether this is a pass, or the act that one's own turn is for: no claim against others."""
    if choice.decision is PASS:
        return True
    if asking.aside or told is not None:
        return False
    return not (isinstance(choice.decision, int) and choice.decision < 0)
