"""What the screen says about a table of Flaps: plain lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Final

from engine import question as ask
from engine.games.flaps.calls import CAUGHT, ONE_LEFT
from engine.games.flaps.cards import PRINTED
from engine.games.flaps.duties import ACE_LAY, DOOFER, EIGHT, FIVE, FLAP, KING_LAY
from engine.games.flaps.flapping import FLAPPING
from engine.games.flaps.laying import CALL
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE
from engine.games.flaps.level4 import GUESS
from engine.games.flaps.level5 import WHOSE
from engine.games.flaps.level6 import LOOK_HAND, NOBODY, PLACE, UP
from engine.games.flaps.level7 import WHO
from engine.games.flaps.rulebook import RULES
from engine.games.flaps.table import FlapsTable
from engine.games.flaps.words import (
    SUIT_NAMES,
    cards_of,
    describe_card,
    describe_note,
    needed,
    short_card,
    suit_symbol,
)
from engine.question import PASS, Question, Slot
from engine.view import View

__all__ = [
    "RULES",
    "describe_card",
    "describe_decision",
    "describe_note",
    "describe_question",
    "hand_line",
    "table_lines",
]

WIDTH: Final = 80
NAMING: Final = frozenset({TARGET, WHOSE, PLACE, LOOK_HAND, UP, WHO})
"""Topics whose options are players; other options that are numbers are cards."""


def describe_question(
    view: View,
    question: Question[Any],
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """What is asked now, from where the seat of `view` sits."""
    table = _table(view)
    match question:
        case ask.Race() if question.topic == FLAPPING:
            return "Any more flapping? Lay a FLAP, or pass."
        case ask.Race():
            return "Who is first? " + _awaited(view, table, question, names, ascii)
        case ask.Play():
            return _describe_play(view, table, question, names, ascii)
        case ask.Choose() | ask.LayDown():
            what = question.topic if isinstance(question, ask.Choose) else _down(question.count)
            return _to(view, question.seat, names, what)
        case ask.Together():
            return "All pick a card blind from the hand on their left."
        case _ if not question.deciders:
            return _ACTS[question.kind]
    raise ValueError(f"Flaps asks no such question: {question!r}")


_ACTS: Final = {
    "fresh": "The cards are being shuffled and dealt.",
    "shuffle": "The cards are being shuffled.",
    "reshuffle": "The order of a hand is being hidden.",
    "deal": "Cards are being dealt.",
    "open": "Cards are being turned up.",
    "hand-over": "A card changes hands.",
    "put-back": "The cards of the piles are being gathered.",
    "cut": "The stack is being cut.",
    "flip": "Chance decides.",
}


def _down(count: int) -> str:
    return f"put {cards_of(count)} face down"


def _to(view: View, seat: int, names: Sequence[str], what: str) -> str:
    return f"{'You' if seat == view.seat else names[seat]}: {what}."[:WIDTH]


def _awaited(
    view: View,
    table: FlapsTable,
    race: ask.Race,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> str:
    for claim in race.claims.values():
        play = claim.play if isinstance(claim, ask.Either) else claim
        if isinstance(play, ask.Play):
            return _describe_play(view, table, play, names, ascii)
    return race.topic


def _describe_play(
    view: View,
    table: FlapsTable,
    play: ask.Play,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> str:
    what = _INVITES.get(play.why)
    if what is None and table.owed:
        suit = suit_symbol(table.suit, ascii)
        what = f"lay a {PRINTED[table.rank]}, a QUACK or a 2, 3, 7, 9 of {suit}"
    elif what is None:
        what = f"lay a card ({needed(table.suit, table.rank, ascii)})"
    return _to(view, play.seat, names, f"{what}, or {declined(table, play)}")


_INVITES: Final = {
    EIGHT.why: "lay an 8",
    FLAP.why: "lay a FLAP",
    DOOFER.why: "lay a HOOFERS-DOOFERS",
    FIVE.why: "dump one more five",
    KING_LAY.why: "lay one more King, club, OL' MAID or Ace",
    ACE_LAY[0].why: "lay one more black card or an Ace",
    ACE_LAY[1].why: "lay one more red card or an Ace",
}
"""What a player is invited to lay, by the sentence for a card that may not be laid."""
LAYING_ON: Final = {FIVE.why, FLAP.why}
"""Where laying nothing costs nothing."""


def declined(table: FlapsTable, play: ask.Play) -> str:
    """What a player does who lays nothing."""
    if table.miss:
        return "knock"
    if table.owed and play.seat == table.turn:
        return f"pick up {table.owed}"
    return "lay nothing" if play.why in LAYING_ON else "pick up"


def describe_decision(
    view: View,
    question: Question[Any],
    decision: Any,
    names: Sequence[str],
    *,
    ascii: bool = False,  # noqa: A002
) -> str:
    """One decision of `question` as a choice in a list."""
    table = _table(view)
    match question:
        case ask.Race():
            claim: Question[Any] = question.claims[view.seat]
            if decision is PASS and not isinstance(claim, ask.Play | ask.Either):
                return "say nothing"
            return describe_decision(view, claim, decision, names, ascii=ascii)
        case ask.Either() if decision is not PASS and decision < 0:
            said = ask.said(decision)
            return describe_decision(view, question.calls, said, names, ascii=ascii)
        case ask.Either():
            return describe_decision(view, question.play, decision, names, ascii=ascii)
        case ask.Play() if decision is PASS:
            return "pass" if table.flapping else declined(table, question)
        case ask.Play():
            return describe_card(view.face(decision), ascii=ascii)
        case ask.LayDown():
            return ", ".join(describe_card(view.face(slot), ascii=ascii) for slot in decision)
        case ask.Together():
            return f"card {decision + 1}"
        case ask.Choose():
            return _option(view, question, decision, names, ascii)
    raise ValueError(f"Flaps asks no such question: {question!r}")


def _option(
    view: View,
    question: ask.Choose,
    decision: int,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> str:
    option: Any = question.options[decision]
    match question.topic:
        case str(topic) if topic in (CALL, DECLARE):
            return SUIT_NAMES[option]
        case str(topic) if topic in (GUESS, ONE_LEFT):
            return str(option)
    if option is None or option == NOBODY:
        return "no"
    if isinstance(option, tuple):
        return _pair(view, option, names, ascii)
    if question.topic in NAMING:
        return str(names[option])
    return _slot(view, option, decision, ascii)


def _pair(view: View, option: Any, names: Sequence[str], ascii: bool) -> str:  # noqa: A002
    """A call with its culprit, or a place in the piles."""
    first, second = option
    if isinstance(first, str):
        return f"{first} ({names[second]})" if first == CAUGHT else first
    place = _table(view).down[first].index(second) + 1
    return f"{names[first]}, place {place}: {_face(view, second, ascii)}"


def _slot(view: View, slot: Slot, place: int, ascii: bool) -> str:  # noqa: A002
    face = _face(view, slot, ascii)
    return f"card {place + 1}" if face == "?" else f"card {place + 1}: {face}"


def _face(view: View, slot: Slot, ascii: bool) -> str:  # noqa: A002
    return describe_card(view.face(slot), ascii=ascii) if view.knows(slot) else "?"


def table_lines(view: View, names: Sequence[str], *, ascii: bool = False) -> list[str]:  # noqa: A002
    """The whole table: what lies on top, seats and piles, one's own hand."""
    table = _table(view)
    lines = [_headline(table), _top_line(table, ascii), ""]
    lines += _seat_lines(view, table, names, ascii)
    if 0 <= view.seat < table.seats:
        hand = f"Your hand: {hand_line(view, ascii=ascii)}"
        lines += ["", *wrap(hand, WIDTH, subsequent_indent="  ", break_on_hyphens=False)]
    return [line[:WIDTH].rstrip() for line in lines]


def hand_line(view: View, *, ascii: bool = False) -> str:  # noqa: A002
    """One's own cards by suit and number."""
    cards = view.cards(_table(view).hands[view.seat])
    cards.sort(key=lambda card: (card.suit, card.rank, card.id))
    return " ".join(short_card(card, ascii) for card in cards)


def _headline(table: FlapsTable) -> str:
    if table.over:
        return f"Flaps   level {table.level}   session over"
    mystery = f"   Mystery Pile {len(table.mystery[0])}" if table.mystery else ""
    way = "clockwise" if table.direction > 0 else "anticlockwise"
    return f"Flaps   level {table.level}   {way}   stack {len(table.stock)}{mystery}"


def _top_line(table: FlapsTable, ascii: bool) -> str:  # noqa: A002
    if not table.discard:
        return "Nothing is laid yet."
    top = describe_card(table.face(table.discard[-1]), ascii=ascii)
    pending = ""
    if table.owed:
        pending = f"   attack: {table.owed} to pick up"
    elif table.miss:
        pending = "   knock or lay an 8"
    elif table.flapping:
        pending = "   FLAPPING"
    return f"Top: {top}   follow {needed(table.suit, table.rank, ascii)}{pending}"


def _seat_lines(
    view: View,
    table: FlapsTable,
    names: Sequence[str],
    ascii: bool,  # noqa: A002
) -> list[str]:
    heading = "  Seat           cards  wins" + ("   1-DOWN cards" if table.down else "")
    lines = [heading]
    for seat in range(table.seats):
        name = names[seat] + (" (you)" if seat == view.seat else "")
        turn = ">" if seat == table.turn and table.playing else " "
        pile = _pile(view, table, seat, ascii) if table.down else ""
        lines.append(
            f"{turn} {name[:14]:14} {len(table.hands[seat]):5} {table.wins[seat]:5}   {pile}"
        )
    return lines


def _pile(view: View, table: FlapsTable, seat: int, ascii: bool) -> str:  # noqa: A002
    """The pile from bottom to top: faces that lie up, and in brackets those one has seen."""
    shown = []
    for slot in table.down[seat]:
        if slot in table.face_up:
            shown.append(short_card(table.face(slot), ascii))
        elif view.knows(slot):
            shown.append(f"({short_card(view.face(slot), ascii)})")
        else:
            shown.append("?")
    return " ".join(shown)


def _table(view: View) -> FlapsTable:
    table = view.table
    if not isinstance(table, FlapsTable):
        raise TypeError("that is no table of Flaps")
    return table
