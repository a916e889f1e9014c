"""Saying "Last Card", being caught, and acts that others may interrupt (rules section 6, D6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import Card, Fits
from engine.errors import EngineError
from engine.games.flaps.drawing import draw
from engine.games.flaps.table import FlapsTable
from engine.question import Choose, Claim, Either, Otherwise, Play
from engine.zone import Seat, Slot

PASS: Final = Otherwise.PASS
LAST_CARD: Final = "Last Card"
SILENT: Final = "say nothing"
CAUGHT: Final = "Caught!"
ONE_LEFT: Final = "you have one card left"
BEFORE: Final = "before the next card is laid"
BEFORE_UP: Final = "before the cards are turned up"
Call = tuple[str, Seat]


class Lay(NamedTuple):
    """The first to lay, and the cards of others at the same moment in the order of the race."""

    seat: Seat
    card: Card
    later: tuple[tuple[Slot, Card], ...]


async def lay_or_pass(t: FlapsTable, seat: Seat, fits: Fits, why: str) -> Card | None:
    """`seat` lays a card onto the discards, or declines; others may call before that."""
    if t.due:
        claim = Play(seat, t.hands[seat], fits, PASS, why)
        laid = await first_to_lay(t, [claim], BEFORE, awaited=seat)
        return None if laid is None else laid.card
    return await t.play(seat, t.hands[seat], fits, t.discard, PASS, why)


async def first_to_lay(
    t: FlapsTable,
    plays: Sequence[Play],
    topic: str,
    *,
    window_ms: int | None = None,
    awaited: Seat | None = None,
) -> Lay | None:
    """The first to lay, None if all pass; a seat that loses to a call is asked again."""
    while True:
        if t.due:
            lapse(t)
        offered = claims(t, plays)
        if not offered:
            return None
        won = await t.race(offered, topic, t.discard, window_ms=window_ms, awaited=awaited)
        if won is None:
            return None
        if isinstance(won.answer, tuple):
            return Lay(won.seat, won.answer[1], won.shown)
        if not isinstance(won.answer, int):
            raise EngineError(f"a race answered with {won.answer!r}")
        await called(t, calls(t, won.seat)[won.answer])


def claims(t: FlapsTable, plays: Sequence[Play]) -> list[Claim]:
    """The claims of every seat that may lay, call, or both."""
    if not t.due:
        return list(plays)
    playing = {play.seat: play for play in plays}
    found: list[Claim] = []
    for seat in t.present():
        said, play = calls(t, seat), playing.get(seat)
        choose = Choose(seat, said, BEFORE)
        if play is not None:
            found.append(Either(play, choose) if said else play)
        elif said:
            found.append(choose)
    return found


def calls(t: FlapsTable, seat: Seat) -> list[Call]:
    """What this seat may call now: its own last card, or that another seat forgot to."""
    return [
        (CAUGHT if late else LAST_CARD, culprit)
        for culprit, _, late in t.due
        if late != (culprit == seat)
    ]


async def called(t: FlapsTable, call: Call) -> None:
    """A call in time: the culprit is safe, or picks up a card."""
    word, culprit = call
    t.due = [due for due in t.due if due[0] != culprit]
    t.note("call", culprit, word)
    if word == CAUGHT:
        await draw(t, culprit, 1)


async def called_before_up(t: FlapsTable) -> None:
    """Others may still call before cards put aside are turned up: one may be the culprit's last."""
    await first_to_lay(t, (), BEFORE_UP, window_ms=t.last_call_ms)


def lapse(t: FlapsTable) -> None:
    """The duty lapses with any change of the hand; a card that was put aside is still one's own."""
    t.due = [due for due in t.due if own_cards(t, due[0]) == [due[1]]]


def own_cards(t: FlapsTable, seat: Seat) -> list[Slot]:
    """The hand of a seat and what it has put beside the pile, which nobody has taken yet."""
    return [*t.hands[seat], *(t.aside[seat] if t.aside else ())]


async def slipped(t: FlapsTable, layer: Seat) -> None:
    """`layer` has laid a card: it is too late for the others to say "Last Card"."""
    lapse(t)
    late = [due for due in t.due if due[0] != layer]
    if t.last_card == "catch":
        t.due = [(seat, slot, too_late or seat != layer) for seat, slot, too_late in t.due]
        return
    t.due = [due for due in t.due if due[0] == layer]
    for culprit, _, _ in late:
        t.note("call", culprit, "forgotten")
        await draw(t, culprit, 1)


async def one_left(t: FlapsTable, seat: Seat) -> None:
    """After a seat's own lay or gift: with one card left it says so, as part of the lay.

    A seat that says nothing now may still call it in the race against the next lay.
    """
    if len(t.hands[seat]) != 1 or t.last_card == "off":
        return
    silent = await t.choose(seat, (LAST_CARD, SILENT), ONE_LEFT)
    if silent:
        t.due.append((seat, t.hands[seat][0], False))
    else:
        t.note("call", seat, LAST_CARD)
