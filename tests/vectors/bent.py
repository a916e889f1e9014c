"""Tables at which seat 1 cheats under its own valid signature, and the files that result.

Each cheat gives `NAME.ndlog`, the log of a table that would have played on as if nothing had
happened; one of each kind also gives `NAME.evidence`, as an honest peer writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from p2p.crypto.elgamal import pack_ciphers, unpack_ciphers
from p2p.crypto.group import GENERATOR, POINT_BYTES, add
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.logfile import encode_evidence, frame
from tests.protocol.cheats import CHEAT, sign_again
from tests.protocol.kit import Hub, log_bytes
from tests.vectors.tables import LEAVING, MOST_WIRE, OTHERS, PLANS, STAGED, sit_down
from tests.vectors.vector import Level, Vector

HONEST: Final = 0
CIPHER_BYTES: Final = 2 * POINT_BYTES
Payload = Any


def anything(_: Payload) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Cheat:
    """A change of the first entry of this kind by seat 1 for whose payload `when` is true.

    `change` makes its new payload, `fields` are its other new fields, and `scheme` changes the
    table before the game.
    """

    name: str
    plan: str
    kind: str
    verdict: str
    level: Level
    about: str
    change: Callable[[Payload], Payload] = lambda payload: payload
    when: Callable[[Payload], bool] = anything
    fields: tuple[tuple[str, Any], ...] = ()
    scheme: Callable[[Hub], None] = lambda hub: None


# -- ways to change a payload -----------------------------------------------------------------


def duplicate(payload: Payload) -> Payload:
    deck = unpack_ciphers(payload["deck"], len(payload["deck"]) // CIPHER_BYTES)
    return {**payload, "deck": pack_ciphers([deck[1], *deck[1:]])}


def swapped(payload: Payload) -> Payload:
    deck = unpack_ciphers(payload["deck"], len(payload["deck"]) // CIPHER_BYTES)
    return {**payload, "deck": pack_ciphers([deck[1], deck[0], *deck[2:]])}


def other_card(payload: Payload) -> Payload:
    (a, b), *rest = unpack_ciphers(payload["deck"], len(payload["deck"]) // CIPHER_BYTES)
    return {**payload, "deck": pack_ciphers([(a, add(b, GENERATOR)), *rest])}


def moved(field: str) -> Callable[[Payload], Payload]:
    """The first point of a field becomes another point."""

    def change(payload: Payload) -> Payload:
        points = payload[field]
        first = add(points[:POINT_BYTES], GENERATOR)
        return {**payload, field: first + points[POINT_BYTES:]}

    return change


def bent(field: str) -> Callable[[Payload], Payload]:
    """The last scalar of a field becomes another scalar."""

    def change(payload: Payload) -> Payload:
        data = bytearray(payload[field])
        data[-POINT_BYTES] ^= 1
        return {**payload, field: bytes(data)}

    return change


def none_laid(payload: Payload) -> Payload:
    empty = {"slots": [], "cards": [], "shares": b"", "proof": None}
    return {**payload, **empty}


def has(field: str) -> Callable[[Payload], bool]:
    return lambda payload: payload is not None and bool(payload[field])


def credited(said: Payload) -> Payload:
    (seen, late, _), *rest = said["claims"]
    return {**said, "claims": [[seen, late, 10_001], *rest]}


CHEATS: Final = (
    Cheat(
        "bad-shuffle-duplicate", "flip-over", "shuffle", "bad-shuffle", Level.PROOF,
        "One card stands twice in the shuffled deck, another is gone.", duplicate,
    ),
    Cheat(
        "bad-shuffle-order", "flip-over", "shuffle", "bad-shuffle", Level.PROOF,
        "The right cards, in another order than the proof is about.", swapped,
    ),
    Cheat(
        "bad-shuffle-hand", "flip-over-teams", "reshuffle", "bad-shuffle", Level.PROOF,
        "A seat exchanges a card while it reshuffles its own hand.", other_card,
    ),
    Cheat(
        "bad-shuffle-cut", "flaps-level-2", "cut", "bad-shuffle", Level.PROOF,
        "The copy of the stock that is shuffled for a cut holds a card twice.", duplicate,
    ),
    Cheat(
        "bad-share-deal", "flip-over", "deal", "bad-share", Level.PROOF,
        "A wrong share while cards are dealt.", moved("shares"),
    ),
    Cheat(
        "bad-share-open", "flop-a", "open", "bad-share", Level.PROOF,
        "A wrong share of a card that is turned up.", moved("shares"),
    ),
    Cheat(
        "bad-share-coin", "flip-over", "coin", "bad-share", Level.PROOF,
        "A wrong share of a public random value.", moved("shares"),
    ),
    Cheat(
        "bad-share-play", "flip-over", "play", "bad-share", Level.PROOF,
        "A wrong share of a card that is laid.", moved("share"), has("share"),
    ),
    Cheat(
        "bad-share-face", "flip-over", "play", "bad-share", Level.PROOF,
        "Share and proof are right, the name of the card is not.",
        lambda payload: {**payload, "card": payload["card"] - 1}, has("share"),
    ),
    Cheat(
        "bad-oath-play", "flip-over-teams", "play", "bad-oath", Level.PROOF,
        "A card off the led suit, with an oath that proves nothing.", bent("oath"), has("oath"),
    ),
    Cheat(
        "bad-oath-kept", "flop-a", "lay-all", "bad-oath", Level.PROOF,
        "A card that has to be laid stays in the hand, under an oath about fewer cards.",
        none_laid, has("slots"),
    ),
    Cheat(
        "bad-transfer", "flip-over-teams", "hand-over", "bad-transfer", Level.PROOF,
        "A card becomes another one while it is handed over.", other_card,
    ),
    Cheat(
        "bad-opening", "sneak", "set-reveal", "bad-opening", Level.PROOF,
        "A set that was committed to is not turned up.",
        lambda payload: {**payload, "laid": None}, has("laid"),
    ),
    Cheat(
        "bad-witness", "you-fink", "witness", "bad-witness", Level.PROOF,
        "A witness credits a claimant with more delay than the header allows.", credited,
    ),
    Cheat(
        "illegal-move-choice", "flop-a", "choose", "illegal-move", Level.PROOF,
        "A choice that was not offered.", lambda _: 99,
    ),
    Cheat(
        "illegal-move-pass", "flip-over", "play", "illegal-move", Level.PROOF,
        "A pass where a card has to be laid.", lambda _: None,
    ),
    Cheat(
        "illegal-move-kind", "flip-over", "coin", "illegal-move", Level.PROOF,
        "An entry of another kind than the step asks for.", fields=(("kind", "play"),),
    ),
    Cheat(
        "state-mismatch", "flip-over", "play", "state-mismatch", Level.RULES,
        "A seat signs another state of the table.", fields=(("state", bytes(16)),),
    ),
    Cheat(
        "state-mismatch-result", "flip-over", "close", "state-mismatch", Level.RULES,
        "A seat signs another result.",
        lambda payload: {**payload, "result": [one + 1 for one in payload["result"]]},
    ),
    Cheat(
        "malformed-shares", "flip-over", "deal", "malformed", Level.PROOF,
        "One share more than was asked for.",
        lambda payload: {**payload, "shares": payload["shares"] + payload["shares"][:32]},
    ),
    Cheat(
        "malformed-field", "flip-over", "play", "malformed", Level.PROOF,
        "A payload with a field that no version knows.",
        lambda payload: {**payload, "more": None},
    ),
)  # fmt: skip

WITH_EVIDENCE: Final = frozenset(
    {
        "bad-shuffle-order",
        "bad-share-deal",
        "bad-witness",
        "state-mismatch",
    }
)


def bent_tables() -> Iterator[Vector]:
    """The vectors of these cheats."""
    for cheat in CHEATS:
        yield from caught(cheat)


def caught(cheat: Cheat) -> Iterator[Vector]:
    """The vectors of one cheat."""
    hub = sit_down({**PLANS, **OTHERS, **STAGED, **LEAVING}[cheat.plan])
    yield from caught_at(hub, cheat, lambda hub: hub.run(MOST_WIRE))


def caught_at(hub: Hub, cheat: Cheat, play: Callable[[Hub], object]) -> Iterator[Vector]:
    """The vectors of one cheat at a table that is played like this."""
    cheat.scheme(hub)
    entry = _bend(hub, cheat)
    play(hub)
    if not entry or HONEST not in hub.faults:
        raise AssertionError(f"{cheat.name}: nobody noticed, or there was no such entry")
    fault = hub.faults[HONEST]
    log = log_bytes(hub.seats[HONEST])
    said = {decode_entry(record).seat: record for record in fault.evidence}
    # The last shuffle of a zone is in the log already: all of them are verified together.
    beyond = [record for _, record in sorted(said.items()) if frame(record) not in log]
    played_on = log + b"".join(frame(record) for record in beyond)
    where = CHEAT, fault.error.step
    verdict, level, about = cheat.verdict, cheat.level, cheat.about
    yield Vector(f"{cheat.name}.ndlog", played_on, verdict, level, about, *where)
    if cheat.name in WITH_EVIDENCE:
        evidence = encode_evidence(log, fault.evidence)
        yield Vector(f"{cheat.name}.evidence", evidence, verdict, level, about, *where)


def _bend(hub: Hub, cheat: Cheat) -> list[Entry]:
    """Bend the cheat's entry when it leaves; from then on the list holds the honest one."""
    met: list[Entry] = []
    leaving = hub.bend

    def bend(source: int, record: bytes) -> list[bytes]:
        entry = decode_entry(record)
        wanted = source == CHEAT and entry.kind == cheat.kind and not met
        if not wanted or not cheat.when(entry.payload):
            return leaving(source, record)
        met.append(entry)
        payload = cheat.change(entry.payload)
        return leaving(source, sign_again(record, payload=payload, **dict(cheat.fields)))

    hub.bend = bend
    return met
