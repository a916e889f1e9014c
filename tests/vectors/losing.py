"""The scenes at which seats are lost, and how their logs are cut and bent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from p2p.protocol.absence.vote import Place, sign_vote
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.logfile import encode_evidence, split_log
from tests.protocol.cheats import sign_again
from tests.protocol.kit import Hub, identities, log_bytes
from tests.protocol.losing import Gone, Losing, at_table, go_on
from tests.replay.logs import with_records
from tests.vectors.scenes import SCENES
from tests.vectors.vector import Level, Vector

GAME: Final = "vectors-lost"
LOST: Final = 3
"""The seat that is lost, or lost first."""
PLANS: Final = {
    "one": Losing(GAME, 4, 3, {}, (Gone(LOST, "choose"),)),
    "mend": Losing(GAME, 4, 3, {}, (Gone(LOST, "open"),)),
    "deal": Losing(GAME, 4, 3, {}, (Gone(LOST, "deal"),)),
    "coin": Losing(GAME, 4, 3, {}, (Gone(LOST, "coin"),)),
    "two": Losing(GAME, 5, 3, {}, (Gone(LOST, "coin"), Gone(4, "coin"))),
    "later": Losing(GAME, 5, 3, {}, (Gone(LOST, "commit"), Gone(4, "coin"))),
    "relock": Losing(GAME, 5, 3, {}, (Gone(LOST, "open"), Gone(4, "relock"))),
    "again": Losing(GAME, 5, 3, {}, (Gone(LOST, "open"), Gone(4, "mend"))),
    "witness": Losing(GAME, 4, 3, {}, (Gone(LOST, "witness"),)),
    "left": Losing(GAME, 5, 3, {}, (Gone(LOST, "open", 1),), Gone(2, "choose")),
    "finishing": Losing(GAME, 5, 3, {}, (Gone(LOST, "coin"), Gone(4, "coin", 1))),
    "farewell": Losing(GAME, 4, 3, {}, (Gone(2, "farewell"),), Gone(2, "choose")),
}


def sit_down(name: str) -> Hub:
    """The table of a plan, before its first step; inside of `known_scenes`."""
    return at_table(SCENES[GAME], PLANS[name])


@cache
def log_of(name: str) -> bytes:
    """The log of a plan, played to its end."""
    hub = go_on(sit_down(name))
    if hub.faults:
        raise AssertionError(f"an honest table does not end: {hub.faults}")
    return log_bytes(hub.seats[0])


def entries_of(name: str) -> list[Entry]:
    return [decode_entry(record) for record in split_log(log_of(name)).records]


def votes_of(name: str, which: int = 0) -> list[Entry]:
    """The votes of a void step: of the first one, or of a later one."""
    votes = [one for one in entries_of(name) if one.kind == "vote"]
    step = sorted({one.step for one in votes})[which]
    return [one for one in votes if one.step == step]


def first(name: str, kind: str, seat: int | None = None) -> Entry:
    """The first entry of this kind (by this seat)."""
    wanted = (one for one in entries_of(name) if one.kind == kind)
    return next(one for one in wanted if seat in (None, one.seat))


def until(name: str, step: int) -> list[bytes]:
    """The records of the steps before this one."""
    return [one.record for one in entries_of(name) if one.step < step]


def log_with(name: str, step: int, *records: bytes) -> bytes:
    """The log up to a step, which consists of these records; nothing follows."""
    return with_records(log_of(name), [*until(name, step), *records])


def evidence_with(name: str, step: int, *records: bytes) -> bytes:
    """The log up to a step, and what was signed beyond it."""
    return encode_evidence(log_with(name, step), list(records))


def voted(vote: Entry, seat: int, number: int, absent: Sequence[int]) -> bytes:
    """A vote about the same step."""
    place = Place(vote.table, vote.step, vote.previous)
    return sign_vote(identities(8)[seat], place, seat, number, frozenset(absent)).record


def choice_at(name: str, seat: int) -> bytes:
    """An entry for the first void step of a plan, at which a choice was asked for.

    The state is the same until the lost key is out of the cards.
    """
    vote, state = votes_of(name)[0], first(name, "relock").state
    return sign_again(vote.record, seat=seat, kind="choose", payload=0, state=state)


def vector(
    plan: str,
    name: str,
    data: bytes,
    about: str,
    seat: int | None = None,
    step: int | None = None,
    level: Level = Level.PROOF,
) -> Vector:
    """A file of one of these tables; the verdict is the one that its name begins with."""
    verdict = next(one for one in VERDICTS_HERE if name.startswith(one))
    return Vector(name, data, verdict, level, about, seat, step, scene=scene_of(plan))


VERDICTS_HERE: Final = (
    *("bad-share", "bad-shuffle", "bad-signature", "bad-transfer", "broken-chain"),
    *("closed-without", "equivocation", "illegal-move", "malformed", "unfinished"),
)


def scene_of(plan: str) -> str:
    """The name of the questions of a plan."""
    return f"{GAME}-{plan}"
