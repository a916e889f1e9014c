"""A question in words if the game says nothing else: derived from its kind and topic.

`SAID` has an entry for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.question import PASS, Question
from engine.registry import Registry
from engine.sets import LaySet, LayTogether
from engine.table_state import GONE, LEAVES
from engine.wording.scene import Scene
from engine.wording.words import Sentence, Words, counted, listed, ordinal, sentence
from engine.zone import Seat, Slot


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


def face_down(scene: Scene[Any], slots: Iterable[Slot]) -> str:
    """The cards that are chosen."""
    return f"{scene.faces(slots)} face down"


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


def _turn(scene: Scene[Any], seat: Seat, what: str) -> str:
    if seat == scene.seat:
        return f"Your turn: {what if what.endswith('?') else f'{what}.'}"
    return f"{scene.who(seat)} is asked: {what if what.endswith('?') else f'{what}.'}"


def _sizes(sizes: range) -> str:
    first, last = sizes[0], sizes[-1]
    return counted(last, "card") if first == last else f"{first} to {last} cards"


def card_or_pass(scene: Scene[Any], decision: Any) -> str:
    """A card to be laid."""
    return "pass" if decision is PASS else scene.face(decision)


def a_set(scene: Scene[Any], decision: Any) -> str:
    """A set to be laid."""
    if decision is PASS:
        return "pass"
    return f"lay {scene.faces(decision.slots)}{' face down' if decision.down else ''}"


def nothing(scene: Scene[Any], decision: Any) -> str:
    """Who races for no card and claims nothing."""
    return "do nothing"


class Said(NamedTuple):
    """The words of a kind: what is asked, and what a decision is called.

    `asked` is a sentence, in which {0} is the question, or a function that makes one of the scene
    and the question.  `decided` is None where a decision is one among options.
    """

    asked: str | Callable[[Scene[Any], Any], str]
    decided: Callable[[Scene[Any], Any], str] | None = None


SAID: Final = Registry(
    "its words",
    {
        ask.Play: Said(play, card_or_pass),
        ask.Choose: Said(choose),
        ask.Together: Said(together),
        ask.LayDown: Said(lay_down, face_down),
        LaySet: Said(lay_set, a_set),
        LayTogether: Said(lay_together),
        ask.Race: Said(race, nothing),
        ask.Either: Said(either),
        acts.Fresh: Said("The cards are being shuffled and dealt."),
        acts.Shuffle: Said("Everybody shuffles the cards."),
        acts.Reshuffle: Said("{0.by:who} hides the order of the hand."),
        acts.Deal: Said("Cards are being dealt."),
        acts.Open: Said("Cards are being turned up."),
        acts.LayAll: Said("Everybody lays all cards that fit."),
        acts.HandOver: Said("A card changes hands."),
        acts.PutBack: Said("Cards are being put back."),
        acts.Cut: Said("The cards are being cut."),
        acts.Swear: Said("{0.seat:who} proves what is not in the hand."),
        acts.Flip: Said("Chance decides."),
    },
)
"""What each kind is in words; of one that has none, its topic is said."""


def unworded(scene: Scene[Any], asked: Question[Any]) -> str:
    """A kind of question of which nothing is known but who is asked, and its topic."""
    seat = asked.turn()
    if seat is None or not asked.topic:
        return f"Asked now: {asked.topic or asked.kind}."
    return _turn(scene, seat, asked.topic)


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
    LEAVES: "{0:who} has left the table: they resign and cannot win.",
    GONE: "{0:who} is voted out by the others, and cannot win.",
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
