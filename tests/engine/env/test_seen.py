"""What a seat observes: what its view says, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any

import pytest

from engine.cards import Card, Deck
from engine.env.actions import Actions
from engine.env.checking import observed, others_hidden
from engine.env.fields import columns
from engine.env.seen import ASKED_BYTES, LARGEST, Sight
from engine.env.told import LEFT_OUT, LONGEST, Telling
from engine.errors import EngineError
from engine.game import Options
from engine.question import Choose, Question
from engine.table import Table
from engine.table_state import JOINT, OPEN
from engine.view import SPECTATOR, View
from engine.zone import Zone
from tests.engine.env.walk import IDS, TABLES, started, walked


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_cards_that_a_seat_cannot_see_change_no_observation_and_no_text(
    name: str, seats: int, options: Options
) -> None:
    playing = started(name, seats, options, 2, notes=True)
    telling, met = Telling(playing, [f"player_{seat}" for seat in range(seats)]), 0
    for number, at in enumerate(walked(playing, 3, 200)):
        telling.hear()
        if number % 9:
            continue
        for seat, view in enumerate(at.views):
            honest = observed(at, view), telling.text(seat)
            with others_hidden(at, view) as different:
                assert (observed(at, view), telling.text(seat)) == honest
            met += different > 1
    assert met > 5


def test_other_cards_that_it_can_see_would_be_noticed() -> None:
    playing = started("flip-over", 3, {}, 2)
    cards, view = playing.dealer.truth.cards, playing.views[0]
    first, second = playing.session.table.zones[1][:2]
    honest = observed(playing, view)
    cards[first], cards[second] = cards[second], cards[first]
    assert observed(playing, view) != honest


def test_rows_say_how_wide_they_are_and_what_may_stand_in_them() -> None:
    at = started("flip-over", 3, {}, 2)
    rows, table = at.setting.sight.rows, at.session.table
    assert table.deck is not None
    cards = len(table.deck)
    assert {name: tuple(row) for name, row in rows.items()} == {
        "seat": (1, 0, 2),
        "asked": (3, 0, 2),
        "question": (ASKED_BYTES, 0, 255),
        "window": (1, 0, LARGEST),
        "said": (cards + 2, 0, at.setting.sight._actions.count),
        "faces": (cards, 0, len(table.deck.faces)),
        "zones": (cards, 0, len(table.zones)),
        "places": (cards, 0, cards - 1),
        "readers": (cards, 0, 4),
    }


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_every_card_that_a_seat_knows_is_seen_where_it_lies(
    name: str, seats: int, options: Options
) -> None:
    for at in walked(started(name, seats, options, 5), 6, 100):
        table, sight = at.session.table, at.setting.sight
        for seat, view in enumerate(at.views):
            seen = at.seen(seat)
            assert {row: len(values) for row, values in seen.items()} == {
                row: made.width for row, made in sight.rows.items()
            }
            for row, made in sight.rows.items():
                assert made.low <= min(seen[row]) <= max(seen[row]) <= made.high, row
            for slot, face in enumerate(seen["faces"]):
                known = view.recall(slot)
                assert face == (0 if known is None else known.id + 1)
            for number, zone in enumerate(table.zones, 1):
                lying = [slot for slot, where in enumerate(seen["zones"]) if where == number]
                assert sorted(lying, key=seen["places"].__getitem__) == list(zone)
            for slot, reader in enumerate(seen["readers"]):
                assert reader == {-1: 0, OPEN: 1}.get(table.locks[slot], table.locks[slot] + 2)


def test_what_a_seat_once_saw_is_seen_as_long_as_it_lies_there() -> None:
    """In Flaps a card that was looked at may lie on under everybody's lock."""
    for at in walked(started("flaps", 4, {"level": 7}, 1), 2):
        for seat, view in enumerate(at.views):
            for slot in range(len(view.table.faces)):
                if not view.knows(slot) and view.table.has_seen(seat, slot):
                    assert at.seen(seat)["faces"][slot] == at.dealer.truth.cards[slot].id + 1
                    return
    raise AssertionError("nobody remembered a card")


def test_who_is_asked_for_what() -> None:
    playing = started("flop-a", 3, {}, 1)
    assert playing.turn is not None
    seat, asked, _ = playing.turn
    seen = playing.seen(seat)
    assert seen["seat"] == [seat]
    assert seen["asked"] == [2 * (other == seat) for other in range(3)]
    assert bytes(seen["question"]).rstrip(b"\0").decode() == f"choose: {asked.topic}"
    assert seen["window"] == [0]
    action = playing.legal()[-1]
    playing.say(action)
    assert playing.seen(seat)["said"][:2] == [action + 1, 0]
    assert set(playing.seen((seat + 1) % 3)["said"]) == {0}


def test_a_race_says_how_long_it_lasts_and_who_races() -> None:
    for at in walked(started("flaps", 3, {"level": 1}, 1), 2):
        assert at.turn is not None
        asked = at.turn.asked
        if asked.timed and asked.lasts_ms():
            seen = at.seen(0)
            assert seen["window"] == [asked.lasts_ms()]
            assert {seat for seat, value in enumerate(seen["asked"]) if value} == {
                *asked.deciders,
                *([] if asked.turn() is None else [asked.turn()]),
            }
            return
    raise AssertionError("nobody raced")


def test_nobody_is_asked_when_the_game_is_over() -> None:
    playing = started("flip-over", 3, {}, 1)
    assert len(list(walked(playing, 2))) > 20
    assert (playing.turn, playing.seat, [*playing.legal()]) == (None, None, [])
    seen = playing.seen(1)
    assert set(seen["asked"]) == set(seen["question"]) == {0}


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Pair:
    left: int
    right: Card | None


FACES = (Card(0, "1C", 0, 1), Card(1, "2C", 0, 2), Card(2, "3C", 0, 3))
DECK = Deck("three", FACES)


@dataclass(slots=True, eq=False)
class Everything(Table):
    """A field of each kind."""

    number: int = -7
    flag: bool = True
    word: str = "x"
    colour: Colour = Colour.BLUE
    card: Card = FACES[2]
    perhaps: Card | None = None
    pile: Zone = field(default_factory=lambda: Zone((), 4, "pile", None))
    piles: list[Zone] = field(default_factory=list)
    other: Deck = DECK
    row: list[int] = field(default_factory=lambda: [5, 6])
    couple: tuple[int, bool] = (8, True)
    grid: list[tuple[int, ...]] = field(default_factory=lambda: [(1, 2)])
    table: dict[int, Card] = field(default_factory=lambda: {9: FACES[1]})
    pair: Pair = field(default_factory=lambda: Pair(3, FACES[0]))


def test_every_kind_of_field_has_a_place_of_its_own() -> None:
    table = Everything(2)
    made = columns(table, DECK)
    written = {name: column.write(getattr(table, name)) for name, column in made.items()}
    assert {name: len(row) for name, row in written.items()} == {
        name: column.width for name, column in made.items()
    }
    assert written.pop("word") == made["word"].write("x") != made["word"].write("y")
    assert written.pop("other") == made["word"].write(DECK.name)
    assert written == {
        "number": [-7],
        "flag": [1],
        "colour": [1],
        "card": [2],
        "perhaps": [0, 0],
        "row": [2, 5, 6, 0],
        "couple": [8, 1],
        "grid": [1, 2, 1, 2, *[0] * 6],
        "table": [1, 9, 1, *[0] * 4],
        "pair": [3, 1, 0],
    }


def test_a_card_out_of_play_lies_nowhere() -> None:
    """Two cards of the deck are in a hand; the first one is in no zone."""
    table = Table(2)
    table.faces, table.locks = [None, FACES[2], None], [JOINT, OPEN, 1]
    table.zone("none", 0)
    table.zone("hand", 1).extend([2, 1])
    view = View(table, 1, FACES.__getitem__)
    seen = Sight(table, DECK, Actions(DECK, 2)).rows_of(view, None, ())
    rows = {row: seen[row] for row in ("faces", "zones", "places", "readers")}
    assert rows == {
        "faces": [0, 3, 3],
        "zones": [0, 2, 2],
        "places": [0, 1, 0],
        "readers": [0, 1, 3],
    }


def test_a_list_that_is_too_long_is_our_fault() -> None:
    table = Everything(2)
    table.row = [0] * 4
    with pytest.raises(EngineError, match="no more than 3"):
        Sight(table, DECK, Actions(DECK, 2)).fields_of(table)
    table.row, table.grid = [0] * 3, [(1, 2, 3)]
    with pytest.raises(EngineError, match="no more than 2"):
        Sight(table, DECK, Actions(DECK, 2)).fields_of(table)


@pytest.mark.parametrize("spare", [0, 1])
def test_a_topic_that_is_too_long_is_our_fault(spare: int) -> None:
    table = Table(2)
    sight = Sight(table, DECK, Actions(DECK, 2))
    asked: Question[Any] = Choose(0, ("a",), "t" * (ASKED_BYTES - len("choose: ") + spare))
    view = View(table, SPECTATOR, FACES.__getitem__)
    if not spare:
        assert min(sight.rows_of(view, asked, ())["question"]) > 0
        return
    with pytest.raises(EngineError, match="question: 97 numbers in a row of 96"):
        sight.rows_of(view, asked, ())
    with pytest.raises(EngineError, match="said: 6 numbers in a row of 5"):
        sight.rows_of(view, None, (1,) * 6)


def test_a_text_tells_what_happened_since_the_seat_decided() -> None:
    playing = started("flop-a", 2, {}, 1, notes=True)
    telling, rng = Telling(playing, ("Ann", "Ben")), Random(3)
    for _ in range(12):
        seat = playing.seat
        assert seat is not None
        telling.hear()
        text = telling.text(seat)
        lines = text.splitlines()
        assert [int(line.partition(":")[0]) for line in lines[-len(playing.legal()) :]] == [
            *playing.legal()
        ]
        assert telling.text(1 - seat).splitlines()[-1] != lines[-1]
        playing.say(rng.choice(playing.legal()))
        if not playing.said:
            telling.decided(seat)
            assert telling.text(seat).splitlines()[0].startswith("Flop-A")
    telling.hear()
    assert not telling.text(0).startswith("Flop-A") or not telling.text(1).startswith("Flop-A")


def test_a_long_text_leaves_out_what_is_oldest() -> None:
    playing = started("flop-a", 2, {}, 1, notes=True)
    telling = Telling(playing, ("Ann", "Ben"))
    for number in range(2000):
        playing.session.table.note("dealt-again")
        if number % 500 == 0:
            telling.hear()
    telling.hear()
    text = telling.text(0)
    assert text.startswith(LEFT_OUT)
    assert LONGEST - 200 < len(text) <= LONGEST


@pytest.mark.parametrize("more", [0, 1])
def test_a_text_is_as_long_as_it_may_be(more: int) -> None:
    """Before anything is left out there is room for the words that say so."""
    telling = Telling(started("flop-a", 2, {}, 1, notes=True), ("Ann", "Ben"))
    now = telling.text(0)
    room = LONGEST - len(now) - len(LEFT_OUT) - 1
    telling._happened.extend([""] * (1 + room + more))
    text = telling.text(0)
    if more:
        assert text.startswith(f"{LEFT_OUT}\n\n")
        assert len(text) == LONGEST
    else:
        assert text == "\n" * room + f"\n{now}"
