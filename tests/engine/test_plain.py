"""Copies and digests cover every field of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import pytest

from engine.cards import Card
from engine.errors import EngineError
from engine.table import Table
from engine.zone import Zone
from tests.engine.tiny import FACES


class Mood(Enum):
    CALM = 1
    WILD = 2


@dataclass(frozen=True)
class Attack:
    by: int
    card: Card | None


@dataclass
class Tally:
    hits: list[int]
    target: Zone


@dataclass(slots=True, eq=False)
class Everything(Table):
    stock: Zone | None = None
    hands: list[Zone] = field(default_factory=list)
    by_name: dict[str, Zone] = field(default_factory=dict)
    word: str = ""
    mood: Mood = Mood.CALM
    attack: Attack | None = None
    tally: Tally | None = None
    pairs: list[tuple[int, Card]] = field(default_factory=list)
    grid: list[list[int]] = field(default_factory=list)
    best: int | None = None
    homes: tuple[Zone, ...] = ()
    one: tuple[int, str] = (0, "")
    halves: tuple[list[int], Zone] | None = None


def everything() -> Everything:
    table = Everything(2)
    table.faces, table.locks = [FACES[0], None], [-2, -1]
    table.stock = table.zone("stock")
    table.hands = [table.zone("hand", 0), table.zone("hand", 1)]
    table.stock.extend([0, 1])
    table.by_name = {"stock": table.stock}
    table.attack, table.tally = Attack(1, FACES[2]), Tally([1, 2], table.hands[1])
    table.pairs, table.grid = [(1, FACES[1])], [[1], [2, 3]]
    table.homes = (table.hands[1], table.stock)
    table.halves = ([1], table.hands[0])
    return table


CHANGES = {
    "seats": lambda t: setattr(t, "seats", 3),
    "faces": lambda t: t.faces.__setitem__(1, FACES[5]),
    "locks": lambda t: t.locks.__setitem__(1, 0),
    "zones": lambda t: t.zones[2].append(t.zones[0].pop()),
    "order": lambda t: t.zones[0].reverse(),
    "over": lambda t: setattr(t, "over", True),
    "stock": lambda t: setattr(t, "stock", None),
    "hands": lambda t: t.hands.reverse(),
    "by_name": lambda t: t.by_name.__setitem__("hand", t.hands[0]),
    "word": lambda t: setattr(t, "word", "x"),
    "mood": lambda t: setattr(t, "mood", Mood.WILD),
    "attack": lambda t: setattr(t, "attack", Attack(1, None)),
    "tally": lambda t: t.tally.hits.append(3),
    "pairs": lambda t: t.pairs.append((2, FACES[1])),
    "grid": lambda t: t.grid[0].append(9),
    "best": lambda t: setattr(t, "best", 0),
    "homes": lambda t: setattr(t, "homes", t.homes[:1]),
    "one": lambda t: setattr(t, "one", (0, "y")),
    "halves": lambda t: t.halves[0].append(2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_a_copy_is_seen_in_its_digest_and_nowhere_else(change: str) -> None:
    table = everything()
    before = table.digest()
    copy = table.copy()
    assert copy.digest() == before
    assert copy.state() == table.state()
    CHANGES[change](copy)
    assert copy.digest() != before
    assert copy.state() != table.state()
    assert table.digest() == before
    assert table.state() == everything().state()


def test_a_copy_links_its_own_zones() -> None:
    table = everything()
    copy = table.copy()
    assert copy.stock is copy.zones[0] is copy.by_name["stock"] is copy.homes[1]
    assert copy.tally is not None
    assert copy.hands[1] is copy.zones[2] is copy.tally.target
    assert copy.halves is not None
    assert copy.halves[1] is copy.hands[0]
    assert copy.zones[0] is not table.zones[0]
    assert (copy.hands[1].name, copy.hands[1].owner, copy.hands[1].id) == ("hand", 1, 2)


def test_digests_show_no_copy_of_a_face() -> None:
    table, other = everything(), everything()
    twin = Card(FACES[0].id, FACES[0].name, FACES[0].suit, FACES[0].rank)
    other.faces[0] = twin
    assert other.digest() == table.digest()


@dataclass(slots=True, eq=False)
class Speeds(Table):
    of: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Speed(Table):
    of: float = 0.5


@pytest.mark.parametrize("wrong", [Speeds, Speed])
def test_a_field_that_is_not_plain_is_refused(wrong: type[Table]) -> None:
    with pytest.raises(EngineError, match="not plain"):
        wrong(2).digest()
    with pytest.raises(EngineError, match="not plain"):
        wrong(2).copy()
