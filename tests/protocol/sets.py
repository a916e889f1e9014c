"""Test games in which several cards are laid at once: openly, face down, in secret."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from engine.sets import LaySet, Terms
from engine.subsets import Block, every
from engine.zone import Slot
from tests.protocol.scenes import scene
from tests.protocol.verbs import DECK, VerbsTable


def one_suit(cards: Sequence[Card]) -> bool:
    """The predicate: all cards are of one suit."""
    return len({card.suit for card in cards}) == 1


def of_one_suit(cards: Sequence[Card], slots: Sequence[Slot], sizes: range) -> list[Block]:
    """Every set that fits."""
    suits: dict[int, list[Slot]] = {}
    for card, slot in zip(cards, slots, strict=True):
        suits.setdefault(card.suit, []).append(slot)
    return [block for suited in suits.values() for block in every(suited, sizes)]


OPENLY = Terms("openly", fits=one_suit, sets=of_one_suit, why="cards have to be of one suit")
ANYHOW = Terms("anyhow", down=True, may_pass=True)
SECRET = Terms("secret", may_pass=True, fits=one_suit, sets=of_one_suit, why="one suit only")


async def _hands(t: VerbsTable) -> None:
    """Three cards of two histories each, so that acts with hidden cards owe a reshuffle."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)
    await t.deal(t.stock, t.hands, 1)


@scene
async def set_laid(t: VerbsTable) -> None:
    """Everybody lays a card or two of one suit openly."""
    await _hands(t)
    for seat in range(t.seats):
        laid = await t.lay_set(seat, t.hands[seat], range(1, 3), OPENLY, t.pile)
        assert laid is not None
        assert laid.cards is not None
        t.seen += [card.id for card in laid.cards]


@scene
async def set_laid_anyhow(t: VerbsTable) -> None:
    """Everybody lays one card or more, open or face down, or none; then what lies is opened."""
    await _hands(t)
    for seat in range(t.seats):
        await t.lay_set(seat, t.hands[seat], range(1, 4), ANYHOW, t.pile)
    t.seen += [card.id for card in await t.open(t.pile)]


@scene
async def sets_laid_half_open(t: VerbsTable) -> None:
    """Seat 1 has one open card and two hidden ones, and lays two of them."""
    await _hands(t)
    await t.open(t.hands[1][:1])
    laid = await t.lay_set(1, t.hands[1], range(2, 3), Terms("any"), t.pile)
    assert laid is not None
    t.seen += [card.id for card in laid.cards or ()]


@scene
async def set_of_open_cards(t: VerbsTable) -> None:
    """Seat 1 lays two cards of an open hand."""
    await _hands(t)
    await t.open(t.hands[1])
    laid = await t.lay_set(1, t.hands[1], range(2, 3), Terms("any"), t.pile)
    assert laid is not None
    t.seen += [card.id for card in laid.cards or ()]


@scene
async def sets_in_secret(t: VerbsTable) -> None:
    """Everybody lays one to three cards or none, all before any is seen."""
    await _hands(t)
    claims = [LaySet(seat, t.hands[seat], range(1, 4), SECRET) for seat in range(t.seats)]
    answers = await t.lay_together(claims, [t.pile] * t.seats)
    for laid in answers:
        t.seen.append(-1 if laid is None else len(laid.slots))
