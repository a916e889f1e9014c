"""How a decision is put together of actions, one after the other.

Most decisions are one action.  A set of cards is chosen card by card, then it is done: a hand of
twenty cards has a million sets.  An option of several parts ("raise", 3) is chosen part by part.  A
decision takes at most two actions more than it has cards or parts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from engine.cards import Card
from engine.env.actions import DONE, DOWN, PASS, Actions
from engine.errors import IllegalAnswer
from engine.question import PASS as NOTHING
from engine.question import LayDown, Question
from engine.registry import Registry
from engine.sets import NO_SETS, Lay, LaySet, LayTogether
from engine.subsets import Subsets, every
from engine.view import View
from engine.zone import Slot, Zone


class Decided(NamedTuple):
    """A decision that is complete."""

    decision: object


class Spelling(ABC):
    """What was said so far of a decision, and what can be said next."""

    def __init__(self, actions: Actions) -> None:
        self._actions: Final = actions

    @abstractmethod
    def legal(self) -> Sequence[int]:
        """The actions that lead to a decision that the rules allow; at least one."""

    @abstractmethod
    def say(self, action: int) -> Spelling | Decided:
        """Go on with one of the legal actions; IllegalAnswer for another one."""

    def told(self, action: int) -> str:
        """What a legal action adds to the decision, in a word or two."""
        return self._actions.told(action)

    def _refused(self, action: int) -> IllegalAnswer:
        return IllegalAnswer(f"{self._actions.told(action)} is not offered now")

    @abstractmethod
    def towards(self, decision: Any) -> int:
        """The next action on the way to this decision; IllegalAnswer if none leads there."""


class OneOf(Spelling):
    """One of some decisions, each spelled in parts.

    Cards are said by their faces and numbers as such, everything else by its place among what is
    offered.  Of decisions that are spelled alike (two cards with one face) the first is taken.
    """

    def __init__(
        self, actions: Actions, spelled: Sequence[tuple[Sequence[object], object]], said: int = 0
    ) -> None:
        super().__init__(actions)
        self._said: Final = said
        self._words: Final[dict[tuple[type, object], int]] = {}
        self._next: Final[dict[int, list[tuple[Sequence[object], object]]]] = {}
        for parts, decision in spelled:
            self._next.setdefault(self._action(parts), []).append((parts, decision))

    def legal(self) -> Sequence[int]:
        return [*self._next]

    def say(self, action: int) -> Spelling | Decided:
        left = self._next.get(action)
        if left is None:
            raise self._refused(action)
        said = self._said + 1
        if not any(parts[said:] for parts, _ in left):
            return Decided(left[0][1])
        longer = OneOf(self._actions, left, said)
        only = longer.legal()
        return longer.say(*only) if len(only) == 1 else longer

    def towards(self, decision: Any) -> int:
        for action, left in self._next.items():
            if any(decision == other for _, other in left):
                return action
        raise IllegalAnswer(f"{decision!r} is not offered now")

    def told(self, action: int) -> str:
        for (_, word), place in self._words.items():
            if self._actions.word(place) == action:
                return str(word)
        return super().told(action)

    def _action(self, parts: Sequence[object]) -> int:
        """What says the next of these parts."""
        if len(parts) <= self._said:
            return DONE
        part = parts[self._said]
        if part is NO_CLAIM:
            return PASS
        if isinstance(part, Card):
            return self._actions.card(part)
        number = self._actions.number(part) if isinstance(part, int) else None
        if number is not None:
            return number
        return self._actions.word(self._words.setdefault((type(part), part), len(self._words)))


NO_CLAIM: Final = object()
"""The only part of a pass: None may be an option as well."""


class Pool(NamedTuple):
    """What a set is chosen from: the sets that may be laid face down, and those face up.

    `build` makes the decision of the slots that are chosen; its second argument says face down.
    """

    view: View
    zone: Zone
    down: Subsets
    up: Subsets
    build: Callable[[tuple[Slot, ...], bool], object]
    may_pass: bool = False


class SetOf(Spelling):
    """A set of cards of a zone, chosen card by card in any order."""

    def __init__(self, actions: Actions, pool: Pool, chosen: tuple[Slot, ...] = ()) -> None:
        super().__init__(actions)
        self._pool: Final = pool
        self._chosen: Final = chosen
        (more_down, is_down), (more_up, is_up) = pool.down.around(chosen), pool.up.around(chosen)
        self._ends: Final = [
            *([PASS] if pool.may_pass and not chosen else []),
            *([DONE] if is_up else []),
            *([DOWN] if is_down else []),
        ]
        self._cards: Final[dict[int, Slot]] = {}
        for slot in pool.zone:
            if slot in more_down or slot in more_up:
                self._cards.setdefault(actions.card(pool.view.face(slot)), slot)

    def legal(self) -> Sequence[int]:
        return [*self._ends, *self._cards]

    def say(self, action: int) -> Spelling | Decided:
        slot = self._cards.get(action)
        if slot is None:
            return self._end(action)
        longer = SetOf(self._actions, self._pool, (*self._chosen, slot))
        only = longer.legal()
        return longer.say(*only) if only in ([DONE], [DOWN]) else longer

    def towards(self, decision: Any) -> int:
        if decision is NOTHING:
            return PASS
        slots = decision.slots if isinstance(decision, Lay) else decision
        view = self._pool.view
        faces = Counter(view.cards(slots))
        faces.subtract(view.cards(self._chosen))
        for card, count in faces.items():
            if count > 0:
                return self._actions.card(card)
        return DOWN if not isinstance(decision, Lay) or decision.down else DONE

    def _end(self, action: int) -> Decided:
        if action not in self._ends:
            raise self._refused(action)
        if action == PASS:
            return Decided(NOTHING)
        slots = tuple([slot for slot in self._pool.zone if slot in self._chosen])
        return Decided(self._pool.build(slots, action == DOWN))


def spelling(actions: Actions, view: View, question: Question[Any]) -> Spelling:
    """How the seat of this view says what it decides."""
    made = SETS.find(question)
    if made is not None:
        return made(actions, view, question)
    decisions = question.decisions(view)
    return OneOf(actions, [(_parts(view, question, one), one) for one in decisions])


def _a_set(actions: Actions, view: View, question: LaySet) -> Spelling:
    down, up = question.ways(view)
    return SetOf(actions, Pool(view, question.zone, down, up, Lay, question.terms.may_pass))


def _one_of_several_sets(actions: Actions, view: View, question: LayTogether) -> Spelling:
    return _a_set(actions, view, question.claims[view.seat])


def _face_down(actions: Actions, view: View, question: LayDown) -> Spelling:
    down = Subsets(every(question.zone, range(question.count, question.count + 1)))
    return SetOf(actions, Pool(view, question.zone, down, NO_SETS, lambda slots, _: slots))


SETS: Final[Registry[Callable[[Actions, View, Any], Spelling]]] = Registry(
    "how its sets are chosen",
    {LaySet: _a_set, LayTogether: _one_of_several_sets, LayDown: _face_down},
)
"""The kinds that offer too many sets of cards to go through; all others list what they offer."""


def _parts(view: View, question: Question[Any], decision: Any) -> Sequence[object]:
    """A decision in the parts that are said of it."""
    inner = question.within(view.seat, decision)
    if inner is not None:
        return _parts(view, *inner)
    if decision is NOTHING:
        return (NO_CLAIM,)
    options = question.options_of(view.seat)
    if options:
        return _flat(options[decision])
    if type(decision) is int and question.hand(view.seat) is not None:
        return (view.face(decision),)
    return _flat(decision)


def _flat(value: object) -> tuple[object, ...]:
    """A plain value without its tuples: those of a gift are said slot by slot, seat by seat."""
    if isinstance(value, tuple | list):
        return tuple([part for item in value for part in _flat(item)])
    return (value,)
