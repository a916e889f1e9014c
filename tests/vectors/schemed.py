"""More tables at which seat 1 cheats: each cheat breaks one rule only, and all else is right.

A verifier that lacks that rule sees nothing in these files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from engine.games import load
from p2p.crypto.group import IDENTITY, ORDER, POINT_BYTES, SCALAR_BYTES
from p2p.crypto.shuffle import OfflinePart
from p2p.protocol.cards import Cards
from p2p.protocol.logfile import begin_log, frame, split_log
from p2p.protocol.races.book import RaceResult
from p2p.protocol.races.times import Sighting
from p2p.protocol.races.timing import Timing
from tests.protocol.cheats import CHEAT
from tests.protocol.kit import Hub, game_hub, log_bytes, seeded
from tests.protocol.timed import Clock, TimedHub
from tests.vectors.bent import Cheat, Payload, caught, has
from tests.vectors.tables import MOST_WIRE, RACES
from tests.vectors.vector import Level, Vector

FIELD: Final = 2**255 - 19
REACTIONS_US: Final = (257_000, 235_000)
LATER_US: Final = (0, 36_000, 100_000, 100_000, 100_000)
OUTCOMES: Final = [RaceResult.FIRST] * 2 + [RaceResult.DISPUTE] * 3 + [RaceResult.COIN]
"""The outcomes of the races of two in which seat 1 says that it claimed this much later."""


# -- what is done to the table ----------------------------------------------------------------


def one_part(*seats: int, joint: bool = False, of: int | None = None) -> Callable[[Hub], None]:
    """These seats make each offline part of one size (`of`, or any) from the same random bytes.

    Those under the joint key, or those under their own.
    """

    def scheme(hub: Hub) -> None:
        for seat in seats:
            _one_part(hub.seats[seat].cards, joint, of)

    return scheme


def _one_part(cards: Cards, joint: bool, of: int | None) -> None:
    honest = cards.parts.take

    def take(count: int, key: bytes) -> OfflinePart:
        if (key == cards.keys.joint) != joint or of not in (None, count):
            return honest(count, key)
        return OfflinePart.prepare(count, key, seeded(("the same part", count)))

    cards.parts.take = take  # type: ignore[method-assign]


def tracking(mixed: bool) -> Callable[[Hub], None]:
    """The cheat treats its cards as ones of several histories, or of one."""

    def scheme(hub: Hub) -> None:
        cards = hub.seats[CHEAT].cards
        honest = cards.slots.mixed

        def own_mixed(hand: Iterable[int]) -> bool:
            slots = tuple(hand)
            own = any(cards.table.locks[slot] == CHEAT for slot in slots)
            return mixed if own else honest(slots)

        cards.slots.mixed = own_mixed  # type: ignore[method-assign]

    return scheme


def credit_grows(hub: Hub) -> None:
    """The cheat credits nobody when it is first a witness, and later as much as it might have."""
    cheat = hub.seats[CHEAT]
    races, machine = cheat.cards.races, cheat.machine
    sighting, first = races.sighting, []

    def less(claimant: int, timing: Timing, at: int) -> Sighting:
        if machine.step is None or machine.step.kind != "witness":
            return sighting(claimant, timing, at)  # to know when to pass
        first.append(at)
        allowed = races.allowed(CHEAT, claimant)
        credit = 0 if at == first[0] else allowed
        return sighting(claimant, timing, at)._replace(credit=credit)

    races.sighting = less  # type: ignore[method-assign]
    races.lower = lambda witness, claimant, credit: None  # type: ignore[method-assign]


# -- ways to change a payload -----------------------------------------------------------------


def first_point(field: str, other: Callable[[bytes], bytes]) -> Callable[[Payload], Payload]:
    def change(payload: Payload) -> Payload:
        points = payload[field]
        return {**payload, field: other(points[:POINT_BYTES]) + points[POINT_BYTES:]}

    return change


def negative(point: bytes) -> bytes:
    """The other root of the same field element, which RFC 9496 never writes."""
    return (FIELD - int.from_bytes(point, "little")).to_bytes(POINT_BYTES, "little")


def widened(payload: Payload) -> Payload:
    """The last scalar of the proof is written with the group order added."""
    proof = payload["proof"]
    scalar = int.from_bytes(proof[-SCALAR_BYTES:], "little") + ORDER
    return {**payload, "proof": proof[:-SCALAR_BYTES] + scalar.to_bytes(SCALAR_BYTES, "little")}


def other_nonce(payload: Payload) -> Payload:
    return {**payload, "nonce": payload["nonce"][::-1]}


MORE: Final = (
    Cheat(
        "bad-shuffle-again", "flip-over", "shuffle", "bad-shuffle", Level.PROOF,
        "A true shuffle whose commitment c was used by the shuffle before.",
        scheme=one_part(0, CHEAT, joint=True),
    ),
    Cheat(
        "bad-shuffle-merge", "sneak", "lay-set", "bad-shuffle", Level.PROOF,
        "A true merge whose commitment c was used by a merge before.",
        scheme=one_part(CHEAT),
    ),
    Cheat(
        "bad-shuffle-oath", "oaths", "play", "bad-shuffle", Level.PROOF,
        "A true oath by shuffle whose commitment c was used in an oath of seat 0.",
        scheme=one_part(0, CHEAT),
    ),
    Cheat(
        "malformed-point", "flip-over", "deal", "malformed", Level.PROOF,
        "A share whose encoding is the negative of a right one.", first_point("shares", negative),
    ),
    Cheat(
        "malformed-identity", "flip-over", "shuffle", "malformed", Level.PROOF,
        "A shuffled slot that everybody could read.", first_point("deck", lambda _: IDENTITY),
    ),
    Cheat(
        "malformed-scalar", "flip-over", "shuffle", "malformed", Level.PROOF,
        "A scalar of a true shuffle with the group order added.", widened,
    ),
    Cheat(
        "bad-share-scalar", "flip-over", "deal", "bad-share", Level.PROOF,
        "A scalar of a true proof of shares with the group order added.", widened,
    ),
    Cheat(
        "bad-opening-nonce", "sneak", "set-reveal", "bad-opening", Level.PROOF,
        "The cards that were committed to, under another nonce.", other_nonce, has("laid"),
    ),
    Cheat(
        "bad-witness-more", "you-fink", "witness", "bad-witness", Level.PROOF,
        "A witness credits a claimant with more delay than it did before.", scheme=credit_grows,
    ),
    Cheat(
        "illegal-move-no-merge", "flaps-level-1", "play", "illegal-move", Level.PROOF,
        "A card is laid without the merge that is owed, everything else is right.",
        scheme=tracking(mixed=False),
    ),
    Cheat(
        "illegal-move-merge", "flip-over", "play", "illegal-move", Level.PROOF,
        "A card is laid with a true merge that is not owed.", scheme=tracking(mixed=True),
    ),
    Cheat(
        "illegal-move-no-oath", "flip-over-teams", "play", "illegal-move", Level.PROOF,
        "A card off the led suit without the oath that is owed.",
        lambda payload: {**payload, "oath": None}, has("oath"),
    ),
    Cheat(
        "illegal-move-oath", "flip-over", "play", "illegal-move", Level.PROOF,
        "A card with an oath that is not owed.",
        lambda payload: {**payload, "oath": bytes(160)},
        lambda payload: payload is not None and payload["oath"] is None,
    ),
    Cheat(
        "state-mismatch-head", "flip-over", "close", "state-mismatch", Level.PROOF,
        "The close names another hash than that of the step before.",
        lambda payload: {**payload, "head": bytes(32)},
    ),
)  # fmt: skip


def schemed_tables() -> Iterator[Vector]:
    """The vectors of all these cheats, and of one that only lies."""
    for cheat in MORE:
        yield from caught(cheat)
    yield _disputed()


def _disputed() -> Vector:
    """Two seats race: seat 1 tells its true time, then one close to it, then one not believed.

    After three disputes no witness is asked.  The log is cut there, to be small.
    """
    clock = Clock()
    clocks = lambda _: Timing(clock)  # noqa: E731
    hub = game_hub(load(RACES.game), 2, RACES.seed, clocks=clocks, **RACES.options)
    _later(hub, LATER_US)
    hub = TimedHub(hub.seats, clock, REACTIONS_US)
    hub.run(MOST_WIRE)
    seat = hub.seats[0]
    cut = seat.cards.races.reports[len(LATER_US) + 1].step
    if hub.faults or [one.outcome for one in seat.cards.races.reports[: len(OUTCOMES)]] != OUTCOMES:
        raise AssertionError(f"the races of two went otherwise: {seat.cards.races.reports}")
    records = [record for records in seat.log[:cut] for record in records]
    about = "Races of two seats: agreed, agreed, three disputes, and then a coin."
    log = begin_log(split_log(log_bytes(seat)).header) + b"".join(map(frame, records))
    return Vector("unfinished-disputes.ndlog", log, "unfinished", Level.PROOF, about, step=cut)


def _later(hub: Hub, by: Sequence[int]) -> None:
    """Seat 1 says in each race that it claimed this much later (microseconds) than it did."""
    cheat = hub.seats[CHEAT]
    sighting, machine, said = cheat.cards.races.sighting, cheat.machine, iter(by)

    def less(claimant: int, timing: Timing, at: int) -> Sighting:
        seen = sighting(claimant, timing, at)
        witness = machine.step is not None and machine.step.kind == "witness"
        if not witness or claimant != CHEAT or seen.seen is None:
            return seen
        return seen._replace(seen=seen.seen + next(said))

    cheat.cards.races.sighting = less  # type: ignore[method-assign]
