"""Why a card is laid in Flaps, or none: what it does, what goes with it, what stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.cards import Card, Fits
from engine.games.flaps.bot import FEW
from engine.games.flaps.cards import ACES, JACKS, NOT_LAST, TRANSPARENT, strength
from engine.games.flaps.duties import ACE_LAY, DEFEND, DOOFER, EIGHT, FIVE, FLAP, FOLLOW, KING_LAY
from engine.games.flaps.flapping import MEGA_EXTRAS
from engine.games.flaps.level3 import MOST_FIVES
from engine.games.flaps.level7 import SET_DOWN
from engine.games.flaps.table import TOPS
from engine.games.flaps.why_deals import CLEAR, Fact, Look, has_ace, kin, of_suit
from engine.question import PASS, Play
from engine.zone import Seat, Slot

OFTEN: Final = 20
"""What others cannot do in fewer of 100 deals is no reason by itself."""
ATTACKS: Final = frozenset({"2", "3"})
PASSES_ON: Final = frozenset({"2", "3", "7", "quack"})
OPENS: Final = frozenset({"flaps", "mega-flap"})
UNFORESEEN: Final = frozenset(
    {"10", "up-jacks", "lose", "share", "full monty", "trumps", "spoof", "1-up"}
)
"""Kinds after which the next player may hold other cards."""
FOLLOW_UPS: Final = (KING_LAY.why, FIVE.why, *[duty.why for duty in ACE_LAY])
"""The sentences for cards laid onto a KING'N'LAY, a DUMP or an ACE'N'LAY: none of them wins."""
ASIDE: Final = (DOOFER.why, FLAP.why)
"""Those for cards with which others answer a 10 or a FLAP in somebody's turn."""
WITHIN: Final = ASIDE + FOLLOW_UPS
"""No turn begins with these."""


def brings(look: Look, play: Play, slot: Slot | None) -> Sequence[Fact]:
    """What a card does as the rules have it, and what stays in the hand; of PASS, who follows."""
    if slot is PASS:
        return [*_passed(look, play)]
    card, rest = look.view.face(slot), look.rest((slot,))
    if wins(look, play, card):
        return [Fact("wins", 1, ("wins",))]
    hits = [*_hits(look, card), *_contested(look, card, rest)]
    return [*hits, *_faced(look, play, card, rest), *_sheds(look, play, card, rest)]


def wins(look: Look, play: Play, card: Card) -> bool:
    """Whether it is the last card, and one that wins (rules section 5)."""
    return len(look.hand) == 1 and card.kind not in NOT_LAST and play.why not in FOLLOW_UPS


def _passed(look: Look, play: Play) -> Iterator[Fact]:
    """Whoever comes next follows what lies there already."""
    table = look.table
    if own_turn(look, play):
        top = table.suit, table.rank, table.jacks_ok, table.maid_ok, table.called
        follower = table.neighbour(look.seat, table.direction)
        yield from _follows(look, FOLLOW[table.level][top].fits, follower)


def own_turn(look: Look, play: Play) -> bool:
    """Whether this is what a turn begins with."""
    return play.seat == look.table.turn and play.why not in WITHIN


def _hits(look: Look, card: Card) -> Iterator[Fact]:
    """Who picks up a card, and who plays next."""
    nearest = min(look.others, key=look.held)
    if card.kind == "up-jacks":
        yield Fact("all draw", 1, ("all draw", tuple(look.others)))
    if card.kind == "10":
        yield Fact("names", 1, ("names", nearest, look.held(nearest)))
    yield from nearer(look, card, 1)


def _contested(look: Look, card: Card, rest: Sequence[Card]) -> Iterator[Fact]:
    """The suit to declare for a TRUMPS: that in which the best card of the hand loses least."""
    if card.kind != "trumps" or not rest:
        return
    best = [max(rest, key=lambda one: strength(one, suit)) for suit in range(4)]
    lost = [look.lowest(one, suit) for suit, one in enumerate(best)]
    suit = min(range(4), key=lambda suit: (lost[suit], -strength(best[suit], suit)))
    said = ("contested", suit, best[suit].id, lost[suit])
    yield Fact("contested", 100 - lost[suit], said, CLEAR, enough=100 - OFTEN)


def nearer(look: Look, card: Card, way: int) -> Iterator[Fact]:
    """That a Jack turns to a player who holds more cards; with -1, to one who holds fewer."""
    if card.kind not in JACKS and card.kind != "ace-jack":
        return
    usual, other = (look.table.neighbour(look.seat, to * look.table.direction) for to in (1, -1))
    near, far = (usual, other) if way > 0 else (other, usual)
    more = look.held(far) - look.held(near)
    if more > 0 and look.held(near) <= FEW:
        yield Fact("turns", more, ("turns", far, look.held(far), near, look.held(near)))


def _faced(look: Look, play: Play, card: Card, rest: Sequence[Card]) -> Iterator[Fact]:
    """In how many deals the next player holds nothing that goes onto it."""
    table = look.table
    if not _foreseen(look, play, card):
        return
    way = -table.direction if _turns(look, card) else table.direction
    follower = table.neighbour(look.seat, way)
    if card.kind in ACES:
        if card.kind != "ace'n'lay":
            yield from _called(look, card, rest, follower)
    elif (owed := _owed(look, card)) and card.kind in PASSES_ON:
        top = card if card.kind != "quack" else table
        fits = DEFEND[table.level][top.suit, top.rank].fits
        never = look.without(follower, fits)
        hit = ("attacks", follower, look.held(follower), never, owed)
        yield Fact("attacks", never, hit, CLEAR, OFTEN, beside=True)
    elif card.kind == "8":
        never = look.without(follower, EIGHT.fits)
        yield Fact("misses", never, ("misses", follower, never), CLEAR, OFTEN)
    elif card.kind not in ("dump", "king'n'lay"):
        yield from _follows(look, _fits_after(look, card), follower)


def _foreseen(look: Look, play: Play, card: Card) -> bool:
    """Whether the next player has to follow this card, as far as others lay no FLAP on it."""
    if play.why in ASIDE or play.why == FIVE.why or (card.kind in OPENS and len(look.others) > 1):
        return False
    return card.kind not in UNFORESEEN


def _turns(look: Look, card: Card) -> bool:
    """Whether the direction of play changes."""
    seven = card.kind == "7" and look.table.owed > 0
    return seven or card.kind in JACKS or card.kind == "ace-jack"


def _owed(look: Look, card: Card) -> int:
    """What the next player has to pick up."""
    return look.table.owed + (card.rank if card.kind in ATTACKS else 0)


def _fits_after(look: Look, card: Card) -> Fits:
    """What may be laid on this card."""
    table = look.table
    if card.kind in TRANSPARENT:
        return FOLLOW[table.level][table.suit, table.rank, table.jacks_ok, False, table.called].fits
    return FOLLOW[table.level][TOPS[card.id]].fits


def _follows(look: Look, fits: Fits, follower: Seat) -> Iterator[Fact]:
    never = look.without(follower, fits)
    said = ("follows", follower, look.held(follower), never)
    yield Fact("follows", never, said, CLEAR, OFTEN, beside=True)


def _called(look: Look, card: Card, rest: Sequence[Card], follower: Seat) -> Iterator[Fact]:
    """The suit to call after an Ace: one that the hand follows, and the next player does not."""
    jacks = card.kind == "ace-jack"
    held = [of_suit(suit, rest) for suit in range(4)]
    never = [look.calling(suit, follower, jacks) for suit in range(4)]
    suit = max(range(4), key=lambda suit: (never[suit] // CLEAR, held[suit], never[suit]))
    said = ("follows a call", suit, follower, look.held(follower), never[suit])
    yield Fact("follows", never[suit], said, CLEAR, OFTEN, beside=True)
    yield Fact("left", held[suit], ("calls", suit, held[suit], has_ace(suit, rest)), enough=2)


def _sheds(look: Look, play: Play, card: Card, rest: Sequence[Card]) -> Iterator[Fact]:
    """What else goes with it, and what can be laid of the cards that stay."""
    if look.table.flapping:
        yield Fact("flaps", 1, ("flaps",))
    if rest and card.kind in NOT_LAST and (card.kind not in ACES or len(rest) <= FEW):
        yield Fact("not last", 1, ("not last",))
    if (many := at_once(look, card, rest)) > 1:
        yield Fact("at once", many, ("at once", many))
    if card.kind not in ACES and (fitting := kin(card, rest)):
        yield Fact("left", fitting, ("left", card.id, len(rest), fitting))


def at_once(look: Look, card: Card, rest: Sequence[Card]) -> int:
    """How many cards can go at once; 1 where the hand would pick one up for it."""
    if (goes := _lays_on(card)) is not None:
        fits, most = goes
        others = min(most, sum(map(fits, rest)))
        return 1 + others if others < len(rest) or card.kind == "mega-flap" else 1
    if card.kind == "pick":
        return 2 if len(rest) > 1 else 1
    return 2 if card.kind == "full monty" and len(rest) >= SET_DOWN else 1


def _lays_on(card: Card) -> tuple[Fits, int] | None:
    """What may be laid onto this card at once by the same player, and how many."""
    if card.kind == "ace'n'lay":
        return ACE_LAY[card.suit // 2].fits, 1
    return _MORE.get(card.kind)


_MORE: Final = {
    "dump": (FIVE.fits, MOST_FIVES),
    "king'n'lay": (KING_LAY.fits, 1),
    "mega-flap": (FLAP.fits, MEGA_EXTRAS),
}
