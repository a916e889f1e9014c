"""Short games, for acts that no short game of the five has; their names begin with `vectors-`.

Nobody can play them, and no released program knows their rules: their vectors come with the
questions of the rules, in the form of log format, "Questions".
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from engine.cards import Card, Deck, Fits
from engine.game import Game
from engine.games import load
from engine.question import Choose, Otherwise, Question
from engine.zone import Zone
from p2p.protocol import terms
from tests.protocol.scenes import Lose, Turn, one_turn
from tests.protocol.verbs import VerbsTable, anything

CHEAT: Final = 1
"""The seat that is asked for most."""
SCENES: Final[dict[str, Game]] = {}


def _deck(count: int, copies: int = 1) -> Deck:
    faces = [Card(number, f"{number}", 0, number) for number in range(count)]
    return Deck(f"vectors/{count}" + f" x {copies}" * (copies > 1), faces, [copies] * count)


LARGE: Final = _deck(10)
SMALL: Final = _deck(8)
COPIES: Final = _deck(7, 2)


def scene(turn: Turn, lose: Lose | None = None) -> Game:
    """A game of one turn, named after its coroutine."""
    name = f"vectors-{turn.__name__.replace('_', '-')}"
    SCENES[name] = one_turn(name, turn, lose)
    return SCENES[name]


def find(name: str) -> Game:
    """A scene, or a game that everybody has."""
    return SCENES.get(name) or load(name)


@contextmanager
def known_scenes() -> Iterator[None]:
    """Inside of this block a header may name a scene as well."""
    with patch.object(terms, "load", find):
        yield


def below(rank: int) -> Fits:
    """The cards of a lower rank."""
    return lambda card: card.rank < rank


async def _deal(t: VerbsTable, deck: Deck, each: int) -> None:
    await t.fresh(deck, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, each)


async def _lay(t: VerbsTable, zone: Zone) -> None:
    card = await t.play(CHEAT, zone, anything, t.pile)
    assert card is not None
    t.seen.append(card.id)


@scene
async def sworn(t: VerbsTable) -> None:
    """Seat 1 swears by pairs, by shuffle, and again once a card of its hand has a new cipher."""
    await _deal(t, LARGE, 3)
    hand = t.hands[CHEAT]
    await t.swear(CHEAT, hand, below(2))
    await t.swear(CHEAT, hand[:2], below(1))  # covered: no step
    await t.swear(CHEAT, hand, below(3))
    t.seen += [card.id for card in await t.open(t.stock[-2:])]
    await t.swear(CHEAT, hand, below(4))
    await t.reshuffle(hand, CHEAT)
    await t.swear(CHEAT, hand, below(2))  # covered: all that was shuffled was sworn about
    card = hand[0]
    await t.hand_over([(card, t.hands[0])])
    await t.hand_over([(card, hand)])
    await t.swear(CHEAT, hand, below(2))
    await _lay(t, hand)
    await t.swear(CHEAT, hand, below(2))  # still covered: laying a card ends no oath


@scene
async def put_back(t: VerbsTable) -> None:
    """Both seats put cards back in one step; these are dealt as they are, then all is shuffled."""
    await _deal(t, LARGE, 3)
    t.seen += [card.id for card in await t.open(t.hands[0][:1])]
    # One of them lies open: that one owes nothing, and goes under the others.
    await t.put_back([*t.hands[0][:2], *t.hands[CHEAT][:2]], t.stock)
    await t.deal(t.stock, t.hands, 1)
    await _lay(t, t.hands[CHEAT])
    await t.put_back(t.hands[CHEAT], t.stock)
    await t.shuffle(t.stock)
    t.seen += [card.id for card in await t.open(t.stock[-1:])]


@scene
async def dealt_back(t: VerbsTable) -> None:
    """Seat 1 puts two cards back and is dealt both at once: the others can tell them apart."""
    await _deal(t, SMALL, 2)
    hand = t.hands[CHEAT]
    await t.put_back(hand, t.stock)
    await t.deal(t.stock, [hand], 2)
    await _lay(t, hand)


@scene
async def decks(t: VerbsTable) -> None:
    """The same acts with two decks: about the same handles, but not the same cards."""
    for deck, each in ((LARGE, 4), (SMALL, 3)):
        await _deal(t, deck, each)
        hand = t.hands[CHEAT]
        await t.swear(CHEAT, hand[-3:-1], below(1))
        await t.put_back(hand[-1:], t.stock)
        t.seen += [card.id for card in await t.open(t.stock[-1:])]
        await _lay(t, hand)


@scene
async def merged(t: VerbsTable) -> None:
    """Each face is on two cards: seat 1 swears, draws, lays under oath, puts two cards back."""
    await _deal(t, COPIES, 3)
    hand = t.hands[CHEAT]
    await t.swear(CHEAT, hand, below(1))
    await t.draw(t.stock, hand)
    await t.play(CHEAT, hand, below(1), t.pile, Otherwise.ANY_SWORN, "lay it")
    await t.swear(CHEAT, hand, below(1))  # covered, or owed about the second copy
    await t.put_back(hand[:2], t.stock)
    await t.deal(t.stock, t.hands, 1)
    await _lay(t, hand)


@scene
async def mixed(t: VerbsTable) -> None:
    """Seat 1 swears, draws, merges its hand with a card that owes no oath, lays one under oath."""
    await _deal(t, LARGE, 3)
    hand = t.hands[CHEAT]
    await t.swear(CHEAT, hand, below(1))
    await t.draw(t.stock, hand)
    await _lay(t, hand)
    await t.play(CHEAT, hand, below(1), t.pile, Otherwise.ANY_SWORN, "lay it")


@scene
async def credited(t: VerbsTable) -> None:
    """A race with each of two decks: what was credited before remains the most."""
    for deck in (LARGE, SMALL):
        await t.fresh(deck, t.stock)
        won = await t.race([Choose(seat, ("slap",), "a slap") for seat in range(t.seats)], "slap")
        t.seen.append(0 if won is None else won.seat)


async def without(t: VerbsTable, seat: int, asked: Question[Any]) -> None:
    """The hand of who is gone goes on top of the stock, which is turned up, so that all see whether
    a key is out of the cards.  After a choice a coin ends the game.
    """
    t.move_all(t.hands[seat], t.stock)
    t.over = len(t.present()) == 1
    if not t.over:
        t.seen += [card.id for card in await t.open(t.stock[-2:])]
        t.seen.append(await t.choose(t.present()[-1], ("left", "right"), "a side"))
        t.seen += await t.flip(6)
        t.over = True


async def lost(t: VerbsTable) -> None:
    """Questions at which a seat can be lost: a deal, a card turned up, choices, a coin, a race."""
    await _deal(t, SMALL, 1)
    t.seen += [card.id for card in await t.open(t.stock[-1:])]
    await t.together(range(t.seats), [range(2)] * t.seats, "a number")
    for seat in range(t.seats):
        t.seen.append(await t.choose(seat, ("left", "right"), "a side"))
    t.seen += await t.flip(6)
    won = await t.race([Choose(seat, ("slap",), "a slap") for seat in range(t.seats)], "slap")
    t.seen.append(0 if won is None else won.seat)
    t.seen.append(await t.choose(0, ("left", "right"), "a side"))


scene(lost, without)
