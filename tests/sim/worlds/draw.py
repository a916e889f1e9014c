"""Plans of worlds, drawn from their seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from engine.game import Value
from tests.sim.worlds.plan import (
    BEHAVIOURS,
    GIVES_UP,
    JUMPS,
    VANISHES,
    VANISHES_LATER,
    Crash,
    CrashAtEntry,
    Cut,
    Fault,
    FullDisk,
    GoneAtClose,
    Jump,
    Leave,
    Plan,
    Restore,
    SlowDisk,
    Split,
    Talk,
    TornWrite,
    Twice,
)

CHEATING: Final = 5
"""One in so many worlds has a modified seat."""
OFTEN: Final = ("says more", "says more", "equivocates", "sends unsigned")
"""Behaviours that are drawn more often, since few of their worlds notice some faults."""
CUT: Final = 8
"""In one of so many worlds links cut what is sent into pieces."""
WATCHED: Final = 4
"""In one of so many somebody watches."""
TWO_LOST: Final = 12
"""In one of so many worlds that lose seats, one vanishes while the key of another is taken out."""
CROSSES: Final = 8
"""In one of so many worlds that lose seats, an entry crosses the votes about its seat."""
CHECKED: Final = 10
"""In one of so many worlds every seat verifies every proof itself."""
_SCENES: Final = (
    ("opened", 5),
    ("dealt", 5),
    ("tossed", 5),
    ("reshuffled", 4),
    ("followed", 4),
    ("laid-all", 4),
    ("laid-all-late", 4),
    ("laid-freely", 4),
    ("drawn-late", 4),
    ("laid-in-public", 4),
    ("half-open", 4),
    ("laid-down", 4),
    ("handed-over", 4),
    ("shown", 4),
    ("chosen", 5),
    ("chosen-together", 5),
    ("chosen-together", 5),
    ("slapped", 4),
    ("slapped-often", 4),
    ("laid-and-slapped", 3),
    ("prepared", 5),
    ("laid-low-if-held", 4),
    ("followed-one", 4),
    ("test-verbs", 3),
)
"""A scene, and how many seats it has at most here."""
_MATCHES: Final[tuple[tuple[str, tuple[int, ...], dict[str, Value]], ...]] = (
    ("flip-over", (3, 3, 4), {"rounds": 1}),
    ("flop-a", (2, 3, 3, 4), {"hands": 1, "bet": 2, "raises": 1}),
    ("flaps", (2, 2, 3), {"level": 1, "turn-limit": 4, "quiet-ms": 500, "last-call-ms": 300}),
    ("you-fink", (2, 2, 3), {"cardLimit": "50"}),
    ("sneak", (2, 2, 3), {"target": 25}),
)
LEFT_MAX: Final = 5
"""How many seats a game has at most that people leave."""
_MANY: Final = ("chosen-many", "tossed-many")
"""Games without cards, for tables of up to 8 seats."""


def draw(seed: int) -> Plan:
    """The world of a seed."""
    rng = Random(repr(("world", seed)))
    return around(seed, rng, *_game(rng))


def around(
    seed: int,
    rng: Random,
    game: str,
    seats: int,
    options: Mapping[str, Value],
    cheating: int = CHEATING,
) -> Plan:
    """A world around this table, with links, people and faults by chance.

    One in `cheating` has a modified seat, none if that is 0.
    """
    plan = Plan(
        seed,
        game,
        seats,
        tuple(sorted(options.items())),
        latency=rng.choice((0.0005, 0.01, 0.03, 0.08, 0.2)),
        jitter=rng.choice((0.0, 0.01, 0.05, 0.3)),
        bandwidth=rng.choice((3e4, 3e5, 1e7, 1e7)),
        patience=rng.choice((0.0, 0.05, 0.5, 3.0)),
        sensible=rng.random() < 0.5,
        memo=seed % CHECKED != 0,
        pieces=seed % CUT == 2,
        watched=_watched(seed, seats),
        never=_never(rng, seats),
        late=_late(rng, seats),
    )
    modified = _modified(seed, plan) if cheating and seed % cheating == 3 else None
    span = rng.choice((2.0, 6.0, 15.0))
    count = rng.choice((0, 1, 1, 2, 2, 3, 3, 4))
    faults = [_FAULTS[rng.randrange(len(_FAULTS))](rng, plan, span) for _ in range(count)]
    torn = [one for one in faults if isinstance(one, TornWrite) and one.entries]
    if torn and rng.random() < 0.5:
        later = torn[0].write + 1 + rng.randrange(5)
        faults.append(CrashAtEntry(torn[0].seat, later, True, False, 0.3))
    if modified is not None and modified[1] == "never syncs":
        faults.append(Crash(modified[0], _point(rng), rng.random() < 0.5, True, 0.3))
    if rng.random() < 0.4:
        faults = _upon_one(rng.randrange(seats), faults)
    return _with(plan, faults=tuple(faults), modified=modified)


def leaving(seed: int) -> Plan:
    """The world of a seed with another game, which people leave for good.

    In one of three, only players who lead leave.
    """
    plan, rng = draw(seed), Random(repr(("leaving", seed)))
    name, _, options = _MATCHES[rng.randrange(len(_MATCHES))]
    leaves, ahead = rng.choice((0.03, 0.1, 0.3)), rng.choice((0.0, 0.0, 0.5))
    plan = _with(plan, game=name, options=tuple(sorted(options.items())))
    plan = _with(plan, leaves=0.0 if ahead else leaves, ahead=ahead)
    return _with(plan, seats=max(3, plan.seats)) if plan.seats <= LEFT_MAX else leaving(seed + 1)


def losing(seed: int) -> Plan:
    """The world of a seed with a game in which seats are lost for good, and the others go on.

    In one of three nothing else happens, or one seat jumps ahead or vanishes: then the others come
    to the end.  In one of `CROSSES` the entry that is missed reaches one of those who vote.
    """
    plan, rng = draw(seed), Random(repr(("losing", seed)))
    name, _, options = _MATCHES[rng.randrange(len(_MATCHES))]
    if plan.seats > LEFT_MAX:
        return losing(seed + 1000)
    seats = LEFT_MAX if seed % TWO_LOST == 0 else max(3, plan.seats)
    least = rng.randint(seats // 2 + 1, seats - 1)
    if seed % TWO_LOST == 0:
        least = seats - 2
    lost = rng.sample(range(seats), seats - least)
    gone = tuple([Leave(seat, rng.choice((3.0, 8.0, 20.0)) * rng.random(), None) for seat in lost])
    plan = _with(plan, game=name, seats=seats, options=tuple(sorted(options.items())), least=least)
    if seed % CROSSES == 5:
        calm = _with(plan, modified=None, never=(), late=())
        return _with(calm, faults=_crossing(rng, calm))
    plan = _with(plan, leaves=rng.choice((0.0, 0.0, 0.03)))
    if seed % 3 == 0:
        calm = _with(plan, faults=gone, modified=None, never=(), late=(), leaves=0.0)
        return calm if seed % 2 else _with_one_modified(rng, calm)
    return _with(plan, faults=(*plan.faults, *gone[: rng.randint(1, len(gone))]))


def _with_one_modified(rng: Random, plan: Plan) -> Plan:
    """The same with a seat that jumps ahead, or that vanishes in place of one loss."""
    lost = [fault.seat for fault in plan.of(Leave)]
    if plan.seed % TWO_LOST and rng.random() < 0.5:
        return _with(plan, modified=(rng.choice([*{*range(plan.seats)} - {*lost}]), JUMPS))
    vanishes = VANISHES if plan.seed % TWO_LOST else VANISHES_LATER
    return _with(plan, faults=plan.faults[1:], modified=(lost[0], vanishes))


def _crossing(rng: Random, plan: Plan) -> tuple[Fault, ...]:
    """A seat is cut off and missed; one of those who vote hears it again, and the others no more.

    The others have its vote, and go on.
    """
    missed, reached = rng.sample(range(plan.seats), 2)
    others = [seat for seat in range(plan.seats) if seat not in (missed, reached)]
    began = rng.choice((3.0, 8.0)) * rng.random()
    deaf = began + GIVES_UP + 2.0 * rng.random()
    back = deaf + 1.0 + 4.0 * rng.random() - began
    away = [Cut((missed, reached), began, (0.0, 0.0), False, back)]
    away += [
        Cut((missed, one), began, (0.0, 0.0), False, rng.choice((None, 60.0))) for one in others
    ]
    alone = [Cut((one, reached), deaf, (0.0, 0.0), True, rng.choice((9.0, 20.0))) for one in others]
    return (*away, *alone)


def _upon_one(seat: int, faults: list[Fault]) -> list[Fault]:
    """Whatever can, happens to the same seat."""
    return [replace(one, seat=seat) if hasattr(one, "seat") else one for one in faults]


def _with(plan: Plan, **changes: Any) -> Plan:
    return replace(plan, **changes)


def _game(rng: Random) -> tuple[str, int, dict[str, Value]]:
    kind = rng.random()
    if kind < 0.12:
        name, seats, options = _MATCHES[rng.randrange(len(_MATCHES))]
        return name, rng.choice(seats), dict(options)
    if kind < 0.2:
        return rng.choice(_MANY), rng.choice((5, 6, 7, 8)), {}
    name, most = _SCENES[rng.randrange(len(_SCENES))]
    least = 2
    return name, min(most, rng.choice((2, 2, 3, 3, 3, 4, 5))) if most > least else least, {}


def _never(rng: Random, seats: int) -> tuple[tuple[int, int], ...]:
    """Pairs behind a NAT; seat 0 reaches all."""
    if seats < 3 or rng.random() < 0.7:
        return ()
    pairs = [(a, b) for a in range(1, seats) for b in range(a + 1, seats)]
    return tuple(sorted(rng.sample(pairs, rng.randint(1, len(pairs)))))


def _watched(seed: int, seats: int) -> tuple[int, float] | None:
    rng = Random(repr(("watched", seed)))
    return (rng.randrange(seats), rng.choice((0.0, 1.0, 5.0))) if seed % WATCHED == 1 else None


def _late(rng: Random, seats: int) -> tuple[tuple[int, float], ...]:
    if rng.random() < 0.8:
        return ()
    return ((rng.randrange(seats), rng.choice((0.5, 3.0, 12.0))),)


def _modified(seed: int, plan: Plan) -> tuple[int, str]:
    rng = Random(repr(("modified", seed)))
    return rng.randrange(plan.seats), rng.choice((*BEHAVIOURS, *OFTEN))


def _back(rng: Random) -> float | None:
    return rng.choice((0.0, 0.0, 0.3, 0.3, 2.0, 2.0, 9.0, 45.0, None))


def _point(rng: Random) -> int:
    """The number of an order or of a write: early ones are many, and late ones occur."""
    return int(rng.choice((8, 40, 150)) * rng.random())


def _crash(rng: Random, plan: Plan, span: float) -> Fault:
    back = _back(rng)
    return Crash(
        rng.randrange(plan.seats), _point(rng), rng.random() < 0.5, rng.random() < 0.6, back
    )


def _at_entry(rng: Random, plan: Plan, span: float) -> Fault:
    entry = int(rng.choice((6, 6, 30)) * rng.random())
    after, power = rng.random() < 0.5, rng.random() < 0.6
    return CrashAtEntry(rng.randrange(plan.seats), entry, after, power, _back(rng))


def _torn(rng: Random, plan: Plan, span: float) -> Fault:
    part = rng.choice((0.0, rng.random(), rng.random(), 1.0))
    seat, power, back = rng.randrange(plan.seats), rng.random() < 0.6, _back(rng)
    if rng.random() < 0.5:
        return TornWrite(seat, _point(rng), part, power, back)
    return TornWrite(seat, int(rng.choice((6, 12)) * rng.random()), part, power, back, True)


def _full(rng: Random, plan: Plan, span: float) -> Fault:
    return FullDisk(rng.randrange(plan.seats), _point(rng), rng.random(), _back(rng))


def _slow(rng: Random, plan: Plan, span: float) -> Fault:
    at = span * rng.random()
    until = at + rng.choice((3.0, 30.0))
    return SlowDisk(rng.randrange(plan.seats), at, until, rng.choice((0.01, 0.3, 2.0)))


def _restore(rng: Random, plan: Plan, span: float) -> Fault:
    copied = span * rng.random()
    at = copied + span * rng.random()
    back, whole = rng.choice((0.1, 2.0, 20.0)), rng.random() < 0.25
    return Restore(rng.randrange(plan.seats), copied, at, back, whole)


def _twice(rng: Random, plan: Plan, span: float) -> Fault:
    return Twice(rng.randrange(plan.seats), 1 + span * rng.random(), rng.random() < 0.5)


def _jump(rng: Random, plan: Plan, span: float) -> Fault:
    by = rng.choice((0.5, 5.0, 40.0, 4000.0))
    wall = rng.choice((-86400.0, -1.0, 0.0, 1e7))
    return Jump(rng.randrange(plan.seats), span * rng.random(), by, wall)


def _leave(rng: Random, plan: Plan, span: float) -> Fault:
    return Leave(rng.randrange(plan.seats), span * rng.random(), _back(rng))


def _at_close(rng: Random, plan: Plan, span: float) -> Fault:
    return GoneAtClose(rng.randrange(plan.seats), rng.random() < 0.3, _back(rng))


def _cut(rng: Random, plan: Plan, span: float) -> Fault:
    a = rng.randrange(plan.seats)
    b = rng.choice([seat for seat in range(plan.seats) if seat != a])
    notice = (rng.choice((0.0, 0.2, 6.0)), rng.choice((0.0, 0.2, 6.0)))
    back = rng.choice((0.0, 1.0, 8.0, 40.0, None))
    return Cut((a, b), span * rng.random(), notice, rng.random() < 0.4, back)


def _split(rng: Random, plan: Plan, span: float) -> Fault:
    some = tuple(sorted(rng.sample(range(plan.seats), rng.randint(1, plan.seats - 1))))
    return Split(some, span * rng.random(), rng.choice((0.5, 5.0, 25.0, 70.0, None)))


def _talk(rng: Random, plan: Plan, span: float) -> Fault:
    return Talk(rng.randrange(plan.seats), 1 + span * rng.random(), rng.choice((1, 3, 9)))


_FAULTS: Final = (
    _crash,
    _crash,
    _at_entry,
    _at_entry,
    _at_entry,
    _torn,
    _torn,
    _torn,
    _full,
    _slow,
    _restore,
    _twice,
    _jump,
    _leave,
    _at_close,
    _cut,
    _cut,
    _split,
    _talk,
)
