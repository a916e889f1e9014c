"""The tables that the vectors are cut from: whole games of each kind, all from seeds.

No bot of the program plays here: who plays better tomorrow has to leave the vectors as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from engine.game import Value
from engine.games import load
from engine.games.flaps.cards import FACES
from engine.question import Choose, Otherwise, Play, Race
from p2p.protocol.races.timing import Timing
from p2p.protocol.step import LEAVE
from tests.protocol.kit import Hub, game_hub, log_bytes
from tests.protocol.timed import MS, Clock, TimedHub
from tests.vectors.scenes import find

MOST_WIRE: Final = 10**7
Decide = Callable[[Any, Any], object]
Style = Callable[[Hub], Decide]
REACTIONS_MS: Final = (257, 250, 450)
"""How long after a race begins each seat claims, on a virtual clock: two of them tie."""

SEEDS: Final = 20
"""So many are tried for a game in which somebody leaves."""


class Plan(NamedTuple):
    """A game, how many play it, under which options, and how they play."""

    game: str
    seats: int
    seed: int
    options: dict[str, Value]
    style: Style


def at_random(hub: Hub) -> Decide:
    return hub.choose_at_random


def calling(hub: Hub) -> Decide:
    """Nobody folds or raises, so that hands come to the end; the rest is chance."""

    def decide(view: Any, question: Any) -> object:
        return 1 if isinstance(question, Choose) else hub.choose_at_random(view, question)

    return decide


def folding(hub: Hub) -> Decide:
    """Seat 0 folds as soon as it can, and nobody else does."""
    others = calling(hub)

    def decide(view: Any, question: Any) -> object:
        folds = isinstance(question, Choose) and view.seat == 0
        return 0 if folds else others(view, question)

    return decide


def curious(hub: Hub) -> Decide:
    """In Flaps: lay cards of the highest level, and do whatever may be done."""
    rng = Random(1)

    def decide(view: Any, question: Any) -> object:
        decisions = question.decisions(view)
        if isinstance(question, Play):
            slots = [slot for slot in decisions if slot is not None]
            return max(slots, key=lambda slot: FACES[view.face(slot).id].row.level, default=None)
        return decisions[-1] if rng.random() < 0.5 else rng.choice(decisions)

    return decide


def laying_another(hub: Hub) -> Decide:
    """A seat that must lay a certain card, or swear, lays the first card that is not asked for."""

    def decide(view: Any, question: Any) -> object:
        if not isinstance(question, Play) or question.otherwise is not Otherwise.ANY_SWORN:
            return hub.choose_at_random(view, question)
        return next(slot for slot in question.zone if not question.fits(view.face(slot)))

    return decide


def laying_others(hub: Hub) -> Decide:
    """A seat lays the first card of its hand that is not the lowest, whatever is asked for."""

    def decide(view: Any, question: Any) -> object:
        if not isinstance(question, Play):
            return hub.choose_at_random(view, question)
        return next(slot for slot in question.zone if view.face(slot).rank > 0)

    return decide


def going(style: Style, kind: str, *who: int, after: int = 0) -> Style:
    """Those seats leave for good at a step of this kind, after so many others of it."""

    def leaving(hub: Hub) -> Decide:
        honest, left = style(hub), dict.fromkeys(who, after)

        def decide(view: Any, question: Any) -> object:
            step = hub.seats[view.seat].machine.step
            if step is None or step.kind != kind or view.seat not in left:
                return honest(view, question)
            left[view.seat] -= 1
            return LEAVE if left[view.seat] < 0 else honest(view, question)

        return decide

    return leaving


def going_as_another_shows(who: int, another: int) -> Style:
    """Only `another` claims in races, with a card; `who` leaves in the first race it does so in."""

    def leaving(hub: Hub) -> Decide:
        def decide(view: Any, question: Any) -> object:
            if not isinstance(question, Race):
                return hub.choose_at_random(view, question)
            shown = another in question.claims and _cards_of(hub, question, another)
            if view.seat == another:
                return max(shown or (), default=None)
            return LEAVE if shown and view.seat == who else None

        return decide

    return leaving


def _cards_of(hub: Hub, race: Race, seat: int) -> list[int]:
    """The slots of cards of its hand that this seat can claim with."""
    slots = hub.seats[seat].cards.slots
    plays = [part for part in race.claims[seat].parts(seat) if isinstance(part, Play)]
    return [
        slot
        for play in plays
        for slot in play.zone
        if slot in slots.own and play.fits(slots.card(slots.own[slot]))
    ]


PLANS: Final[dict[str, Plan]] = {
    "flip-over": Plan("flip-over", 3, 1, {"rounds": 1}, at_random),
    "flip-over-teams": Plan("flip-over", 4, 1, {"rounds": 2, "teams": True}, at_random),
    "flop-a": Plan("flop-a", 3, 1, {"hands": 1}, calling),
    "sneak": Plan("sneak", 2, 1, {"target": 25}, at_random),
    "flaps-level-1": Plan("flaps", 2, 3, {"level": 1, "turn-limit": 10}, at_random),
    "flaps-level-2": Plan(
        "flaps", 3, 18, {"level": 2, "turn-limit": 20, "last-card": "off"}, curious
    ),
    "flaps-level-7": Plan(
        "flaps", 3, 1, {"level": 7, "turn-limit": 25, "last-card": "off"}, curious
    ),
    "flop-a-hands": Plan("flop-a", 2, 2, {"hands": 2}, at_random),
}
"""The plans of `logs/good-NAME.ndlog`; the other vectors are cut from these, or bent."""
RACES: Final = Plan("you-fink", 3, 1, {"cardLimit": "50"}, at_random)
"""A game that is full of races."""
OTHERS: Final = {
    "you-fink": RACES,
    "oaths": PLANS["flip-over-teams"]._replace(seed=9),
}
"""Plans whose logs are only cut or bent; in the second, many oaths by shuffle are sworn."""
LEAVING: Final = {
    "left-turn": Plan("flip-over", 3, 1, {"rounds": 1}, going(at_random, "play", 1, after=1)),
    "left-two": Plan("you-fink", 4, 3, {"cardLimit": "50"}, going(at_random, "race", 1, 2)),
    "left-race": Plan("flaps", 3, 2, {"level": 1, "turn-limit": 8}, going_as_another_shows(1, 0)),
    "left-secret": Plan("flop-a", 3, 1, {"hands": 1}, going(calling, "commit", 1)),
    "left-sets": Plan("sneak", 3, 1, {"target": 25}, going(at_random, "set-commit", 1)),
    "left-last": Plan("flop-a", 3, 1, {"hands": 1}, going(calling, "choose", 1, 2)),
    "left-fresh": Plan("flop-a", 3, 1, {"hands": 2}, going(folding, "commit", 1, 2)),
    "left-first": Plan("flop-a", 3, 1, {"hands": 1}, going(calling, "choose", 1)),
    "left-other": Plan("flop-a", 3, 1, {"hands": 1}, going(calling, "choose", 2)),
}
"""Tables that seats leave for good; of the last two only the beginning is in the vectors."""
STAGED: Final = {
    "swear": Plan("vectors-sworn", 2, 26, {}, at_random),
    "put-back": Plan("vectors-put-back", 2, 1, {}, at_random),
    "dealt-back": Plan("vectors-dealt-back", 2, 1, {}, at_random),
    "decks": Plan("vectors-decks", 2, 3, {}, at_random),
    "credits": Plan("vectors-credited", 3, 6, {}, at_random),
    "merged": Plan("vectors-merged", 2, 1, {}, at_random),
    "mixed": Plan("vectors-mixed", 2, 1, {}, laying_others),
    "false-after-mix": Plan("vectors-mixed", 2, 27, {}, laying_others),
    "false-after-merge": Plan("vectors-merged", 2, 1, {}, laying_another),
    "false-by-pairs": Plan("vectors-sworn", 2, 1, {}, at_random),
    "false-by-shuffle": Plan("vectors-sworn", 2, 5, {}, at_random),
}
"""Scenes: to sit down at one, be inside of `known_scenes`.

In the last two, seat 1 holds a card that its first oath, or its second, is about; in the two before
them it draws a card that it has to lay, and lays another one.
"""


def sit_down(plan: Plan) -> Hub:
    """The table of a plan, before its first step."""
    game = find(plan.game)
    hub = game_hub(game, plan.seats, plan.seed, **plan.options)
    hub.chooser = plan.style(hub)
    return hub


@cache
def finished(name: str) -> Hub:
    """The table of a plan of `PLANS`, played to its end."""
    return play_out(PLANS[name])


def play_out(plan: Plan) -> Hub:
    """A table, played to its end."""
    return _end(sit_down(plan))


def left_table(name: str) -> Hub:
    """The table of a plan of `LEAVING`, played to its end, with the first seed from that of the
    plan on with which a seat leaves: rules that change may lead a game around the moment for that.
    """
    plan = LEAVING[name]
    hubs = (play_out(plan._replace(seed=plan.seed + more)) for more in range(SEEDS))
    return next(hub for hub in hubs if hub.seats[0].session.table.lost)


def races_by_time() -> Hub:
    """A finished table: everybody claims whenever possible, each after its own time."""
    clock = Clock()
    game = load(RACES.game)
    hub = game_hub(game, RACES.seats, RACES.seed, clocks=lambda _: Timing(clock), **RACES.options)
    return _end(TimedHub(hub.seats, clock, [MS * reaction for reaction in REACTIONS_MS]))


def _end(hub: Hub) -> Hub:
    hub.run(MOST_WIRE)
    if hub.faults or not all(seat.machine.ended for seat in hub.seats):
        raise AssertionError(f"an honest table does not end: {hub.faults}")
    return hub


def log_of(name: str) -> bytes:
    """The log of a finished plan."""
    return log_bytes(finished(name).seats[0])
