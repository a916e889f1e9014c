"""How a kind of question is asked for: what is typed for a decision, and which cards it lays.

A form is for one question and one seat; `cli.line.kinds` says which kind has which form.  Line mode
and the full screen both go by it.  Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, ClassVar, Final

from engine.question import no_choice
from engine.view import View
from engine.zone import Slot

# U+FE0F asks for an emoji; some keyboards add it to suit symbols.
_LETTERS: Final = str.maketrans("♣♠♥♦★", "cshdt", "\ufe0f")
_AFTER_ALL_SUITS: Final = 99
LIST_AT_MOST: Final = 20
"""More choices than this are typed in words, not listed."""

Tell = Callable[[object], str]
"""What a decision is called."""


@dataclass(frozen=True)
class Decided:
    """The person chose; `decision` is one of the question's decisions."""

    decision: object


@dataclass(frozen=True)
class Refused:
    """What was typed is not a choice; `why` says why in a sentence."""

    why: str


def normal(typed: str) -> str:
    """What people type, without the differences that mean nothing: case, spaces, ♣ for c."""
    return "".join(typed.translate(_LETTERS).lower().split())


def card_spellings(view: View, slot: Slot) -> set[str]:
    """10c and c10."""
    return card_names(view.face(slot).name)


def card_names(called: str) -> set[str]:
    """10c and c10, of a card called 10C."""
    name = called.lower()
    rank = name.rstrip(ascii_lowercase)
    return {name, name[len(rank) :] + rank}


class Form:
    """A kind about which nothing more is known: its decisions, by what they are called."""

    picks: ClassVar[bool] = False
    """Whether cards are picked before the person says how they are laid."""
    ordered: ClassVar[bool] = False
    """Whether it matters which card is picked first."""

    def __init__(self, view: View, question: Any) -> None:
        self.view: Final = view
        self.question: Final = question

    def offered(self) -> Sequence[object]:
        """The decisions in the order in which they are listed."""
        offers: Sequence[object] = self.question.decisions(self.view)
        return offers

    def spellings(self, decision: Any) -> set[str]:
        """What else may be typed for a decision than what it is called."""
        return set()

    def cards(self, decision: Any) -> list[Slot]:
        """The cards that are picked for a decision, in its order."""
        return []

    def card(self, decision: Any) -> Slot | None:
        """The card that a decision lays alone."""
        return None

    def alone(self, slot: Slot) -> object:
        """The decision that lays this card alone; for kinds whose decisions have a `card`."""
        return slot

    def ways(self, slots: tuple[Slot, ...]) -> Sequence[object]:
        """What may be decided with exactly these cards, if they are picked first."""
        return ()

    def read(self, typed: str, tell: Tell) -> Decided | Refused | None:
        """Cards that were typed one by one; None if this kind is not decided that way."""
        return None

    def why_not(self, wanted: str) -> str | None:
        """Why what is called that may not be decided now; None if nothing is called that."""
        return None

    def why_nothing(self, count: int) -> str:
        """Why words that name nothing at all are refused; `count` choices have numbers."""
        listed = f" (1 to {count})" if count > 1 else ""
        return f"that is not one of the choices{listed}"


class RaceForm(Form):
    """Claims, and last the choice to claim nothing."""

    def offered(self) -> Sequence[object]:
        return sorted(super().offered(), key=lambda decision: decision is None)


class CardForm(Form):
    """One card of the hand: by its ASCII name, either way round."""

    def offered(self) -> Sequence[object]:
        """In the order of a hand; what is not a card, a pass, comes last."""

        def place(slot: Any) -> tuple[int, int]:
            card = None if slot is None else self.view.face(slot)
            return (_AFTER_ALL_SUITS, 0) if card is None else (card.suit, card.rank)

        return sorted(super().offered(), key=place)

    def spellings(self, decision: Any) -> set[str]:
        return set() if decision is None else card_spellings(self.view, decision)

    def card(self, decision: Any) -> Slot | None:
        slot: Slot | None = decision
        return slot

    def why_not(self, wanted: str) -> str | None:
        there = any(wanted in card_spellings(self.view, slot) for slot in self.question.zone)
        return str(self.question.why) if there else None

    def why_nothing(self, count: int) -> str:
        return "that is not one of your cards"


class OptionForm(Form):
    """Options: by what the game itself calls them; gifts by their cards, in order."""

    def option(self, decision: Any) -> Any:
        """What stands behind an index."""
        options = self.question.options_of(self.view.seat)
        return options[decision] if isinstance(decision, int) else decision

    def spellings(self, decision: Any) -> set[str]:
        option = self.option(decision)
        if isinstance(option, str):
            return {normal(option)}
        if _is_gifts(option):
            return {"".join(self.view.face(slot).name.lower() for slot, _ in option)}
        return set()

    def why_not(self, wanted: str) -> str | None:
        """Why an option of this name may not be chosen now."""
        question = self.question
        allowed = question.decisions(self.view)
        for place, option in enumerate(question.options_of(self.view.seat)):
            if place in allowed:
                continue
            reason = question.why_not(self.view.table, place)
            if reason is not None and normal(str(option)).startswith(wanted):
                return str(reason)
        return None

    def why_nothing(self, count: int) -> str:
        return str(self.question.why_not(self.view.table, -1))


class SecretForm(OptionForm):
    """Options of several seats; cards to be given away are picked one for each, in order."""

    ordered = True

    def cards(self, decision: Any) -> list[Slot]:
        option = self.option(decision)
        return [slot for slot, _ in option] if _is_gifts(option) else []

    def why_not(self, wanted: str) -> str | None:
        return None

    def why_nothing(self, count: int) -> str:
        return no_choice(self.question.topic)


class DownForm(Form):
    """Cards of the hand that are put down, by their names."""

    def spellings(self, decision: Any) -> set[str]:
        return {"".join(self.view.face(slot).name.lower() for slot in decision)}

    def cards(self, decision: Any) -> list[Slot]:
        return list(decision)

    def card(self, decision: Any) -> Slot | None:
        slot: Slot | None = decision[0] if len(decision) == 1 else None
        return slot

    def alone(self, slot: Slot) -> object:
        return (slot,)


def _is_gifts(option: object) -> bool:
    """Whether this is a tuple of (slot, receiving seat) pairs."""
    return isinstance(option, tuple) and all(isinstance(gift, tuple) for gift in option)
