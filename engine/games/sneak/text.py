"""What the screen says about Sneak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import acts
from engine.cards import Card
from engine.game import Options
from engine.games.sneak.cards import DECKS, RANKS, packs_for, target_of
from engine.games.sneak.combos import NOTHING, SINGLE, kind_of
from engine.games.sneak.table import NO_COUNT, SneakTable
from engine.sets import Lay, LaySet, LayTogether
from engine.wording import (
    CardSet,
    Column,
    MarkKind,
    Scene,
    ShownSet,
    Wording,
    Words,
    by_value,
    counted,
    may_be_beaten,
)
from engine.zone import Seat, Slot

BRIEF: Final = """\
Win cards: a point each when the round is over. On your turn draw a card, sneak cards (any, \
face down: bluff!) or flaunt (face up: one card, or a match, straight flush, straight or \
flush). Whoever holds as many cards may challenge with as many, all in secret: the best set \
wins them all. Nobody challenges: you win yours back. Without a card you just draw; without \
stock you have to flaunt. Who alone has cards left in the end wins them.
Sets from the best: match (all of one rank), straight flush, straight, flush, nothing; in the \
house ranking: straight flush, match, flush, straight, nothing. Two cards are enough for each, \
and in straights an ace is also low (A-2-3). Of the same kind, and of single \
cards, the highest decides, an ace above a king; of equal sets the last in turn wins. Against \
a flaunted straight or flush a straight flush is no more than that; a flaunted straight flush \
falls only to another, not to a match.
sneak 7c 9d    flaunt 7c 8c 9c    cards typed by name, several at once
"""
FACE_DOWN: Final = ", face down"
SET_WIDTH: Final = 38
"""The width left in a seat's line for the cards laid before it."""
SECONDS_A_ROUND: Final[Mapping[int, int]] = {1: 90, 2: 258}
"""Measured for each number of packs, between bots at their pace."""


def _sorted(cards: Sequence[Card]) -> list[Card]:
    """High ones first."""
    return sorted(cards, key=lambda card: (-card.rank, card.suit))


def set_of(words: Words, cards: Sequence[Card]) -> str:
    """A set, high cards first, and what it is."""
    said = words.cards(_sorted(cards))
    return said if len(cards) == 1 else f"{said} ({kind_of(cards).value})"


def _contest(words: Words, winner: Seat, count: int, why: Sequence[Any]) -> str:
    """Who wins, and by what (section 3; what a straight flush counts as: section 5)."""
    told = words.say("{0:who} wins the contest: {1:n card}", winner, count)
    match why:
        case ["last"]:
            said = ", equal to the best and last in turn"
        case ["flaunted"]:
            said = "; only a straight flush beats a flaunted one"
        case ["kind", best, other, reduced]:
            said = f", {_one(best)} beats {_one(other)}{_reduced(reduced)}"
        case ["rank", kind, best, other, reduced]:
            both = "" if kind == SINGLE.value else f"both {kind}, "
            said = f", {both}{RANKS[best]} above {RANKS[other]}{_reduced(reduced)}"
        case _:
            said = ""
    return f"{told}{said}."


def _round_over(words: Words, number: int, won: Sequence[int], points: Sequence[int]) -> str:
    """What the round has brought, and to whom most."""
    most = words.people([seat for seat, count in enumerate(won) if count == max(won)])
    said = words.say("{0:each+}. Points: {1:each}.", won, points)
    return f"Round {number} is over, most cards for {most}: {said}"


def _one(kind: str) -> str:
    return kind if kind == NOTHING.value else f"a {kind}"


def _reduced(kind: str) -> str:
    return f"; a straight flush counts as a {kind} here" if kind else ""


def _lead(scene: Scene[SneakTable], question: LaySet) -> str:
    sneaking, at_most = question.terms.down, counted(question.sizes[-1], "card")
    if question.seat == scene.seat:
        what = "draw, sneak or flaunt" if sneaking else "you have to flaunt"
        fewer = question.sizes[-1] < len(scene.table.hands[scene.seat])
        why = ": nobody else holds more" if fewer else ""
        return f"Your turn: {what} (at most {at_most}{why})."
    does = "is to draw, sneak or flaunt" if sneaking else "has to flaunt"
    return f"{scene.who(question.seat)} {does}."


def _challenge(scene: Scene[SneakTable], question: LayTogether) -> str:
    table = scene.table
    led = table.played[table.seat]
    known = [face for slot in led if (face := table.faces[slot]) is not None]
    count = counted(len(led), "card")
    what = f"flaunt of {set_of(scene, known)}" if known else f"sneak of {count}"
    if scene.seat in question.deciders:
        whose = scene.whose(table.seat)
        return f"Challenge {whose} {what} with {count}, or pass; all decide in secret."
    told = f"{scene.people(question.deciders)} may challenge the {what}."
    too_few = not scene.watching and scene.seat != table.seat
    return f"{told} You hold too few cards." if too_few else told


def _deal(scene: Scene[SneakTable], question: acts.Deal) -> str:
    if len(question.moves) > 1:
        return "Everybody draws a card."
    return f"{scene.who(question.moves[0][1])} draws a card."


def _choice(scene: Scene[SneakTable], question: Any, decision: Lay | None) -> str:
    leads = isinstance(question, LaySet)
    if decision is None:
        return "draw" if leads else "pass"
    verb = "challenge" if not leads else "sneak" if decision.down else "flaunt"
    return f"{verb} {scene.cards(_sorted(scene.view.cards(decision.slots)))}"


def _headline(scene: Scene[SneakTable]) -> str:
    table = scene.table
    if table.over:
        return f"Sneak   game over after {counted(table.round, 'round')}"
    packs = "two packs" if table.packs == 2 else "one pack"
    house = "   house ranking" if table.house else ""
    play = f"to {table.target}, {packs}{house}"
    if not table.round:
        return f"Sneak   {play}"
    stock = f"stock {len(table.stock)}" if table.stock else "stock gone: flaunts only"
    turns = counted(table.turns_left, "turn")
    left = f"   {turns} left" if table.turns_left != NO_COUNT else ""
    return f"Sneak   round {table.round}   {stock}{left}   {play}"


def _laid(scene: Scene[SneakTable], seat: Seat) -> str:
    """What lies before a seat, face down for those who may not know it."""
    laid = scene.table.played[seat]
    if not all(scene.view.knows(slot) for slot in laid):
        return f"{counted(len(laid), 'card')} face down"
    cards = scene.cards(_sorted(scene.view.cards(laid)))
    end = FACE_DOWN if _is_down(scene, laid) else ""
    room = SET_WIDTH - len(end)
    told = cards if len(cards) <= room else cards[: room - 4].rsplit(" ", 1)[0] + " ..."
    return f"{told}{end}"


def _is_down(scene: Scene[SneakTable], laid: Sequence[Slot]) -> bool:
    """Whether not everybody knows these cards; whoever has laid them does."""
    return any(scene.table.faces[slot] is None for slot in laid)


def _sets(scene: Scene[SneakTable]) -> list[CardSet]:
    """The stock, and what was laid in this contest, as it lies; beside one's own what it is."""
    stock = [CardSet([None], "stock", count=len(scene.table.stock))] if scene.table.stock else []
    return stock + [_set(scene, seat, laid) for seat, laid in enumerate(scene.table.played) if laid]


def _set(scene: Scene[SneakTable], seat: Seat, laid: Sequence[Slot]) -> CardSet:
    if not _is_down(scene, laid):
        return CardSet(scene.view.cards(laid), seat=seat)
    known = seat == scene.seat and all(scene.view.knows(slot) for slot in laid)
    own = scene.cards(_sorted(scene.view.cards(laid))) if known else ""
    return CardSet([None] * len(laid), own, seat=seat)


def _hand(scene: Scene[SneakTable]) -> str:
    return scene.cards(_sorted(scene.view.cards(scene.table.hands[scene.seat]))) or "no cards"


def _shown(seat: Seat, cards: Sequence[Card]) -> Sequence[ShownSet]:
    said = kind_of(cards).value if len(cards) > 1 else ""
    return (ShownSet(seat, _sorted(cards), said),)


def _lasts(seats: int, options: Options) -> str:
    packs = packs_for(seats, str(options["packs"]))
    target = target_of(packs, options)
    rounds = -(-target * seats // len(DECKS[packs]))
    said = counted((rounds * SECONDS_A_ROUND[packs] + 30) // 60, "minute")
    return f"to {target} points, some {counted(rounds, 'round')}: about {said} at the pace of bots"


TEXT: Final = Wording(
    title="Sneak",
    table=SneakTable,
    cloth="plum",
    brief=BRIEF,
    specs={"set": set_of},
    notes={
        "round": "Round {0}: {1:who} deals, everybody draws a card, {2:who} begins.",
        "draw": "{0:who} draws a card.",
        "has to draw": "{0:who} can lead nothing, and draws a card.",
        "stock gone": by_value(
            0,
            {
                True: "The stock is gone: everybody has one more turn, and has to flaunt.",
                False: "The stock is gone, and with it sneaking: now you have to flaunt.",
            },
        ),
        "sneak": "{0:who} sneaks {1:n card}.",
        "flaunt": "{0:who} flaunts {1:set}.",
        "unchallenged": "Nobody challenges: {0:who} wins {1:n card} back.",
        "turned up": "{0:who} has sneaked {1:set}.",
        "challenge": "{0:who} challenges with {1:set}.",
        "contest": _contest,
        "leftover": by_value(
            2,
            {
                True: "{0:who} alone has cards left, and wins them: {1}.",
                False: "{0:who} has {1:n card} left, for which nobody scores.",
            },
        ),
        "out": by_value(
            2,
            {
                True: "The hand of {0:who} goes under the stock, unopened: {1:n card}.",
                False: "The hand of {0:who} is out of the round: {1:n card}, for nobody.",
            },
        ),
        "unclaimed": "Nobody challenges: the sneak of {0:who} goes under the stock, unopened.",
        "round over": _round_over,
        "tie": "{0:people} share the lead: another round.",
        "over": "The game is over: {0:each}. {1:wins}!",
    },
    why={
        "draws": "a lead would leave a card of the stock to somebody else",
        "keeps": "who holds cards when the others have none wins them",
        "free": "it costs no card of the stock",
        "stakes one": "only one card is at stake",
        "may be beaten": may_be_beaten,
        "none fits": "no set in the hand may be laid against it",
        "passes a sneak": "the best set in the hand beats the sneak in {0} of 100 deals",
        "passes a flaunt": "nothing in the hand beats the flaunt",
        "spares": "what beats the {0} is worth more later",
        "challenges a sneak": "it beats the sneak in {0} of 100 deals",
        "challenges a flaunt": "it beats the flaunt",
    },
    questions={
        "lay-set": _lead,
        "lay-together": _challenge,
        **dict.fromkeys(("fresh", "shuffle"), "The cards are being shuffled."),
        "deal": _deal,
        "open": lambda scene, question: f"{scene.who(scene.table.seat)} turns the sneak up.",
        "flip": "Chance decides who deals first.",
    },
    choices={"lay-set": _choice, "lay-together": _choice},
    headline=_headline,
    middle=lambda scene: (),
    columns=lambda table: (
        Column("hand", lambda scene, seat: len(scene.table.hands[seat]), 4),
        Column("cards won", lambda scene, seat: len(scene.table.winnings[seat]), short="won"),
        Column("points", lambda scene, seat: scene.table.scores[seat], 7, short="pts"),
        Column("laid", _laid, 0, in_middle=True),
    ),
    turn=lambda table: table.seat,
    hand=_hand,
    laid=_sets,
    complete=True,
    chapter=lambda scene: f"Round {scene.table.round}, {scene.whose(scene.table.seat)} turn",
    stock=lambda table: table.stock,
    lasts=_lasts,
    marks={
        "over": MarkKind.END,
        "round": MarkKind.ROUND,
        **dict.fromkeys(("unchallenged", "contest"), MarkKind.TRICK),
        "challenge": MarkKind.EFFECT,
    },
    endings={"unchallenged": 0, "contest": 0, **dict.fromkeys(("round over", "tie", "over"))},
    unasked=("has to draw",),
    shows=dict.fromkeys(("flaunt", "turned up", "challenge"), _shown),
)
