"""What is to be drawn of a table: plain data, without any control code or screen library.

The presenter makes it, the layout draws it; replay and exports may do either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cli.kit.tokens import Token
from engine.cloths import HOUSE

NO_SUIT: Final = -1
"""The suit of a card that has none, or that nobody sees."""


ENTER: Final = " (Enter)"
"""Stands behind the choice that Enter takes in a race."""


class Heading(str):
    """A line of the story that heads those that follow it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card of one's own hand; `picked` is its place among several that are chosen, from 1.

    `down` while it is being dealt: its back is shown.  `new`: it came since one's last decision.
    """

    name: str
    suit: int = NO_SUIT
    title: str = ""
    playable: bool = False
    cursor: bool = False
    picked: int = 0
    down: bool = False
    new: bool = False


@dataclass(frozen=True, slots=True)
class PileShown:
    """A pile in the middle; `top` is empty if the top card lies face down.

    If a pile has no cards, only its place is kept.
    A card of the trick is a pile of its own: its label says who laid it, and it has no count;
    `past` once the trick is won and nobody has led to the next.
    `turning`: the top card is just being turned over; its name is already seen.
    `under` are cards that are seen below the top one, the lowest first; `lit`: it wins as things
    are; `owner` is the number of the player whose it is; `chips`: it is a stack of chips.
    """

    label: str
    count: int | None
    top: str = ""
    suit: int = NO_SUIT
    past: bool = False
    turning: bool = False
    under: tuple[CardShown, ...] = ()
    lit: bool = False
    owner: int | None = None
    chips: bool = False


class Sliding(NamedTuple):
    """Cards on their way from the middle to who takes them, the winning one on top.

    `across` and `down` say where that is (-1, 0, 1); `part` how much of the way lies behind them.
    """

    cards: PileShown
    across: int
    down: int
    part: float


@dataclass(frozen=True, slots=True)
class NumberShown:
    """A number of a seat under its heading, or beside what is `counted`: "7 cards".

    `short` is the heading if there is little room; `chips`: it is a number of chips.
    """

    heading: str
    value: str
    short: str | None = None
    counted: bool = False
    chips: bool = False

    def said(self, *, shorter: bool) -> str:
        """The number with its heading."""
        short = self.heading if self.short is None else self.short
        heading = short if shorter else self.heading
        if not self.counted:
            return f"{heading} {self.value}".strip()
        return f"{self.value} {heading.removesuffix('s') if self.value == '1' else heading}"


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat: its numbers, one text to the end of the line, link and proofs.

    `link` is what is worth saying of the link: "via Ana", "lost, retrying", "" if it is direct
    and quick, or nothing is known; `proof` is "proofs check", "caught" or "".  `number` is the
    seat's, for its colour.  `empty` says why nobody sits there any more: "left" or "lost".
    """

    name: str
    number: int = 0
    you: bool = False
    turn: bool = False
    numbers: tuple[NumberShown, ...] = ()
    text: str = ""
    link: str = ""
    lost: bool = False
    proof: str = ""
    bot: bool = False
    empty: str = ""


class ChoiceShown(NamedTuple):
    """A choice that is not a card of the hand, or a way to lay the picked cards.

    `key` is the key of a race that takes it at once.
    """

    label: str
    number: int = 0
    cursor: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A page over the table: help, the last events; `top` is the first line that is shown.

    `whole`: the lines are a drawing of up to 80 columns that begins at the edge; `names`: what
    is typed here names a card, and what that does is told.  `said` is what people say, below the
    lines; the newest of it is always seen.  `longer` is the foot where not all lines are seen.
    """

    title: str
    lines: tuple[str, ...]
    top: int = 0
    whole: bool = False
    foot: str = "Up and Down scroll; any other key goes back to the table"
    names: bool = False
    said: tuple[str, ...] = ()
    longer: str = ""


class RankShown(NamedTuple):
    """A player when the game is over; `number` is the seat's, for its colour.

    `said` are the points as they are written; `total` says what the whole evening has brought, if
    there was more than one game; `chair` stands beside the name where nobody sits any more.
    """

    name: str
    number: int
    points: int
    said: str
    you: bool = False
    bot: bool = False
    first: bool = False
    total: str = ""
    chair: str = ""


class ResultShown(NamedTuple):
    """How a game ended: the best first, and how it came to that."""

    title: str
    verdict: str
    ranks: tuple[RankShown, ...]
    moments: tuple[str, ...] = ()
    untold: int = 0
    """How many more moments the story tells."""
    scored: str = ""
    """What the points of a rank are: points, chips, cards."""
    heading: str = ""
    """What is proposed to be played next."""
    offer: tuple[str, ...] = ()
    """More about that."""
    said: tuple[str, ...] = ()
    """What people say since then; the newest of it is always seen."""


@dataclass(frozen=True, slots=True)
class Board:
    """One picture of the table, from where `you` sits (None: from nowhere, as a spectator)."""

    headline: str
    cloth: str = HOUSE
    """What the game is played on (`engine.cloths`)."""
    middle: tuple[str, ...] = ()
    """What is said of the middle of the table."""
    says: bool = True
    """Whether anything is ever said of it in this game: its rows are kept."""
    piles: tuple[PileShown, ...] = ()
    places: int = 0
    """A trick keeps the places of so many cards."""
    row: int = 0
    """So many piles lie in a row in the end; it stays where it begins."""
    tokens: tuple[Token, ...] = ()
    """What says the same as `middle`, if it can be drawn in colours."""
    direction: int = 0
    """Which way turns go now, if that may change: 1 clockwise, -1 the other way."""
    seats: tuple[SeatShown, ...] = ()
    told: bool = False
    """Whether seats of this game may have a text: its row is kept if they have none now."""
    you: int | None = None
    hand: tuple[CardShown, ...] = ()
    holds: bool = True
    """Whether one ever has cards in hand in this game, from here: they keep their place."""
    saved: bool = False
    """Whether this is of a saved game, whose reader is none of those who sit there."""
    hand_note: str = ""
    prompt: str = ""
    yours: bool = False
    """Whether something is asked of the person who looks."""
    choices: tuple[ChoiceShown, ...] = ()
    preview: str = ""
    """What Enter would do now, or why it would be refused."""
    typed: str = ""
    label: str = ""
    """What is being typed: "say" for a chat line, empty for a choice."""
    notice: str = ""
    """An answer to the last key: why not, or a time."""
    events: tuple[str, ...] = ()
    fresh: int = 0
    """How many of the last events have just come."""
    keys: str = ""
    overlay: Overlay | None = field(default=None)
    sets: tuple[PileShown, ...] = ()
    """Sets that were compared; while they are shown, the piles are not."""
    held: bool = False
    """Whether this is how the table was when something ended: `prompt` says what."""
    sliding: Sliding | None = None
    """What has just been taken from the middle."""
    result: ResultShown | None = None
    """The game is over: shown instead of the table."""
