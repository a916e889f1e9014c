"""Short games, each for one kind of act, played by any number of seats."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from engine.cards import Card
from engine.game import Game
from engine.question import Choose, Otherwise, Play, Question, Race
from tests.protocol.verbs import DECK, VERBS, VerbsTable, anything, make

Turn = Callable[[VerbsTable], Coroutine[Any, Any, None]]
Lose = Callable[[VerbsTable, int, Question[Any]], Coroutine[Any, Any, None]]
TOUCH = 1
SCENES: dict[str, Game] = {VERBS.name: VERBS}


def scene(turn: Turn) -> Game:
    """A game of one turn, registered under the name of its coroutine."""
    name = turn.__name__.replace("_", "-")
    SCENES[name] = one_turn(name, turn)
    return SCENES[name]


def one_turn(name: str, turn: Turn, lose: Lose | None = None) -> Game:
    """A game that is over after this turn; with `lose` it goes on without a player."""

    async def whole(t: VerbsTable) -> None:
        await turn(t)
        t.over = True

    return Game(
        name,
        name,
        1,
        range(2, 6),
        (),
        make,
        whole,
        lambda t: tuple(sum(t.seen) + seat for seat in range(t.seats)),
        lambda seats, options: (-1, 10_000),
        lose=lose,
    )


async def _hands(t: VerbsTable, count: int = 3) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, count)


@scene
async def opened(t: VerbsTable) -> None:
    """A shuffled deck, of which two cards are turned up."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    t.seen += [card.id for card in await t.open(t.stock[:2])]


@scene
async def dealt(t: VerbsTable) -> None:
    """Three cards for everybody."""
    await _hands(t)


@scene
async def tossed(t: VerbsTable) -> None:
    """A coin."""
    t.seen += await t.flip(6, 3)


@scene
async def reshuffled(t: VerbsTable) -> None:
    """Seat 1 shuffles its hand twice."""
    await _hands(t)
    await t.reshuffle(t.hands[1], 1)
    await t.reshuffle(t.hands[1], 1)


def low(card: Card) -> bool:
    """The predicate of the scenes: aces and twos."""
    return card.rank < 2


@scene
async def followed(t: VerbsTable) -> None:
    """Everybody lays a low card, or swears to hold none."""
    await _hands(t)
    for seat in range(t.seats):
        card = await t.play(seat, t.hands[seat], low, t.pile, Otherwise.ANY_SWORN, "hold low")
        assert card is not None
        t.seen.append(card.id)


@scene
async def laid_all(t: VerbsTable) -> None:
    """Everybody lays every low card, and swears that no other is left."""
    await _hands(t)
    laid = await t.lay_all(t.hands, low, t.pile)
    t.seen += [card.id for cards in laid for card in cards]
    t.seen += [card.id for cards in await t.lay_all(t.hands, low, t.pile) for card in cards]


@scene
async def laid_all_late(t: VerbsTable) -> None:
    """Seat 1 has cards of two histories and a public one when all low cards are laid."""
    await _hands(t, 2)
    await t.open(t.hands[1][:1])
    await t.deal(t.stock, [t.hands[1]], 1)
    laid = await t.lay_all(t.hands[:2], low, t.pile)
    t.seen += [card.id for cards in laid for card in cards]


@scene
async def laid_freely(t: VerbsTable) -> None:
    """Everybody lays any card, without a way out."""
    await _hands(t)
    for seat in range(t.seats):
        card = await t.play(seat, t.hands[seat], anything, t.pile)
        assert card is not None
        t.seen.append(card.id)


@scene
async def laid_low(t: VerbsTable) -> None:
    """Seat 1 lays a low card: the scene's seeds give it one of each kind."""
    await _hands(t)
    card = await t.play(1, t.hands[1], low, t.pile, Otherwise.NOTHING, "only low cards")
    assert card is not None
    t.seen.append(card.id)


@scene
async def drawn_late(t: VerbsTable) -> None:
    """Seat 1 draws one card more and lays one: its hidden cards have two histories."""
    await _hands(t, 2)
    await t.deal(t.stock, [t.hands[1]], 1)
    card = await t.play(1, t.hands[1], anything, t.pile)
    assert card is not None
    t.seen.append(card.id)


@scene
async def laid_in_public(t: VerbsTable) -> None:
    """Seat 1 lays a card of an open hand."""
    await _hands(t)
    await t.open(t.hands[1])
    card = await t.play(1, t.hands[1], anything, t.pile)
    assert card is not None
    t.seen.append(card.id)


@scene
async def half_open(t: VerbsTable) -> None:
    """Seat 1 has hidden cards of two histories and an open one, and lays each in turn."""
    await _hands(t, 2)
    await t.deal(t.stock, [t.hands[1]], 1)
    await t.open(t.hands[1][:1])
    for _ in range(3):
        card = await t.play(1, t.hands[1], anything, t.pile)
        assert card is not None
        t.seen.append(card.id)


@scene
async def laid_down(t: VerbsTable) -> None:
    """Seat 1 lays two cards face down."""
    await _hands(t)
    await t.lay_down(1, t.hands[1], 2, t.pile)


@scene
async def handed_over(t: VerbsTable) -> None:
    """Seats 1 and 0 give each other a card, then seat 1 puts one back."""
    await _hands(t)
    await t.hand_over([(t.hands[1][0], t.hands[0]), (t.hands[0][0], t.hands[1])])
    await t.put_back(t.hands[1][:1], t.stock)


@scene
async def shown(t: VerbsTable) -> None:
    """The top card is shown to seat 0; nobody else may look at it after that."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.show(t.stock[-1], 0)
    t.seen.append(await t.choose(0, ("yes", "no"), "liked it"))


@scene
async def sworn(t: VerbsTable) -> None:
    """Seat 1 swears that it holds none of the cards that lie open."""
    await _hands(t)
    await t.open(t.stock[:2])
    held = {t.face(slot) for slot in t.stock[:2]}
    one_more = DECK.cards[0]
    await t.swear(1, t.hands[1], lambda card: card in held or card is one_more)


@scene
async def chosen(t: VerbsTable) -> None:
    """Seat 1 chooses openly, then two coins are tossed."""
    t.seen.append(await t.choose(1, ("left", "right"), "a side"))
    t.seen += await t.flip(2, 1)
    t.seen += await t.flip(2, 1)


@scene
async def chosen_together(t: VerbsTable) -> None:
    """Seats 0 and 1 choose in secret."""
    choices = await t.together((0, 1), [range(4), range(4)], "a number")
    t.seen += [choice for choice in choices if choice is not None]


@scene
async def slapped(t: VerbsTable) -> None:
    """Everybody may slap, or lay any card instead in the second race."""
    won = await t.race([Choose(seat, ("slap",), "a slap") for seat in range(t.seats)], "slap")
    t.seen.append(-1 if won is None else won.seat)
    await _hands(t)
    cards = [Play(seat, t.hands[seat], anything, Otherwise.PASS) for seat in range(t.seats)]
    won = await t.race(cards, "first card", t.pile)
    t.seen.append(-1 if won is None else won.seat)


@scene
async def slapped_often(t: VerbsTable) -> None:
    """Eight cards are turned up one after the other, and everybody may slap each."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    for slot in t.stock[-8:]:
        await t.open([slot])
        won = await t.race([Choose(seat, ("slap",), "slap") for seat in range(t.seats)], "slap")
        t.seen.append(-1 if won is None else won.seat)


@scene
async def laid_and_slapped(t: VerbsTable) -> None:
    """Seat 1 lays eight cards one after the other, and everybody may slap each."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, [t.hands[1]], 8)
    for _ in range(8):
        await t.play(1, t.hands[1], anything, t.pile)
        won = await t.race([Choose(seat, ("slap",), "slap") for seat in range(t.seats)], "slap")
        t.seen.append(-1 if won is None else won.seat)


@scene
async def prepared(t: VerbsTable) -> None:
    """Everybody may slap, or touch the forehead, which is aside."""
    acts = [Choose(seat, ("slap", "touch"), "a slap") for seat in range(t.seats)]
    won = await Race(acts, "slap or touch", aside=(TOUCH,))
    for seat, act in () if won is None else won.claims:
        t.seen.append(100 * act + seat)  # type: ignore[operator]  # both are choices


@scene
async def laid_low_if_held(t: VerbsTable) -> None:
    """Seat 1 lays a low card or passes."""
    await _hands(t)
    card = await t.play(1, t.hands[1], low, t.pile, Otherwise.PASS, "only low cards")
    t.seen.append(-1 if card is None else card.id)


@scene
async def followed_one(t: VerbsTable) -> None:
    """Seat 1 lays the first card of the deck, or swears that it does not hold it."""
    await _hands(t)
    first = DECK.cards[0]
    card = await t.play(
        1, t.hands[1], lambda card: card is first, t.pile, Otherwise.ANY_SWORN, "hold it"
    )
    assert card is not None
    t.seen.append(card.id)


@scene
async def sworn_twice(t: VerbsTable) -> None:
    """Seat 1 swears to hold nothing low, twice, by shuffling what it may hold.

    A card that comes back from another hand is another cipher, of which nothing is sworn.
    """
    await _hands(t)
    await t.swear(1, t.hands[1], low)
    card = t.hands[1][0]
    await t.hand_over([(card, t.hands[0])])
    await t.hand_over([(card, t.hands[1])])
    await t.swear(1, t.hands[1], low)


SHORT: tuple[str, ...] = tuple(SCENES)
"""The games of this module; tests of other modules add theirs to SCENES."""
