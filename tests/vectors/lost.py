"""Tables that go on without a lost seat: good ones, and what those who are left may not do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

from p2p.crypto import relock
from p2p.crypto.coin import coin_point
from p2p.crypto.transcript import Transcript
from p2p.protocol.acts import sharing
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.cards import Cards
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import frame
from p2p.protocol.step_kinds import COIN
from tests.protocol.cheats import CHEAT, sign_again
from tests.protocol.kit import Hub, identities, log_bytes
from tests.protocol.losing import go_on
from tests.protocol.losing import lost_log as log_of_game
from tests.protocol.odd_proofs import relocked_bare
from tests.vectors.bent import Cheat, Payload, bent, caught_at, duplicate, moved, other_card
from tests.vectors.left import by_the_old_key_set
from tests.vectors.losing import (
    LOST,
    entries_of,
    first,
    log_of,
    log_with,
    scene_of,
    sit_down,
    vector,
)
from tests.vectors.lost_votes import vote_files
from tests.vectors.scenes import known_scenes
from tests.vectors.schemed import one_part
from tests.vectors.vector import Level, Vector

GONE: Final = 2
"""The seat that is gone before the close."""
STOCK: Final = 4
"""The cards that are mended."""
ABOUT: Final = {
    "one": "A seat is lost: its hand is relocked, its key is stripped.",
    "mend": "A seat is lost while a card is turned up: the stock is mended first.",
    "deal": "A seat is lost while cards are dealt; it has no hand.",
    "coin": "A seat is lost at a coin, which the others finish at once with its shares.",
    "two": "Two seats are lost at once, at a coin.",
    "later": "After a seat is lost and its key is removed, a second one is lost at the last coin.",
    "relock": "A second seat is lost when it owes a relock; some slots have its layer by then.",
    "again": "A second seat is lost while the stock is mended, which begins again.",
    "witness": "A seat is lost at the witness step; the others decide the race.",
    "left": "A seat leaves for good, later another one is lost.",
    "finishing": "A second seat is lost while the others finish the coin of the first.",
    "farewell": "A seat that leaves is lost before its farewell.",
}
"""By plan."""


# -- what is done to the table ----------------------------------------------------------------


def with_its_own_key(hub: Hub) -> None:
    """The cheat gives shares by its own table key instead of its share of the lost one."""
    keys = hub.seats[CHEAT].cards.keys
    assert keys.shares is not None
    keys.shares = replace(keys.shares, mine=dict.fromkeys(range(9), keys.own))  # type: ignore[misc]


def on_another_slot(hub: Hub) -> None:
    """The cheat binds its relocks to a slot that they are not about."""
    cards = hub.seats[CHEAT].cards
    honest = cards.bind

    def bind(seat: int, operation: str, slots: tuple[int, ...]) -> Transcript:
        cheats = seat == CHEAT and operation == "relock"
        return honest(seat, operation, (0,) if cheats else slots)

    cards.bind = bind  # type: ignore[method-assign]


# -- ways to change a payload -----------------------------------------------------------------


def part(change: Callable[[Payload], Payload], at: int = 0) -> Callable[[Payload], Payload]:
    """Change one of several parts."""
    return lambda parts: [*parts[:at], change(parts[at]), *parts[at + 1 :]]


def bare(field: str) -> Callable[[Payload], Payload]:
    """The first point of a field becomes the identity."""
    return lambda payload: {**payload, field: bytes(32) + payload[field][32:]}


CHEATS: Final[Sequence[Cheat]] = (
    Cheat(
        "bad-transfer-relock", "one", "relock", "bad-transfer", Level.PROOF,
        "A card of a lost hand becomes another one while it is relocked.", part(other_card),
    ),
    Cheat(
        "bad-transfer-relock-proof", "one", "relock", "bad-transfer", Level.PROOF,
        "A relock without a proof.", part(bent("proof")),
    ),
    Cheat(
        "bad-transfer-relock-slots", "one", "relock", "bad-transfer", Level.PROOF,
        "A relock of another slot, by its proof.", scheme=on_another_slot,
    ),
    Cheat(
        "bad-transfer-relock-second", "two", "relock", "bad-transfer", Level.PROOF,
        "Of two lost hands the second is relocked with another card.", part(other_card, 1),
    ),
    Cheat(
        "malformed-relock-parts", "one", "relock", "malformed", Level.PROOF,
        "A relock has a part more than there are groups of slots.", lambda parts: parts * 2,
    ),
    Cheat(
        "malformed-relock-identity", "one", "relock", "malformed", Level.PROOF,
        "A relocked slot that everybody could read.", part(bare("deck")),
    ),
    Cheat(
        "bad-share-strip", "one", "strip", "bad-share", Level.PROOF,
        "A wrong share of a lost layer.", part(moved("shares")),
    ),
    Cheat(
        "bad-share-strip-proof", "one", "strip", "bad-share", Level.PROOF,
        "Shares of a lost layer without a proof.", part(bent("proof")),
    ),
    Cheat(
        "bad-share-strip-key", "one", "strip", "bad-share", Level.PROOF,
        "Shares by the own table key, where the share of the lost one is asked for.",
        scheme=with_its_own_key,
    ),
    Cheat(
        "bad-share-strip-second", "two", "strip", "bad-share", Level.PROOF,
        "Of the shares of two lost keys, one of the second is wrong.", part(moved("shares"), 1),
    ),
    Cheat(
        "malformed-strip-parts", "one", "strip", "malformed", Level.PROOF,
        "No shares for a lost seat.", lambda parts: [],
    ),
    Cheat(
        "malformed-strip", "one", "strip", "malformed", Level.PROOF,
        "One share more than there are slots with the lost layer.",
        part(lambda one: {**one, "shares": one["shares"] + one["shares"][:32]}),
    ),
    Cheat(
        "illegal-move-strip", "mend", "mend", "illegal-move", Level.PROOF,
        "The lost layer is to come off before the stock is mended.", lambda _: [],
        fields=(("kind", "strip"),),
    ),
    Cheat(
        "bad-shuffle-mend", "mend", "mend", "bad-shuffle", Level.PROOF,
        "One card stands twice in the mended stock, another is gone.", duplicate,
    ),
    Cheat(
        "bad-shuffle-mend-again", "mend", "mend", "bad-shuffle", Level.PROOF,
        "A true mend whose commitment c was used by the mend before.",
        scheme=one_part(0, CHEAT, joint=True, of=STOCK),
    ),
    Cheat(
        "bad-share-coin-lost", "coin", "coin", "bad-share", Level.PROOF,
        "A wrong share of the lost key, for a coin that was begun.", part(moved("shares")),
        when=lambda payload: isinstance(payload, list),
    ),
    Cheat(
        "bad-transfer-key-set", "one", "relock", "bad-transfer", Level.PROOF,
        "After a seat was lost, another binds a proof to the keys of all who ever sat down.",
        scheme=by_the_old_key_set,
    ),
)  # fmt: skip


def lost_tables() -> Iterator[Vector]:
    """All of them: scenes with their questions, and a game that everybody has."""
    with known_scenes():
        vectors = [*_good(), *_bent(), *vote_files(), *_cut()]
    yield from vectors
    about = "A seat is lost in a whole game; the others end it."
    log = log_of_game("one")
    yield Vector("good-lost-flip-over.ndlog", log, "complete", Level.RULES, about)


def _good() -> Iterator[Vector]:
    for name, about in ABOUT.items():
        scene = scene_of(name)
        yield Vector(
            f"good-lost-{name}.ndlog", log_of(name), "complete", Level.RULES, about, scene=scene
        )


def _bent() -> Iterator[Vector]:
    for cheat in CHEATS:
        yield from _caught(cheat)
    yield from _drawn_anew()
    honest = relock.relock

    def bare_for_the_cheat(secret: object, *rest: object) -> object:
        return (relocked_bare if secret is cheat else honest)(secret, *rest)  # type: ignore[operator]

    hub = sit_down("one")
    cheat = hub.seats[CHEAT].cards.keys.own
    with patch.object(relock, "relock", bare_for_the_cheat):
        yield from _caught(
            Cheat(
                "bad-transfer-relock-bare", "one", "relock", "bad-transfer", Level.PROOF,
                "A relock adds the own layer, whose shares all have, and nothing more.",
            ),
            hub,
        )  # fmt: skip


def _drawn_anew() -> Iterator[Vector]:
    """A prover whose proof is right for the point of another coin."""
    hub, honest = sit_down("coin"), sharing.release
    cards = hub.seats[CHEAT].cards

    def anew(own: Cards, kind: str, seat: int, slots: Any, points: Any) -> sharing.Release:
        again = own is cards and kind == COIN and len(own.keys.seats) < len(hub.seats)
        if again and seat == CHEAT:
            points = [coin_point(own.chain.table, own.chain.step, own.chain.head)]
        return honest(own, kind, seat, slots, points)

    with patch.object(sharing, "release", anew):
        yield from _caught(
            Cheat(
                "bad-share-coin-new",
                "coin",
                "coin",
                "bad-share",
                Level.PROOF,
                "A new coin is drawn where one was begun.",
            ),
            hub,
        )


def _caught(cheat: Cheat, hub: Hub | None = None) -> Iterator[Vector]:
    for one in caught_at(hub or sit_down(cheat.plan), cheat, go_on):
        yield replace(one, scene=scene_of(cheat.plan))


def _cut() -> Iterator[Vector]:
    """Logs that end where a key is taken out, or in which a lost seat signs on; and a close."""
    for kind in ("relock", "strip"):
        step = first("one", kind).step
        yield vector(
            "one", f"unfinished-lost-{kind}.ndlog", log_with("one", step),
            f"The log ends after a seat was voted out, before the first {kind}.", step=step,
        )  # fmt: skip
    step = first("mend", "mend", CHEAT).step
    yield vector(
        "mend", "unfinished-lost-mend.ndlog", log_with("mend", step),
        "The log ends while the stock is mended.", step=step,
    )  # fmt: skip
    asked = entries_of("one")[-1]
    last = [one for one in entries_of("one") if one.step == asked.step]
    late = sign_again(asked.record, seat=LOST)
    yield vector(
        "one", "illegal-move-lost.ndlog",
        log_with("one", asked.step, *[one.record for one in last], late),
        "A seat that was lost signs the close.", LOST, asked.step,
    )  # fmt: skip
    yield _closed_without()


def _closed_without() -> Vector:
    """Seat 3 is lost and owes no ballot; seat 2 is gone before the close."""
    hub = sit_down("one")
    vanish = hub.bend

    def bend(seat: int, record: bytes) -> list[bytes]:
        closes = seat == GONE and decode_entry(record).kind == "close"
        return [] if closes else vanish(seat, record)

    hub.bend = bend
    go_on_to_the_close(hub)
    honest = hub.seats[0]
    people = identities(GONE)
    ballots = [sign_ballot(one, honest.machine.chain, seat, GONE).record
               for seat, one in enumerate(people)]  # fmt: skip
    log = log_bytes(honest) + b"".join(map(frame, [*honest.machine.current(), *ballots]))
    about = "Seat 3 was lost, seat 2 is gone: close and ballots are those of seats 0 and 1."
    return vector("one", "closed-without-lost.ndlog", log, about)


def go_on_to_the_close(hub: Hub) -> None:
    """Play with the seat that is lost first, up to a close that lacks a signature."""
    hub.run()
    hub.go_on_without(LOST)
    hub.run_on()
