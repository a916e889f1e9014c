"""A session beside a game: when cards change places under their slots, what was known ends."""

from __future__ import annotations

from engine.bots.following import Oaths, merged_hands
from engine.cards import Card
from engine.games.flaps.cards import CARDS
from engine.question import Otherwise, Play
from engine.table import Table

OLD, NEW = range(3), 3
"""Slots of a hand: three from the deal, and one that was drawn later."""


def _fits(card: Card) -> bool:
    return card.suit == 0


def _hear(oaths: Oaths, table: Table, asked: Play, answer: object) -> None:
    oaths.hear(table, asked, answer, [*merged_hands(table, asked, answer)])


def _sworn_and_drawn() -> tuple[Table, Play, Oaths]:
    """Seat 0 swore that none of its first cards fits, and drew another one after that."""
    table, oaths = Table(2), Oaths()
    table.faces, table.locks = [None] * 4, [0] * 4
    hand = table.zone("hand", 0)
    hand.extend(OLD)
    asked = Play(0, hand, _fits, Otherwise.ANY_SWORN)
    other = next(card for card in CARDS if not _fits(card))
    _hear(oaths, table, asked, (NEW, other))
    hand.append(NEW)
    return table, asked, oaths


def test_an_oath_does_not_outlive_a_reshuffle_inside_an_entry() -> None:
    """Protocol section 5: a play merges hidden slots of two histories, before it names one."""
    table, asked, oaths = _sworn_and_drawn()
    assert all(oaths.of(slot) == [_fits] for slot in OLD)
    fitting = next(card for card in CARDS if _fits(card))
    _hear(oaths, table, asked, (0, fitting))
    assert not any(oaths.of(slot) for slot in (*OLD, NEW))


def test_a_pass_reshuffles_nothing() -> None:
    table, asked, oaths = _sworn_and_drawn()
    _hear(oaths, table, asked, None)
    assert all(_fits in oaths.of(slot) for slot in OLD)
