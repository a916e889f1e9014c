"""Where a compiled engine differs: what classes say about themselves, compiled or not."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from engine import acts, question, sets, simulate
from engine.compiling import hints, is_compiled, slots, uncover
from engine.games import NAMES, load
from engine.question import LayDown, Play, Question
from engine.session import Session
from engine.table import Table
from engine.view import View

COMPILED = os.environ.get("NODEALER_COMPILED") == "1"

SOURCE = """
from __future__ import annotations

from engine.cards import Card

class Other:
    __slots__ = ("left",)

class Board:
    __slots__ = ("card", "seats")
    seats: int
    card: Card | None
"""


def table_of(name: str) -> type[Table]:
    game = load(name)
    return type(game.table(min(game.seats), game.defaults()))


@dataclass(slots=True, eq=False)
class Extended(Table):
    """A table of another package, which is never compiled."""

    own: list[int] = field(default_factory=list)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Any]:
    """A module whose class says no more about itself than a compiled one would."""
    path = tmp_path / "made.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("made", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["made"] = module
    spec.loader.exec_module(module)
    module.Board.__mypyc_attrs__ = ("card", "seats")
    module.Board.__annotations__ = {"seats": int, "card": type}
    module.Board.__slots__ = ()
    yield module
    del sys.modules["made"]


def test_the_engine_is_compiled_where_that_was_asked_for() -> None:
    """So that `make test-compiled` never tests the interpreted engine in this folder."""
    for cls in (Session, Table, View, Play, *map(table_of, NAMES)):
        assert is_compiled(cls) is COMPILED, cls
    assert Path(simulate.__file__).suffix == (".so" if COMPILED else ".py")


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_a_table_has_its_annotation(name: str) -> None:
    cls = table_of(name)
    found = hints(cls)
    assert {part.name for part in fields(cls)} == set(found)
    assert found["locks"] == list[int]
    assert COMPILED or found == get_type_hints(cls)


def test_a_table_of_another_package_extends_that_of_the_engine() -> None:
    first, second = Extended(2), Extended(3, own=[4])
    hand = first.zone("hand", 1)
    assert first.zones == [hand]
    assert second.zones == []
    assert second.copy().own == [4]
    assert second.digest() != Extended(3).digest()
    with pytest.raises(AttributeError):
        second.misspelt = 1  # type: ignore[attr-defined]


def kinds() -> set[type[Question[Any]]]:
    """The kinds of questions that the engine has."""
    return {
        thing
        for module in (acts, question, sets)
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Question)
    }


@pytest.mark.parametrize("kind", sorted(kinds(), key=lambda kind: kind.__name__))
def test_a_kind_of_another_package_extends_any_of_the_engine(kind: type[Question[Any]]) -> None:
    class Own(kind):  # type: ignore[misc, valid-type]
        __slots__ = ()

        def why_not(self, table: Table, answer: object) -> str | None:
            return "never"

    assert not is_compiled(Own)
    assert Own.__new__(Own).why_not(Table(2), None) == "never"


def test_a_compiled_class_is_read_in_its_source(made: Any) -> None:
    found = hints(made.Board)
    assert found == {"seats": int, "card": made.Card | None}
    assert list(found) == ["seats", "card"]
    assert slots(made.Board) == ("card", "seats")
    assert slots(LayDown) == ("count", "deciders", "seat", "zone")


def test_slots_that_hide_a_compiled_attribute_go_and_others_stay(made: Any) -> None:
    class Hiding(made.Board):  # type: ignore[misc]
        __slots__ = ("card", "own")

        def seats(self) -> int:
            return 2

    shown = Hiding.__mro__[1].__dict__["card"]
    uncover(Hiding)
    assert Hiding.card is shown
    assert "own" in vars(Hiding)
    assert "seats" in vars(Hiding)
