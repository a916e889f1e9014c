"""What a game says, and the frame, which says the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from engine.cards import Card
from engine.cloths import HOUSE
from engine.game import Options
from engine.question import Question
from engine.table import Table
from engine.view import View
from engine.wording import asking
from engine.wording.layout import (
    NOTHING,
    CardSet,
    Column,
    Disc,
    TableText,
    Trick,
    chairs_of,
    known_hand,
    zones_in_the_middle,
    zones_of_seats,
)
from engine.wording.roles import (
    ClaimKey,
    Marks,
    Shows,
    first_own_zones,
    nothing_beside,
    whole_deck,
)
from engine.wording.scene import Scene
from engine.wording.words import USUAL, CardStyle, Sentence, Teller, Words
from engine.zone import Seat, Zone

T = TypeVar("T", bound=Table)
ANY: Final = ""
"""The key of `options` for every topic without one of its own."""


def nothing(scene: Any) -> str:
    """What a game says of a hand besides its cards, unless it has something to say."""
    return ""


def nobodys_turn(table: Any) -> Seat | None:
    """Whose turn it is if a game does not say: the question tells."""
    return None


@dataclass(frozen=True, kw_only=True)
class Wording(Generic[T]):
    """The words of one game; whatever is left out is derived from kinds, topics and names.

    A sentence is a template (see `Words.say`) or a function that is called with the words.
    `brief` is how to play, a paragraph a line.  `notes` by the first word of the note; the values
    are the rest of it.  `questions` and `choices` by the kind of the question; `options` by
    the topic of a choice.  Functions of these are called with the scene, then the question
    (and the decision, or the option and its place) and may answer None: as if they were not
    there.  `columns`, `middle`, `headline`, `turn` and `hand` make the table; a
    screen draws the cards of the hand itself, and says `hand_note` beside them.
    `about` says what a card does, in a game whose cards do something.  `trick` is what a
    screen shows in the middle, instead of a column that is `in_middle`; so is `laid`, with
    which no zones are shown there, and if it is `complete` nothing of what `middle` says; a `row`
    of so many sets stays where it is while one after the other is laid.
    `discs` are what `middle` says, where things can be drawn;
    `pot` is how many chips lie in the middle; `direction` which way turns go (1 clockwise, -1
    the other way), in a game in which that changes.  `chapter` heads what is told of a trick, a
    contest, a round of betting; in a game without chapters `when` says where in it a moment lies.
    `cloth` is what the game is played on, one of `engine.cloths`,
    with backs of its own.  `lasts(seats, options)` says how long a game may take, where
    people had better know before they sit down.  `scored` is what the result of a seat counts.

    What zones, notes and claims are to a screen: `held` are the zones of a seat that are its
    hand, and `beside` those with its own cards that lie by its side, which it may look at;
    `stock` is the zone whose top card nobody looks at, though all may know it; `marks`
    says by the first word of a note what it marks in a saved game; `keys` says by option what
    key claims it in a race (None: the first free letter of what the claim is called).
    `by_itself` says by the topic of a question after how many seconds its only choice is taken
    for a person who has not pressed anything; `last_call` says by the topic of a race how many
    milliseconds at the end of its window are a last call.
    `endings` are the first words of notes that end something (a trick, a contest, a hand), with
    the place of the seat that takes it among the values of the note, or None: a screen stays
    there for a while.  `unasked` are those of turns in which a player had nothing to decide: a
    screen gives them the time that a decision would have taken.  `recalls` are those of notes
    that are said once more with what ends next: without the trump suit nobody sees why a card has
    lost.  `reasons` are those that are said with the end of a part where a game is told by its
    ends only: who won it, and by what.  `why` says by its first word what speaks for a decision
    (`engine.bots.reasons`), as a part of a sentence.  `shows` says by the first word of a note
    which cards it shows, and whose.
    """

    title: str
    table: type[T]
    brief: str = ""
    cards: CardStyle = USUAL
    specs: Mapping[str, Teller] = field(default_factory=dict)
    notes: Mapping[str, Sentence] = field(default_factory=dict)
    questions: Mapping[str, str | Callable[..., str | None]] = field(default_factory=dict)
    choices: Mapping[str, Callable[..., str | None]] = field(default_factory=dict)
    options: Mapping[str, Sentence] = field(default_factory=dict)
    headline: Callable[[Scene[T]], str] | None = None
    middle: Callable[[Scene[T]], Sequence[str]] = zones_in_the_middle
    columns: Callable[[T], Sequence[Column[T]]] = zones_of_seats
    turn: Callable[[T], Seat | None] = nobodys_turn
    hand: Callable[[Scene[T]], str | None] = known_hand
    hand_note: Callable[[Scene[T]], str] = nothing
    about: Callable[[Card], str] | None = None
    trick: Callable[[Scene[T]], Trick] | None = None
    laid: Callable[[Scene[T]], Sequence[CardSet]] | None = None
    complete: bool = False
    row: int = 0
    discs: Callable[[Scene[T]], Sequence[Disc]] | None = None
    pot: Callable[[T], int] | None = None
    direction: Callable[[T], int] | None = None
    chapter: Callable[[Scene[T]], str] = nothing
    when: Callable[[Scene[T]], str] = nothing
    cloth: str = HOUSE
    held: Callable[[T, Seat], Sequence[Zone]] = first_own_zones
    beside: Callable[[T, Seat], Sequence[Zone]] = nothing_beside
    stock: Callable[[T], Zone | None] = whole_deck
    marks: Marks = None
    keys: Mapping[str, ClaimKey] | None = None
    lasts: Callable[[int, Options], str] | None = None
    scored: str = "points"
    by_itself: Mapping[str, float] = field(default_factory=dict)
    last_call: Mapping[str, Callable[[T], int]] = field(default_factory=dict)
    endings: Mapping[str, int | None] = field(default_factory=dict)
    reasons: Collection[str] = frozenset()
    why: Mapping[str, Sentence] = field(default_factory=dict)
    unasked: Collection[str] = ()
    recalls: Collection[str] = ()
    shows: Shows = field(default_factory=dict)

    def scene(self, view: View, names: Sequence[str], *, ascii: bool = False) -> Scene[T]:  # noqa: A002
        """The table of this view in these words; TypeError if it is that of another game."""
        table = view.table
        if not isinstance(table, self.table):
            raise TypeError(f"that is no table of {self.title}")
        return Scene(table, view, names, self.cards, ascii, self.specs)

    def describe_card(self, card: Card, *, ascii: bool = False) -> str:  # noqa: A002
        """A card as people read it: 7♦, or 7D."""
        return self.cards.card(card, ascii)

    def describe_effect(self, card: Card, *, ascii: bool = False) -> str:  # noqa: A002
        """A card and what it does: "9♥: Ends an attack."; only its name if cards do nothing."""
        name = self.describe_card(card, ascii=ascii)
        return name if self.about is None else f"{name}: {self.about(card)}"

    def describe_note(
        self,
        note: tuple[Any, ...],
        names: Sequence[str],
        *,
        ascii: bool = False,  # noqa: A002
    ) -> str:
        """What happened, in a sentence or two; the note is one of `table.notes`."""
        words = Words(names, self.cards, ascii, specs=self.specs)
        told = self.notes.get(note[0])
        return asking.note(words, note) if told is None else words.say(told, *note[1:])

    def describe_why(
        self,
        why: Sequence[tuple[Any, ...]],
        names: Sequence[str],
        *,
        ascii: bool = False,  # noqa: A002
    ) -> str:
        """What speaks for a decision, without a stop; empty if nothing is said."""
        words = Words(names, self.cards, ascii, specs=self.specs)
        return ", and ".join(words.say(self.why[word], *values) for word, *values in why)

    def describe_question(
        self,
        view: View,
        question: Question[Any],
        names: Sequence[str],
        *,
        ascii: bool = False,  # noqa: A002
    ) -> str:
        """What is asked now, from where the seat of `view` sits."""
        scene = self.scene(view, names, ascii=ascii)
        said = self._asked(scene, question)
        return scene.say(said, question) if "{" in said else said

    def _asked(self, scene: Scene[T], question: Question[Any]) -> str:
        for kind in kinds(question):
            told = self.questions.get(kind)
            said = told(scene, question) if callable(told) else told
            if said is not None:
                return said
        words = asking.SAID.find(question)
        if words is None:
            return asking.unworded(scene, question)
        return words.asked if isinstance(words.asked, str) else words.asked(scene, question)

    def describe_decision(
        self,
        view: View,
        question: Question[Any],
        decision: Any,
        names: Sequence[str],
        *,
        ascii: bool = False,  # noqa: A002
    ) -> str:
        """One decision of `question` as a choice in a list."""
        return self._choice(self.scene(view, names, ascii=ascii), question, decision)

    def _choice(self, scene: Scene[T], question: Question[Any], decision: Any) -> str:
        for kind in kinds(question):
            told = self.choices.get(kind)
            said = told(scene, question, decision) if told is not None else None
            if said is not None:
                return said
        inner = question.within(scene.seat, decision)
        if inner is not None:
            return self._choice(scene, *inner)
        words = asking.SAID.find(question)
        if words is not None and words.decided is not None:
            return words.decided(scene, decision)
        if not question.deciders:
            raise TypeError(f"nobody decides at {question!r} in {self.title}")
        options = question.options_of(scene.seat)
        return self._option(scene, question.topic, options, decision)

    def _option(self, scene: Scene[T], topic: str, options: Sequence[object], decision: Any) -> str:
        value = options[decision] if options else decision
        told = self.options.get(topic, self.options.get(ANY)) if options else None
        said = None if told is None else scene.say(told, value, decision)
        return asking.option(scene, value) if said is None else said

    def table_text(
        self,
        view: View,
        names: Sequence[str],
        *,
        beside: Mapping[Seat, str] = NOTHING,
        ascii: bool = False,  # noqa: A002
    ) -> TableText:
        """The whole table, in parts; `beside` is what stands beside the names."""
        scene = self.scene(view, names, ascii=ascii)
        table, columns = scene.table, self.columns(scene.table)
        over = "   game over" if table.over else ""
        return TableText(
            headline=f"{self.title}{over}" if self.headline is None else self.headline(scene),
            middle=self.middle(scene),
            columns=columns,
            names=names,
            rows=[
                [str(column.of(scene, seat)) for column in columns] for seat in range(table.seats)
            ],
            turn=None if table.over else self.turn(table),
            you=None if scene.watching else scene.seat,
            hand=None if scene.watching else self.hand(scene),
            empty=chairs_of(table),
            beside=beside,
        )

    def table_lines(
        self,
        view: View,
        names: Sequence[str],
        *,
        beside: Mapping[Seat, str] = NOTHING,
        ascii: bool = False,  # noqa: A002
    ) -> list[str]:
        """The whole table as lines of at most 80 columns."""
        return self.table_text(view, names, beside=beside, ascii=ascii).lines()

    def own_side_lines(self, view: View, names: Sequence[str], *, ascii: bool = False) -> list[str]:  # noqa: A002
        """The reader's own cards that lie by its side, zone by zone in the order they were laid."""
        scene = self.scene(view, names, ascii=ascii)
        zones = () if scene.watching else self.beside(scene.table, scene.seat)
        return [scene.faces(zone) for zone in zones if zone] or ["No card of yours lies there."]

    def part(self, scene: Scene[T]) -> str:
        """The part of the game that the table is in; empty if the game does not say."""
        return self.chapter(scene) or self.when(scene)

    def hand_line(self, view: View, *, ascii: bool = False) -> str:  # noqa: A002
        """The reader's own cards in a row; empty if there are none to show."""
        scene = self.scene(view, (), ascii=ascii)
        return "" if scene.watching else self.hand(scene) or ""


def kinds(question: Question[Any]) -> list[str]:
    """The kind of a question, then the kinds that it belongs to."""
    own = (cls.__dict__.get("kind") for cls in type(question).__mro__)
    return [kind for kind in own if kind]
