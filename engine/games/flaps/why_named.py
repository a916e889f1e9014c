"""Why a suit, a player or a sum is named in Flaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from engine.games.flaps.calls import BEFORE, CAUGHT, LAST_CARD, ONE_LEFT
from engine.games.flaps.cards import ACE, NOT_LAST, strength
from engine.games.flaps.duties import DOOFER
from engine.games.flaps.laying import CALL, CALL_COLOUR
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE
from engine.games.flaps.level4 import GUESS, sums
from engine.games.flaps.level5 import WHOSE
from engine.games.flaps.level6 import NOBODY, PLACE, UP
from engine.games.flaps.level7 import WHO
from engine.games.flaps.why_deals import CLEAR, Fact, Look, has_ace, of_suit, stays_up
from engine.games.flaps.why_laid import OFTEN
from engine.zone import Seat

STEP: Final = 4
"""Sums that differ by less are about as near to the middle."""


def brings(look: Look, topic: str, option: Any, options: Sequence[Any]) -> Sequence[Fact]:
    """What speaks for this option, by what is asked."""
    told = _TOLD.get(topic)
    return [] if told is None else [*told(look, option, options)]


def _suit(look: Look, suit: int, options: Sequence[Any]) -> Iterator[Fact]:
    """That the next player does not follow it, and that one does."""
    table = look.table
    jacks = table.face(table.discard[-1]).kind == "ace-jack"
    follower = table.neighbour(look.seat, -table.direction if jacks else table.direction)
    never = look.calling(suit, follower, jacks)
    said = ("follows", follower, look.held(follower), never)
    yield Fact("follows", never, said, CLEAR, OFTEN, beside=True)
    if own := of_suit(suit, hand := look.rest(())):
        yield Fact("suit", own, ("suit", own, has_ace(suit, hand)))


def _trumps(look: Look, suit: int, options: Sequence[Any]) -> Iterator[Fact]:
    """How often the best card of the hand loses."""
    hand = look.rest(())
    best = max(hand, key=lambda card: strength(card, suit))
    lost = look.lowest(best, suit)
    yield stays_up(best, lost)
    if best.suit == suit:
        own = sum(card.suit == suit for card in hand)
        yield Fact("highest", best.rank % ACE, ("highest", best.id))
        yield Fact("suit", own, ("suit", own, False))


def _near(look: Look, seat: Seat, options: Sequence[Any]) -> Iterator[Fact]:
    """Who picks up cards should be near to the end: the nearest, rather than nobody or oneself."""
    if seat in (NOBODY, look.seat) or len(look.others) == 1:
        return
    deck, held, least = len(look.table.faces), look.held(seat), min(map(look.held, look.others))
    yield Fact("near", deck - held, ("nearest" if held == least else "near", seat, held))


def _place(look: Look, seat: Seat, options: Sequence[Any]) -> Iterator[Fact]:
    """A card on a pile is for whoever has to take it up."""
    yield from _near(look, seat, options)
    yield from _anothers("up later", look, seat)


def _up(look: Look, seat: Seat, options: Sequence[Any]) -> Iterator[Fact]:
    """A card more for another player; for oneself one that is known, and can be got rid of."""
    yield from _near(look, seat, options)
    yield from _anothers("gets", look, seat)
    own = look.view.recall(look.table.down[seat][-1]) if seat == look.seat else None
    if own is not None and own.kind not in NOT_LAST and own.kind != "solve":
        yield Fact("own top", 1, ("own top", own.id))


def _anothers(word: str, look: Look, seat: Seat) -> Iterator[Fact]:
    """That it is another player's and not one's own."""
    if seat not in (NOBODY, look.seat):
        yield Fact(word, 1, (word, seat))


def _target(look: Look, seat: Seat, options: Sequence[Any]) -> Iterator[Fact]:
    """The same, if there is no HD."""
    yield from _near(look, seat, options)
    never = look.without(seat, DOOFER.fits)
    yield Fact("no doofer", never, ("no doofer", seat, 100 - never), CLEAR)


def _far(look: Look, seat: Seat, options: Sequence[Any]) -> Iterator[Fact]:
    """Who loses a card should be far from the end."""
    yield Fact("far", look.held(seat), ("far", seat, look.held(seat)))


def _sum(look: Look, called: int, options: Sequence[Any]) -> Iterator[Fact]:
    """How far it is from the sums of the deals, and from what others have called."""
    found = look.sums
    before = [one for one in sums(look.table.seats) if one not in options]
    if before:
        worst = sum(all(abs(called - one) > abs(other - one) for other in before) for one in found)
        lost = (200 * worst + len(found)) // (2 * len(found))
        yield Fact("furthest", 100 - lost, ("furthest", lost), CLEAR)
    middle = found[len(found) // 2]
    yield Fact("middle", -(abs(called - middle) // STEP), ("middle", middle), enough=-1)


def _call(look: Look, call: Any, options: Sequence[Any]) -> Iterator[Fact]:
    """ "Last Card" and "Caught!"."""
    word, culprit = call if isinstance(call, tuple) else (call, look.seat)
    if word == LAST_CARD:
        yield Fact("said", 1, ("said", look.table.last_card))
    elif word == CAUGHT:
        yield Fact("caught", 1, ("caught", culprit))


def costs(look: Look, topic: str, option: Any) -> Sequence[Fact]:
    """A card of one's own pile is one more to get rid of."""
    return [Fact("takes", 1, ("takes",))] if topic == UP and option == look.seat else []


_TOLD: Final[dict[str, Callable[[Look, Any, Sequence[Any]], Iterator[Fact]]]] = {
    **dict.fromkeys((CALL, CALL_COLOUR), _suit),
    **dict.fromkeys((ONE_LEFT, BEFORE), _call),
    DECLARE: _trumps,
    PLACE: _place,
    UP: _up,
    WHO: _near,
    TARGET: _target,
    WHOSE: _far,
    GUESS: _sum,
}
