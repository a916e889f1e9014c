"""Tables that somebody leaves for good: good ones, and what a seat that leaves may not do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final
from unittest.mock import patch

from p2p.crypto.transcript import Transcript
from p2p.protocol.acts import moving
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import begin_log, encode_evidence, frame, split_log
from tests.protocol.cheats import CHEAT, sign_again
from tests.protocol.kit import Hub, identities, log_bytes, table_secrets
from tests.protocol.odd_proofs import by_one_factor
from tests.vectors.bent import Cheat, Payload, bent, caught, moved, other_card
from tests.vectors.tables import LEAVING, MOST_WIRE, left_table, sit_down
from tests.vectors.vector import Level, Vector

GONE: Final = 2
"""The seat that is gone before the close."""
ABOUT: Final = {
    "left-turn": "A seat leaves for good when it is its turn; the others play on.",
    "left-two": "Two seats leave for good in one race, one after the other.",
    "left-race": "A seat leaves in a race in which another one has shown a card.",
    "left-secret": "A seat leaves instead of choosing in secret; what others chose is void.",
    "left-sets": "A seat leaves instead of laying cards in secret; what others laid is void.",
    "left-last": "The last but one leaves: the game is over, and the only one left closes it.",
    "left-fresh": "Two seats leave in one step; a fresh deck comes before the second farewell.",
}


# -- what is done to the table ----------------------------------------------------------------


def under_the_old_key(hub: Hub) -> None:
    """The cheat puts its hand back under the joint key that still has its own in it."""
    keys = hub.seats[CHEAT].cards.keys
    hub.seats[CHEAT].cards.keys = _OldKeys(keys)  # type: ignore[assignment]


class _OldKeys:
    """The keys of a table, as if nobody ever left."""

    def __init__(self, keys: object) -> None:
        self._keys = keys

    def __getattr__(self, name: str) -> object:
        return getattr(self._keys, name)

    def without(self, _: int) -> object:
        return self.joint


def by_the_old_key_set(hub: Hub) -> None:
    """The cheat binds its proofs to the keys of all who ever sat down."""
    cards = hub.seats[CHEAT].cards
    everybody, honest = cards.keys.seats, cards.bind

    def bind(seat: int, operation: str, slots: tuple[int, ...]) -> Transcript:
        keys = cards.keys
        staying, keys.seats = keys.seats, everybody if seat == CHEAT else keys.seats
        try:
            return honest(seat, operation, slots)
        finally:
            keys.seats = staying

    cards.bind = bind  # type: ignore[method-assign,assignment]


# -- ways to change a payload -----------------------------------------------------------------


def part(name: str, change: object) -> object:
    """Change one of the two parts of a farewell."""

    def changed(payload: Payload) -> Payload:
        return {**payload, name: change(payload[name])}  # type: ignore[operator]

    return changed


CHEATS: Final = (
    Cheat(
        "malformed-leave", "left-first", "leave", "malformed", Level.PROOF,
        "A seat that leaves says something more.", lambda _: 1,
    ),
    Cheat(
        "illegal-move-leave-deal", "flip-over", "deal", "illegal-move", Level.PROOF,
        "A seat leaves where it has nothing to decide: at an act of the dealer.",
        lambda _: None, fields=(("kind", "leave"),),
    ),
    Cheat(
        "illegal-move-leave-lay-all", "flop-a", "lay-all", "illegal-move", Level.PROOF,
        "A seat leaves where it has to lay cards, and nothing to decide.",
        lambda _: None, fields=(("kind", "leave"),),
    ),
    Cheat(
        "bad-transfer-farewell", "left-first", "farewell", "bad-transfer", Level.PROOF,
        "A card becomes another one while a seat that leaves puts back its hand.",
        part("put_back", other_card),
    ),
    Cheat(
        "bad-transfer-farewell-key", "left-first", "farewell", "bad-transfer", Level.PROOF,
        "A seat that leaves puts back its hand under a key that is still partly its own.",
        scheme=under_the_old_key,
    ),
    Cheat(
        "bad-share-farewell", "left-first", "farewell", "bad-share", Level.PROOF,
        "A seat that leaves takes a wrong layer off a card of the stock.",
        part("released", moved("shares")),
    ),
    Cheat(
        "bad-share-farewell-proof", "left-first", "farewell", "bad-share", Level.PROOF,
        "A seat that leaves does not prove the layers that it takes off.",
        part("released", bent("proof")),
    ),
    Cheat(
        "malformed-farewell", "left-first", "farewell", "malformed", Level.PROOF,
        "A seat that leaves keeps its layer on the stock.", part("released", lambda _: None),
    ),
    Cheat(
        "malformed-farewell-more", "left-turn", "farewell", "malformed", Level.PROOF,
        "A seat that leaves takes layers off, and there is no card for that.",
        part("released", lambda _: {"shares": bytes(32), "proof": bytes(64)}),
    ),
    Cheat(
        "bad-share-key-set", "left-other", "open", "bad-share", Level.PROOF,
        "After a seat has left, another binds a proof to the keys of all who ever sat down.",
        scheme=by_the_old_key_set,
    ),
)  # fmt: skip


def left_tables() -> Iterator[Vector]:
    """All of them, but for that of a game that nobody can leave."""
    for name, about in ABOUT.items():
        yield Vector(f"good-{name}.ndlog", log_of(name), "complete", Level.RULES, about)
    for cheat in CHEATS:
        yield from caught(cheat)
    with patch.object(moving, "transfer", by_one_factor(_secret("left-first"))):
        yield from caught(
            Cheat(
                "bad-transfer-farewell-again", "left-first", "farewell", "bad-transfer",
                Level.PROOF, "Two cards are put back under one point a, each with a true proof.",
            )
        )  # fmt: skip
    yield from _after_a_leave()
    yield from _of_another_seat()
    yield _closed_without()


@cache
def log_of(name: str) -> bytes:
    """The log of one of these tables, played to its end."""
    return log_bytes(left_table(name).seats[0])


def _secret(name: str) -> object:
    plan = LEAVING[name]
    return table_secrets(plan.seats, plan.seed)[CHEAT]


def _until(name: str, step: int) -> list[bytes]:
    """The records of the steps before this one."""
    records = split_log(log_of(name)).records
    return [record for record in records if decode_entry(record).step < step]


def _first(name: str, kind: str) -> bytes:
    """The first record of this kind."""
    records = split_log(log_of(name)).records
    return next(record for record in records if decode_entry(record).kind == kind)


def _with(name: str, records: list[bytes]) -> bytes:
    return begin_log(split_log(log_of(name)).header) + b"".join(map(frame, records))


def _after_a_leave() -> Iterator[Vector]:
    """Seat 1 leaves at the first decision; what is the step of its farewell, and what follows."""
    name = "left-first"
    leave, farewell = _first(name, "leave"), decode_entry(_first(name, "farewell"))
    step = farewell.step
    yield Vector(
        "unfinished-farewell.ndlog", _with(name, _until(name, step)), "unfinished", Level.PROOF,
        "The log ends when a seat leaves, before its farewell.", step=step,
    )  # fmt: skip
    both = encode_evidence(
        _with(name, _until(name, step)), [sign_again(leave, kind="choose", payload=0)]
    )
    yield Vector(
        "equivocation-leave.evidence", both, "equivocation", Level.CHAIN,
        "A seat leaves, and decides as well.", CHEAT, step - 1,
    )  # fmt: skip
    following = _until(name, step + 2)[-1]
    late = sign_again(following, seat=CHEAT)
    log = _with(name, [*_until(name, step + 1), late])
    yield Vector(
        "illegal-move-left.ndlog", log, "illegal-move", Level.PROOF,
        "A seat that has left decides once more.", CHEAT, step + 1,
    )  # fmt: skip


def _of_another_seat() -> Iterator[Vector]:
    name = "left-other"
    farewell = _first(name, "farewell")
    step = decode_entry(farewell).step
    log = _with(name, [*_until(name, step), sign_again(farewell, seat=CHEAT)])
    yield Vector(
        "illegal-move-farewell.ndlog", log, "illegal-move", Level.PROOF,
        "Seat 1 signs the farewell of seat 2.", CHEAT, step,
    )  # fmt: skip


def _closed_without() -> Vector:
    """Seat 1 has left, and owes no ballot; seat 2 is gone before the close."""
    hub = sit_down(LEAVING["left-turn"])

    def bend(seat: int, record: bytes) -> list[bytes]:
        return [] if seat == GONE and decode_entry(record).kind == "close" else [record]

    hub.bend = bend
    hub.run(MOST_WIRE)
    honest = hub.seats[0]
    ballot = sign_ballot(identities(1)[0], honest.machine.chain, 0, GONE).record
    tail = [*honest.machine.current(), ballot]
    log = log_bytes(honest) + b"".join(map(frame, tail))
    about = "Seat 1 left for good, seat 2 is gone: the close and the ballot are those of seat 0."
    return Vector("closed-without-left.ndlog", log, "closed-without", Level.PROOF, about)
