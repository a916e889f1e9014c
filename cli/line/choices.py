"""What a person may type at a question, and what it means.

Pure: the choices come from the question's own predicate, and so does the sentence that says
why another card is refused (design: engine, rule 5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cli.line.forms import LIST_AT_MOST, Decided, Refused, normal
from cli.line.kinds import form_of, innermost
from cli.line.sets import THOUGHT_OF
from engine.question import Question
from engine.view import View
from engine.wording import sentence

__all__ = [
    "LIST_AT_MOST",
    "THOUGHT_OF",
    "Choice",
    "Decided",
    "Refused",
    "choices",
    "normal",
    "read",
    "read_cards",
    "usual_choice",
    "why_not",
]

Describe = Callable[[View, Question[Any], object], str]


@dataclass(frozen=True)
class Choice:
    """One legal decision, what it is called, and what else people may type for it."""

    decision: object
    label: str
    spellings: frozenset[str]


def choices(view: View, question: Question[Any], describe: Describe) -> list[Choice]:
    """Every legal decision of the seat, cards in the order of a hand; equal labels only once."""
    found: dict[str, Choice] = {}
    for decision in form_of(view, question).offered():
        called = describe(view, question, decision)
        form, inner = innermost(view, question, decision)
        spellings = {normal(called)} | form.spellings(inner)
        found.setdefault(called, Choice(decision, called, frozenset(spellings)))
    return list(found.values())


def read(
    typed: str, view: View, question: Question[Any], legal: Sequence[Choice]
) -> Decided | Refused:
    """The decision that somebody typed: a number of the list or a name.

    A bare Enter takes the only choice if there is just one, and in a race the usual one.
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

    In a race, the act that is due, or letting this window go by.
    """
    if question.timed:
        return legal[-1] if question.for_others(view.seat) else legal[0]
    return legal[0] if len(legal) == 1 else None


def read_cards(
    typed: str, view: View, question: Question[Any], describe: Describe
) -> Decided | Refused | None:
    """What somebody typed card by card; None if no cards were typed, or none are asked for."""
    tell: Callable[[object], str] = lambda decision: describe(view, question, decision)  # noqa: E731
    return form_of(view, question).read(typed, tell)


def why_not(wanted: str, view: View, question: Question[Any], count: int) -> str:
    """Why this is not a choice: the question's own reason for a card or an act it refuses."""
    forms = [form_of(view, part) for part in question.parts(view.seat)]
    for form in forms:
        reason = form.why_not(wanted)
        if reason is not None:
            return f"Not now: {reason}."
    return f"{sentence(forms[0].why_nothing(count))} Type ? for help."


def _by_number(number: int, legal: Sequence[Choice]) -> Decided | Refused:
    if 1 <= number <= len(legal):
        return Decided(legal[number - 1].decision)
    return Refused(f"The choices are numbered 1 to {len(legal)}.")
