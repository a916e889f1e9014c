"""A card has been laid: everything that follows from it, in the order of D5 and D32."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from engine.cards import Card
from engine.games.flaps.calls import one_left, slipped
from engine.games.flaps.cards import NOT_LAST
from engine.games.flaps.drawing import draw
from engine.games.flaps.finish import win
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

Effect = Callable[[FlapsTable, Seat, Card], Awaitable[None]]
EFFECTS: Final[dict[str, Effect]] = {}
"""What each kind of card does; the levels add theirs (see rules.py)."""

CALL: Final = "call a suit"
CALL_COLOUR: Final = "call a suit of the colour of the ACE'N'LAY"
ALL_SUITS: Final = (0, 1, 2, 3)
CALLS_FIRST: Final = frozenset({"ace", "ace'n'end", "ace'n'lay", "ace-jack", "king'n'lay", "dump"})
"""Kinds whose effect itself picks up the card that follows a last card that does not win."""
UNSETTLED: Final = frozenset({"ace'n'lay", "king'n'lay", "dump", "pick", "trumps", "spoof"})
"""Kinds whose effect uses more cards of the layer: "Last Card" is due when that is over."""


async def resolve(t: FlapsTable, seat: Seat, card: Card, follow: bool = False) -> None:
    """The lay of `card` by `seat`; `follow` when it went onto an ACE'N'LAY or KING'N'LAY."""
    kind, hand = card.kind, t.hands[seat]
    t.passes = 0
    t.follow(card)
    if not hand and not follow and kind not in NOT_LAST:
        win(t, seat, card)
        return
    if t.due:
        await slipped(t, seat)
    if not hand:
        if kind not in CALLS_FIRST:
            await draw(t, seat, 1)
    elif len(hand) == 1 and kind not in UNSETTLED:
        await one_left(t, seat)
    effect = EFFECTS.get(kind)
    if effect is not None:
        await effect(t, seat, card)


async def call_suit(t: FlapsTable, seat: Seat, suits: Sequence[int], topic: str = CALL) -> None:
    """Let the layer say which suit has to be followed."""
    t.suit, t.called = suits[await t.choose(seat, suits, topic)], True
    t.effect = ""
    t.note("suit", seat, t.suit)


async def name_player(t: FlapsTable, seat: Seat, among: Sequence[Seat], topic: str) -> Seat:
    """`seat` names one of these players."""
    named = among[await t.choose(seat, among, topic) if len(among) > 1 else 0]
    t.note("name", seat, named)
    return named
