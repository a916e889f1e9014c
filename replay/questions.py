"""What the rules asked in a saved game, in a form that can be read without the rules.

A verifier that does not know the game cannot tell which slots a step is about.  This list says so;
the list is a claim, and the proofs, which are bound to the slots, show whether it is true (log
format, section "Questions").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from engine import acts
from engine import question as ask
from engine.cards import Deck, Fits
from engine.errors import NO_DECK, EngineError
from engine.lost import Lost
from engine.question import Otherwise, Question
from engine.registry import Registry
from engine.session import Session
from engine.sets import LaySet, LayTogether
from engine.zone import Seat, Slot

Told = dict[str, object]
_OTHERWISE: Final = {
    Otherwise.NOTHING: "nothing",
    Otherwise.PASS: "pass",
    Otherwise.ANY_SWORN: "sworn",
}


def questions(session: Session) -> list[Told]:
    """Every question of the game so far, including the pending one, in order.

    One that nobody answered since a seat left for good, or was lost, says which seat.  A question
    that is void since a seat was lost, or may be, says which zones are mended then.  The game is
    played again from the answers of `session`, which stays as it is: predicates of the rules only
    mean what they say while their question is asked.
    """
    again = Session(session.game, session.table.seats, session.options)
    told = []
    for answer in session.journal:
        if again.pending is not None:  # a seat can be voted out after the last question
            told.append({**_tell(again), **_void(again, answer)})
        again.answer(answer)
    if again.pending is not None:
        told.append({**_tell(again), "zones": _zones(again)})
    return told


def _void(session: Session, answer: object) -> Told:
    """Who left, or was lost, instead of an answer."""
    if not isinstance(answer, Lost):
        return {}
    if not answer.gone:
        return {"left": answer.seat}
    return {"lost": answer.seat, "zones": _zones(session)}


def _zones(session: Session) -> list[list[Slot]]:
    """The JOINT slots of each zone that has one which the pending question is about."""
    asked = session.pending
    about = () if asked is None else asked.about()
    return [list(slots) for slots in session.table.joint_zones(about)]


def _tell(session: Session) -> Told:
    asked, deck = session.pending, session.table.deck
    if asked is None:
        raise EngineError("the game ended before its last answer")
    return {"kind": asked.kind, **EXPORTED.of(asked)(asked, deck)}


def _named(fits: Fits, deck: Deck | None) -> list[int]:
    """The physical cards that a predicate names."""
    cards = deck.cards if deck else ()
    return [number for number, card in enumerate(cards) if fits(card)]


def _moves(moves: Iterable[tuple[int, int]]) -> list[list[int]]:
    return [[slot, seat] for slot, seat in moves]


def _fresh(_: Question[Any], deck: Deck | None) -> Told:
    if deck is None:
        raise EngineError(NO_DECK)
    return {"deck": deck.name, "cards": list(deck.lowest)}


def _play(asked: ask.Play, deck: Deck | None) -> Told:
    return {
        "seat": asked.seat,
        "zone": list(asked.zone),
        "fits": _named(asked.fits, deck),
        "otherwise": _OTHERWISE[asked.otherwise],
    }


def _lay_all(asked: acts.LayAll, deck: Deck | None) -> Told:
    hands = [[hand.owner, list(hand)] for hand in asked.hands]
    return {"hands": hands, "fits": _named(asked.fits, deck)}


def _claim(claim: Question[Any], seat: Seat, deck: Deck | None) -> Told:
    """A claim in a race: fields of a card to lay, how many calls there are, or both."""
    told: Told = {"seat": seat, "zone": None, "fits": None, "otherwise": "pass", "options": None}
    for part in claim.parts(seat):
        told |= EXPORTED.of(part)(part, deck)
    return told


def _set(claim: LaySet) -> Told:
    sizes = [claim.sizes.start, claim.sizes.stop - 1]
    return {"seat": claim.seat, "zone": list(claim.zone), "sizes": sizes}


EXPORTED: Final[Registry[Callable[[Any, Deck | None], Told]]] = Registry(
    "how it is exported",
    {
        acts.Fresh: _fresh,
        acts.Shuffle: lambda asked, _: {"slots": list(asked.slots)},
        acts.Reshuffle: lambda asked, _: {"slots": list(asked.slots), "seat": asked.by},
        acts.Cut: lambda asked, _: {"slots": list(asked.slots), "count": asked.count},
        acts.Deal: lambda asked, _: {"moves": _moves(asked.moves)},
        acts.Open: lambda asked, _: {"slots": list(asked.slots)},
        acts.Flip: lambda asked, _: {"sides": asked.sides, "times": asked.times},
        acts.HandOver: lambda asked, _: {"moves": _moves(asked.moves)},
        acts.PutBack: lambda asked, _: {"slots": list(asked.slots)},
        ask.Play: _play,
        acts.LayAll: _lay_all,
        ask.LayDown: lambda asked, _: {
            "seat": asked.seat,
            "zone": list(asked.zone),
            "count": asked.count,
        },
        LaySet: lambda asked, _: _set(asked),
        LayTogether: lambda asked, _: {"claims": list(map(_set, asked.claims.values()))},
        acts.Swear: lambda asked, deck: {
            "seat": asked.seat,
            "slots": list(asked.slots),
            "none": _named(asked.none_of, deck),
        },
        ask.Choose: lambda asked, _: {"seat": asked.seat, "options": len(asked.options)},
        ask.Race: lambda asked, deck: {
            "claims": [_claim(claim, seat, deck) for seat, claim in asked.claims.items()],
            "aside": list(asked.aside),
        },
        ask.Together: lambda asked, _: {
            "seats": list(asked.seats),
            "options": [len(options) for options in asked.options],
        },
    },
)
"""The fields of each kind besides its name; the deck is needed if it names cards."""
