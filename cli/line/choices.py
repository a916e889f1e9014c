"""What a person may type at a question, and what it means.

One function says which numbers stand before choices (`numbered`), and digits mean nothing else.

Pure: the choices come from the question's own predicate, and so does the sentence that says
why another card is refused (design: engine, rule 5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cli.line.forms import LIST_AT_MOST, Decided, Refused, normal
from cli.line.kinds import form_of, innermost
from cli.line.sets import THOUGHT_OF
from engine.question import Question
from engine.view import View
from engine.wording import sentence
from engine.zone import Slot

__all__ = [
    "CHANGED",
    "LIST_AT_MOST",
    "THOUGHT_OF",
    "Choice",
    "Decided",
    "Refused",
    "acts",
    "choices",
    "is_number",
    "laid_by",
    "lays_cards",
    "listed",
    "normal",
    "numbered",
    "read",
    "usual_choice",
    "why_not",
]

Describe = Callable[[View, Question[Any], object], str]
ACTS_AT_MOST: Final = 60
"""If there are more choices that lay no card, none are listed: they are typed by name."""

CHANGED: Final = "The choices have changed: {0} is not typed any more."
"""Said when a number that was being typed meant an entry of another list."""


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


def laid_by(
    view: View, question: Question[Any], decision: object
) -> tuple[list[Slot], Slot | None]:
    """The cards that are picked for a decision, and the one that it lays alone."""
    form, inner = innermost(view, question, decision)
    return form.cards(inner), form.card(inner)


def lays_cards(view: View, question: Question[Any], decision: object) -> bool:
    """Whether this decision lays cards of the hand."""
    picked, alone = laid_by(view, question, decision)
    return bool(picked) or alone is not None


def acts(view: View, question: Question[Any], legal: Sequence[Choice]) -> list[Choice]:
    """The choices that lay no card of the hand; none if they are too many for a list."""
    found = [one for one in legal if not lays_cards(view, question, one.decision)]
    return found if len(found) <= ACTS_AT_MOST else []


def listed(view: View, question: Question[Any], legal: Sequence[Choice]) -> list[Choice]:
    """What is listed where no cards are drawn: first the acts, then the cards unless too many.

    The acts come first, so that their numbers are those of the full screen, where cards have none.
    """
    shown = acts(view, question, legal)
    cards = [one for one in legal if lays_cards(view, question, one.decision)]
    return [*shown, *cards] if len(cards) <= LIST_AT_MOST else shown


def numbered(shown: Sequence[Choice]) -> list[tuple[int | None, Choice]]:
    """The choices that are shown, with the number that stands before each.

    Where choices are called by numbers (a sum), these are what is typed, and no others are given.
    """
    if any(map(is_number, (spelling for one in shown for spelling in one.spellings))):
        return [(None, choice) for choice in shown]
    return list(enumerate(shown, 1))


def is_number(typed: str) -> bool:
    """Whether this is digits alone."""
    return normal(typed).isdecimal()


def read(
    typed: str,
    view: View,
    question: Question[Any],
    legal: Sequence[Choice],
    describe: Describe,
    shown: Sequence[Choice] | None = None,
) -> Decided | Refused:
    """The decision that somebody typed: a number of what is `shown`, cards one by one, or a name.

    `shown` is what `listed` gives unless a screen shows something else.  A bare Enter takes the
    only choice if there is just one, and in a race the usual one.
    """
    wanted = normal(typed)
    if not wanted:
        usual = usual_choice(view, question, legal)
        return Refused("Type a choice, or ?.") if usual is None else Decided(usual.decision)
    shown = listed(view, question, legal) if shown is None else shown
    laid = _read_cards(typed, view, question, describe)
    if wanted.isdecimal():
        numbered_so = _by_number(wanted, legal, shown)
        return numbered_so if isinstance(numbered_so, Decided) else laid or numbered_so
    named = _by_name(typed, legal)
    if isinstance(named, Decided):
        return named
    return laid or named or Refused(why_not(wanted, view, question, shown))


def _by_name(typed: str, legal: Sequence[Choice]) -> Decided | Refused | None:
    """The choice of this name, or the only one that begins with it; None if none does."""
    wanted = normal(typed)
    exact = [choice for choice in legal if wanted in choice.spellings]
    starting = exact or [choice for choice in legal if _begins(choice, wanted)]
    if not starting:
        return None
    if exact or len(starting) == 1:
        return Decided(starting[0].decision)
    return _unclear(typed, starting)


def _begins(choice: Choice, wanted: str) -> bool:
    return any(spelling.startswith(wanted) for spelling in choice.spellings)


def _unclear(typed: str, meant: Sequence[Choice]) -> Refused:
    labels = ", ".join(choice.label for choice in meant[:6])
    return Refused(f"{typed.strip()!r} could be {labels}: type more of it.")


def usual_choice(view: View, question: Question[Any], legal: Sequence[Choice]) -> Choice | None:
    """What a bare Enter means, if anything.

    In a race, the act that is due, or letting this window go by.
    """
    if question.timed:
        return legal[-1] if question.for_others(view.seat) else legal[0]
    return legal[0] if len(legal) == 1 else None


def _read_cards(
    typed: str, view: View, question: Question[Any], describe: Describe
) -> Decided | Refused | None:
    """What somebody typed card by card; None if no cards were typed, or none are asked for."""
    tell: Callable[[object], str] = lambda decision: describe(view, question, decision)  # noqa: E731
    return form_of(view, question).read(typed, tell)


def why_not(wanted: str, view: View, question: Question[Any], shown: Sequence[Choice]) -> str:
    """Why this is not a choice: the question's own reason for a card or an act it refuses.

    If nothing is called so, it says which numbers stand before what is `shown`.
    """
    forms = [form_of(view, part) for part in question.parts(view.seat)]
    for form in forms:
        reason = form.why_not(wanted)
        if reason is not None:
            return f"Not now: {reason}."
    if len(shown) == 1 and len(form_of(view, question).offered()) == 1:
        return f"The only choice is: {shown[0].label}. Type ? for help."
    numbers = sum(number is not None for number, _ in numbered(shown))
    return f"{sentence(forms[0].why_nothing(numbers))} Type ? for help."


def _by_number(digits: str, legal: Sequence[Choice], shown: Sequence[Choice]) -> Decided | Refused:
    """The choice before which these digits stand, or which is called by them; else why none.

    They may begin the name of a choice that has no number, as letters do.
    """
    number, numbers = int(digits), numbered(shown)
    found = [choice for own, choice in numbers if own == number]
    found = found or [choice for choice in legal if str(number) in choice.spellings]
    if found:
        return Decided(found[0].decision)
    having = [choice.decision for own, choice in numbers if own is not None]
    longer = [c for c in legal if c.decision not in having and _begins(c, digits)]
    if len(longer) == 1:
        return Decided(longer[0].decision)
    if longer:
        return _unclear(digits, longer)
    if having:
        return Refused(f"The choices are numbered 1 to {len(having)}.")
    named = normal(legal[0].label)
    return Refused(f"No choice is called {digits}, or begins so: type its name ({named}), or ?.")
