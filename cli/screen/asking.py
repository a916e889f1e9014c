"""One question as keys move over it: a cursor, cards that are picked, letters that are typed.

Nothing here decides by a single key: digits and letters are typed, and Enter takes what they mean.
Pure.  The choices, their numbers, and why something is not one, come from cli.line.choices, and
what a kind of question asks for comes from its form (cli.line.kinds), as in line mode; this module
is only about choosing without typing everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from cli.kit.bindings import common
from cli.line.choices import (
    CHANGED,
    Choice,
    Decided,
    Refused,
    acts,
    choices,
    is_number,
    laid_by,
    normal,
    numbered,
    read,
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
NOWHERE: Final = -1
DIGITS: Final = 9
"""Up to this many choices, a second digit replaces the first."""
NONE_YET: Final = "No choice is marked for Enter: take one by arrows, number or name; ? helps."


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
        self._acts: Final = acts(view, question, self.legal)
        self.picked: list[Slot] = []
        self.typed = ""
        self.hint: Callable[[], object] | None = None
        """Asks for a hint, where there may be one, or tells it again."""
        self._known: tuple[object, Decided | Refused] | None = None
        """What was read last, and from what."""
        self._here = 0
        self._home = 0
        """Where the cursor was before anything was typed."""
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
        """The choices that are listed: those that lay no card, which are numbered as in lines.

        If several cards are laid, what may be done with the picked ones follows, or with the one
        that the cursor was on last.
        """
        return [*self._acts, *self.ways_here()] if self.several else self._acts

    def numbered(self) -> list[tuple[int | None, Choice]]:
        """What is listed, with the number that stands before each choice."""
        return numbered(self.entries)

    def ways(self) -> list[Choice]:
        """What may be done with exactly the cards that are picked."""
        if self._form.picks:
            slots = tuple(slot for slot in self.hand if slot in self.picked)
            legal = self._ways_to_lay(slots)
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
            found = self._laid[decision] = laid_by(self.view, self.question, decision)
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
        first = next((i for i, slot in enumerate(self.hand) if self.playable(slot)), NOWHERE)
        if usual is None and self._gives_away(first):
            usual = self._acts[0]
        place = first if usual is None else self._place(usual)
        return len(self.hand) + len(self.entries) if place == NOWHERE else place

    def _gives_away(self, card: int) -> bool:
        """Whether Enter would lay this card at once, in one of several ways to go on: a card that
        may be kept is laid by a careless Enter as little as a hand is folded.
        """
        if card == NOWHERE or not self._form.picks or not self._acts:
            return False
        return len(self._ways_to_lay((self.hand[card],))) == 1

    def _ways_to_lay(self, slots: tuple[Slot, ...]) -> list[object]:
        """What may be done with exactly these cards, where cards are picked first."""
        ways = self._form.ways(slots)
        return [way for way in ways if self.question.allows(self.view, way)]

    def _place(self, choice: Choice) -> int:
        """Where this choice is on the screen; NOWHERE if it is not drawn."""
        slot = self._one_card(choice)
        if slot is not None and slot in self.hand:
            return self.hand.index(slot)
        decisions = [entry.decision for entry in self.entries]
        if choice.decision not in decisions:
            return NOWHERE
        return len(self.hand) + decisions.index(choice.decision)

    @property
    def marked(self) -> int:
        """What the screen marks: the place of the cursor, or of what is typed if it is drawn."""
        if not self.typed:
            return self.cursor
        choice = self.chosen()
        return NOWHERE if choice is None else self._place(choice)

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
        """Jump from the hand to the other choices, or back; among them, one on.

        The first are the ways to lay the card that the cursor was on.
        """
        cards, entries = len(self.hand), len(self.entries)
        first = cards + (len(self._acts) if entries > len(self._acts) else 0)
        self.typed = ""
        if self.cursor < cards and step > 0 and entries:
            self.cursor = first
        elif self.cursor in (cards, first) and step < 0 and cards:
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
            found = self._read()
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
            return self._read()
        if self.cursor >= len(self.hand):
            return Refused(NONE_YET)
        if self.several:
            return Refused(self._why_no_way())
        return Refused(self._why_not(self.hand[self.cursor]))

    def _read(self, typed: str | None = None) -> Decided | Refused:
        """What is typed, or these words, as in line mode."""
        words = self.typed if typed is None else typed
        state = words, tuple(self.picked), self._here
        if self._known is None or self._known[0] != state:  # a picture asks several times
            shown = self.entries
            found = read(words, self.view, self.question, self.legal, self._describe, shown)
            self._known = state, found
        return self._known[1]

    def why_not(self, name: str) -> str:
        """Why what is called that may not be chosen now."""
        return why_not(normal(name), self.view, self.question, self.entries)

    def _why_no_way(self) -> str:
        ways = self.ways_here()
        if len(ways) > 1:
            said = " or ".join(way.label for way in ways[:4])
            return f"Say how, by its number: {said}."
        if not self.picked:
            return self._why_not(self.hand[self.cursor])
        names = [self.view.face(slot).name for slot in self.picked]
        found = self._read(" ".join(names))
        if isinstance(found, Refused):
            return found.why
        return "Pick cards with Space until a choice appears."

    def _why_not(self, slot: Slot) -> str:
        return self.why_not(self.view.face(slot).name)

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

    def type(self, text: str) -> str:
        """Add to what is typed; the cursor goes where it leads.

        Digits that lead nowhere are not kept; the answer then says so.
        """
        if not self.typed:
            self._home = self.cursor
        if self._replaces(text):
            self.typed = ""
        self.typed += text
        found = self._follow()
        if isinstance(found, Refused) and is_number(self.typed) and not self.completions():
            self.clear()
            return found.why
        return ""

    def _replaces(self, digit: str) -> bool:
        """Whether this digit takes the place of the one before: no choice has two digits."""
        longer = self.typed + digit
        if not is_number(longer) or len(normal(digit)) > 1 or len(self.entries) > DIGITS:
            return False
        return not self._leads(longer) and self._leads(digit)

    def _leads(self, number: str) -> bool:
        """Whether this number, or more letters after it, means something."""
        begun = any(word.startswith(normal(number)) for word in self._words())
        return begun or isinstance(self._read(number), Decided)

    def _follow(self) -> Decided | Refused:
        """Put the cursor where what is typed leads."""
        found = self._read()
        if isinstance(found, Decided):
            place = self._place(self._choice(found.decision))
            if place != NOWHERE and not self.picked:
                self._put(place)
        return found

    def clear(self) -> None:
        """Take back all that is typed; the cursor goes back to where it was."""
        if self.typed:
            self.typed = ""
            self._put(self._home)

    @property
    def listed(self) -> list[str]:
        """The choices as they are listed: a number means one of them."""
        return [choice.label for choice in self.entries]

    def take(self, typed: str, listed: Sequence[str] | None) -> str:
        """Take over what was typed before this was asked, `listed` at the time of typing.

        A number is dropped if the list is another now; the answer then says so.
        """
        if is_number(typed) and listed is not None and listed != self.listed:
            return CHANGED.format(typed)
        self._home, self.typed = self.cursor, typed
        self._follow()
        return ""

    def erase(self) -> None:
        """Take the last letter back, or all that is picked."""
        if len(self.typed) == 1:
            self.clear()
        elif self.typed:
            self.typed = self.typed[:-1]
        else:
            self.picked.clear()

    def complete(self) -> None:
        """Add the letters on which all choices that begin like this agree."""
        found = self.completions()
        if found:
            self.typed = common(found)

    def completions(self) -> list[str]:
        """What the typed letters may become, as it would be typed."""
        wanted = normal(self.typed)
        return sorted({word for word in self._words() if word.startswith(wanted)}, key=len)

    def longer(self) -> list[str]:
        """The completions that are more than what is typed already."""
        return [word for word in self.completions() if word != normal(self.typed)]

    def _words(self) -> set[str]:
        words = {spelling for choice in self.legal for spelling in choice.spellings}
        if self.several:
            words |= {normal(choice.label.split()[0]) for choice in self.legal if choice.label}
        return words | {normal(self.view.face(slot).name) for slot in self.hand}


def own_cards(view: View, held: Held) -> list[Slot]:
    """The slots of one's own hand, by suit and rank."""
    own = [slot for zone in held(view.table, view.seat) for slot in zone if view.knows(slot)]
    return sorted(own, key=lambda slot: (view.face(slot).suit, view.face(slot).rank, slot))
