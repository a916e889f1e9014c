"""The text of a public state, and where two of them differ first."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.games import NAMES, load
from engine.testing import _Played
from p2p.files.state_file import (
    Difference,
    StateTextError,
    first_difference,
    read_state,
    state_text,
)

TABLE = bytes(range(32))


def in_the_middle(name: str) -> Any:
    """The table of a game after some answers."""
    game = load(name)
    played = _Played(game, min(game.seats) + 1, {}, Random(name))
    assert len(list(islice(played.questions(), 40))) == 40
    return played.session.table


@pytest.mark.parametrize("name", NAMES)
def test_equal_states_give_equal_texts(name: str) -> None:
    table = in_the_middle(name)
    text = state_text(TABLE, 12, table)
    assert text == state_text(TABLE, 12, table.copy())
    said = read_state(text)
    assert (said.table, said.step, said.digest) == (TABLE.hex(), 12, table.digest().hex())
    assert said.fields == table.state()


@pytest.mark.parametrize("name", NAMES)
def test_one_field_that_differs_is_found(name: str) -> None:
    """Each number of the table in turn; the digest, which is all that is signed, differs too."""
    table = in_the_middle(name)
    numbers = [field for field, value in table.state().items() if type(value) is int]
    assert numbers
    for field in numbers:
        other = table.copy()
        setattr(other, field, getattr(other, field) + 1)
        assert other.digest() != table.digest()
        one, two = (read_state(state_text(TABLE, 3, each)) for each in (table, other))
        value = getattr(table, field)
        assert first_difference(one.fields, two.fields) == Difference(field, value, value + 1)


def test_a_card_that_lies_elsewhere_is_found() -> None:
    table = in_the_middle("flip-over")
    other = table.copy()
    other.beside[1].reverse()
    found = first_difference(table.state(), other.state())
    assert found == Difference("beside[1].slots[0]", table.beside[1][0], table.beside[1][-1])


@pytest.mark.parametrize(
    ("one", "other", "place"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b"),
        ({"a": [1]}, {"a": [1, 2]}, "a"),
        ({"a": 1}, {"b": 1}, ""),
        ([None], [0], "[0]"),
    ],
)
def test_where_values_differ(one: Any, other: Any, place: str) -> None:
    found = first_difference(one, other)
    assert found is not None
    assert found.place == place
    assert first_difference(one, one) is None


def test_no_hand_is_in_the_text() -> None:
    """Only faces that everybody knows are written."""
    table = in_the_middle("flip-over")
    faces = read_state(state_text(TABLE, 3, table)).fields["faces"]
    hidden = [slot for hand in table.hands for slot in hand]
    assert hidden
    assert [faces[slot] for slot in hidden] == [None] * len(hidden)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a letter\n",
        "nodealer state 1\n",
        "nodealer state 1\ntable aa\nstep x\ndigest bb\n",
        "nodealer state 1\ntable aa\nstep 1\ndigest bb\nscores = [1,\n",
        "nodealer state 1\ntable aa\nstep 1\ndigest bb\nscores\n",
        "nodealer state 1\ntable aa\nstep 1\ndigest bb\nscores = " + "[" * 100_000 + "\n",
    ],
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(StateTextError):
        read_state(text)
