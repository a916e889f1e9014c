"""A question in words if the game says nothing else: derived from its kind and topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine import question as ask
from engine.cards import Card
from engine.question import PASS
from engine.sets import Lay, LaySet, LayTogether
from engine.wording.scene import Scene
from engine.wording.words import Sentence, Words, counted, listed, ordinal, sentence
from engine.zone import Seat

ACTS: Final[Mapping[str, str]] = {
    "fresh": "The cards are being shuffled and dealt.",
    "shuffle": "Everybody shuffles the cards.",
    "reshuffle": "{0.by:who} hides the order of the hand.",
    "deal": "Cards are being dealt.",
    "open": "Cards are being turned up.",
    "lay-all": "Everybody lays all cards that fit.",
    "hand-over": "A card changes hands.",
    "put-back": "Cards are being put back.",
    "cut": "The cards are being cut.",
    "swear": "{0.seat:who} proves what is not in the hand.",
    "flip": "Chance decides.",
}
"""Acts of the dealer, by kind; {0} is the question."""


def play(scene: Scene[Any], question: ask.Play) -> str:
    """Asked for a card."""
    may_pass = ", or pass" if question.otherwise is ask.Otherwise.PASS else ""
    return _turn(scene, question.seat, f"lay a card{may_pass}")


def choose(scene: Scene[Any], question: ask.Choose) -> str:
    """Asked for an open choice."""
    return _turn(scene, question.seat, question.topic)


def together(scene: Scene[Any], question: ask.Together) -> str:
    """Several are asked for secret choices."""
    if scene.seat in question.deciders:
        return f"{sentence(question.topic)} All choose before any choice is seen."
    return f"In secret, {scene.people(question.deciders)}: {question.topic}."


def lay_down(scene: Scene[Any], question: ask.LayDown) -> str:
    """Asked for cards to be laid face down."""
    return _turn(scene, question.seat, f"put {counted(question.count, 'card')} face down")


def lay_set(scene: Scene[Any], question: LaySet) -> str:
    """Asked for a set of cards."""
    terms = question.terms
    ways = [way for way, may in (("face up", terms.up), ("face down", terms.down)) if may]
    may_pass = ", or pass" if terms.may_pass else ""
    what = f"lay {_sizes(question.sizes)} {listed(ways, 'or')}{may_pass}"
    return _turn(scene, question.seat, what)


def lay_together(scene: Scene[Any], question: LayTogether) -> str:
    """Several are asked for sets of cards, in secret."""
    own = question.claims.get(scene.seat)
    if own is None:
        return f"In secret, {scene.people(question.deciders)} may lay cards."
    may_pass = ", or pass" if own.terms.may_pass else ""
    return f"Lay {_sizes(own.sizes)}{may_pass}. All decide before any card is seen."


def race(scene: Scene[Any], question: ask.Race) -> str:
    """Whoever is first."""
    return f"Who is first? {sentence(question.topic)}"


def either(scene: Scene[Any], question: ask.Either) -> str:
    """A card, or a call."""
    return play(scene, question.play)


Asking = Callable[[Scene[Any], Any], str]
QUESTIONS: Final[Mapping[str, Asking]] = {
    "play": play,
    "choose": choose,
    "together": together,
    "lay-down": lay_down,
    "lay-set": lay_set,
    "lay-together": lay_together,
    "race": race,
    "either": either,
}


def _turn(scene: Scene[Any], seat: Seat, what: str) -> str:
    if seat == scene.seat:
        return f"Your turn: {what if what.endswith('?') else f'{what}.'}"
    return f"{scene.who(seat)} is asked: {what if what.endswith('?') else f'{what}.'}"


def _sizes(sizes: range) -> str:
    first, last = sizes[0], sizes[-1]
    return counted(last, "card") if first == last else f"{first} to {last} cards"


def card_or_pass(scene: Scene[Any], question: Any, decision: Any) -> str:
    """A card to be laid."""
    return "pass" if decision is PASS else scene.face(decision)


def several(scene: Scene[Any], question: Any, decision: Any) -> str:
    """Cards to be put down."""
    return scene.faces(decision)


def a_set(scene: Scene[Any], question: Any, decision: Any) -> str:
    """A set to be laid."""
    if not isinstance(decision, Lay):
        return "pass"
    return f"lay {scene.faces(decision.slots)}{' face down' if decision.down else ''}"


CHOICES: Final[Mapping[str, Callable[[Scene[Any], Any, Any], str]]] = {
    "play": card_or_pass,
    "lay-down": several,
    "lay-set": a_set,
    "lay-together": a_set,
}
"""Decisions, by kind of question; those among options and claims are in wording.py."""


def option(words: Words, value: Any) -> str:
    """An option of which only the type is known."""
    if value is None or value is False:
        return "no"
    if value is True:
        return "yes"
    if isinstance(value, Card):
        return words.card(value)
    if isinstance(value, tuple | list):
        return ", ".join(option(words, part) for part in value)
    return str(value)


def _picked_blind(words: Words, picks: Sequence[tuple[Seat, int, int]]) -> str:
    """Which card of each hand the coin has named."""
    told = (
        f"{words.whose(owner)} {ordinal(place + 1)} card of {size}" for owner, place, size in picks
    )
    return f"Drawn by lot: {listed(told)}."


NOTES: Final[Mapping[str, Sentence]] = {
    "pick blind": _picked_blind,
    "forfeit": "{0:who} does not open what was chosen in secret, and forfeits.",
}
"""What the table itself notes, whatever the game."""


def note(words: Words, what: tuple[Any, ...]) -> str:
    """A note for which no game has words.

    A number that comes first is taken for a seat: notes are (word, seat, ...).
    """
    word, *rest = what
    if word in NOTES:
        return words.say(NOTES[word], *rest)
    if rest and type(rest[0]) is int and 0 <= rest[0] < len(words.names):
        subject, rest = f"{words.who(rest[0])}: ", rest[1:]
    else:
        subject = ""
    told = ", ".join(option(words, value) for value in rest)
    return sentence(f"{subject}{word}{' ' if told else ''}{told}")
