"""Level 6: the 1-DOWN cards before each player (rules section 8.5)."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.drawing import forget, hide_cards, look, pick_blind, reach, see, take
from engine.games.flaps.laying import Effect, name_player
from engine.games.flaps.table import FlapsTable
from engine.table_state import OPEN
from engine.zone import Seat, Slot

PLACE: Final = "on whose pile the card goes"
OVER: Final = "turn a card face up"
LOOK: Final = "look at a card, or not"
LOOK_HAND: Final = "look into a hand, or not"
SEEN: Final = "look at the card, then give it back"
SWAP: Final = "exchange a hand card with a card of the piles, or not"
UP: Final = "who takes the top of his pile, or nobody"
NOBODY: Final = -1
Place = tuple[Seat, Slot]


async def down(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The layer looks at the top of the stock and places it on any player's pile."""
    if not reach(t, 1):
        return
    await look(t, t.stock[-1], seat)
    player = await name_player(t, seat, t.present(), PLACE)
    slot = t.stock.pop()
    t.down[player].append(slot)
    see(t, slot, seat)
    t.note("down", seat, player)


async def right(t: FlapsTable, seat: Seat, card: Card) -> None:
    """All piles move one seat to the right, order and facing kept."""
    move_piles(t, -1)


async def left(t: FlapsTable, seat: Seat, card: Card) -> None:
    """All piles move one seat to the left, order and facing kept."""
    move_piles(t, 1)


def move_piles(t: FlapsTable, step: int) -> None:
    """Left is the next seat clockwise."""
    piles = [(seat, list(t.down[seat])) for seat in t.present()]
    for seat, pile in piles:
        t.down[t.neighbour(seat, step)][:] = pile
    t.note("piles move", step)


async def over(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Turn up a face-down card of the piles where it lies."""
    places = face_down(t)
    if not places:
        return
    player, slot = places[await t.choose(seat, places, OVER) if len(places) > 1 else 0]
    await turn_over(t, slot)
    t.note("turned", seat, player, t.face(slot))


async def turn_over(t: FlapsTable, slot: Slot) -> None:
    """A card of the piles lies face up from now on."""
    if t.locks[slot] != OPEN:
        await t.open((slot,))
    t.face_up.append(slot)
    forget(t, (slot,))


async def look_at(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Look at a face-down card, which goes on top of its pile; if none lies, into a hand (D35)."""
    places = face_down(t)
    if not places:
        await look_into_hand(t, seat)
        return
    options = [None, *places]
    place = options[await t.choose(seat, options, LOOK)]
    if place is None:
        return
    player, slot = place
    await look(t, slot, seat)
    t.down[player].remove(slot)
    t.down[player].append(slot)
    see(t, slot, seat)
    t.note("look", seat, player, "pile")


async def look_into_hand(t: FlapsTable, seat: Seat) -> None:
    """The layer sees one card of any hand, picked blind, and gives it back."""
    players = [NOBODY, *[player for player in t.present() if t.hands[player]]]
    player = players[await t.choose(seat, players, LOOK_HAND)]
    if player == NOBODY:
        return
    (slot,) = await pick_blind(t, (player,))
    see(t, slot, player)
    t.note("look", seat, player, "hand")
    await look(t, slot, seat)
    see(t, slot, seat)  # not before: somebody may leave meanwhile, and the card stays hidden
    await t.choose(seat, (slot,), SEEN)
    await look(t, slot, player)


async def swap(t: FlapsTable, seat: Seat, card: Card) -> None:
    """A hand card takes the place and facing of a card of the piles, which comes into the hand."""
    places = [None, *[(player, slot) for player, pile in enumerate(t.down) for slot in pile]]
    if not t.hands[seat] or len(places) == 1:
        return
    place = places[await t.choose(seat, places, SWAP)]
    if place is None:
        return
    player, taken = place
    await hide_cards(t, seat)
    (given,) = await t.lay_down(seat, t.hands[seat], 1, t.aside[seat])
    facing_up, index = taken in t.face_up, t.down[player].index(taken)
    await take(t, taken, t.down[player], seat)
    t.aside[seat].remove(given)
    t.down[player].insert(index, given)
    see(t, given, seat)
    if facing_up:
        await turn_over(t, given)
    t.note("swap", seat, player, index)


async def up(t: FlapsTable, seat: Seat, card: Card) -> None:
    """A player with a pile takes its top card into the hand."""
    players = [NOBODY, *[player for player, pile in enumerate(t.down) if pile]]
    if len(players) == 1:
        return
    player = players[await t.choose(seat, players, UP)]
    if player != NOBODY:
        await take(t, t.down[player][-1], t.down[player], player)
        t.note("up", seat, player)


def face_down(t: FlapsTable) -> list[Place]:
    """The face-down cards of all piles: the pile's seat, and the slot."""
    return [
        (player, slot)
        for player, pile in enumerate(t.down)
        for slot in pile
        if slot not in t.face_up
    ]


EFFECTS: Final[dict[str, Effect]] = {
    "1-down": down,
    "1-right": right,
    "1-left": left,
    "1-over": over,
    "1-look": look_at,
    "1-swap": swap,
    "1-up": up,
}
