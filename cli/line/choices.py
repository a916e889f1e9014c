"""What a person may type at a question, and what it means.

Pure: the choices come from the question's own predicate, and so does the sentence that says
why another card is refused (design: engine, rule 5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, Final

from engine.question import (
    PASS,
    Choose,
    Either,
    LayDown,
    Play,
    Question,
    Race,
    Together,
    no_choice,
    said,
)
from engine.sets import LaySet, LayTogether
from engine.view import View
from engine.wording import sentence

Describe = Callable[[View, Question[Any], object], str]
_AFTER_ALL_SUITS: Final = 99
# U+FE0F asks for an emoji; some keyboards add it to suit symbols.
_LETTERS: Final = str.maketrans("♣♠♥♦★", "cshdt", "\ufe0f")
LIST_AT_MOST: Final = 20
"""More choices than this are typed in words, not listed."""
THOUGHT_OF: Final = 300
"""Of more sets than this only the first are looked at; others are read card by card."""


@dataclass(frozen=True)
class Choice:
    """One legal decision, what it is called, and what else people may type for it."""

    decision: object
    label: str
    spellings: frozenset[str]


@dataclass(frozen=True)
class Decided:
    """The person chose; `decision` is one of the question's decisions."""

    decision: object


@dataclass(frozen=True)
class Refused:
    """What was typed is no choice; `why` says so in a sentence."""

    why: str


def normal(typed: str) -> str:
    """What people type, without the differences that mean nothing: case, spaces, ♣ for c."""
    return "".join(typed.translate(_LETTERS).lower().split())


def choices(view: View, question: Question[Any], describe: Describe) -> list[Choice]:
    """Every legal decision of the seat, cards in the order of a hand; equal labels only once."""
    found: dict[str, Choice] = {}
    for decision in _in_hand_order(view, question):
        called = describe(view, question, decision)
        spellings = {normal(called)} | _spellings(view, question, decision)
        found.setdefault(called, Choice(decision, called, frozenset(spellings)))
    return list(found.values())


def _in_hand_order(view: View, question: Question[Any]) -> Sequence[object]:
    decisions = question.decisions(view)
    if isinstance(question, LaySet | LayTogether):
        return decisions[:THOUGHT_OF]
    if isinstance(question, Race):
        return sorted(decisions, key=lambda decision: decision is PASS)
    if not isinstance(question, Play):
        return decisions

    def place(slot: Any) -> tuple[int, int]:
        # What is no card, a pass, comes last.
        card = None if slot is None else view.face(slot)
        return (_AFTER_ALL_SUITS, 0) if card is None else (card.suit, card.rank)

    return sorted(decisions, key=place)


def read(
    typed: str, view: View, question: Question[Any], legal: Sequence[Choice]
) -> Decided | Refused:
    """The decision that somebody typed: a number of the list or a name.

    A bare Enter takes the only choice there is, and in a race the usual one.
    """
    wanted = normal(typed)
    if not wanted:
        usual = usual_choice(view, question, legal)
        return Refused("Type a choice, or ?.") if usual is None else Decided(usual.decision)
    for choice in legal:  # before the numbers of the list: a choice may be called 31
        if wanted in choice.spellings:
            return Decided(choice.decision)
    if wanted.isdecimal():
        return _by_number(int(wanted), legal)
    starting = [
        choice
        for choice in legal
        if any(spelling.startswith(wanted) for spelling in choice.spellings)
    ]
    if len(starting) == 1:
        return Decided(starting[0].decision)
    if starting:
        meant = ", ".join(choice.label for choice in starting[:6])
        return Refused(f"{typed.strip()!r} could be {meant}: type more of it.")
    return Refused(why_not(wanted, view, question, len(legal)))


def usual_choice(view: View, question: Question[Any], legal: Sequence[Choice]) -> Choice | None:
    """What a bare Enter means, if anything.

    In a race the act that is due, or that one lets this window go by.
    """
    if isinstance(question, Race):
        return legal[0] if question.awaited == view.seat else legal[-1]
    return legal[0] if len(legal) == 1 else None


def why_not(wanted: str, view: View, question: Question[Any], count: int) -> str:
    """Why this is not a choice: the question's own reason for a card or an act it refuses."""
    claims = claims_of(view, question)
    for claim in claims:
        if isinstance(claim, Play):
            if any(wanted in _card_spellings(view, slot) for slot in claim.zone):
                return f"Not now: {claim.why}."
        elif isinstance(claim, Choose):
            reason = _why_no_option(wanted, view, claim)
            if reason is not None:
                return f"Not now: {reason}."
    return f"{sentence(_why_nothing(view, claims[0], count))} Type ? for help."


def _why_nothing(view: View, claim: Question[Any], count: int) -> str:
    """Why words that name nothing at all are refused."""
    if isinstance(claim, Play):
        return "that is not one of your cards"
    if isinstance(claim, Choose):
        return str(claim.why_not(view.table, -1))
    if isinstance(claim, Together):
        return no_choice(claim.topic)
    listed = f" (1 to {count})" if 1 < count <= LIST_AT_MOST else ""
    return f"that is not one of the choices{listed}"


def claims_of(view: View, question: Question[Any]) -> list[Question[Any]]:
    """What this seat may decide on: a race is what it may claim, a claim a card or a call."""
    if isinstance(question, Race):
        return claims_of(view, question.claims[view.seat])
    if isinstance(question, Either):
        return [question.play, question.calls]
    return [question]


def _why_no_option(wanted: str, view: View, claim: Choose) -> str | None:
    """Why an option that is called so may not be chosen now."""
    allowed = claim.decisions(view)
    for place in range(len(claim.options)):
        if place in allowed:
            continue
        reason = claim.why_not(view.table, place)
        called = str(claim.options[place])
        if reason is not None and normal(called).startswith(wanted):
            return reason
    return None


def _by_number(number: int, legal: Sequence[Choice]) -> Decided | Refused:
    if 1 <= number <= len(legal):
        return Decided(legal[number - 1].decision)
    return Refused(f"The choices are numbered 1 to {len(legal)}.")


def _option(view: View, question: Question[Any], decision: object) -> Any:
    """What stands behind an index into the options of a choice, or behind a call in a race."""
    if isinstance(question, Race):
        return _option(view, question.claims[view.seat], decision)
    if isinstance(question, Either) and isinstance(decision, int) and decision < 0:
        return question.calls.options[said(decision)]
    if isinstance(question, Choose) and isinstance(decision, int):
        return question.options[decision]
    if isinstance(question, Together) and isinstance(decision, int):
        return question.options[question.seats.index(view.seat)][decision]
    return decision


def _is_gifts(option: object) -> bool:
    """Whether this is a tuple of (slot, receiving seat) pairs."""
    return isinstance(option, tuple) and all(isinstance(gift, tuple) for gift in option)


def _spellings(view: View, question: Question[Any], decision: object) -> set[str]:
    """What else a decision is called.

    Cards by their ASCII names, either way round: 10c, c10; gifts by their cards in order; what
    the game itself calls the option ("forehead").
    """
    if isinstance(decision, int) and any(
        isinstance(claim, Play) and decision in claim.zone for claim in claims_of(view, question)
    ):
        return _card_spellings(view, decision)
    if isinstance(question, LayDown) and isinstance(decision, tuple):
        return {"".join(view.face(slot).name.lower() for slot in decision)}
    option = _option(view, question, decision)
    if isinstance(option, str):
        return {normal(option)}
    if _is_gifts(option):
        return {"".join(view.face(slot).name.lower() for slot, _ in option)}
    return set()


def _card_spellings(view: View, slot: int) -> set[str]:
    """10c and c10."""
    name = view.face(slot).name.lower()
    rank = name.rstrip(ascii_lowercase)
    return {name, name[len(rank) :] + rank}
