"""Many games that seats leave for good and are lost from at any moment, for each rule set.

A *rule set* is a game with the options that change what becomes of a table when somebody is gone.
Most games are short, one in five is played as its rule book has it.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from engine.game import Value
from p2p.protocol.policy import allowed
from tests.sim.worlds.draw import CHECKED, around
from tests.sim.worlds.plan import Crash, CrashAtEntry, Fault, Leave, Plan, TornWrite

WHOLE: Final = 5
"""One in so many games is played to the end that the rule book sets."""
CALM: Final = 3
"""In all but one of so many nothing happens but that seats leave and are lost."""
GENESIS: Final = 3
"""A seat that signed fewer entries is lost before the table begins, and then nobody goes on."""
Options = dict[str, Value]


class RuleSet(NamedTuple):
    """A game, for how many, with which options; and with which others it is short."""

    game: str
    seats: tuple[int, ...]
    options: Options
    short: Options


_TURNS: Final[Options] = {"turn-limit": 12}
_AGAIN: Final[Options] = {"last-card": "catch", "scuffle": "after-last-hd", "wins": 2}
_CARDS: Final[Options] = {"cardLimit": "50"}
RULE_SETS: Final[dict[str, RuleSet]] = {
    **{
        f"flaps-{level}": RuleSet("flaps", (3, 3, 4, 5), {"level": level}, _TURNS)
        for level in range(1, 8)
    },
    "flaps-catch": RuleSet("flaps", (3, 4), {"level": 7, **_AGAIN}, _TURNS),
    "sneak": RuleSet("sneak", (3, 3, 4), {"target": 50}, {"target": 25}),
    "sneak-one-more-turn": RuleSet(
        "sneak", (3, 3, 4), {"target": 50, "ending": "one-more-turn"}, {"target": 25}
    ),
    "sneak-two-packs": RuleSet(
        "sneak", (4, 5), {"target": 50, "packs": "two", "ranking": "house"}, {"target": 25}
    ),
    "flip-over": RuleSet("flip-over", (3, 4, 5), {}, {"rounds": 1}),
    "flip-over-teams": RuleSet("flip-over", (4,), {"teams": True}, {}),
    "flip-over-partner": RuleSet("flip-over", (4,), {"teams": True, "exchange": "partner"}, {}),
    "flop-a": RuleSet("flop-a", (3, 4, 5), {}, {"hands": 2}),
    "flop-a-stack": RuleSet("flop-a", (3, 4, 5), {"stack": 20, "foldersPay": True}, {"hands": 3}),
    "you-fink": RuleSet("you-fink", (3, 4), {"cardLimit": "100"}, _CARDS),
    "you-fink-guests": RuleSet(
        "you-fink",
        (3, 4),
        {"cardLimit": "100", "guests": 1, "minionBeatenTakesPile": True, "leader": "next"},
        _CARDS,
    ),
}


def gone_from(name: str, seed: int, *, numbers: bool = False) -> Plan:
    """The world of a seed at the table of a rule set, with leavers and losses.

    With `numbers`, points are numbers in all but one of ten (`tests.sim.worlds.numbers`).
    """
    rules, rng = RULE_SETS[name], Random(repr(("volumes", name, seed)))
    seats = rng.choice(rules.seats)
    options = {**rules.options, **(rules.short if seed % WHOLE else {})}
    plan = around(seed, rng, rules.game, seats, options, cheating=0)
    least = rng.choice(allowed(seats))
    lost = rng.sample(range(seats), rng.randint(0, seats - least))
    plan = replace(plan, least=least, leaves=rng.choice((0.0, 0.01, 0.03, 0.1)))
    if numbers:
        plan = replace(plan, numbers=seed % CHECKED != 0, memo=True)
    if seed % CALM:
        plan = replace(plan, faults=(), never=(), late=())
    return replace(plan, faults=(*plan.faults, *[_loss(rng, seat) for seat in lost]))


def _loss(rng: Random, seat: int) -> Fault:
    """A seat is gone for good: at one of its entries, within a write, or at any time."""
    moment = GENESIS + rng.randrange(rng.choice((8, 20, 60)))
    after, power = rng.random() < 0.5, rng.random() < 0.5
    kind = rng.randrange(4)
    if kind == 0:
        return Leave(seat, 1.0 + rng.choice((1.0, 4.0, 15.0)) * rng.random(), None)
    if kind == 1:
        return Crash(seat, 5 * moment, after, power, None)
    if kind == 2:
        return TornWrite(seat, moment, rng.random(), power, None, entries=True)
    return CrashAtEntry(seat, moment, after, power, None)
