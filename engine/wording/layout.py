"""The table as lines: what lies in the middle, a row for each seat, the reader's own hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from engine.cards import Card
from engine.table import Table
from engine.table_state import GONE, LEAVES, TableState
from engine.wording.scene import Scene
from engine.wording.words import clip, counted
from engine.zone import Seat, Zone

T = TypeVar("T", bound=Table)
WIDTH: Final = 80
NAME: Final = 16
"""The room for a seat's name and its " (you)"."""
LEFT: Final = "left"
"""What is said of a player who has left for good."""
LOST: Final = "lost"
"""What is said of a player who did not say so, after the others went on without him."""


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A column of the rows of seats: a number to the right, or (width 0) text to the end.

    A screen puts the heading before the number, or after it where it says what is `counted`
    ("7 cards"); `short` is the heading where there is little room.  A column that is `in_middle`
    is left out there: its cards are drawn in the middle of the table (`Wording.trick` or `laid`).
    `chips`: the number is one of chips.
    """

    heading: str
    of: Callable[[Scene[T], Seat], object]
    width: int = 5
    short: str | None = None
    counted: bool = False
    in_middle: bool = False
    chips: bool = False

    def cell(self, text: object) -> str:
        """The text as the column shows it."""
        return f" {text!s:>{self.width}}" if self.width else f"   {text}"


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards that are compared, and who laid each, in order; `won` once it is decided.

    `best` is who wins it as the cards lie.
    """

    cards: Sequence[tuple[Seat, Card]]
    won: bool
    best: Seat | None = None


@dataclass(frozen=True, slots=True)
class CardSet:
    """Cards that lie beside each other, the last on top; None is one that lies face down.

    `label` says what they are, and `seat` whose; of a pile, of which `cards` are the top ones,
    `count` says how many there are.
    """

    cards: Sequence[Card | None]
    label: str = ""
    seat: Seat | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Disc:
    """A token on the table that lies with one of two sides up: `good` counts for its owner.

    `current`: it is played for now; `owner` has taken it.
    """

    label: str
    good: bool
    current: bool = False
    owner: Seat | None = None


NOTHING: Final[Mapping[Seat, str]] = MappingProxyType({})
"""Beside no name stands anything."""


@dataclass(frozen=True, slots=True)
class TableText:
    """A table in words; `rows` have a cell for each column after the name, `turn` is whose.

    `empty` says why chairs are empty: LEFT or LOST.  `beside` is what stands beside other names.
    """

    headline: str
    middle: Sequence[str]
    columns: Sequence[Column[Any]]
    names: Sequence[str]
    rows: Sequence[Sequence[str]]
    turn: Seat | None
    you: Seat | None
    hand: str | None
    empty: Mapping[Seat, str] = field(default_factory=dict)
    beside: Mapping[Seat, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """At most 80 columns each."""
        heading = "".join(column.cell(column.heading) for column in self.columns)
        lines = [self.headline, *self.middle, "", f"  {'Seat':{NAME}}{heading}"]
        lines += [self._row(seat) for seat in range(len(self.names))]
        if self.hand is not None:
            lines += ["", f"Your hand: {self.hand}"]
        return [part for line in lines for part in fit(line)]

    def _row(self, seat: Seat) -> str:
        said = " (you)" if seat == self.you else self.beside.get(seat, "")
        said = in_brackets(self.empty[seat]) if seat in self.empty else said
        name = clip(self.names[seat], NAME - len(said)) + said
        pairs = zip(self.columns, self.rows[seat], strict=True)
        cells = "".join(column.cell(cell) for column, cell in pairs)
        return f"{'>' if seat == self.turn else ' '} {name:{NAME}}{cells}"


def fit(line: str, indent: str = "  ", width: int = WIDTH) -> list[str]:
    """The line, wrapped if it is longer than this; rows that continue it begin with `indent`."""
    line = line.rstrip()
    if len(line) <= width:
        return [line]
    return wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)


CHAIRS: Final[Mapping[object, str]] = {LEAVES: LEFT, GONE: LOST}
"""The same by the note that tells of it."""


def chair_of(note: tuple[object, ...]) -> dict[Seat, str]:
    """Whose chair is empty from this note on, and why; nobody's if it tells something else."""
    word, *rest = note
    return {rest[0]: CHAIRS[word]} if word in CHAIRS and isinstance(rest[0], int) else {}


def empty_chairs(left: Iterable[Seat], lost: Iterable[Seat]) -> dict[Seat, str]:
    """Why the chairs of these seats are empty."""
    return {**dict.fromkeys(left, LEFT), **dict.fromkeys(lost, LOST)}


def chairs_of(table: TableState) -> dict[Seat, str]:
    """Which chairs are empty at a table, and why."""
    return empty_chairs(table.lost, table.voted_out)


def in_brackets(said: str) -> str:
    """What stands beside a name."""
    return f" ({said})"


def with_chairs(
    names: Sequence[str], empty: Mapping[Seat, str], beside: Mapping[Seat, str] = NOTHING
) -> list[str]:
    """The names with what stands beside them; where a chair is empty, why it is."""
    marks = {**beside, **{seat: in_brackets(why) for seat, why in empty.items()}}
    return [name + marks.get(seat, "") for seat, name in enumerate(names)]


def zones_in_the_middle(scene: Scene[Any]) -> list[str]:
    """Every zone that nobody owns: how many cards, and the top one if all know it."""
    return [_zone(scene, zone) for zone in scene.table.zones if zone.owner is None]


def _zone(scene: Scene[Any], zone: Zone) -> str:
    top = scene.table.faces[zone[-1]] if zone else None
    shown = "" if top is None else f", {scene.card(top)} on top"
    return f"{zone.name.capitalize()}: {counted(len(zone), 'card')}{shown}"


def zones_of_seats(table: Table) -> tuple[Column[Any], ...]:
    """A column for each kind of zone that seats have: how many cards are in it."""
    names = list(dict.fromkeys(zone.name for zone in table.zones if zone.owner is not None))
    return tuple(Column(name, _size(name), max(5, len(name))) for name in names)


def _size(name: str) -> Callable[[Scene[Any], Seat], object]:
    def size(scene: Scene[Any], seat: Seat) -> object:
        zones = scene.table.zones
        return sum(len(zone) for zone in zones if zone.owner == seat and zone.name == name)

    return size


def known_hand(scene: Scene[Any]) -> str:
    """The readable cards of the reader's own zones, by suit and rank."""
    own = [slot for zone in scene.table.zones if zone.owner == scene.seat for slot in zone]
    cards = scene.view.cards(slot for slot in own if scene.view.knows(slot))
    return scene.cards(sorted(cards, key=lambda card: (card.suit, card.rank)))
