"""A player is lost: what becomes of the cards, and of what was being played (section 12).

An effect asks first and changes the table afterwards, so one that waits can be begun again; what
it had put aside goes back to the hands.
"""

from __future__ import annotations

from typing import Any, Final

from engine.acts import Deal, HandOver, Open, PutBack, Shuffle
from engine.cards import Card
from engine.games.flaps.calls import ONE_LEFT, one_left
from engine.games.flaps.contest import is_put_aside
from engine.games.flaps.drawing import draw, draw_one_each
from engine.games.flaps.duties import DOOFER
from engine.games.flaps.finish import alone, end_turn
from engine.games.flaps.flapping import flap_on
from engine.games.flaps.laying import EFFECTS, UNSETTLED
from engine.games.flaps.level1 import TARGET, ten
from engine.games.flaps.level2 import settle_trumps
from engine.games.flaps.level4 import settle_spoof
from engine.games.flaps.level6 import SEEN
from engine.games.flaps.table import FlapsTable, duty
from engine.question import Play, Question
from engine.table_state import OPEN
from engine.zone import Seat

NOBODY: Final = -1
CLUBS: Final = 0
UP_JACKS: Final = "up-jacks"
CONTESTS: Final = {"trumps": settle_trumps, "spoof": settle_spoof}
LOOKS: Final = frozenset({"guess", "1-down"})
"""Kinds whose effect deals the top of the stock, which does not come into a hand."""


async def lose(t: FlapsTable, seat: Seat, asked: Question[Any]) -> None:
    """Go on without this player, from the question at which the turn was closed."""
    last_one = len(t.present()) == 1
    if not t.playing or not t.discard:
        t.playing = False
        if t.dealer >= 0:
            t.dealer = t.neighbour(t.dealer, -1)  # the cards are dealt again, by whom they were
        if last_one:
            alone(t)
        return
    forget_seat(t, seat)
    if last_one:
        alone(t)
        return
    card = t.face(t.discard[-1])
    if card.kind in CONTESTS and is_put_aside(t):
        await settle_contest(t, asked, card)
        return
    if t.suit < 0:  # an ACE-JACK, and nobody has called a suit yet
        t.suit, t.called = CLUBS, True
    await clear_away(t)
    if t.flapping and seat != t.turn:
        await flap_on(t)
    elif not t.flapping and is_opening(t, asked):
        t.turns -= 1
        t.turn = t.neighbour(t.turn, t.direction) if seat == t.turn else t.turn
        return
    else:
        t.flapping = False
        await go_on(t, asked)
    if t.playing:
        end_turn(t)


async def settle_contest(t: FlapsTable, asked: Question[Any], card: Card) -> None:
    """All cards of TRUMPS or SPOOF are put aside: it is settled before the loss takes effect."""
    if isinstance(asked, Deal):  # somebody was caught without "Last Card"
        await finish_drawing(t, asked, card)
    await CONTESTS[card.kind](t, t.turn)
    if t.playing:
        await clear_away(t)
        end_turn(t)


def forget_seat(t: FlapsTable, seat: Seat) -> None:
    """Nothing is due from this seat from now on, and it remembers no card."""
    t.due = [due for due in t.due if due[0] != seat]
    for slot in [*t.known_by]:
        t.known_by[slot] &= ~(1 << seat)
        if not t.known_by[slot]:
            del t.known_by[slot]
    if t.mega_owner == seat:
        t.mega_owner, t.mega_left = NOBODY, 0
    if t.last_flapper == seat:
        t.last_flapper = NOBODY


async def clear_away(t: FlapsTable) -> None:
    """The cards of those who have left go under the stock; what others put aside they take back.

    If another player leaves at a question of this, it is done again from here, for both.
    """
    for seat in t.present():
        for aside in t.aside[seat : seat + 1]:
            t.move_all(aside, t.hands[seat])
    for seat in t.lost:
        zones = (t.hands[seat], *t.aside[seat : seat + 1], *t.down[seat : seat + 1])
        slots = [slot for zone in zones for slot in zone]
        if slots:
            t.note("out", seat, len(slots))
        await t.put_back(slots, t.stock)
        t.face_up = [slot for slot in t.face_up if slot not in slots]
        kept = t.stock[: len(t.stock) - len(slots)]
        t.stock[:] = [*slots, *kept]
    for seat in t.present():  # one hand may have a card at which somebody was looking
        for slot in t.hands[seat]:
            if t.locks[slot] not in (seat, OPEN):
                await t.show(slot, seat)


def is_opening(t: FlapsTable, asked: Question[Any]) -> bool:
    """Whether the player whose turn it is had not yet laid or declined."""
    return t.turn == laying(asked, duty(t).fits)


def laying(asked: Question[Any], fits: object) -> Seat:
    """Who is asked for a card of this kind; NOBODY if the question is another one."""
    for seat in asked.deciders:
        for part in asked.parts(seat):
            if isinstance(part, Play) and part.fits is fits:
                return seat
    return NOBODY


async def go_on(t: FlapsTable, asked: Question[Any]) -> None:
    """Go on with what was being played; what the lost player had begun himself is void.

    An attack or a miss waits for the next player in any case, a target goes on to the next one.
    """
    layer, card = t.turn, t.face(t.discard[-1])
    target = laying(asked, DOOFER.fits)
    if isinstance(asked, Shuffle):
        await t.shuffle(t.stock)
    elif isinstance(asked, Deal):
        await finish_drawing(t, asked, card)
    elif layer in t.lost or is_settled(t, asked, card):
        return
    elif target != NOBODY:
        if target in t.lost:
            target = next_target(t, target)
        await ten(t, layer, card, target)
    elif asked.topic == TARGET or (asked.topic == ONE_LEFT and asked.deciders != (layer,)):
        await scuffle_on(t, asked, card)
    else:
        if asked.topic == ONE_LEFT:
            await one_left(t, layer)
        effect = EFFECTS.get(card.kind)
        if effect is not None:
            await effect(t, layer, card)


def next_target(t: FlapsTable, seat: Seat) -> Seat:
    """The next target of a 10 after a player who has left: nobody is the target of his own."""
    following = t.neighbour(seat, t.direction)
    return t.neighbour(following, t.direction) if following == t.turn else following


async def finish_drawing(t: FlapsTable, asked: Deal, card: Card) -> None:
    """The player who was picking up cards gets them, and that settles an attack.

    At UP-JACKS so do all after him who are still there.  A card for a forgotten "Last Card" at that
    moment looks the same, and what was to follow it is then only for those after the culprit.
    """
    receiver, stock = asked.moves[0][1], t.stock
    if card.kind == UP_JACKS and receiver != t.turn:
        order = t.clockwise(t.turn)
        await draw_one_each(t, [one for one in order if _place(t, one) >= _place(t, receiver)])
        return
    count = len(asked.moves)
    dealt = [slot for slot, _ in reversed(asked.moves)]
    if receiver in t.lost or card.kind in LOOKS or stock[-count:] != dealt:
        return
    await draw(t, receiver, count)
    if receiver == t.turn:
        t.passes = t.owed = 0


def _place(t: FlapsTable, seat: Seat) -> int:
    """How far this seat is from the one whose turn it is, clockwise."""
    return (seat - t.turn) % t.seats


async def scuffle_on(t: FlapsTable, asked: Question[Any], card: Card) -> None:
    """Somebody was about to name a player, or had just laid a HOOFERS-DOOFERS."""
    (namer,) = asked.deciders
    if namer not in t.lost:
        if asked.topic == ONE_LEFT:
            await one_left(t, namer)
        await ten(t, namer, card)


def is_settled(t: FlapsTable, asked: Question[Any], card: Card) -> bool:
    """Whether the effect has done all that it does, but for what this question would have ended."""
    if isinstance(asked, HandOver):
        return all(slot in t.hands[seat] for slot, seat in asked.moves)
    if asked.topic == ONE_LEFT:
        return card.kind in UNSETTLED
    swapped = isinstance(asked, Open) and card.kind == "1-swap"
    return swapped or asked.topic == SEEN or isinstance(asked, PutBack)
