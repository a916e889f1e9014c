"""One question as keys move over it: a cursor, cards that are picked, letters that are typed.

Pure.  The choices, and why something is not one, come from cli.line.choices, and what a kind of
question asks for comes from its form (cli.line.kinds), as in line mode; this module is only about
choosing without typing everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from cli.line.choices import (
    Choice,
    Decided,
    Refused,
    choices,
    normal,
    read,
    read_cards,
    usual_choice,
    why_not,
)
from cli.line.kinds import form_of, innermost
from engine.question import Question
from engine.view import View
from engine.wording.roles import first_own_zones
from engine.zone import Seat, Slot, Zone

Describe = Callable[[View, Question[Any], object], str]
Held = Callable[[Any, Seat], Sequence[Zone]]
"""Which zones of a seat are its hand (`Wording.held`)."""
MANY: Final = 60
"""If there are more choices than this, none are listed: cards are picked, or names are typed."""


class Asking:
    """What is asked of one seat, and how far its answer has come.

    `held` says which zones are one's hand; `hand` are the slots of one's own cards in the order
    of the screen; `cursor` counts first through the hand, then through `entries`.
    """

    def __init__(
        self,
        view: View,
        question: Question[Any],
        describe: Describe,
        held: Held = first_own_zones,
    ) -> None:
        self.view: Final = view
        self.question: Final = question
        self._describe: Final = describe
        self.legal: Final = choices(view, question, describe)
        self._form: Final = form_of(view, question)
        self.hand: Final = own_cards(view, held)
        self._laid: Final[dict[object, tuple[list[Slot], Slot | None]]] = {}
        """What decisions lay, as far as it was looked up: every key needs it for all of them."""
        self._single: Final = self._single_cards()
        self.picked: list[Slot] = []
        self.typed = ""
        self._here = 0
        self.cursor = 0
        self._put(self._first())

    # -- what the cursor moves over ----------------------------------------------------

    @property
    def several(self) -> bool:
        """Whether cards are picked before they are laid."""
        return self._form.picks or any(
            len(self._cards(choice.decision)) > 1 for choice in self.legal
        )

    @property
    def racing(self) -> bool:
        """Whether the first to answer decides."""
        return self.question.timed

    @property
    def aside(self) -> bool:
        """Whether this is a race for the turn of somebody else."""
        return self.question.for_others(self.view.seat)

    @property
    def entries(self) -> list[Choice]:
        """The choices that are not a single card.

        If several cards are laid, they follow what may be done with the picked cards, or with
        the one that the cursor was on last.
        """
        listed = [c for c in self.legal if self._one_card(c) is None]
        if self.several:
            listed = self.ways_here() + [c for c in listed if not self._cards(c.decision)]
        return listed if len(listed) <= MANY else []

    def ways(self) -> list[Choice]:
        """What may be done with exactly the cards that are picked."""
        if self._form.picks:
            slots = tuple(slot for slot in self.hand if slot in self.picked)
            ways = self._form.ways(slots)
            legal = [way for way in ways if self.question.allows(self.view, way)]
            return [Choice(way, self._label(way), frozenset()) for way in legal]
        ordered = self._form.ordered
        wanted = self.picked if ordered else sorted(self.picked)
        return [
            choice
            for choice in self.legal
            if wanted == (found := self._cards(choice.decision))
            or (not ordered and wanted == sorted(found))
        ]

    def playable(self, slot: Slot) -> bool:
        """Whether this card may be laid, alone or with others."""
        if slot in self._single:
            return True
        if self._form.picks:
            return slot in (self.question.hand(self.view.seat) or ())
        return any(slot in self._cards(choice.decision) for choice in self.legal)

    def _cards(self, decision: object) -> list[Slot]:
        return self._laid_by(decision)[0]

    def _one_card(self, choice: Choice) -> Slot | None:
        """The card of the hand that this choice lays, if it lays just one."""
        return self._laid_by(choice.decision)[1]

    def _laid_by(self, decision: object) -> tuple[list[Slot], Slot | None]:
        """The cards that are picked for a decision, and the one that it lays alone."""
        found = self._laid.get(decision)
        if found is None:
            form, inner = innermost(self.view, self.question, decision)
            found = self._laid[decision] = form.cards(inner), form.card(inner)
        return found

    def _single_cards(self) -> dict[Slot, Choice]:
        """The choice that lays each card alone; twins are listed once, but both may be laid."""
        found = {slot: c for c in self.legal if (slot := self._one_card(c)) is not None}
        listed = {self.view.face(slot): choice for slot, choice in found.items()}
        for slot in self.hand:
            twin = listed.get(self.view.face(slot))
            if slot not in found and twin is not None:
                form, _ = innermost(self.view, self.question, twin.decision)
                alone = form.alone(slot)
                if self.question.allows(self.view, alone):
                    found[slot] = Choice(alone, twin.label, twin.spellings)
        return found

    def _label(self, decision: object) -> str:
        return self._describe(self.view, self.question, decision)

    def _first(self) -> int:
        """Where the cursor begins: on the usual choice, or on the first card that may be laid.

        Nowhere if there are no cards and no choice is usual: Enter must not fold a hand.
        """
        usual = usual_choice(self.view, self.question, self.legal)
        if usual is not None:
            return self._place(usual)
        first = next((i for i, slot in enumerate(self.hand) if self.playable(slot)), None)
        return len(self.hand) + len(self.entries) if first is None else first

    def _place(self, choice: Choice) -> int:
        slot = self._one_card(choice)
        if slot is not None and slot in self.hand:
            return self.hand.index(slot)
        decisions = [entry.decision for entry in self.entries]
        at = decisions.index(choice.decision) if choice.decision in decisions else 0
        return len(self.hand) + at

    def carry_on(self, before: Asking) -> None:
        """Stand where another asking of the same question stood; see `cli.screen.sight`."""
        self.picked[:] = before.picked
        self._here = before._here
        self.cursor = before.cursor

    # -- what keys do ------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Move the cursor to the next card or choice, and round at the ends."""
        stops = len(self.hand) + len(self.entries)
        self.typed = ""
        if self.cursor >= stops:  # it is nowhere yet
            self._put(0 if step > 0 and not self.hand else len(self.hand))
            return
        self._put((self.cursor + step) % stops if stops else 0)

    def _put(self, cursor: int) -> None:
        self.cursor = cursor
        if cursor < len(self.hand):
            self._here = cursor

    def jump(self, step: int) -> None:
        """Jump from the hand to the other choices, or back; among them, one on."""
        cards, entries = len(self.hand), len(self.entries)
        self.typed = ""
        if self.cursor < cards and step > 0 and entries:
            self.cursor = cards
        elif self.cursor == cards and step < 0 and cards:
            self._put(next((i for i, slot in enumerate(self.hand) if self.playable(slot)), 0))
        else:
            self.move(step)

    def pick(self) -> str:
        """Pick the card under the cursor, or put it back; why not, if that is impossible."""
        if not self.several or self.cursor >= len(self.hand):
            return "Nothing is to be picked here: Enter plays."
        slot = self.hand[self.cursor]
        if slot in self.picked:
            self.picked.remove(slot)
        elif self.playable(slot):
            self.picked.append(slot)
        else:
            return self._why_not(slot)
        return ""

    def chosen(self) -> Choice | None:
        """The choice that Enter takes now; None if it takes none."""
        if self.typed:
            found = read(self.typed, self.view, self.question, self.legal)
            return self._choice(found.decision) if isinstance(found, Decided) else None
        if self.cursor < len(self.hand):
            slot = self.hand[self.cursor]
            if not self.several:
                return self._single.get(slot)
            ways = self.ways_here()
            return ways[0] if len(ways) == 1 else None
        entries = self.entries
        at = self.cursor - len(self.hand)
        return entries[at] if at < len(entries) else None

    def ways_here(self) -> list[Choice]:
        """What may be done with the picked cards, or else with the one under the cursor."""
        if self.picked or not self.hand:
            return self.ways()
        self.picked = [self.hand[self._here]]
        ways = self.ways()
        self.picked = []
        return ways

    def enter(self) -> Decided | Refused:
        """The decision that Enter takes, or why there is none."""
        choice = self.chosen()
        if choice is not None:
            return Decided(choice.decision)
        if self.typed:
            laid = read_cards(self.typed, self.view, self.question, self._describe)
            return laid or read(self.typed, self.view, self.question, self.legal)
        if self.cursor >= len(self.hand):
            return Refused("Choose with the arrows or a number, or type it; ? helps.")
        if self.several:
            return Refused(self._why_no_way())
        return Refused(self._why_not(self.hand[self.cursor]))

    def number(self, digit: int) -> Choice | None:
        """The listed choice with a number."""
        entries = self.entries
        return entries[digit - 1] if 1 <= digit <= len(entries) else None

    def _why_no_way(self) -> str:
        ways = self.ways_here()
        if len(ways) > 1:
            said = " or ".join(way.label for way in ways[:4])
            return f"Say how, by its number: {said}."
        if not self.picked:
            return self._why_not(self.hand[self.cursor])
        names = [self.view.face(slot).name for slot in self.picked]
        found = read_cards(" ".join(names), self.view, self.question, self._describe)
        if isinstance(found, Refused):
            return found.why
        return "Pick cards with Space until a choice appears."

    def _why_not(self, slot: Slot) -> str:
        name = normal(self.view.face(slot).name)
        return why_not(name, self.view, self.question, len(self.legal))

    def _choice(self, decision: object) -> Choice:
        found = [choice for choice in self.legal if choice.decision == decision]
        return found[0] if found else Choice(decision, self._label(decision), frozenset())

    # -- typing ------------------------------------------------------------------------

    def begins(self, letter: str) -> bool:
        """Whether this letter continues what is typed, or begins a card of the hand or a choice."""
        if self.typed or not letter.strip():
            return bool(self.typed)
        wanted = normal(letter)
        return bool(wanted) and any(word.startswith(wanted) for word in self._words())

    def type(self, text: str) -> None:
        """Add to what is typed; the cursor goes where it leads."""
        self.typed += text
        choice = self.chosen()
        if choice is not None and not self.picked:
            self._put(self._place(choice))

    def erase(self) -> None:
        """Take the last letter back, or all that is picked."""
        if self.typed:
            self.typed = self.typed[:-1]
        else:
            self.picked.clear()

    def complete(self) -> None:
        """Add the letters on which all choices that begin like this agree."""
        found = self.completions()
        if found:
            self.typed = _common(found)

    def completions(self) -> list[str]:
        """What the typed letters may become, as it would be typed."""
        wanted = normal(self.typed)
        return sorted({word for word in self._words() if word.startswith(wanted)}, key=len)

    def _words(self) -> set[str]:
        words = {spelling for choice in self.legal for spelling in choice.spellings}
        if self.several:
            words |= {normal(choice.label.split()[0]) for choice in self.legal if choice.label}
        return words | {normal(self.view.face(slot).name) for slot in self.hand}


def _common(words: Sequence[str]) -> str:
    """The beginning that all words share."""
    shortest = min(words, key=len)
    for at, letter in enumerate(shortest):
        if any(word[at] != letter for word in words):
            return shortest[:at]
    return shortest


def own_cards(view: View, held: Held) -> list[Slot]:
    """The slots of one's own hand, by suit and rank."""
    own = [slot for zone in held(view.table, view.seat) for slot in zone if view.knows(slot)]
    return sorted(own, key=lambda slot: (view.face(slot).suit, view.face(slot).rank, slot))
