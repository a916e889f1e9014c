"""What the screen says about Flaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from engine import question as ask
from engine.cards import Card
from engine.games.flaps.about import about
from engine.games.flaps.calls import CAUGHT, ONE_LEFT
from engine.games.flaps.duties import (
    ACE_LAY,
    DOOFER,
    EIGHT,
    FIVE,
    FLAP,
    KING_LAY,
    Top,
    answers,
    followers,
)
from engine.games.flaps.flapping import FLAPPING
from engine.games.flaps.laying import CALL, CALL_COLOUR
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE, UNDECLARED
from engine.games.flaps.level4 import GUESS
from engine.games.flaps.level5 import WHOSE
from engine.games.flaps.level6 import LOOK, LOOK_HAND, NOBODY, OVER, PLACE, SWAP, UP
from engine.games.flaps.level7 import REVEAL, TAKE, WHO
from engine.games.flaps.table import FlapsTable
from engine.games.flaps.why_words import WHY
from engine.games.flaps.words import CARDS, FURTHEST, MARKS, NOTES, SPECS, SUIT_NAMES, short_card
from engine.question import PASS
from engine.wording import Column, Scene, Wording, counted, listed
from engine.wording.roles import one_card_each
from engine.zone import Seat, Slot, Zone

BRIEF: Final = """\
Get rid of all your cards. Lay a card of the same suit or number as the top one, or pick one \
up. When you have one card left you are asked to say "Last Card": if another card is laid \
first, you pick one up. Cards with a name do something:
2, 3  the next player picks up 2 or 3, or lays another of that number, or a 2, 3, 7 or 9 of the \
suit: 2s and 3s add up, 7 turns it back, 9 ends it
4     FLAPS: anybody may lay a FLAP on it at once, but not on his own
8     the next player knocks (misses the go) or lays an 8
10    name a player: he picks one up
JACK  reverse
ACE   call a suit
What a card does: ? and its name, such as ?7c, ?hd, ?mf (MEGA-FLAP)
"""


def _race(scene: Scene[FlapsTable], race: ask.Race) -> str:
    if race.topic == FLAPPING:
        return "Any more flapping? Lay a FLAP, or pass."
    own = race.claims.get(scene.seat)
    if isinstance(own, ask.Choose):
        said = listed((_call(scene, call) for call in own.options), "or")
        return f"{race.topic.capitalize()} you may say: {said}."
    for claim in race.claims.values():
        play = claim.play if isinstance(claim, ask.Either) else claim
        if isinstance(play, ask.Play):
            return _play(scene, play)
    return f"{race.topic.capitalize()} others may call."


def _play(scene: Scene[FlapsTable], play: ask.Play) -> str:
    table = scene.table
    what = _INVITES.get(play.why)
    if what is None and table.owed:
        what = f"lay {answers(table.rank, table.level, scene.suit(table.suit))}"
    elif what is None:
        what = f"lay {_needed(scene)}"
    if play.seat != table.turn:
        return f"{scene.subject(play.seat)} may {what}, or {_declined(table, play)}."
    turn = f"{scene.whose(play.seat)} turn"
    return f"{turn[:1].upper()}{turn[1:]}: {what}, or {_declined(table, play)}."


def _put(scene: Scene[FlapsTable], question: ask.LayDown) -> str:
    """Why cards are put face down: the card on top of the discards says so."""
    top = scene.table.face(scene.table.discard[-1]).kind
    what = _PUTS.get(top, f"put {counted(question.count, 'card')} face down")
    return f"{scene.subject(question.seat)}: {what}."


_PUTS: Final[Mapping[str, str]] = {
    "trumps": "put a card face down: the lowest picks all up (Ace 1, trumps high)",
    "spoof": f"put a card face down; all call the sum: {FURTHEST}",
    "pick": "put a hand card on the Mystery Pile",
    "1-swap": "choose the hand card that is exchanged",
    "full monty": "put three cards face down, of which another player takes one",
}


def _choose(scene: Scene[FlapsTable], question: ask.Choose) -> str:
    asked = _ASKED.get(question.topic, f"{question.topic}.")
    if question.topic == PLACE and question.seat == scene.seat:
        asked = f"on whose pile does {scene.face(scene.table.stock[-1])} go?"
    if question.topic == GUESS and question.seat == scene.seat:
        asked = f"{asked.rstrip('.')} {_SPOOF_VALUES}."
    if question.topic in _AT_PLACES and question.seat == scene.seat:
        asked = f"{asked} {_ENDS}"
    return f"{scene.subject(question.seat)}: {asked}"


_ENDS: Final = "Place 1 is the bottom of a pile."
_AT_PLACES: Final = frozenset({OVER, LOOK, SWAP})
_SPOOF_VALUES: Final = "(maid 20, court 10, Ace 1)"
_ASKED: Final[Mapping[str, str]] = {
    GUESS: f"call the sum, 0 to {{0.options:most}}: {FURTHEST}.",
    LOOK_HAND: "whose hand do you look into, if any?",
    TARGET: "who is to pick up a card?",
    WHOSE: "whose card goes to the Mystery Pile?",
    PLACE: "on whose pile does the card go?",
    OVER: "which 1-DOWN card is turned face up?",
    LOOK: "which 1-DOWN card do you look at, if any?",
    SWAP: "which 1-DOWN card do you exchange, if any?",
    UP: "who takes the top of his pile, or nobody?",
    WHO: "who is to choose one of three cards?",
    CALL_COLOUR: "call a {0.options:colour} suit, the colour of the ACE'N'LAY.",
    ONE_LEFT: 'one card is left: say "Last Card"?',
}
_INVITES: Final[Mapping[str, str]] = {
    EIGHT.why: "lay an 8",
    FLAP.why: "lay a FLAP",
    DOOFER.why: "lay a HOOFERS-DOOFERS (HD)",
    FIVE.why: "dump one more five",
    KING_LAY.why: "lay one more King, club, OL' MAID or Ace",
    ACE_LAY[0].why: "lay one more black card or an Ace",
    ACE_LAY[1].why: "lay one more red card or an Ace",
}
"""What a player is asked to lay, by the sentence for a card that may not be laid."""
LISTED: Final = 4
"""So many names of cards fit into a line beside what is said of them."""
CALLED: Final = {play.why for play in ACE_LAY}
"""After these a suit is called if nothing more is laid: many lay them for that."""
LAYING_ON: Final = {FIVE.why, FLAP.why}
"""When laying nothing costs nothing."""


def _needed(scene: Scene[FlapsTable]) -> str:
    """What follows when nothing is pending."""
    table = scene.table
    top = Top(table.suit, table.rank, table.jacks_ok, table.maid_ok)
    return followers(top, table.level, scene.suit(table.suit))


def _declined(table: FlapsTable, play: ask.Play) -> str:
    """What a player who lays nothing does."""
    if table.miss:
        return "knock"
    if table.owed and play.seat == table.turn:
        return f"pick up {table.owed}"
    if play.why in CALLED:
        return "pick up, call a suit"
    return "lay nothing" if play.why in LAYING_ON else "pick up"


def _card(scene: Scene[FlapsTable], play: ask.Play, decision: int | None) -> str | None:
    if decision is not PASS:
        return None
    return "pass" if scene.table.flapping else _declined(scene.table, play)


def _waits(scene: Scene[FlapsTable], race: ask.Race, decision: int | None) -> str | None:
    waits = decision is PASS and isinstance(race.claims[scene.seat], ask.Choose)
    return "say nothing" if waits else None


def _cards(scene: Scene[FlapsTable], question: ask.LayDown, slots: Any) -> str:
    return f"{', '.join(map(scene.face, slots))} face down"


def _suit(scene: Scene[FlapsTable], suit: int, place: int) -> str:
    return SUIT_NAMES[suit]


def _player(scene: Scene[FlapsTable], seat: Seat, place: int) -> str:
    if seat == NOBODY:
        return "nobody"
    return f"{scene.who(seat)} (you)" if seat == scene.seat else scene.who(seat)


def _call(scene: Scene[FlapsTable], call: Any) -> str:
    word, culprit = call
    return f"{word} ({scene.who(culprit)})" if word == CAUGHT else str(word)


def _taken(scene: Scene[FlapsTable], slot: int, place: int) -> str:
    """Not by a number: the one pointed at comes first, whichever of the three it is."""
    return "other card" if place else "card pointed at"


def _shown(scene: Scene[FlapsTable], slot: int, place: int) -> str:
    """By its number among all three, which somebody has pointed at one of by number."""
    (zone,) = [zone for zone in scene.table.aside if slot in zone]
    return _option(scene, slot, zone.index(slot))


def _option(scene: Scene[FlapsTable], option: Any, place: int) -> str:
    """A call, a place in the piles, or a card of those that are offered."""
    if option is None or isinstance(option, str):
        return option or "no"
    if isinstance(option, int):
        face = scene.face(option)
        return f"card {place + 1}" if face == "?" else f"card {place + 1}: {face}"
    first, second = option
    if isinstance(first, str):
        return _call(scene, option)
    at = scene.table.down[first].index(second) + 1
    card = scene.view.recall(second)
    face = "?" if card is None else short_card(card, scene.ascii)
    return f"{scene.who(first)}, place {at}: {face}"


def _headline(scene: Scene[FlapsTable]) -> str:
    table = scene.table
    if table.over:
        return f"Flaps   level {table.level}   session over"
    mystery = f"   Mystery Pile {len(_mystery(table))}" if table.mystery else ""
    way = "clockwise" if table.direction > 0 else "anticlockwise"
    return f"Flaps   level {table.level}   {way}   stock {len(table.stock)}{mystery}"


def _top(scene: Scene[FlapsTable]) -> list[str]:
    table = scene.table
    if not table.discard:
        return ["Nothing is laid yet."]
    if table.owed:
        next_comes = f"attack: {table.owed} to pick up"
    elif table.miss:
        next_comes = "knock, or lay an 8"
    else:
        next_comes = "FLAPPING" if table.flapping else _holds(scene)
    top = f"Top: {scene.card(table.face(table.discard[-1]))}   {next_comes}"
    return [top, *_seen(scene)]


def _holds(scene: Scene[FlapsTable]) -> str:
    """What holds now: for a card that still does something, what that is; else what follows."""
    table = scene.table
    if table.effect == "trumps" and table.trump != UNDECLARED:
        return f"{SUIT_NAMES[table.trump]} are trumps: the lowest takes all"
    return _PENDING.get(table.effect) or f"follow with {_needed(scene)}"


_PENDING: Final[Mapping[str, str]] = {
    **dict.fromkeys(("ace", "ace'n'end", "ace-jack"), "a suit is called next"),
    "ace'n'lay": "a card is laid on it, or a suit called",
    "trumps": "a suit is declared trumps next",
    "spoof": FURTHEST,
}


def _seen(scene: Scene[FlapsTable]) -> list[str]:
    """The cards of the Mystery Pile and of other hands that the reader has seen, newest first."""
    table, view, among = scene.table, scene.view, scene.view.among()
    secrets = [card for slot in _mystery(table) if (card := view.recall(slot)) is not None]
    places = [("the Mystery Pile", secrets)]
    for seat, hand in enumerate(table.hands):
        held = [one.card for one in among if one.slots.issubset(hand)]
        held += [view.face(slot) for slot in hand if seat != scene.seat and view.knows(slot)]
        places.append((f"{scene.whose(seat)} hand", held))
    seen = [f"in {where}: {_newest(scene, cards)}" for where, cards in places if cards]
    return [f"You have seen {', '.join(seen)}"] if seen else []


def _newest(scene: Scene[FlapsTable], cards: Sequence[Card]) -> str:
    shown = [short_card(card, scene.ascii) for card in reversed(cards)]
    more = [f"and {len(cards) - LISTED} more"] * (len(cards) > LISTED)
    return " ".join([*shown[:LISTED], *more])


def _mystery(table: FlapsTable) -> Sequence[Slot]:
    return table.mystery[0] if table.mystery else ()  # none below level 5


def _columns(table: FlapsTable) -> tuple[Column[FlapsTable], ...]:
    columns: tuple[Column[FlapsTable], ...] = (
        Column(
            "cards", lambda scene, seat: len(scene.table.hands[seat]), short="cds", counted=True
        ),
        Column("wins", lambda scene, seat: scene.table.wins[seat]),
    )
    return (*columns, Column("1-DOWN", _pile, 0)) if table.down else columns


def _pile(scene: Scene[FlapsTable], seat: Seat) -> str:
    """The pile from bottom to top: open faces, and in brackets those that the reader has seen.

    "(seen)" is one whose face a saved game does not tell.
    """
    shown = []
    for slot in scene.table.down[seat]:
        card = scene.view.recall(slot)
        if card is None:
            shown.append("(seen)" if scene.table.has_seen(scene.view.seat, slot) else "?")
            continue
        short = short_card(card, scene.ascii)
        shown.append(short if slot in scene.table.face_up else f"({short})")
    return " ".join(shown)


def _hand(scene: Scene[FlapsTable]) -> str:
    """The reader's own cards by suit and number, and those that are put aside.

    "?" is one that somebody else is looking at, whose face a saved game does not tell.
    """
    hand = scene.table.hands[scene.seat]
    cards = [card for slot in hand if (card := scene.view.recall(slot)) is not None]
    cards.sort(key=lambda card: (card.suit, card.rank, card.id))
    shown = [short_card(card, scene.ascii) for card in cards] + ["?"] * (len(hand) - len(cards))
    held = " ".join(shown) or "no cards"
    return f"{held}   {_put_aside(scene)}".rstrip()


def _put_aside(scene: Scene[FlapsTable]) -> str:
    """What the reader has put face down beside the pile."""
    slots = [slot for zone in _beside(scene.table, scene.seat) for slot in zone]
    return f"(aside: {scene.faces(slots)})" if slots else ""


def _beside(table: FlapsTable, seat: Seat) -> Sequence[Zone]:
    return table.aside[seat : seat + 1]  # none in level 1


TEXT: Final = Wording(
    title="Flaps",
    table=FlapsTable,
    cloth="burgundy",
    scored="wins",
    brief=BRIEF,
    cards=CARDS,
    specs=SPECS,
    notes=NOTES,
    why=WHY,
    questions={
        "race": _race,
        "play": _play,
        "choose": _choose,
        "lay-down": _put,
        "reshuffle": "The order of a hand is being hidden.",
        "put-back": "The cards of the piles are being gathered.",
        "cut": "The stock is being cut.",
    },
    choices={
        "race": _waits,
        "play": _card,
        "lay-down": _cards,
    },
    options={
        **dict.fromkeys((CALL, CALL_COLOUR, DECLARE), _suit),
        **dict.fromkeys((TARGET, WHOSE, PLACE, LOOK_HAND, UP, WHO), _player),
        GUESS: "{0}",
        REVEAL: _shown,
        TAKE: _taken,
        "": _option,
    },
    headline=_headline,
    middle=_top,
    columns=_columns,
    turn=lambda table: table.turn if table.playing else None,
    when=lambda scene: f"turn {scene.table.turns}" if scene.table.turns else "",
    hand=_hand,
    hand_note=_put_aside,
    beside=_beside,
    about=about,
    direction=lambda table: table.direction,
    last_call={FLAPPING: lambda table: table.last_call_ms},
    stock=lambda table: table.stock,
    marks=MARKS,
    keys={},  # cards and calls are claimed by Space, or typed
    endings={"takes all": 0, **dict.fromkeys(("win", "ranking", "over"))},
    recalls=("trumps", "sum called", "sum"),
    shows={"aside up": one_card_each, "cut": partial(one_card_each, said="cut")},
)
