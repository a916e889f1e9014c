"""The reasons of Flaps as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.games.flaps.bot import FEW
from engine.games.flaps.cards import CARDS
from engine.games.flaps.words import SUIT_NAMES
from engine.wording import Words, by_value, counted
from engine.wording.words import PROBABLY, Sentence, in_deals
from engine.zone import Seat


def _who(words: Words, seat: Seat, held: int) -> str:
    """A player, and how near to the end if that is near."""
    who = words.who(seat)
    return f"{who}, with {counted(held, 'card')} left," if held <= FEW else who


def _deals(of_100: int, otherwise: int | None) -> str:
    """In how many deals, and in how many after the other decision if that is compared."""
    beside = "" if otherwise is None else f" (otherwise {otherwise})"
    return f"in {of_100} of 100 deals{beside}"


def _follows(words: Words, seat: Seat, held: int, of_100: int, otherwise: int | None = None) -> str:
    return f"then {_who(words, seat, held)} has nothing to lay {_deals(of_100, otherwise)}"


def _follows_call(
    words: Words, suit: int, seat: Seat, held: int, of_100: int, otherwise: int | None = None
) -> str:
    who = _who(words, seat, held)
    return f"if {SUIT_NAMES[suit]} are called, {who} has nothing to lay {_deals(of_100, otherwise)}"


def _attacks(
    words: Words, seat: Seat, held: int, of_100: int, owed: int, otherwise: int | None = None
) -> str:
    who, cards = _who(words, seat, held), counted(owed, "card")
    return f"{who} has no answer {_deals(of_100, otherwise)} and picks up {cards}"


def _all_draw(words: Words, seats: Sequence[Seat]) -> str:
    verb, each = ("picks", "") if len(seats) == 1 else ("pick", " each")
    return f"{words.people(seats)} {verb} up a card{each}"


def _lowest(words: Words, card: int, kept: int, otherwise: int | None = None) -> str:
    """By how often it loses, as that is what people fear."""
    face, lost = words.card(CARDS[card]), 100 - kept
    less = f"{face} loses less often:" if lost > PROBABLY else f"{face} loses"
    deals = _deals(lost, None if otherwise is None else 100 - otherwise)
    return f"{less} {deals} if the others put their highest down"


def _contested(words: Words, suit: int, card: int, of_100: int) -> str:
    face = words.card(CARDS[card])
    return f"with {SUIT_NAMES[suit]} as trumps {face} loses {in_deals(of_100)}"


def _furthest(words: Words, of_100: int) -> str:
    less = " less often:" if of_100 > PROBABLY else ""
    return f"of the sums called it is the furthest off{less} {in_deals(of_100)}"


def _no_flap(words: Words, card: int | None, seat: Seat, of_100: int) -> str:
    when = "without it" if card is None else f"on {words.card(CARDS[card])}"
    return f"{when} {words.who(seat)} could lay a FLAP in {of_100} of 100 deals"


def _lets_out(words: Words, card: int, seat: Seat) -> str:
    return f"in {words.card(CARDS[card])} {words.who(seat)} could get rid of the last card"


def _left(words: Words, card: int, rest: int, fitting: int) -> str:
    face = words.card(CARDS[card])
    if rest == 1:
        return f"the card that stays is of the suit or rank of {face}"
    verb = "is" if fitting == 1 else "are"
    return f"{fitting} of the {rest} cards that stay {verb} of the suit or rank of {face}"


def _keeps(what: str) -> Sentence:
    """That a card stays which is good for something later."""
    return lambda words, card: f"{words.card(CARDS[card])} stays: it {what}"


WHY: Final[Mapping[str, Sentence]] = {
    "wins": "it is the last card, and wins",
    "attacks": _attacks,
    "misses": "{0:who} has no 8 in {1} of 100 deals and misses a turn",
    "follows": _follows,
    "follows a call": _follows_call,
    "calls": "{0:suit name} can be called, of which the hand has {1:n card}{2:apart}",
    "all draw": _all_draw,
    "contested": _contested,
    "names": "{0:who}, who has {1:n card}, can be made to pick one up",
    "turns": "the turn goes on to {0:who}, with {1:n card}, and not to {2:who}, with {3}",
    "flaps": "it goes out of turn",
    "at once": "{0:n card} can go at once",
    "not last": "as the last card it would not win",
    "some not last": "{0} of them would not win as the last card",
    "alone": "no card that stays is of its suit or rank",
    "left": _left,
    "spares": "otherwise {0:n card} would come into the hand",
    "no flap": _no_flap,
    "lets out": _lets_out,
    "keeps": "the cards in the hand are worth more later",
    "keeps end": _keeps("goes on any card and wins as the last"),
    "keeps ace": _keeps("goes on any card"),
    "keeps six": _keeps("wins twice as the last card"),
    "keeps flap": _keeps("can go out of turn in the next flapping"),
    "keeps answer": _keeps("can answer an attack"),
    "keeps eight": _keeps("can make the next player miss a turn"),
    "keeps doofer": _keeps("passes a 10 on"),
    "suit": "the hand holds {0:n card} of it{1:apart}",
    "lowest": _lowest,
    "highest": lambda words, card: f"{words.card(CARDS[card])} is the highest of it in the hand",
    "own top": lambda words, card: f"{words.card(CARDS[card])} is the top of one's own pile",
    "nearest": "of the others {0:who} is nearest to the end, with {1:n card}",
    "near": "{0:who} is nearer to the end, with {1:n card}",
    "no doofer": lambda words, seat, of_100: (
        f"{words.who(seat)} can pass it on with an HD {in_deals(of_100)}"
    ),
    "gets": "{0:who} gets one more card",
    "takes": "otherwise a card of one's own pile comes into the hand",
    "up later": "a 1-UP can bring it into the hand of {0:who}",
    "far": "{0:who} is farther from the end, with {1:n card}",
    "furthest": _furthest,
    "middle": "in the middle of 100 deals the sum is {0}",
    "said": by_value(
        0,
        {
            "catch": "whoever is caught without saying it picks up a card",
            ...: "who does not say it in time picks up a card",
        },
    ),
    "caught": "{0:who} picks up a card for it",
}
