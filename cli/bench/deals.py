"""From "all seated" to "every hand readable": four peers, each a process of its own.

All are seated when the last process starts genesis; every hand is readable when the last
process has applied the answer of the deal.  Between the two lie the keys, the files, all
shuffles, their verification by every seat, and everybody's shares.
"""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass
from typing import Final

from cli.bench import big_deal, processes
from cli.bench.row import Row, Target, ratio_at_most
from cli.bench.seat_process import SeatPlan
from cli.bench.shuffles import bound, fresh_deck, shuffled
from cli.bench.timing import Work, medians
from engine.games import FIRST
from p2p.crypto import dleq
from p2p.crypto.elgamal import Cipher, read, share, strip
from p2p.crypto.keys import TableSecret, joint_key
from p2p.crypto.shuffle import OfflinePart, prove_shuffle, verify_chain

SEATS: Final = 4
TABLES: Final = 7
FLOORS: Final = 5
SAID: Final = {
    "ready": "offline parts ready",
    "lobby": "as a lobby leaves them",
    "never": "nothing made ahead",
}
"""When offline parts are made (`SeatPlan.parts`), in words."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A game whose beginning is measured: cards in the deck, in a hand, and the promise."""

    game: str
    cards: int
    hand: int
    limit_ms: float


@dataclass(frozen=True, slots=True)
class Dealt:
    """Milliseconds: the time that passed, and the computing of each core for the table in it.

    The second tells what a busy machine hides: how long it would take if no core ever waited.
    """

    passed: float
    computed: float


DEALS: Final = (
    Deal(FIRST, 40, 10, 200.0),
    Deal(big_deal.GAME.name, big_deal.CARDS, big_deal.HAND, 450.0),
)


def rows(tables: int = TABLES) -> list[Row]:
    """Median of several tables for each deck and each state of the offline parts."""
    return [row for deal in DEALS for row in _deal_rows(deal, tables)]


def _deal_rows(deal: Deal, tables: int) -> list[Row]:
    floor = floor_of(deal)
    found: dict[str, list[Dealt]] = {parts: [] for parts in SAID}
    for _ in range(tables):
        for parts, dealt in found.items():
            dealt.append(_until_dealt(deal, parts))
    name = f"deal of {deal.cards} cards, 4 processes over TLS"
    targets = {"ready": (Target(deal.limit_ms), ratio_at_most(1.4))}
    rows = [
        Row(
            f"{name}: {said}",
            statistics.median(dealt.passed for dealt in found[parts]),
            "ms",
            floor.passed,
            targets.get(parts, ()),
        )
        for parts, said in SAID.items()
    ]
    computed = statistics.median(dealt.computed for dealt in found["ready"])
    return [*rows, Row(f"{name}: computed, a core", computed, "ms", floor.computed)]


def _until_dealt(deal: Deal, parts: str) -> Dealt:
    """The time from the start of the last genesis to the last answer to the deal."""
    seen = processes.play(SeatPlan(deal.game, SEATS, "", None, None, parts))
    ends = [at for answered in seen.answered for kind, at in answered if kind == "deal"]
    return Dealt(1000 * (max(ends) - seen.began), 1000 * seen.computed / cores())


def cores() -> int:
    """How many processors the seats have between them."""
    return min(SEATS, len(os.sched_getaffinity(0)))


def floor_of(deal: Deal) -> Dealt:
    """The proofs alone, by the functions that the peers call.

    The provers one after another; then what every seat does at the same time on the available
    cores: the verification of the chain, and the shares of the deal.
    """
    taken = medians(_works(deal), FLOORS)
    together = SEATS / cores() * (taken["verify chain"] + taken["shares"])
    return Dealt(SEATS * taken["prove"] + together, SEATS / cores() * taken["prove"] + together)


def _works(deal: Deal) -> dict[str, Work]:
    secrets = [TableSecret.generate(os.urandom) for _ in range(SEATS)]
    key = joint_key([secret.public for secret in secrets])
    decks, proofs = shuffled(fresh_deck(deal.cards), key, SEATS)
    parts: list[OfflinePart] = []
    turns = [0]

    def prove() -> None:
        turns[0] += 1
        prove_shuffle(parts.pop(), decks[turns[0] % SEATS], bound(), os.urandom)

    return {
        "prepare": lambda: parts.append(OfflinePart.prepare(deal.cards, key, os.urandom)),
        "prove": prove,
        "verify chain": lambda: verify_chain(
            key, decks, proofs, [bound() for _ in proofs], os.urandom
        ),
        "shares": _share_work(secrets, decks[-1][: SEATS * deal.hand], deal.hand),
    }


def _share_work(secrets: list[TableSecret], dealt: list[Cipher], hand: int) -> Work:
    """What one seat does at a deal: make its shares, check the others', read its hand."""
    me, *others = secrets
    foreign, mine = dealt[hand:], dealt[:hand]

    def shares_of(secret: TableSecret) -> list[tuple[bytes, bytes]]:
        return [(cipher[0], share(secret, cipher)) for cipher in foreign]

    received = [(secret.public, shares_of(secret)) for secret in others]
    proven = [
        (public, pairs, dleq.prove_shares(secret, pairs, bound(), os.urandom))
        for (public, pairs), secret in zip(received, others, strict=True)
    ]
    layers = [point for _, point in shares_of(others[0])][: SEATS - 1]

    def work() -> None:
        dleq.prove_shares(me, shares_of(me), bound(), os.urandom)
        for public, pairs, proof in proven:
            dleq.verify_shares(public, pairs, proof, bound())
        stripped = [strip(cipher, layers) for cipher in dealt]
        for cipher, _ in zip(stripped, mine, strict=False):
            read(me, cipher)

    return work
