"""Files that each break one rule of headers, signatures, order, ballots or evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from p2p.identity.ed25519 import FIELD_PRIME, GROUP_ORDER, Point, add, decompress, multiply
from p2p.protocol import wire
from p2p.protocol.ballot import sign_ballot
from p2p.protocol.entry import PURPOSE as ENTRY_PURPOSE
from p2p.protocol.entry import Chain, Entry, decode_entry, sign_entry
from p2p.protocol.genesis import PURPOSE
from p2p.protocol.logfile import begin_log, encode_evidence, frame, split_log
from tests.protocol.cheats import CHEAT, sign_again
from tests.protocol.kit import identities, log_bytes
from tests.vectors.altered import GONE, SEATS, left, with_records
from tests.vectors.tables import log_of
from tests.vectors.vector import Level, Vector

SMALL_ORDER: Final = bytes([1]) + bytes(31)
"""The Ed25519 identity point as a key."""
ORDER_TWO: Final[Point] = (0, FIELD_PRIME - 1, 1, 0)
BASE: Final = decompress((4 * pow(5, -1, FIELD_PRIME) % FIELD_PRIME).to_bytes(32, "little"))
"""The generator of RFC 8032, section 5.1."""
SCALAR: Final = 32
"""Where the second half of a signature begins."""
Fields = dict[str, Any]


def spoilt_files() -> Iterator[Vector]:
    """All of them."""
    yield from _headers()
    yield _large_signature()
    yield _twisted_signature()
    yield from _orders()
    yield from _ballots()


# -- headers that all seats signed as they stand -----------------------------------------------


def _headers() -> Iterator[Vector]:
    """Their faults are found before any signature is checked, except for the ping."""
    first = identities(SEATS)[0].public
    for name, verdict, about, change in (
        ("bad-key-identity", "bad-key", "An identity key of small order.", _seated(SMALL_ORDER)),
        ("bad-key-twice", "bad-key", "One identity key holds two seats.", _seated(first)),
        ("malformed-name", "malformed", "A name that turns around what follows.", _named),
        ("malformed-bot", "malformed", "Whether a seat is a bot, as a number.", _marked),
        ("malformed-ping", "malformed", "A seat states a round trip to itself.", _own_ping),
    ):
        body = wire.unpack(wire.unpack(split_log(log_of("flip-over")).header)["body"])
        change(body)
        data = wire.pack(body)
        signatures = [one.sign(PURPOSE, data) for one in identities(SEATS)]
        log = begin_log(wire.pack({"body": data, "signatures": signatures}))
        level = Level.PROOF if name == "malformed-ping" else Level.CHAIN
        yield Vector(f"{name}.ndlog", log, verdict, level, about)


def _seat(body: Fields, place: int, value: object) -> None:
    proposal = wire.unpack(body["proposal"])
    proposal["seats"][CHEAT][place] = value
    body["proposal"] = wire.pack(proposal)


def _seated(key: bytes) -> Callable[[Fields], None]:
    return lambda body: _seat(body, 0, key)


def _named(body: Fields) -> None:
    _seat(body, 1, "\u202eseat")


def _marked(body: Fields) -> None:
    _seat(body, 2, 1)


def _own_ping(body: Fields) -> None:
    body["pings"][CHEAT][CHEAT] = 1000


# -- signatures and the order of entries -------------------------------------------------------


def _entries() -> list[Entry]:
    return [decode_entry(record) for record in split_log(log_of("flip-over")).records]


def _large_signature() -> Vector:
    """Right modulo the group order: a careless verifier takes it for another copy."""
    entries = _entries()[: 2 * SEATS]
    *before, last = [entry.record for entry in entries]
    scalar = int.from_bytes(last[-SCALAR:], "little") + GROUP_ORDER
    spoilt = last[:-SCALAR] + scalar.to_bytes(SCALAR, "little")
    about = "A true signature with the group order added to its second half."
    return Vector(
        "bad-signature-large.ndlog", with_records([*before, spoilt]), "bad-signature",
        Level.CHAIN, about, step=entries[-1].step,
    )  # fmt: skip


def _twisted_signature() -> Vector:
    """Right for a verifier that uses the cofactor: R has a part of order two."""
    entries = _entries()[: 2 * SEATS]
    *before, last = [entry.record for entry in entries]
    signer, signed = identities(SEATS)[entries[-1].seat], ENTRY_PURPOSE + entries[-1].body
    half = bytearray(hashlib.sha512(signer.expose_secret()).digest()[:SCALAR])
    half[0] &= 248
    half[31] = half[31] & 127 | 64  # RFC 8032, section 5.1.5
    secret, nonce = int.from_bytes(half, "little"), 5
    x, y, z, _ = add(multiply(nonce, BASE), ORDER_TWO)
    inverse = pow(z, -1, FIELD_PRIME)
    parity = x * inverse % FIELD_PRIME & 1
    point = (y * inverse % FIELD_PRIME | parity << 255).to_bytes(SCALAR, "little")
    digest = hashlib.sha512(point + signer.public + signed).digest()
    scalar = (nonce + int.from_bytes(digest, "little") * secret) % GROUP_ORDER
    spoilt = last[: -2 * SCALAR] + point + scalar.to_bytes(SCALAR, "little")
    about = "A signature that only a verifier with the cofactor takes for right."
    return Vector(
        "bad-signature-cofactor.ndlog", with_records([*before, spoilt]), "bad-signature",
        Level.CHAIN, about, step=entries[-1].step,
    )  # fmt: skip


def _orders() -> Iterator[Vector]:
    """Entries with fitting hashes and signatures, where none is owed or one before is missing."""
    entries = _entries()
    coin, shuffle = entries[:SEATS], entries[SEATS]
    alone = _signed_on(coin[:-1], entry=shuffle)
    kept = [entry.record for entry in coin[:-1]]
    yield Vector(
        "broken-chain-lacking.ndlog", with_records([*kept, alone]), "broken-chain", Level.PROOF,
        "A step lacks a seat, and the others signed on.", step=0,
    )  # fmt: skip
    late = sign_again(shuffle.record, seat=GONE)
    so_far = [entry.record for entry in entries[: SEATS + 1]]
    about = "A seat that owed no entry signed one in the step of another."
    yield Vector(
        "illegal-move-unasked.ndlog", with_records([*so_far, late]), "illegal-move", Level.PROOF,
        about, GONE, shuffle.step,
    )  # fmt: skip
    later = [entry.record for entry in entries if entry.step <= shuffle.step + 2]
    yield Vector(
        "illegal-move-unasked.evidence", encode_evidence(with_records(later), [late]),
        "illegal-move", Level.PROOF, about, GONE, shuffle.step,
    )  # fmt: skip
    close = entries[-SEATS:]
    more = _signed_on(close, entry=close[0])
    yield Vector(
        "broken-chain-closed.ndlog", with_records([*(one.record for one in entries), more]),
        "broken-chain", Level.PROOF, "An entry behind the whole close step.", step=close[0].step,
    )  # fmt: skip


def _signed_on(step: list[Entry], entry: Entry) -> bytes:
    """The payload of an entry, signed by seat 0 for the step after these entries."""
    chain = Chain(step[0].table)
    chain.step, chain.head = step[0].step, step[0].previous
    chain.advance([one.body for one in step])
    return sign_entry(identities(SEATS)[0], chain, 0, entry.kind, entry.payload, entry.state).record


# -- ballots -----------------------------------------------------------------------------------


def _ballots() -> Iterator[Vector]:
    honest = left().seats[0]
    chain = honest.machine.chain
    unclosed = log_bytes(honest) + b"".join(frame(r) for r in honest.machine.current())
    first, second = (sign_ballot(identities(SEATS)[s], chain, s, GONE).record for s in (0, CHEAT))
    forged = second[:-1] + bytes([second[-1] ^ 1])
    before = Chain(chain.table)
    before.step, before.head = chain.step, chain.table
    stray = sign_ballot(identities(SEATS)[CHEAT], before, CHEAT, GONE).record
    yield Vector(
        "bad-signature-ballot.ndlog", unclosed + frame(first) + frame(forged), "bad-signature",
        Level.PROOF, "A ballot that seat 1 did not sign.", step=chain.step,
    )  # fmt: skip
    yield Vector(
        "broken-chain-ballots-stray.ndlog", unclosed + frame(first) + frame(stray),
        "broken-chain", Level.PROOF, "A ballot about another history.", step=chain.step,
    )  # fmt: skip
    yield Vector(
        "broken-chain-ballots-closed.ndlog", log_of("flip-over") + frame(first),
        "broken-chain", Level.PROOF, "A ballot behind a whole close step.",
        step=_entries()[-1].step,
    )  # fmt: skip
