"""The verbs of random games: each finds in the public state what its numbers mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import question as ask
from engine.cards import Card
from engine.question import Otherwise
from engine.sets import LaySet, Terms
from engine.table_state import JOINT, OPEN
from engine.zone import Seat, Slot, Zone
from tests.protocol.verbs import VerbsTable
from tests.scenes.plan import (
    DECKS,
    Act,
    Faces,
    Numbers,
    Offer,
    begin,
    deck_of,
    faces,
    locked,
    on_top,
    readable,
    without_seats,
)

ASIDE: Final = 1
"""The choice of a race that is aside in some of them."""


def _one_suit(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1


FREE: Final = Terms("anything", up=True, down=True, may_pass=True)
OPENLY: Final = Terms("open", may_pass=True)
HIDDEN: Final = Terms("face down", up=False, down=True)
TERMS: Final = (FREE, FREE, OPENLY, HIDDEN)


async def fresh(t: VerbsTable, n: Numbers) -> None:
    """Another deck, or the same one again."""
    await begin(t, deck_of(n.below(DECKS)), n)


async def deal(t: VerbsTable, n: Numbers) -> None:
    to = n.some(t.hands)
    each = min(1 + n.below(2), on_top(t) // len(to))
    if each:
        await t.deal(t.stock, to, each)


async def draw(t: VerbsTable, n: Numbers) -> None:
    if on_top(t):
        await t.draw(t.stock, n.of(t.hands))


async def open_cards(t: VerbsTable, n: Numbers) -> None:
    """Cards of everybody and of seats, and now and then one that is already open."""
    slots = locked(t, *range(JOINT, t.seats), *([OPEN] if n.below(4) == 0 else []))
    if slots:
        t.seen += [card.id for card in await t.open(n.some(slots, 3))]


async def show(t: VerbsTable, n: Numbers) -> None:
    """To anybody; also to the seat that reads it already."""
    slots = locked(t, *range(JOINT, t.seats))
    if slots:
        await t.show(n.of(slots), n.below(t.seats))


async def hand_over(t: VerbsTable, n: Numbers) -> None:
    """Cards of several seats, and open ones, each to a hand."""
    slots = locked(t, OPEN, *range(t.seats))
    if slots:
        await t.hand_over([(slot, n.of(t.hands)) for slot in n.some(slots, 3)])


async def put_back(t: VerbsTable, n: Numbers) -> None:
    slots = locked(t, *range(t.seats), *([OPEN] if n.below(3) == 0 else []))
    if slots:
        await t.put_back(n.some(slots, 4), t.stock)


async def shuffle(t: VerbsTable, n: Numbers) -> None:
    if zones := without_seats(t):
        await t.shuffle(n.of(zones))


async def reshuffle(t: VerbsTable, n: Numbers) -> None:
    by = n.below(t.seats)
    if zones := readable(t, by):
        await t.reshuffle(n.of(zones), by)


async def cut(t: VerbsTable, n: Numbers) -> None:
    if zones := without_seats(t):
        zone = n.of(zones)
        t.seen += [card.id for card in await t.cut(zone, 1 + n.below(min(3, len(zone))))]


async def swear(t: VerbsTable, n: Numbers) -> None:
    """A seat says which of a few things it can swear about a zone, or about a part of it."""
    seat = n.below(t.seats)
    zones = readable(t, seat)
    if not zones:
        return
    zone = n.of(zones)
    slots = tuple(n.of(([*zone], n.some(zone))))
    fits = await _said(t, seat, slots, n, "swear")
    if fits is None or any(t.locks[s] == OPEN and fits(t.face(s)) for s in slots):
        return
    await t.swear(seat, Zone(slots, 0, "sworn about", seat), fits)


async def _said(
    t: VerbsTable, seat: Seat, slots: tuple[Slot, ...], n: Numbers, topic: str
) -> Faces | None:
    """Which of a few things the seat says about these slots: the rules cannot know what is true."""
    offers = [Offer(None, slots), *[Offer(faces(n), slots) for _ in range(3)]]
    return offers[await t.choose(seat, offers, topic)].fits


async def play(t: VerbsTable, n: Numbers) -> None:
    seat = n.below(t.seats)
    zones = readable(t, seat)
    if not zones:
        return
    zone = n.of(zones)
    if n.below(4):
        otherwise = n.of((Otherwise.ANY_SWORN, Otherwise.ANY_SWORN, Otherwise.PASS))
        await ask_for_card(t, ask.Play(seat, zone, faces(n), otherwise))
        return
    fits = await _said(t, seat, tuple(zone), n, "hold")
    if fits is not None:
        await ask_for_card(t, ask.Play(seat, zone, fits))


async def ask_for_card(t: VerbsTable, asked: ask.Play) -> None:
    card = await t.play(asked.seat, asked.zone, asked.fits, t.pile, asked.otherwise)  # type: ignore[call-overload]
    t.seen.append(-1 if card is None else card.id)


async def press(t: VerbsTable, n: Numbers) -> None:
    """A seat swears what it can of its hand, gains a card, and is asked for one of those faces."""
    seat = n.below(t.seats)
    hand = t.hands[seat]
    if hand not in readable(t, seat) or not on_top(t):
        return
    fits = await _said(t, seat, tuple(hand), n, "swear")
    if fits is None or any(t.locks[s] == OPEN and fits(t.face(s)) for s in hand):
        return
    await t.swear(seat, hand, fits)
    for _ in range(1 + n.below(min(2, on_top(t)))):
        await t.draw(t.stock, hand)
    await ask_for_card(t, ask.Play(seat, hand, fits, Otherwise.ANY_SWORN))


async def lay_all(t: VerbsTable, n: Numbers) -> None:
    hands = [hand for seat, hand in enumerate(t.hands) if hand in readable(t, seat)]
    if hands:
        laid = await t.lay_all(n.some(hands), faces(n), t.pile)
        t.seen += [card.id for cards in laid for card in cards]


async def lay_down(t: VerbsTable, n: Numbers) -> None:
    seat = n.below(t.seats)
    if zones := readable(t, seat):
        zone = n.of(zones)
        await t.lay_down(seat, zone, 1 + n.below(min(2, len(zone))), n.of((t.pile, t.stock)))


def _set(t: VerbsTable, seat: Seat, n: Numbers, terms: Terms) -> LaySet | None:
    zones = readable(t, seat)
    if not zones:
        return None
    zone = n.of(zones)
    return LaySet(seat, zone, range(1, 2 + min(len(zone), n.below(3))), terms)


async def lay_set(t: VerbsTable, n: Numbers) -> None:
    claim = _set(t, n.below(t.seats), n, n.of(TERMS))
    if claim is not None and len(claim.sizes):
        await t.lay_set(claim.seat, claim.zone, claim.sizes, claim.terms, t.pile)


async def lay_together(t: VerbsTable, n: Numbers) -> None:
    """Each out of its own hand: no card may be laid by two."""
    able = [seat for seat, hand in enumerate(t.hands) if hand in readable(t, seat)]
    if able:
        claims = [
            LaySet(seat, t.hands[seat], range(1, 2 + min(len(t.hands[seat]), 2)), OPENLY)
            for seat in n.some(able)
        ]
        await t.lay_together(claims, [t.pile] * len(claims))


async def choose(t: VerbsTable, n: Numbers) -> None:
    t.seen.append(await t.choose(n.below(t.seats), range(1 + n.below(4)), "a number"))


async def together(t: VerbsTable, n: Numbers) -> None:
    seats = tuple(n.some(range(t.seats)))
    choices = await t.together(seats, [range(1 + n.below(4)) for _ in seats], "a number")
    t.seen += [-1 if choice is None else choice for choice in choices]


async def flip(t: VerbsTable, n: Numbers) -> None:
    t.seen += await t.flip(1 + n.below(9), 1 + n.below(3))


def _claim(t: VerbsTable, seat: Seat, n: Numbers) -> ask.Claim:
    """A card, a choice, or either."""
    choice, zone = ask.Choose(seat, range(2), "a call"), t.hands[seat]
    how = n.below(3) if zone in readable(t, seat) else 0
    if how == 0:
        return choice
    play = ask.Play(seat, zone, faces(n), n.of((Otherwise.PASS, Otherwise.ANY_SWORN)))
    return play if how == 1 else ask.Either(play, choice)


async def race(t: VerbsTable, n: Numbers) -> None:
    claims = [_claim(t, seat, n) for seat in n.some(range(t.seats))]
    asked = ask.Race(claims, "first", aside=(ASIDE,) if n.below(3) == 0 else ())
    won = await asked
    if won is None:
        return
    for slot, card in won.shown:
        t.faces[slot], t.locks[slot] = card, OPEN
    t.seen += [won.seat, *[seat for seat, _ in won.aside]]
    if isinstance(won.answer, tuple):
        slot, card = won.answer
        t.hands[won.seat].remove(slot)
        t.pile.append(slot)
        t.faces[slot], t.locks[slot] = card, OPEN


ACTS: Final[dict[Act, int]] = {
    fresh: 1,
    deal: 3,
    draw: 3,
    open_cards: 3,
    show: 3,
    hand_over: 4,
    put_back: 4,
    shuffle: 3,
    reshuffle: 3,
    cut: 1,
    swear: 6,
    press: 4,
    play: 8,
    lay_all: 4,
    lay_down: 3,
    lay_set: 3,
    lay_together: 2,
    choose: 1,
    together: 1,
    flip: 1,
    race: 3,
}
"""Each verb, and how often it comes."""
