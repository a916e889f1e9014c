"""Players, cards and numbers in words, for sentences that are written as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Final

from engine.cards import SUIT_LETTERS, SUITS, Card
from engine.zone import Seat

Spell = Callable[[Card, bool], str]
Teller = Callable[..., str]
"""A function called with the words (or the scene) first, then with what a sentence is about."""
Sentence = str | Teller
NO_SEAT: Final = -3
"""The seat of a spectator (as in engine.view)."""


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def ordinal(number: int) -> str:
    """A place in an order.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '113th']
    """
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else _ENDINGS.get(number % 10, 'th')}"


_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def listed(items: Iterable[str], last: str = "and") -> str:
    """A list of several things.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    *first, end = items
    return f"{', '.join(first)} {last} {end}" if first else end


def scores(points: Sequence[int]) -> list[str]:
    """What each player has in the end, with signs where somebody has less than nothing.

    >>> scores([66, 45]), scores([3, 0, -3])
    (['66', '45'], ['+3', '+0', '-3'])
    """
    signed = min(points, default=0) < 0
    return [f"{each:+d}" if signed else f"{each}" for each in points]


def sentence(words: str) -> str:
    """The words as a sentence: a capital first, and a stop last if there is none.

    >>> sentence("call a suit"), sentence("Once more?")
    ('Call a suit.', 'Once more?')
    """
    stop = "" if words.endswith((".", "?", "!")) else "."
    return f"{words[:1].upper()}{words[1:]}{stop}"


def clip(name: str, width: int) -> str:
    """A name, cut to fit into a column.

    >>> clip("Bartholomew", 6), clip("Ann", 6)
    ('Barth.', 'Ann')
    """
    return name if len(name) <= width else f"{name[: width - 1].rstrip()}."


def by_value(place: int, sentences: Mapping[Any, str]) -> Teller:
    """A teller that chooses the sentence by the value at `place`; the key `...` is for the rest."""

    def told(words: Words, *values: Any) -> str:
        found = sentences.get(values[place])
        return words.say(sentences[...] if found is None else found, *values)

    return told


PROBABLY: Final = 50
"""What is so in more of 100 deals is said to be probable."""
SELDOM: Final = 33
"""Of what is so in no more of 100 deals, people say "only": of 49 they do not."""


ALIKE: Final = (
    "Each game that was tried came to the same: that is certain only if all play like normal bots."
)
"""Said of what looks certain, where many games that were tried are one and the same."""


def may_be_beaten(words: Words, seat: Seat, of_100: int) -> str:
    """A reason for cards: who of the others is likeliest to beat them, in how many of 100 deals."""
    if not of_100:
        return "nobody can beat it"
    if of_100 > PROBABLY:
        return f"{words.who(seat)} probably holds what beats it ({of_100} of 100 deals)"
    return f"{words.who(seat)} holds what beats it {in_deals(of_100)}"


def in_deals(of_100: int) -> str:
    """In how many of 100 deals something happens that nobody wants."""
    return f"in {'only ' if of_100 <= SELDOM else ''}{of_100} of 100 deals"


@dataclass(frozen=True, slots=True)
class CardStyle:
    """How a game writes cards: by the names of the faces, their last letter as a symbol.

    `spell(card, ascii)` writes them in another way; `ascii` asks for letters only.
    """

    suits: str = SUITS
    letters: str = SUIT_LETTERS
    spell: Spell | None = None

    def card(self, card: Card, ascii: bool) -> str:  # noqa: A002
        """A card as people read it: 7♦, or 7D."""
        if self.spell is not None:
            return self.spell(card, ascii)
        name, suit = card.name, card.suit
        if ascii or not 0 <= suit < len(self.suits) or name[-1] != self.letters[suit]:
            return name
        return name[:-1] + self.suits[suit]

    def suit(self, suit: int, ascii: bool) -> str:  # noqa: A002
        """One suit."""
        return (self.letters if ascii else self.suits)[suit]


def say_winners(names: Sequence[str]) -> str:
    """Say that these people win: "Ann wins", "Ann and Cy win", "Nobody wins".

    >>> say_winners(["Ann", "Cy"]), say_winners([])
    ('Ann and Cy win', 'Nobody wins')
    """
    return f"{listed(names) if names else 'Nobody'} win{'s' if len(names) < 2 else ''}"


USUAL: Final = CardStyle()


@dataclass(slots=True)
class Words(Formatter):
    """The players' names, how cards are written, and the reader (`seat`, NO_SEAT for anybody).

    `say` fills a sentence in.  A format spec says what a value is: `{0:who}` a seat by its
    name, `{0:people}` several, `{1:card}`, `{1:cards}`, `{1:suit}`, `{2:n chip}` a number of
    them, `{0:each}` and `{0:each+}` a number for every player, `{1:wins}` the winners of the game.
    A game adds its own in `specs`; any other spec means what Python says.
    """

    names: Sequence[str]
    style: CardStyle = USUAL
    ascii: bool = False
    seat: Seat = NO_SEAT
    specs: Mapping[str, Teller] = field(default_factory=dict)

    def say(self, template: Sentence, *values: Any) -> str:
        """The sentence about these values."""
        return (
            self.vformat(template, values, {})
            if isinstance(template, str)
            else template(self, *values)
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        """One value as its spec says."""
        if format_spec.startswith("n "):
            return counted(value, format_spec[2:])
        teller = self.specs.get(format_spec) or _SPECS.get(format_spec)
        return format(value, format_spec) if teller is None else teller(self, value)

    def who(self, seat: Seat) -> str:
        """A player by name."""
        return self.names[seat]

    def subject(self, seat: Seat) -> str:
        """A player as a sentence begins: "You" for the reader."""
        return "You" if seat == self.seat else self.who(seat)

    def whose(self, seat: Seat) -> str:
        """A player as owner: "your", "Ann's"."""
        return "your" if seat == self.seat else f"{self.who(seat)}'s"

    def does(self, seat: Seat, verb: str) -> str:
        """Somebody does something: "You lead", "Ann leads"."""
        return f"You {verb}" if seat == self.seat else f"{self.who(seat)} {verb}s"

    def people(self, seats: Iterable[Seat]) -> str:
        """Several players: "Ann, Bo and Cy"."""
        return listed(self.who(seat) for seat in seats)

    def card(self, card: Card) -> str:
        """One card."""
        return self.style.card(card, self.ascii)

    def cards(self, cards: Iterable[Card]) -> str:
        """Several cards in a row."""
        return " ".join(map(self.card, cards))

    def suit(self, suit: int) -> str:
        """One suit."""
        return self.style.suit(suit, self.ascii)

    def each(self, values: Sequence[object], spec: str = "") -> str:
        """A value for every player: "Ann 3, Bo 1"."""
        pairs = zip(self.names, values, strict=True)
        return ", ".join(f"{name} {value:{spec}}" for name, value in pairs)

    def wins(self, seats: Sequence[Seat]) -> str:
        """Say that these seats win: "Ann wins", "Ann and Cy win", "Nobody wins"."""
        return say_winners([self.who(seat) for seat in seats])


_SPECS: Final[Mapping[str, Teller]] = {
    "who": Words.who,
    "people": Words.people,
    "card": Words.card,
    "cards": Words.cards,
    "suit": Words.suit,
    "each": Words.each,
    "each+": lambda words, values: words.each(values, "+"),
    "wins": Words.wins,
}
